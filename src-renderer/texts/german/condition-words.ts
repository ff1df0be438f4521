/**
 * The conditions of a schedule in German. They are sentences of the engine's side (src-main/hosting/schedule-checklist.ts); a test
 * holds that none of them is missing here. What a file or a member itself says stays as it is.
 */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [
    /^The settings of the node cannot be used: (.*)$/s,
    'Die Einstellungen des Nodes sind nicht brauchbar: $1'
  ],
  [
    /^Auto-scavenge is turned off by the setting AutoScavenge: Enabled\.$/,
    'Auto-Scavenge ist durch die Einstellung AutoScavenge: Enabled ausgeschaltet.'
  ],
  [
    /^Auto-scavenge is not turned off by a setting\.$/,
    'Auto-Scavenge ist durch keine Einstellung ausgeschaltet.'
  ],
  [
    /^The configuration of the node sets Dev: .*$/,
    'Die Konfiguration des Nodes setzt Dev: Im Entwicklungsmodus läuft kein Zeitplan.'
  ],
  [/^The node is not in dev mode\.$/, 'Der Node ist nicht im Entwicklungsmodus.'],
  [
    /^The configuration of the node sets MemDb: .*$/,
    'Die Konfiguration des Nodes setzt MemDb: Es gibt keine Dateien.'
  ],
  [/^The database is stored in files\.$/, 'Die Datenbank liegt in Dateien.'],
  [
    /^There is no valid licence: no licence is given\.$/,
    'Es gibt keine gültige Lizenz: Keine ist angegeben.'
  ],
  [/^There is no valid licence: (.*)$/s, 'Es gibt keine gültige Lizenz: $1'],
  [/^Licensed to (.*) until ([\d-]+)\.$/, 'Lizenziert für $1 bis $2.'],
  [/^No schedule is set\.$/, 'Es ist kein Zeitplan gesetzt.'],
  [/^The schedule is not paused\.$/, 'Der Zeitplan ist nicht angehalten.'],
  [
    /^The schedule was paused by hand\. .*$/,
    'Der Zeitplan wurde von Hand angehalten. Er bleibt es, bis er fortgesetzt wird.'
  ],
  [
    /^The schedule was resumed by hand inside the quiet hours (.*)\.$/,
    'Der Zeitplan wurde innerhalb der Ruhezeiten $1 von Hand fortgesetzt.'
  ],
  [/^The schedule is (.*)\.$/, 'Der Zeitplan ist $1.'],
  [/^There are no quiet hours\.$/, 'Es gibt keine Ruhezeiten.'],
  [/^It is now outside the quiet hours (.*)\.$/, 'Jetzt ist außerhalb der Ruhezeiten $1.'],
  [
    /^It is now inside the quiet hours (.*); the schedule resumes by itself when they end\.$/,
    'Jetzt ist innerhalb der Ruhezeiten $1; an ihrem Ende wird der Zeitplan von selbst fortgesetzt.'
  ],
  [/^It is now inside the quiet hours (.*)\.$/, 'Jetzt ist innerhalb der Ruhezeiten $1.'],
  [
    /^User, password and certificate authority are usable\.$/,
    'Benutzer, Passwort und Zertifizierungsstelle sind brauchbar.'
  ],
  [/^No member answers\.$/, 'Kein Mitglied antwortet.'],
  [/^All members are available\.$/, 'Alle Mitglieder sind verfügbar.'],
  [
    /^Fewer members than expected: .*$/,
    'Weniger Mitglieder als erwartet: Nicht alle können jetzt einen Scavenge ausführen.'
  ],
  [
    /^(.*): not all members can be scavenged now\.$/,
    '$1: Nicht alle Mitglieder können jetzt einen Scavenge ausführen.'
  ],
  [
    /^The leader does not report whether .*$/,
    'Der Leader meldet nicht, ob der Cluster sein eigenes Auto-Scavenge ausführt.'
  ],
  [
    /^The cluster runs its own auto-scavenge, .*$/,
    'Der Cluster führt sein eigenes Auto-Scavenge aus; es wird hier gezeigt und gesteuert.'
  ],
  [/^The cluster does not run its own auto-scavenge\.$/, 'Der Cluster führt kein eigenes Auto-Scavenge aus.'],
  [/^This window runs the schedule .*$/, 'Dieses Fenster führt den Zeitplan aus, solange es offen ist.'],
  [/^This service runs the schedule .*$/, 'Dieser Dienst führt den Zeitplan aus, solange er läuft.'],
  [
    /^Process (\d+)(?: at (\S+))? runs the schedule, and is controlled from here\.$/,
    'Der Prozess $1 führt den Zeitplan aus und wird von hier gesteuert.'
  ],
  [
    /^Process (\d+)(?: at (\S+))? runs the schedule and serves no HTTP: .*$/,
    'Der Prozess $1 führt den Zeitplan aus und bietet kein HTTP an: Von hier lässt er sich nicht steuern.'
  ]
];

export function conditionInGerman(words: string): string {
  const known = SENTENCES.find(([pattern]) => pattern.test(words));
  return known ? words.replace(...known) : words;
}

/** The German texts of `../schedule.ts`, which says what each is for. */
import type { scheduleTexts as english } from '../schedule.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { conditionInGerman } from './condition-words.ts';

export const scheduleTexts = {
  autoScavenge: {
    noSchedule: 'Noch kein Zeitplan',
    of: (cluster: string) => `Zeitplan von ${cluster}`,
    ofOne: (node: string) => `Zeitplan von ${node}, einem Cluster aus einem Node`,
    plain: {
      title: 'Zeitplan in Worten',
      every: 'Jeweils',
      week: 'wöchentlich',
      day: 'täglich',
      month: 'monatlich',
      hours: 'alle paar Stunden',
      other: 'anders (als CRON unten)',
      on: 'am',
      days: 'Wochentage',
      onDay: 'am Tag',
      howManyHours: 'Stunden zwischen zwei Läufen',
      hoursOf: (hours: number) => (hours === 1 ? 'jede Stunde' : `alle ${hours} Stunden`),
      atMinute: 'zur Minute',
      at: 'um',
      shortMonths: (day: number) => `Monate ohne Tag ${day} werden übersprungen.`
    },
    week: {
      label: (runs: number) => `Die kommende Woche: ${runs === 1 ? 'ein Lauf' : `${runs} Läufe`}`,
      runs: 'Lauf',
      quietHours: 'Ruhezeiten'
    },
    lastTook: (durations: string) => `Dauer der letzten Läufe: ${durations}.`,
    oneTook: (duration: string) => `Dauer des letzten Laufs: ${duration}.`,
    runNow: 'Jetzt ausführen',
    skipNext: 'Nächsten überspringen',
    skipped: (time: string) => `Übersprungen: ${time}.`,
    partsOf: 'Was die fünf Teile bedeuten',
    proposal: 'Was Sie unten sehen, ist ein Vorschlag; nichts ist gespeichert.',
    draft: 'nicht gespeichert',
    saved: 'gespeichert',
    save: 'Zeitplan speichern',
    change: 'Neuen Zeitplan speichern',
    revert: 'Änderungen verwerfen',
    zoneOfServer: 'Der Cluster benutzt seine eigene Zeitzone.',
    unknownZone: 'Das ist keine IANA-Zeitzone.',
    state: 'Status',
    states: {
      NotConfigured: 'Nicht eingerichtet',
      Waiting: 'Wartet',
      InProgress: 'Läuft',
      Pausing: 'Wird pausiert',
      Paused: 'Pausiert'
    },
    stateHints: {
      NotConfigured: 'Es läuft kein Scavenge, bis Sie einen Zeitplan setzen.',
      Waiting: (next: string) => `Der nächste Zyklus beginnt ${next}.`,
      WaitingOnly: 'Der nächste Zyklus beginnt nach Zeitplan.',
      InProgress: 'Die Mitglieder kommen nacheinander an die Reihe, der Leader zuletzt.',
      Pausing: 'Der laufende Scavenge hält an. Was er getan hat, bleibt.',
      Paused: 'Nichts beginnt, bis Sie fortsetzen.',
      PausedByQuietHours: 'Ruhezeit. Wenn sie endet, geht es von selbst weiter.'
    },
    unknownState: 'Status nicht bekannt',
    pause: 'Pausieren',
    resume: 'Fortsetzen',
    by: 'Koordination',
    coordinators: {
      thisWindow: 'dieses Fenster, solange es offen ist',
      thisService: 'dieser Dienst, solange er läuft',
      process: (pid: number, url: string | null) => `Prozess ${pid}${url === null ? '' : ` unter ${url}`}`,
      nobody: 'niemand'
    },
    own: 'Dieser Cluster führt sein eigenes Auto-Scavenge aus; es wird hier gezeigt und gesteuert.',
    members: 'Mitglieder, in der Reihenfolge ihrer Scavenges',
    leader: 'Leader, zuletzt',
    steps: {
      waiting: 'wartet',
      designated: 'als Nächster',
      running: 'läuft',
      success: 'fertig',
      stopped: 'angehalten',
      errored: 'fehlgeschlagen'
    },
    memberColumns: {
      member: 'Mitglied',
      state: 'Status',
      version: 'Version',
      logEnd: 'Log endet bei',
      epoch: 'Epoch',
      size: 'Größe',
      free: 'Freier Platz',
      lastScavenged: 'Letzter Lauf',
      cycle: 'Im Zyklus'
    },
    notKnown: 'nicht bekannt',
    never: 'nie',
    differences: 'Unterschiede zwischen Mitgliedern',
    behind: (member: string, bytes: string, other: string) =>
      `Das Log von ${member} endet ${bytes} vor dem von ${other}.`,
    otherEpoch: (member: string, epoch: number, other: string, otherEpoch: number) =>
      epoch === otherEpoch
        ? `Epoch ${epoch} von ${member} ist eine andere als die von ${other}: nicht derselbe Verlauf.`
        : `${member} ist in Epoch ${epoch}, ${other} in Epoch ${otherEpoch}.`,
    otherVersion: (member: string, version: string, other: string, otherVersion: string) =>
      `Der Server von ${member} hat Version ${version}, der von ${other} Version ${otherVersion}.`,
    noStep: 'noch nicht dabei',
    dead: 'antwortet nicht',
    roles: { Stopped: 'angehalten', InUse: 'von einem Server benutzt' },
    next: 'Die nächsten fünf Läufe',
    noNext: 'Keine, denn es gibt keinen Zeitplan.',
    allQuiet: 'Keine: Alle Termine liegen in Ruhezeiten.',
    preview: 'Vorschau',
    zone: 'Zeitzone',
    quiet: {
      title: 'Ruhezeiten',
      hint: 'Zwischen diesen Zeiten läuft kein Scavenge. Eine Pause, die jemand anders gesetzt hat, bleibt danach bestehen.',
      from: 'Von',
      to: 'bis',
      days: 'An',
      none: 'Keine',
      dayNames: ['So', 'Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa'],
      longDayNames: ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'],
      save: 'Ruhezeiten speichern',
      off: 'Keine Ruhezeiten',
      now: 'jetzt',
      is: (from: string, to: string, days: string) => `${from} bis ${to}, ${days}`,
      everyDay: 'jeden Tag',
      nextDay: 'bis zum nächsten Tag'
    },
    maintenance: {
      title: 'Wartungsfenster',
      hint: 'Nur in diesen Stunden jedes Tages laufen geplante Scavenges. Alle anderen sind Ruhezeiten: Ein am Ende nicht fertiger Lauf hält dort an, wo ihn die nächste Nacht fortsetzt.',
      is: (from: string, to: string) => `Scavenges laufen nur von ${from} bis ${to}, jeden Tag`,
      none: 'Keines: Scavenges laufen zu jeder Stunde',
      byQuietHours: 'Es sind Ruhezeiten gesetzt, die nicht jeden Tag gleich sind',
      from: 'Scavenges laufen von',
      to: 'bis',
      same: 'Das Wartungsfenster ist leer.',
      plan: 'Nächte planen',
      again: 'Neu planen',
      planned: (age: string) => `geplant ${age}`,
      save: 'Wartungsfenster speichern',
      off: 'Kein Wartungsfenster',
      never: 'Der Zeitplan beginnt nie',
      neverHint: (from: string) =>
        `Keiner seiner Termine liegt im Wartungsfenster. Mit dem Fenster beginnen lassen, um ${from}.`,
      begin: (from: string) => `Jede Nacht um ${from} beginnen`,
      remote:
        'Ein laufender Node sagt nicht, was ein Scavenge freigäbe, und nicht, wie schnell er ist: Seine Nächte lassen sich nicht planen.',
      unopened: (names: string) => `Zuerst diese Mitglieder öffnen, dann die Nächte planen: ${names}.`,
      other: (window: string) => `Dieser Plan gilt für das Wartungsfenster ${window}.`,
      otherZone: (own: string, zone: string) =>
        `Der Plan liest das Wartungsfenster in der Zeitzone dieses Rechners (${own}), den Zeitplan in ${zone}.`,
      planTitle: 'Plan der Nächte',
      table: 'Nächte des Wartungsfensters',
      strip: (nights: string, members: string) => `Was jede Nacht freigäbe: ${nights}, ${members}`,
      bar: (member: string, night: string, frees: string) => `${member}, ${night}: gäbe ${frees} frei`,
      bars: 'würde in einer Nacht frei',
      through: (time: string, nights: string) => `Alle Mitglieder sind durch ${time}; Dauer: ${nights}.`,
      notThrough: 'Es ist nicht bekannt, wann das letzte Mitglied durch ist.',
      nothing: 'Bei keinem Mitglied gibt es etwas zu tun.',
      frees: (bytes: string) => `Gäbe ${bytes} frei.`,
      freesUnknown: 'Was frei würde, ist nicht von jedem Mitglied bekannt.',
      columns: {
        member: 'Mitglied',
        night: (zone: string) => `Nacht (${zone})`,
        ends: 'Arbeit endet',
        read: 'Gelesene Chunks',
        chunks: 'Fertige Chunks',
        frees: 'Gibt frei',
        lost: 'Wiederholt'
      },
      help: {
        start: 'Wann das Wartungsfenster beginnt und mit ihm die Arbeit dieser Nacht.',
        night:
          'Wann das Wartungsfenster beginnt. Ein Mitglied beginnt in der Nacht, nachdem das vorige durch ist.',
        ends: 'Wann die Arbeit dieser Nacht endet: mit dem Fenster, oder wenn alles getan ist.',
        read: 'Chunks, die gelesen werden, bevor einer ersetzt wird.',
        chunks: 'Chunks, die ersetzt werden oder bleiben, weil ihre Kopie nicht kleiner ist.',
        lost: 'Arbeit, die das Ende des Fensters abbricht: Die nächste Nacht beginnt sie neu.'
      }
    },
    checklist: {
      title: 'Bedingungen',
      allGood: 'Alle Bedingungen sind erfüllt. Der Zeitplan läuft, wenn er fällig ist.',
      notAll: (count: number) =>
        count === 1
          ? 'Der Zeitplan läuft nicht: Eine Bedingung ist nicht erfüllt.'
          : `Der Zeitplan läuft nicht: ${count} Bedingungen sind nicht erfüllt.`,
      sentence: conditionInGerman,
      met: 'erfüllt',
      notMet: 'nicht erfüllt',
      actions: {
        chooseLicence: 'Lizenz wählen…',
        evaluation: 'Testlizenz verwenden',
        configure: 'Zeitplan setzen',
        resume: 'Fortsetzen',
        setAccess: 'Zugang…',
        chooseAuthority: 'Zertifizierungsstelle…',
        editSettings: 'In der Konfigurationsdatei des Nodes setzen'
      }
    },
    licence: {
      title: 'Lizenz',
      choose: 'Datei wählen…',
      evaluation: 'Testlizenz verwenden',
      none: 'Lizenz entfernen',
      byKey: 'Die Lizenz kommt aus den Einstellungen dieses Rechners.'
    }
  }
} satisfies Translation<typeof english>;

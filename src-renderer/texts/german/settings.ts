/** The German texts of `../settings.ts`, which says what each is for. */
import type { settingsTexts as english } from '../settings.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const settingsTexts = {
  settings: {
    title: 'Einstellungen',
    sections: {
      appearance: 'Darstellung',
      node: 'Einstellungen des Nodes',
      licence: 'Lizenz',
      users: 'Benutzer',
      targets: 'Backup-Ziele'
    },

    theme: 'Farbschema',
    themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
    numbers: 'Zahlen',
    language: 'Sprache',
    languages: { system: 'Wie das System', en: 'English', de: 'Deutsch' },
    languageHint: 'Die Seite wird neu geladen. Laufende Arbeit geht weiter.',
    numberStyles: {
      language: 'Wie die Sprache',
      comma: '1,234,567.8',
      point: '1.234.567,8',
      space: '1 234 567,8',
      apostrophe: '1’234’567.8'
    },
    size: 'Zoom',
    larger: 'Größer',
    smaller: 'Kleiner',
    resetZoom: 'Zurücksetzen',
    percent: (percent: number) => `${percent} %`,
    sizeHint: 'Strg und Plus, Minus oder 0 wirken in jeder Ansicht.',
    motion: 'Bewegung verringern',
    motionHint: 'Auch wenn das System es nicht verlangt. Animationen dauern hier eine Zehntelsekunde.',
    notices: 'Benachrichtigen, wenn lange Vorgänge enden',
    noticesHint:
      'Zeigt eine Benachrichtigung des Systems, wenn ein Vorgang von mehr als 30 Sekunden endet, während dieses Fenster im Hintergrund ist.',

    nodeIntro:
      'Die Einstellungen, wie Winnow sie aus Konfigurationsdatei und Umgebung liest. Ein Server kann auf seiner eigenen Kommandozeile andere haben; die sieht Winnow nicht.',
    ofFile: (file: string) => `Konfigurationsdatei: ${file}`,
    noFile: 'Dieser Node wurde über sein Verzeichnis geöffnet, daher gelten nur Vorgaben und Umgebung.',
    noNode: 'Es ist kein Node geöffnet. Das sind die Vorgaben und die Umgebung.',
    search: 'Einstellung suchen',
    onlySet: 'Nur gesetzte Einstellungen',
    count: (shown: string, all: string) => `${shown} von ${all}`,
    columns: {
      name: 'Einstellung',
      value: 'Wert',
      source: 'Herkunft',
      default: 'Vorgabe',
      meaning: 'Bedeutung'
    },
    notSet: 'nicht gesetzt',
    sources: {
      default: 'Vorgabe',
      file: 'Datei',
      environment: 'Umgebung',
      commandLine: 'Kommandozeile'
    },
    deprecated: (why: string) => `Veraltet: ${why}.`,
    nothing: 'Keine Einstellung heißt so.',

    licenceIntro: 'Auto-Scavenge braucht eine Lizenz. Alles andere geht ohne.',
    licenceValid: 'Gültig',
    licenceInvalid: 'Nicht gültig',
    licenceNone: 'Keine',
    licenceHolder: 'Inhaber',
    licenceUntil: 'Läuft ab',
    licenceFrom: 'Herkunft',
    licenceFroms: {
      evaluation: 'die Testlizenz',
      file: 'eine Datei',
      key: 'eine Umgebungsvariable, die Vorrang hat'
    },
    licenceState: 'Status',
    licenceEvaluation: 'Testlizenz verwenden',
    licenceFile: 'Lizenzdatei wählen…',
    licenceForget: 'Lizenz entfernen',

    usersIntro:
      'Wer sich beim Node-Dienst anmelden darf: bei der HTTP-API von „winnow serve“ und von Nodes, die dieses Fenster bereitstellt. Änderungen wirken sofort.',
    usersFile: (file: string) => `Gespeichert in ${file}`,
    noUsers:
      'Es gibt keine Benutzer. Ein Dienst, der ohne Benutzer startet, legt einen Administrator an und sagt, wo das Passwort steht.',
    user: 'Benutzer',
    role: 'Rolle',
    change: 'Ändern',
    roles: { admin: 'Administrator', ops: 'Operator', none: 'Nur lesen' },
    password: 'Passwort',
    passwordHint: '8 bis 1000 Zeichen',
    addUser: 'Benutzer anlegen',
    newPassword: 'Neues Passwort…',
    newPasswordFor: (name: string) => `Neues Passwort für ${name}`,
    setPassword: 'Passwort setzen',
    cancel: 'Abbrechen',
    remove: 'Entfernen',
    removeUser: (name: string) => `${name} entfernen`,
    removeTitle: (name: string) => `Benutzer ${name} entfernen?`,
    removeText:
      'Der Benutzer kann sich nicht mehr anmelden. Offene Sitzungen enden mit ihrer nächsten Anfrage.',
    passwordSet: (name: string) => `Das Passwort von ${name} wurde geändert.`,

    targetsIntro: 'Wo die Backups jedes Nodes liegen. Jedes Backup des Nodes geht in dieses Ziel.',
    noTarget: 'nicht gesetzt',
    node: 'Node',
    target: 'Ziel',
    endpoint: 'Endpunkt',
    chooseDirectory: 'Verzeichnis wählen…',
    forgetTarget: 'Entfernen',
    targetForgotten: (name: string) => `${name} hat kein Backup-Ziel mehr. Die Backups bleiben, wo sie sind.`,
    objectStore: 'Objektspeicher…',
    noNodes: 'Noch keine Nodes. Zuerst ein Datenverzeichnis öffnen.'
  }
} satisfies Translation<typeof english>;

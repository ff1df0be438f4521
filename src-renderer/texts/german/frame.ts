/** The German texts of `../frame.ts`, which says what each is for. */
import type { frameTexts as english } from '../frame.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const frameTexts = {
  product: 'Winnow',

  frame: {
    nodes: 'Nodes',
    nodesMenu: 'Aktionen für die Liste',
    allNodes: 'Alle Nodes im Überblick',
    look: 'Ansehen',
    act: 'Handeln',
    sideBarWidth: 'Breite der Seitenleiste',
    showInFolder: 'Im Dateimanager zeigen',
    undo: 'Rückgängig',
    forgotten: (name: string) => `${name} steht nicht mehr in der Liste. Die Datenbank ist unverändert.`,
    windowTitle: (name: string) => `${name} — Winnow`,
    open: 'Öffnen…',
    openHint: 'Datenbank öffnen',
    search: 'Suchen…',
    back: 'Zurück',
    forward: 'Vorwärts',
    refresh: 'Aktualisieren',
    collapse: 'Seitenleiste einklappen',
    expand: 'Seitenleiste ausklappen',
    theme: (theme: string) => `Farbschema: ${theme}. Klicken, um es zu wechseln.`,
    themes: { system: 'wie das System', light: 'hell', dark: 'dunkel' },
    views: 'Ansichten',
    copyPath: 'Pfad kopieren',
    loading: 'Datenbank wird gelesen…',
    unreadable: {
      needs:
        'Diese Ansicht zeigt, was in der Datenbank ist; die ist zurzeit nicht lesbar. Der Grund steht oben.',
      rows: 'Keine Zeilen: Die Datenbank ist zurzeit nicht lesbar. Der Grund steht oben.',
      check: 'Prüfen und reparieren…',
      restore: 'Backup wiederherstellen…',
      forget: 'Aus der Liste nehmen'
    },
    stale: 'wird aktualisiert…'
  },

  views: {
    overview: 'Übersicht',
    chunks: 'Chunks',
    records: 'Records',
    streams: 'Streams',
    index: 'Index',
    usage: 'Belegung',
    scavenge: 'Scavenge',
    schedule: 'Zeitplan',
    backups: 'Backups',
    restore: 'Wiederherstellen',
    verify: 'Prüfen und reparieren',
    erasure: 'Löschnachweis',
    rescue: 'Rettung',
    node: 'Dieser Node',
    extract: 'Auszug und Weitergabe'
  },

  first: {
    title: 'Datenbank öffnen',
    directory: 'Datenverzeichnis öffnen',
    directoryHint: 'Der Ordner mit den Chunk-Dateien und writer.chk. Den Index findet Winnow selbst.',
    configuration: 'Serverkonfiguration öffnen',
    configurationHint: 'Die YAML-Datei des Servers. Sie nennt Daten- und Indexverzeichnis.',
    sample: 'Beispieldatenbank anlegen',
    sampleHint: 'Etwa 64 MiB mit abgelaufenen, gekürzten und gelöschten Streams. Dauert einen Moment.',
    restore: 'Backup wiederherstellen',
    restoreHint:
      'Aus einem Backup oder einer von Hand erstellten Kopie, in ein neues Verzeichnis oder einen angehaltenen Node.',
    sampleRunning: 'Beispieldatenbank wird geschrieben…',
    recent: 'Zuletzt geöffnet',
    noRecent: 'Hier stehen die Datenbanken, die Sie öffnen.',
    forget: 'Aus dieser Liste nehmen',
    rename: 'Umbenennen',
    save: 'Speichern',
    cancel: 'Abbrechen',
    safety:
      'Das Öffnen einer Datenbank ändert nichts. Ein Verzeichnis, das ein laufender Server hält, ist schreibgeschützt. Scavenge, Wiederherstellung und Reparatur zeigen ihren Plan, bevor sie etwas schreiben; was ein Scavenge entfernt, kommt nur aus einem Backup zurück.'
  },

  inUse: {
    title: 'Ein laufender Server hält dieses Verzeichnis',
    by: (by: string, pid: number | null) => {
      const program = by === 'unknown' ? 'einem anderen Programm' : by;
      return pid === null
        ? `Es ist in ${program} geöffnet.`
        : `Es ist in ${program} geöffnet (Prozess ${pid}).`;
    },
    consequence:
      'Alles hier ist schreibgeschützt und kann sich jederzeit ändern. Für einen Scavenge den Server anhalten.',
    badge: 'schreibgeschützt',
    again: 'Erneut prüfen'
  },

  engine: {
    died: 'Die Engine hat angehalten',
    explained:
      'Keine halb geschriebene Datei ist in Gebrauch: Das nächste Öffnen räumt auf. Laufende Vorgänge wurden angehalten und lassen sich fortsetzen.',
    restart: 'Engine neu starten'
  },

  error: {
    details: 'Einzelheiten',
    copy: 'Kopieren',
    retry: 'Erneut versuchen',
    help: 'Was hilft',
    dismiss: 'Schließen',
    moreWarnings: (count: string) => `${count} weitere`
  },

  work: {
    startedBy: {
      page: (user: string) => `gestartet von ${user}`,
      http: (user: string) => `gestartet von ${user} über HTTP`,
      schedule: () => 'gestartet vom Zeitplan'
    },
    running: 'Laufende Vorgänge',
    stop: 'Anhalten',
    stopping: 'hält an…',
    idle: 'Nichts läuft',
    unfetched: (title: string, message: string) =>
      `Das Ergebnis von „${title}“ konnte nicht abgerufen werden: ${message}`,
    weighing: 'Gewichte der Chunks werden berechnet',
    freeDisk: (free: string) => `${free} frei auf dem Volume`,
    more: (count: number) => `und ${count} weitere`,
    freed: (bytes: string) => `${bytes} freigegeben`,
    perSecond: (rate: string) => `${rate}/s`,
    ended: {
      done: 'fertig',
      stopped: 'angehalten',
      failed: 'fehlgeschlagen',
      running: 'läuft',
      stopping: 'hält an'
    }
  },

  units: {
    bytes: ['Byte', 'Bytes'],
    records: ['Record', 'Records'],
    chunks: ['Chunk', 'Chunks'],
    streams: ['Stream', 'Streams'],
    entries: ['Eintrag', 'Einträge'],
    tables: ['Tabelle', 'Tabellen'],
    files: ['Datei', 'Dateien']
  },

  tour: {
    title: 'Rundgang',
    stepOf: (step: number, steps: number) => `Rundgang, Schritt ${step} von ${steps}`,
    steps: {
      overview: 'Wie es dem Node geht, was in seinem Log liegt und was frei würde.',
      chunks: 'Jeder Chunk mit seinem Gewicht: je schwerer, desto mehr entfernt ein Scavenge daraus.',
      scavenge: 'Zuerst den Plan erstellen. Er liest das Log und sagt Record für Record, was ginge.',
      verify: 'Startet der Server, ist etwas beschädigt, und was lässt sich reparieren.'
    },
    next: 'Weiter',
    done: 'Fertig',
    leave: 'Beenden'
  },

  shortcuts: {
    title: 'Tastenkürzel',
    window: 'Fenster',
    views: 'Ansichten',
    lists: 'Tabellen und Karten',
    close: 'Schließen',
    inLists: [
      { name: 'Nächste oder vorige Zeile', keys: '↑ ↓' },
      { name: 'Erste oder letzte Zeile', keys: 'Home End' },
      { name: 'Ausgewählte Zeile öffnen', keys: 'Enter' },
      { name: 'Dialog oder Bereich verlassen', keys: 'Esc' }
    ],
    record: 'Records',
    inRecords: [
      { name: 'Von der Zeile zu ihrem JSON', keys: 'Enter' },
      { name: 'Nächster Teil: Zeilen, JSON, Felder, Bytes', keys: 'F6' },
      { name: 'Voriger Teil', keys: 'Shift F6' },
      { name: 'Wert ein- oder ausklappen', keys: '← →' },
      { name: 'Wert oder Bytes kopieren', keys: 'Ctrl C' },
      { name: 'Pfad oder Bytes als Text kopieren', keys: 'Ctrl Shift C' },
      { name: 'Bytes markieren', keys: 'Shift ← →' },
      { name: 'Von einem Feld zu seinen Bytes', keys: 'Enter' }
    ]
  },

  palette: {
    title: 'Suchen oder ausführen',
    placeholder: 'Eine Aktion, ein Node, ein Stream, eine Chunk-Nummer oder eine Log-Position',
    nothing: 'Keine Treffer.',
    recent: 'Zuletzt',
    actions: 'Aktionen',
    views: 'Ansichten',
    nodes: 'Nodes',
    streams: 'Streams',
    go: 'Gehe zu',
    chunk: (number: string) => `Chunk ${number}`,
    record: (position: string) => `Record an Position ${position}`,
    obstacles: {
      noNode: 'Zuerst einen Node öffnen.',
      noNodes: 'Es ist kein Node geöffnet.',
      noSample: 'Zuerst die Beispieldatenbank anlegen.',
      noCluster: 'Zuerst einen Cluster öffnen.',
      writing: 'An diesem Node arbeitet ein anderer Vorgang.',
      inUse: 'Ein laufender Server hält dieses Verzeichnis.',
      mayNotWrite: 'Ihr Konto darf nur lesen.',
      noTarget: 'Zuerst unter Backups wählen, wohin die Backups kommen.',
      onlyInWindow: 'Nur im Fenster von Winnow.',
      onlyAdministrators: 'Nur für Benutzer mit der Rolle $admins.',
      nothingRuns: 'Nichts läuft.',
      noBack: 'Es gibt keinen früheren Ort.',
      noForward: 'Es gibt keinen späteren Ort.',
      inNoCluster: 'Dieser Node ist in keinem Cluster.'
    },
    actionsList: {
      palette: 'Suchen oder ausführen…',
      shortcuts: 'Tastenkürzel',
      documentation: 'Dokumentation',
      documentationAbout: 'Dokumentation dieser Ansicht',
      tour: 'Rundgang durch die Beispieldatenbank',
      scavenge: 'Scavenge dieses Nodes…',
      rescue: 'Volle Platte retten…',
      repair: 'Reparatur planen',
      rebuildIndex: 'Neuaufbau des Index planen',
      restore: 'Backup wiederherstellen…',
      eraseInBackup: 'In einem Backup löschen…',
      rekeyBackups: 'Backups umschlüsseln…',
      erasure: 'Bericht, wo Events eines Streams noch sind',
      extract: 'Events extrahieren…',
      export: 'Streams als neue Datenbank exportieren…',
      bundle: 'Support-Paket erstellen…',
      schedule: 'Zeitplan dieses Nodes…',
      showInFolder: 'Datenverzeichnis im Dateimanager zeigen',
      openDirectory: 'Datenverzeichnis öffnen…',
      openConfiguration: 'Serverkonfiguration öffnen…',
      createSample: 'Beispieldatenbank anlegen',
      refresh: 'Datenbank aktualisieren',
      plan: 'Berechnen, was ein Scavenge freigäbe',
      backup: 'Backup planen',
      verify: 'Diese Datenbank prüfen',
      doctor: 'Startet hier ein Server?',
      stop: 'Laufenden Vorgang anhalten',
      theme: 'Farbschema wechseln',
      settings: 'Einstellungen',
      activity: 'Aktivitäten',
      fleet: 'Alle Nodes im Überblick',
      about: 'Über Winnow',
      zoomIn: 'Vergrößern',
      zoomOut: 'Verkleinern',
      zoomReset: 'Zoom zurücksetzen',
      sideBar: 'Seitenleiste ein- oder ausklappen',
      copyAddress: 'Link zu dieser Ansicht kopieren',
      copyPath: 'Pfad des Datenverzeichnisses kopieren',
      back: 'Zurück',
      forward: 'Vorwärts'
    }
  }
} satisfies Translation<typeof english>;

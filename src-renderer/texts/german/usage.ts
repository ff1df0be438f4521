/** The German texts of `../usage.ts`, which says what each is for. */
import { counted } from '../../format/count.ts';
import type { usageTexts as english } from '../usage.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const usageTexts = {
  usage: {
    intro:
      'Liest das Log und zeigt, was Platz belegt und was ein Scavenge aller abgeschlossenen Chunks freigeben könnte. Die nächste Zählung liest nur, was sich geändert hat.',
    count: 'Belegung zählen',
    countAgain: 'Neu zählen',
    counting: 'Belegung wird gezählt…',
    summary: (bytes: string, records: string) => `${bytes} in ${records}`,
    canGo: (bytes: string, share: string) => `${bytes} entfernbar (${share})`,
    nothingCanGo: 'nichts entfernbar',
    wouldFree: (bytes: string) => `Ein Scavenge gäbe ${bytes} an Dateien frei.`,
    noPoint: 'Noch ist kein Chunk abgeschlossen, daher könnte kein Scavenge etwas freigeben.',
    by: 'Gruppieren nach',
    bys: { stream: 'Stream', category: 'Kategorie', type: 'Event-Typ', link: 'Art des Links' },
    map: 'Karte der Belegung',
    table: 'Posten nach Größe',
    columns: {
      name: 'Name',
      records: 'Records',
      bytes: 'Größe',
      discardable: 'Entfernbar',
      share: 'Anteil',
      index: 'Im Index',
      chunks: 'Chunks'
    },
    tile: (name: string, bytes: string, share: string) => `${name} ${bytes} ${share} entfernbar`,
    removableShare: (share: string) => `${share} entfernbar`,
    groups: {
      '(no category)': '(ohne Kategorie)',
      '(commits)': '(Commits)',
      '(system)': '(System)',
      '(others)': '(andere)'
    },
    smaller: (count: number) => `${counted(count, 'kleinerer', 'kleinere')} zusammen`,
    legend: 'Der schraffierte Teil eines Felds ist entfernbar.',
    all: 'Alle',
    path: 'Wo das ist',
    up: 'Eine Stufe höher',
    inside: 'Zeigen',
    insides: { stream: 'Streams', type: 'Event-Typen' },
    asking: (name: string) => `Inhalt von ${name} wird gelesen…`,
    nothingInside: (name: string) => `Das Log enthält keine Records von ${name}.`,
    counted: 'Gezählt',
    actionsOf: (name: string) => `Aktionen für ${name}`,
    actions: {
      open: 'Inhalt zeigen',
      why: 'Warum noch da',
      stream: 'Stream zeigen',
      records: 'Records zeigen',
      erasure: 'Löschbericht',
      thresholds: 'Schwellen vergleichen',
      whatIf: 'Was wäre mit einem Höchstalter',
      copy: 'Namen kopieren'
    },
    whyNot: {
      nothingInside: 'Darin ist nichts.',
      oneStream: 'Einen einzelnen Stream wählen.',
      noStream: 'Das ist kein einzelner Stream und keine Kategorie.',
      noName: 'Das steht für mehrere.'
    },
    card: {
      size: 'Größe',
      share: 'Vom Gezeigten',
      records: 'Records',
      removable: 'Entfernbar',
      index: 'Im Index',
      oldest: 'Ältester Chunk',
      rule: 'Regel',
      byRule: 'Entfernt durch',
      rulesOfStreams: 'nicht gezählt: Regeln gehören zu Streams',
      needsPlan: 'noch nicht bekannt: den Plan im Scavenge berechnen',
      notNamed: 'nicht unter den größten im Plan',
      none: 'nichts',
      noRule: 'keine eigene',
      inChunk: (chunk: string) => `Chunk ${chunk}`,
      notKnown: 'nicht bekannt'
    },
    pick: 'Auf ein Feld zeigen oder eine Zeile wählen, um zu sehen, was es ist.',
    shown: (shown: string, all: string) => `${shown} von ${all}`,
    openStream: 'Stream zeigen',
    export: 'Exportieren',
    copyAs: (format: string) => `Als ${format} kopieren`,
    saveAs: (format: string) => `Als ${format} speichern…`,
    savedAs: (file: string) => `Gespeichert als ${file}.`,
    formats: { csv: 'CSV', json: 'JSON', ncdu: 'ncdu' },
    copied: (format: string) => `Als ${format} kopiert.`,
    more: 'Mehr über den Platz',
    parts: {
      savings: 'Was ein Scavenge freigäbe',
      unfreeable: 'Was kein Scavenge freigibt',
      thresholds: 'Schwellen im Vergleich',
      calendar: 'Ablaufkalender',
      whatif: 'Was wäre, wenn',
      growth: 'Wachstum',
      projections: 'Projections'
    },
    growth: {
      counting: 'Zuletzt Geschriebenes wird gezählt…',
      unknown: {
        tooShort: 'Das Log umfasst weniger als einen Tag, zu wenig, um sein Wachstum zu bestimmen.',
        notRead: 'Die Chunks wurden noch nicht gelesen.'
      },
      at: (day: string) => `um den ${day}`,
      never: 'nicht in den nächsten hundert Jahren',
      picture: (without: string, regular: string) =>
        `Platzbedarf der nächsten Tage. Platte voll ohne Scavenges: ${without}; mit regelmäßigen: ${regular}.`,
      today: 'heute',
      without: 'Ohne Scavenges',
      with: 'Mit regelmäßigen Scavenges',
      pointed: (day: string, without: string, regular: string) => `${day}: ${without} ohne, ${regular} mit`,
      freeLine: (free: string) => `Die rote Linie: ${free}, so viel ist jetzt frei.`,
      freeAbove: (free: string) => `Jetzt frei: ${free}, weit darüber.`,
      fullWithout: 'Voll ohne Scavenges',
      fullWith: 'Voll mit regelmäßigen',
      written: 'Wächst um',
      lasting: 'Davon bleibt',
      expiring: 'Davon läuft ab',
      removable: 'Davon jetzt entfernbar',
      perDay: (bytes: string) => `${bytes} am Tag`,
      after: (days: string) => `im Mittel nach: ${days}`,
      basis: (from: string, to: string) =>
        `Log und Index, vom ${from} bis ${to}. Mit regelmäßigen Scavenges: Was nichts begrenzt, bleibt; was ein Höchstalter hat, bleibt so lange.`,
      indexApart: (free: string) =>
        `Der Index liegt auf einem eigenen Volume mit ${free} frei und zählt hier nicht.`,
      categories: 'Wachstum nach Kategorie',
      columns: {
        category: 'Kategorie',
        bytes: 'Am Tag',
        lasting: 'Bleibt',
        expiring: 'Läuft ab',
        removable: 'Entfernbar'
      },
      help: {
        lasting: 'Diese Records begrenzt nichts, oder sie sind die neuesten ihres Streams.',
        expiring: 'Records mit einem Höchstalter, das noch nicht erreicht ist.',
        removable: 'Ein Scavenge könnte diese Records schon entfernen.'
      }
    },
    projections: {
      counting: 'Links werden gezählt…',
      none: 'Keine Projection hat etwas in dieses Log geschrieben: keine Links, keine Checkpoints.',
      sources: 'Was Projections geschrieben haben',
      categories: 'Links nach Kategorie',
      savings: 'Was der Verzicht sparte',
      own: 'Benutzer',
      source: (source: string, projection: string | null) =>
        projection !== null
          ? `${projection} (${source})`
          : source === '(other links)'
            ? 'Andere Links'
            : 'Checkpoints und State von Projections',
      columns: {
        source: 'Geschrieben von',
        records: 'Records',
        bytes: 'Größe',
        index: 'Indexeinträge',
        dead: 'Tote Links',
        perDay: 'Am Tag',
        category: 'Kategorie',
        links: 'Links',
        linkBytes: 'Größe der Links',
        amplification: 'Je Byte',
        saving: 'Würde sparen',
        afterwards: 'Ohne ihre Streams'
      },
      help: {
        linkBytes: 'Links in Streams dieser Kategorie und ihre Indexeinträge.',
        dead: 'Links, die bleiben, obwohl das Event, auf das sie zeigen, weg ist oder mit einem Scavenge wegfiele.',
        amplification: 'Bytes in Log und Index, geschrieben je Byte der Kategorie selbst.'
      },
      sentence: (bytes: string, entries: string) =>
        `Je Byte, das Benutzer geschrieben haben, hat das Log ${bytes}; je Indexeintrag von ihnen hat der Index ${entries}.`,
      days: (days: string) =>
        `Am Tag: Log und Index, das Mittel am Ende des Logs (${days}), von dem, was noch da ist.`,
      noDays: 'Das Log umfasst weniger als einen Tag: Was ein Tag hinzufügt, ist nicht bekannt.',
      notKnown: 'nicht bekannt',
      without: (source: string) => `Ohne ${source}`,
      secondary: 'Sekundärindizes statt $ce- und $et-',
      caution:
        'Eine Projection nur abschalten, wenn niemand ihre Streams liest. Ihre Links bleiben, bis die Streams gelöscht sind und ein Scavenge gelaufen ist. Was ein Sekundärindex selbst belegt, ist nicht bekannt.'
    },
    savings: {
      step: 'Von Records zu Dateien',
      bytes: 'Größe',
      total: 'Ein Scavenge gäbe frei',
      steps: {
        records: 'Entfernbare Records',
        keptLarger: 'Davon in Chunks, die bleiben, weil sie nicht kleiner würden',
        positionMaps: 'Positionskarten, die neu geschriebene Chunks brauchen',
        padding: 'Auffüllung und reservierter Platz von Chunk-Dateien',
        merging: 'Zusammenführen benachbarter Chunks',
        index: 'Einträge von Indextabellen'
      },
      basis: (position: string, time: string) =>
        `Bis ${position}, dem Ende des letzten abgeschlossenen Chunks; Alter zum Stand ${time}.`,
      plan: (time: string, bytes: string, reason: string) =>
        `Der Plan von ${time} gäbe ${bytes} frei: ${reason}.`,
      reasons: {
        position: (position: string) => `er reicht bis ${position}`,
        threshold: (threshold: string) => `seine Schwelle ist ${threshold}`,
        time: (time: string) => `er beurteilt das Alter zum Stand ${time}`,
        options: 'er hat andere Optionen'
      }
    },
    unfreeable: {
      cause: 'Ursache',
      records: 'Records',
      bytes: 'Größe'
    },
    causes: {
      lastEvents: 'Letzte Events, die ihre Regeln entfernen würden',
      tombstones: 'Tombstones gelöschter Streams',
      deadLinks: 'Links auf entfernte Events',
      metadata: 'Neueste Metadaten von Streams',
      commits: 'Commits von Transaktionen',
      system: 'System-Records',
      positionMaps: 'Positionskarten bereinigter Chunks',
      headersAndFooters: 'Header und Footer von Chunks',
      padding: 'Auffüllung von Chunk-Dateien',
      longNames: 'Namen von mehr als 64 Bytes, in allen Records'
    },
    thresholds: {
      threshold: 'Schwelle',
      freed: 'Gäbe frei',
      log: 'Chunk-Dateien',
      index: 'Indextabellen',
      records: 'Records',
      chunks: 'Neu geschriebene Chunks',
      scratch: 'Vorübergehender Platz',
      time: 'Dauer, geschätzt',
      history: (rate: string) => `Dauern nach der Rate der letzten Scavenges: ${rate} pro Sekunde.`,
      measured: (rate: string) => `Dauern nach einer kurzen Messung dieser Platte: ${rate} pro Sekunde.`,
      none: 'Noch gibt es nichts zu bereinigen.',
      curve: 'Schwellen nach dem, was sie freigäben',
      point: (threshold: string, freed: string, chunks: string) =>
        `Schwelle ${threshold}: ${freed}, ${chunks}`,
      axis: 'Neu geschriebene Chunks',
      share: (share: string) => `${share} von dem, was Schwelle 0 freigibt`,
      use: 'Im Scavenge verwenden',
      table: 'Alle Schwellen'
    },
    calendar: {
      day: 'Tag (UTC)',
      records: 'Records',
      bytes: 'Läuft ab',
      sum: 'Summe bis dahin',
      weeks: (count: number) => counted(count, 'Woche', 'Wochen'),
      none: (count: number) => `In der nächsten Zeit (${counted(count, 'Woche', 'Wochen')}) läuft nichts ab.`,
      picture: (bytes: string, days: string) =>
        `Ablauf der nächsten zwölf Wochen: ${bytes}, verteilt auf ${days}`,
      weekdays: ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'],
      dayLine: (day: string, bytes: string, records: string, sum: string) =>
        `${day}: ${bytes} in ${records}, ${sum} bis dahin`,
      emptyDay: (day: string, sum: string) => `${day}: nichts, ${sum} bis dahin`,
      point: 'Auf einen Tag zeigen, um zu sehen, was abläuft.',
      most: (bytes: string) => `Ein volles Quadrat sind ${bytes}.`,
      disk: 'Platte voll',
      diskWithout: 'Ohne Scavenges',
      diskWith: 'Mit regelmäßigen',
      diskCounting: 'Wird ermittelt…',
      diskMore: 'Wie das ermittelt wird'
    },
    whatIf: {
      title: 'Was wäre, wenn',
      lead: 'Was, wenn für',
      category: 'Kategorie',
      of: 'von',
      rule: 'Regel',
      rules: { maxAge: 'das Höchstalter', maxCount: 'die Höchstzahl' },
      were: 'wäre',
      value: 'Wert',
      units: { maxAge: 'Tage', maxCount: 'Events' },
      ask: 'Ermitteln',
      asking: 'Wird ermittelt…',
      answer: (likely: string, now: string) => `Dann entfernbar: ${likely}, jetzt: ${now}.`,
      more: (bytes: string, share: string) => `${bytes} mehr (${share} der Kategorie).`,
      same: 'Das entfernt nicht mehr als jetzt.',
      streams: (streams: string, bytes: string) => `Record für Record beurteilt: ${streams}, ${bytes}.`,
      none: 'In diesem Log gibt es keine Kategorie.'
    }
  }
} satisfies Translation<typeof english>;

/** The German texts of `../database.ts`, which says what each is for. */
import { byCount, counted } from '../../format/count.ts';
import type { databaseTexts as english } from '../database.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const databaseTexts = {
  overview: {
    lastScavenged: {
      history: (age: string) => `letzter Scavenge ${age}`,
      files: (age: string) => `letzter Scavenge spätestens ${age}`,
      unknown: () => 'Zeit des letzten Scavenge nicht bekannt',
      never: () => 'noch nie ein Scavenge'
    },
    asItWas: (size: string) => `Zurzeit nicht lesbar. Zuletzt bekannte Größe: ${size}.`,
    health: 'Zustand',
    logTitle: 'Das Log, vom Anfang bis zum Ende',
    logHint: 'Die Höhe zeigt, was noch auf der Platte ist.',
    figures: 'Zahlen',
    data: 'Daten',
    index: 'Index',
    state: 'Scavenge-State',
    free: 'Freier Platz',
    chunks: 'Chunk-Dateien',
    logical: 'Logische Chunks',
    scavenged: 'nach Scavenge',
    merged: 'zusammengeführt',
    entries: 'Indexeinträge',
    lastEpoch: 'Letzte Epoch',
    points: 'Scavenge Points',
    sinceLast: (change: string, age: string) => `${change} seit ${age}`,
    checkpoints: 'Checkpoints',
    checkpointColumns: {
      name: 'Checkpoint',
      position: 'Position',
      behind: 'Hinter dem Writer',
      meaning: 'Bedeutung'
    },
    checkpoint: {
      writer: 'hier endet das Log',
      chaser: 'bis hierher verarbeitet',
      epoch: 'der letzte Epoch-Record',
      proposal: 'die neueste vorgeschlagene Epoch-Nummer',
      truncate: 'hier kürzt der Server das Log beim nächsten Start',
      index: 'hier endet der Index auf der Platte',
      scavenge: 'bis hierher hat ein Scavenge das Log gelesen'
    },
    checkpointUnset: {
      writer: 'writer.chk fehlt: Wo das Log endet, ist nicht bekannt',
      chaser: 'der Server liest beim nächsten Start das ganze Log',
      epoch: 'der Server sucht die letzte Epoch selbst',
      proposal: 'noch keine Wahl',
      truncate: 'nichts zu kürzen',
      index: 'noch kein Index auf der Platte: Der Server baut ihn aus dem Log',
      scavenge: 'noch kein Scavenge hat das Log gelesen'
    },
    unset: 'keine',
    atWriter: 'am Writer',
    freeQuestion: 'Was würde ein Scavenge freigeben?',
    freeExplained: 'Ein exakter Probelauf: Er liest das Log und schreibt nichts in die Datenbank.',
    compute: 'Plan berechnen',
    computeAgain: 'Neu berechnen',
    computing: 'Plan wird berechnet…',
    answer: (bytes: string, share: string, chunks: string) =>
      `Ein Scavenge würde ${bytes} (${share}) freigeben; neu geschrieben: ${chunks}.`,
    answerParts: (log: string, index: string) => `${log} aus Chunk-Dateien, ${index} aus Indextabellen.`,
    answerNothing:
      'Ein Scavenge würde nichts freigeben: In keinem abgeschlossenen Chunk ist etwas zu entfernen.',
    changedSince: (change: string) => `Das Log hat sich seitdem um ${change} geändert.`,
    axis: 'Skala',
    axes: { position: 'nach Position', time: 'nach Zeit' },
    legend: { epoch: 'Epoch', point: 'Scavenge Point' },
    epochAt: (number: string, position: string) => `Epoch ${number} bei ${position}`,
    remedies: {
      verify: 'Diese Datenbank prüfen',
      rebuild: 'Neuaufbau des Index planen',
      plan: 'Plan berechnen',
      records: 'Zeigen, wo das Log gekürzt würde'
    },
    computedAgo: (age: string) => `Berechnet ${age}.`,
    showPlan: 'Plan zeigen',
    resume: 'Scavenge fortsetzen',
    startDamage: (damage: string) => `${damage} bei der Prüfung des nächsten Starts gefunden.`,
    showFindings: 'Befunde zeigen'
  },

  chunks: {
    mapTitle: 'Chunk-Karte',
    colourBy: 'Farbe nach',
    colours: {
      removable: 'entfernbarem Anteil',
      freed: 'schon freigegebenem Anteil',
      size: 'Größe auf der Platte',
      age: 'Alter',
      version: 'Dateiversion',
      weight: 'Gewicht'
    },
    needsPlan: 'Den Plan berechnen, um zu sehen, was entfernbar ist.',
    weights: {
      title: 'Gewicht der Chunks',
      order: 'Reihenfolge der Balken',
      orders: { log: 'Wie im Log', weight: 'Nach Gewicht' },
      legend: 'Gewicht: etwa das Doppelte der Records, die ein Scavenge aus einem Chunk entfernen würde.',
      legendThreshold: 'Linie ziehen: Chunks darunter bleiben, wie sie sind.',
      threshold: 'Schwelle',
      use: 'Im Scavenge verwenden',
      frees: (bytes: string, most: string) => `Gibt ${bytes} von ${most} frei`,
      chunks: (count: string, of: string) => `${count} von ${of} neu geschrieben`,
      time: (duration: string) => `etwa ${duration}`,
      timeUnknown: 'Dauer nicht bekannt',
      room: (bytes: string) => `braucht währenddessen ${bytes}`,
      roomUnknown: 'Platzbedarf nicht bekannt',
      freesUnknown: 'Was frei würde, ist nicht bekannt.',
      valueText: (threshold: string, frees: string, chunks: string) => `${threshold}. ${frees}, ${chunks}.`,
      chart: (known: string, most: string) => `Gewichte: ${known}, das größte ${most}`,
      bar: (range: string, weight: string, fate: string) => `Chunk ${range} · Gewicht ${weight} · ${fate}`,
      unknown: 'Die Gewichte sind noch nicht bekannt.',
      notOfThis: 'Ein Server benutzt dieses Verzeichnis, daher liest Winnow das Log nicht von selbst.',
      compute: 'Gewichte berechnen',
      computing: 'Gewichte werden berechnet…',
      ofLast: 'Das hat der letzte Scavenge übrig gelassen.',
      stale: 'Das Log hat sich geändert, seit diese Gewichte berechnet wurden.'
    },
    fate: {
      rewritten: 'ersetzt',
      left: 'bleibt, wie er ist',
      keptLarger: 'bleibt: nicht kleiner',
      active: 'aktiv: wird nie neu geschrieben',
      unknown: 'noch nicht bekannt',
      gap: 'keine Datei'
    },
    weightAndFate: 'Gewicht und Folge',
    belowThreshold: (threshold: string) => `Das Gewicht liegt unter der Schwelle von ${threshold}.`,
    nothingToRemove: 'Ein Scavenge fände nichts zu entfernen.',
    fateColumn: 'Folge',
    fateSaves: (bytes: string) => `−${bytes}`,
    barColumn: { planned: 'Lebend', unplanned: 'In der Datei' },
    gap: { missing: 'fehlt', unreadable: 'unlesbar' },
    gapTitle: (count: number, range: string, state: string) =>
      `${byCount(count, 'Chunk', 'Chunks')} ${range}: ${state}`,
    gapHint:
      'Das Log braucht diesen Chunk, und keine brauchbare Datei im Verzeichnis enthält ihn. Das Lesen des Logs endet hier.',
    showFinding: 'Befund zeigen',
    toFinding: 'Befund',
    columns: {
      range: 'Chunk',
      file: 'Datei',
      state: 'Status',
      version: 'Version',
      size: 'Auf Platte',
      weight: 'Gewicht',
      first: 'Erstes Event',
      last: 'Letztes Event'
    },
    columnHelp: {
      state:
        'Aktiv: wird noch beschrieben. Abgeschlossen: nie neu geschrieben. Bereinigt: durch einen Scavenge neu geschrieben. Zusammengeführt: mehrere Chunks in einer Datei.',
      version: 'Wie oft die Datei neu geschrieben wurde.',
      fate: 'Was ein Scavenge mit der Schwelle des Diagramms täte.',
      bar: 'Was lebt, was ein Scavenge entfernen könnte und was frühere entfernt haben.',
      weight: 'Etwa das Doppelte der Records, die ein Scavenge entfernen würde.'
    },
    copyName: 'Dateinamen kopieren',
    zoom: 'Größe der Zellen',
    zoomIn: 'Größere Zellen',
    zoomOut: 'Kleinere Zellen',
    written: 'Geschrieben',
    compare: {
      title: 'Vergleichen',
      with: 'Mit',
      plan: 'dem, was ein Scavenge übrig ließe',
      backup: 'dem neuesten Backup',
      button: 'Vergleichen',
      explained: 'Welche Records eine andere Version dieses Chunks enthält oder enthielte.',
      computing: 'Wird verglichen…',
      before: 'Vorher',
      after: 'Nachher',
      planned: 'wie nach einem Scavenge',
      fileFacts: (size: string, records: string) => `${size}, ${records}`,
      removed: (records: string, bytes: string) => `${records} entfernt, ${bytes}.`,
      wouldGo: (records: string, bytes: string) => `${records} würden entfernt, ${bytes}.`,
      nothing: 'Beide enthalten dieselben Records.',
      added: (records: number) =>
        `${counted(records, 'Record ist', 'Records sind')} nur in der neueren Version: Das sind nicht zwei Versionen eines Chunks.`,
      streams: (count: string) => `Nach Stream (${count})`,
      noStream: 'Commits und System-Records',
      rows: (shown: string, total: string) =>
        shown === total ? `Records (${total})` : `Records (die ersten ${shown} von ${total})`
    },
    state: {
      active: 'aktiv',
      completed: 'abgeschlossen',
      scavenged: 'bereinigt',
      merged: 'zusammengeführt'
    },
    legend: {
      unknown: 'noch nicht bekannt',
      live: 'lebend',
      removable: 'entfernbar',
      freed: 'freigegeben',
      active: 'aktiv',
      scavenged: 'bereinigt'
    },
    unknownShare: (bytes: string) => `${bytes}, noch nicht bekannt, ob lebend oder entfernbar`,
    barTitleUnknown: (bytes: string, freed: string) =>
      `${bytes} in der Datei, noch nicht bekannt, ob lebend oder entfernbar; ${freed} schon freigegeben`,
    barTitle: (live: string, removable: string, freed: string) =>
      `${live} lebend, ${removable} entfernbar, ${freed} schon freigegeben`,
    chunk: (range: string) => `Chunk ${range}`,
    records: 'Records zeigen',
    showChunk: 'Chunk zeigen',
    recordsOf: (range: string) => `Records von Chunk ${range}`,
    backToChunk: 'Zurück zum Chunk',
    copy: 'Kopieren',
    header: 'Header',
    footer: 'Footer',
    noFooter: 'Kein Footer: Das ist der aktive Chunk, er ist noch nicht abgeschlossen.',
    map: 'Positionskarte',
    mapEntries: (count: number) => counted(count, 'Eintrag', 'Einträge'),
    mapLogical: 'logisch',
    mapPhysical: 'physisch',
    fileName: 'Name',
    fileSize: 'Größe',
    modified: 'Geändert',
    mode: 'Rechte',
    logicalRange: 'Log-Positionen',
    recordCount: 'Records',
    planned: (before: string, after: string, records: string) =>
      `aus ${before} werden ${after}, ${records} entfernt`,
    decision: {
      rewritten: 'neu geschrieben',
      emptied: 'geleert',
      skipped: 'unverändert',
      keptLarger: 'bleibt: nicht kleiner',
      merged: 'zusammengeführt'
    },
    other: 'Andere Dateien im Verzeichnis',
    superseded: 'überholt: Eine neuere Version des Chunks wird benutzt',
    leftover: 'übrig geblieben: Kein Server liest sie',
    none: 'Einen Chunk auswählen, um Header, Footer und Records zu sehen.',
    empty: 'In diesem Verzeichnis sind keine Chunks.'
  },

  streams: {
    search: 'Teil eines Namens oder order-*',
    parts: 'Teile des Streams',
    tabs: { events: 'Events', metadata: 'Metadaten', places: 'Orte' },
    history: 'Metadaten, neueste zuerst',
    noHistory: 'Metadaten wurden nie geschrieben, oder es sind keine mehr da.',
    inForce: 'wirksam',
    replaced: 'ersetzt',
    noRulesIn: 'keine Regeln',
    notJson: 'kein JSON: Leser behandeln das wie keine Metadaten',
    versionTitle: (number: string) => `Version ${number}`,
    places: 'Chunks mit Events dieses Streams',
    placeColumns: {
      chunk: 'Chunk',
      file: 'Datei',
      events: 'Events',
      bytes: 'Bytes',
      first: 'Erste Position'
    },
    noPlaces: 'Der Index enthält kein Event dieses Streams.',
    gone: (entries: number) =>
      `${counted(entries, 'Eintrag', 'Einträge')} des Index ${byCount(entries, 'verweist auf ein Event, das', 'verweisen auf Events, die')} ein Scavenge entfernt hat.`,
    foreign: (entries: number) =>
      `${counted(entries, 'Eintrag gehört zu einem anderen Stream', 'Einträge gehören zu anderen Streams')} mit demselben Hash.`,
    cutAt: (entries: number) =>
      byCount(
        entries,
        'Nur der neueste Eintrag wurde gelesen.',
        `Nur die neuesten ${counted(entries, 'Eintrag', 'Einträge')} wurden gelesen.`
      ),
    columns: {
      stream: 'Stream',
      state: 'Status',
      events: 'Events',
      bytes: 'Bytes',
      rules: 'Regeln',
      range: 'Von – bis',
      share: 'Anteil',
      removable: 'Entfernbar',
      streams: 'Streams',
      category: 'Kategorie'
    },
    shows: { list: 'Liste', categories: 'Kategorien' },
    showsLabel: 'Anzeigen als',
    tree: 'Streams nach Kategorie',
    noCategory: 'ohne Kategorie',
    ofCategory: (name: string) => `Kategorie ${name}`,
    leaveCategory: 'Alle Kategorien zeigen',
    ofCategoryInList: 'Streams in der Liste zeigen',
    moreInList: (count: string) => `Alle ${count} in der Liste zeigen`,
    removableUnknown: 'Nicht bekannt, bevor die Gewichte der Chunks berechnet sind.',
    removableRecords: (records: number) =>
      `${counted(records, 'Record', 'Records')}, die ein Scavenge aller abgeschlossenen Chunks jetzt entfernen würde`,
    nothingRemovable: 'nichts',
    unknown: 'nicht bekannt',
    noneLikeThis: 'Kein Stream ist von dieser Art.',
    readingStates: 'Status aller Streams wird gelesen…',
    ruleFilter: {
      maxAge: 'Höchstalter',
      maxCount: 'Höchstzahl',
      truncateBefore: 'Truncate before',
      none: 'keine Regeln'
    },
    stateFilter: {
      live: 'vollständig erhalten',
      truncated: 'gekürzt',
      softDeleted: 'Soft Delete',
      hardDeleted: 'Hard Delete, mit Tombstone',
      metadataOnly: 'nur Metadaten'
    },
    erasure: 'Bericht, wo seine Events noch sind',
    showUsage: 'In der Belegung zeigen',
    extract: 'Events extrahieren…',
    state: {
      live: 'lebend',
      truncated: 'gekürzt',
      softDeleted: 'Soft Delete',
      hardDeleted: 'Hard Delete',
      metadataOnly: 'nur Metadaten'
    },
    stateExplained: {
      live: 'Ein Leser sieht alle seine Events.',
      truncated: 'Ein Leser sieht die ersten Events nicht mehr.',
      softDeleted: 'Gelöscht; er kann wieder beschrieben werden und setzt dann mit der nächsten Nummer fort.',
      hardDeleted: 'Durch einen Tombstone endgültig gelöscht; er kann nicht wieder beschrieben werden.',
      metadataOnly: 'Er hat nur Metadaten und hatte nie ein Event.'
    },
    none: 'Einen Stream auswählen, um seine Events zu sehen.',
    empty: 'In diesem Log sind keine Streams.',
    noMatch: (search: string) => `Kein Stream passt auf „${search}“.`,
    noRules: 'keine',
    rules: {
      maxCount: (count: string) => `max. ${count}`,
      maxAge: (age: string) => `max. ${age}`,
      truncateBefore: (number: string) => `ab Nummer ${number}`,
      deleted: 'gelöscht'
    },
    hash: 'Hash',
    events: 'Events, wie ein Leser sie sieht',
    noEvents: 'Ein Leser sieht keine Events.',
    columnHelp: {
      state: 'Was ein Leser vom Stream sieht: alle Events, nur die neueren oder keine.',
      events: 'Events im Log, auch solche, die ein Leser nicht mehr sieht.',
      bytes: 'Bytes, die seine Records in den Chunk-Dateien belegen.',
      share: 'An den Bytes aller Streams. Der Balken vergleicht mit dem größten dieser Liste.',
      removable:
        'Bytes, die ein Scavenge aller abgeschlossenen Chunks jetzt entfernen würde, wie in der Belegung.',
      rules: 'Regeln der Metadaten, nach denen Events ablaufen.'
    },
    show: 'Stream zeigen',
    showRecords: 'Seine Records im Log zeigen',
    copyName: 'Namen kopieren',
    physical: 'Physisch im Log',
    acl: 'Zugriffsliste (ACL)'
  },

  index: {
    title: 'Index',
    actions: {
      entries: 'Einträge zeigen',
      verify: 'Prüfen und reparieren',
      record: 'Record zeigen',
      copyName: 'Namen kopieren',
      copyHash: 'MD5 kopieren',
      copyPosition: 'Position kopieren',
      noHash: 'Die Tabelle hat keinen.',
      gone: 'Ein Scavenge hat den Record entfernt.'
    },
    none: 'Es gibt keine Indexmap. Der Server baut den Index beim nächsten Start aus dem Log.',
    mapVersion: 'Version der Map',
    prepare: 'Prepare-Checkpoint',
    commit: 'Commit-Checkpoint',
    entries: 'Einträge in Tabellen',
    behind: 'Einträge nur im Log',
    level: (level: number) => `Ebene ${level}`,
    columns: {
      level: 'Ebene',
      file: 'Tabelle',
      version: 'Version',
      entries: 'Einträge',
      hashes: 'Hashes',
      filter: 'Filter',
      md5: 'MD5'
    },
    mapText: 'Indexmap als Text',
    noMap: 'Es gibt keine Indexmap.',
    choose: 'Eine Tabelle auswählen, um Filter und Einträge zu sehen, oder einen Stream nachschlagen.',
    detail: {
      title: (table: string) => `Tabelle ${table}`,
      size: 'Größe',
      version: (version: number) => `Version ${version}`,
      midpoints: 'Midpoints',
      filter: 'Filter',
      noFilter: 'keiner',
      bits: (count: number) => counted(count, 'Bit', 'Bits'),
      fill: 'Gefüllt',
      fillOf: (share: string) => `${share} der Bits gesetzt`,
      falsePositives: 'Falsch-Positive',
      damaged: 'Beschädigte Zeilen',
      hash: 'Hash',
      entriesOf: (table: string) => `Einträge von ${table}`,
      noEntries: 'Diese Tabelle enthält keine Einträge.'
    },
    lookUpOf: (stream: string) => `Index zu ${stream}`,
    hashes: (xx: string, murmur: string) => `xxHash ${xx}, murmur ${murmur}`,
    tablesAsked: 'Durchsuchte Tabellen',
    inLog: 'Einträge nur im Log',
    filterSays: { no: 'der Filter sagt nein', maybe: 'der Filter sagt vielleicht', none: 'kein Filter' },
    entriesFound: (count: string) => `${count} gefunden`,
    otherStream: (stream: string) => `von ${stream}`,
    goneRecord: 'der Record wurde entfernt',
    back: 'Zurück zur Tabelle',
    hasFilter: 'ja',
    noFilter: 'nein',
    lookUp: 'Stream nachschlagen',
    lookUpHint: 'Name eines Streams',
    lookUpButton: 'Nachschlagen',
    found: (entries: string, hash: string) => `${entries} zum Hash ${hash}`,
    first: (count: string) => `Zeigt die ersten ${count}.`,
    foundNothing: 'Kein Eintrag im Index.',
    lookUpColumns: { number: 'Nummer', position: 'Position', record: 'Record', table: 'Tabelle' }
  }
} satisfies Translation<typeof english>;

/** The German texts of `../scavenge-flow.ts`, which says what each is for. */
import type { scavengeFlowTexts as english } from '../scavenge-flow.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const scavengeFlowTexts = {
  scavengeFlow: {
    whatIf: 'Was wäre, wenn eine Kategorie ein anderes Höchstalter oder eine andere Höchstzahl hätte?',
    whatIfHint:
      'Das ändert nichts: Eine Regel schreibt eine Anwendung in die Metadaten von Streams, oder man setzt sie in der Oberfläche des Servers.',
    steps: { options: 'Optionen', plan: 'Plan', run: 'Lauf', result: 'Ergebnis' },
    stepsLabel: 'Schritte des Scavenge',
    notYet: {
      plan: 'Es gibt noch keinen Plan.',
      run: 'Nichts läuft.',
      result: 'Es gibt noch kein Ergebnis.'
    },
    back: 'Zurück zu den Optionen',

    moreOptions: 'Weitere Optionen',
    moreOptionsHint: 'Wie auf der Kommandozeile. Die Vorgaben passen für die meisten Datenbanken.',
    window: {
      title: 'Wartungsfenster',
      from: 'Wartungsfenster von',
      to: 'bis',
      hint: 'Ortszeit. Der Plan wählt Threads und Drosselung, wo sie auf 1 und 100 stehen, und sagt, was in welcher Nacht geschieht; ein Lauf beginnt nur innerhalb, hält am Ende an, und die nächste Nacht setzt ihn fort.',
      same: 'Das Wartungsfenster ist leer',
      unknown: 'Es ist nicht bekannt, wann er durch ist.',
      through: (time: string, nights: string) => `Durch ${time}, Dauer: ${nights}.`,
      pace: (threads: string, percent: number, why: string) =>
        `Tempo: ${threads}, ${percent === 100 ? 'ohne Drosselung' : `${percent} % der Zeit`}; ${why}.`,
      chosenBy: {
        asked: 'wie angegeben',
        plan: 'das schonendste gemessene, das nicht mehr Nächte braucht'
      },
      notMeasured: 'nach nicht Gemessenem wird nichts gewählt',
      speed: (rate: string, whole: string, source: string) =>
        ` ${rate} pro Sekunde; ein Thread ohne Pause: ${whole} (${source}).`,
      measured: (threads: string, most: number) =>
        ` Gemessene Threads: ${threads}; keine anderen bis ${most}.`,
      sources: {
        history: 'frühere Scavenges dieser Datenbank',
        measured: 'auf dieser Platte gemessen'
      },
      night: 'Nacht',
      ends: 'Arbeit endet',
      read: 'Gelesene Chunks',
      done: 'Fertige Chunks',
      frees: 'Gibt frei'
    },
    until: 'Anhalten um',
    untilHint:
      'Eine Tageszeit, etwa 05:00: Der Lauf hält dann am nächsten Checkpoint an und sagt, was übrig ist. Leer: Er läuft bis zum Ende.',
    untilNext: (time: string) => `Hält an: ${time}.`,
    byteRate: 'Höchstens',
    byteRateUnit: 'MiB pro Sekunde',
    byteRateHint: 'Von allen Threads zusammen gelesen und geschrieben. Leer: so schnell es geht.',
    now: 'Maßgebliche Zeit',
    timeOfDay: 'Tageszeit',
    chooseDay: 'Tag wählen',
    nowHint: 'Für einen neuen Point oder keinen: Das Alter wird zu dieser Zeit beurteilt. Leer: jetzt.',
    stopAfter: 'Anhalten nach',
    stopAfterNever: 'der letzten Phase',
    stopsAfter: (phase: string) => `Hält nach der Phase ${phase} an; der nächste Scavenge setzt dort fort.`,
    stopAfterHint: 'Der nächste Scavenge setzt nach dieser Phase fort.',
    cacheSize: 'Cache des State',
    cacheSizeUnit: 'MiB',
    pageSize: 'Seitengröße des State',
    pageSizeUnit: 'KiB',
    hashUsers: 'Gemerkte Stream-Hashes',
    historyAge: 'Verlauf aufbewahren',
    historyAgeUnit: 'Tage',
    byDefault: 'Vorgabe',
    startAfresh: 'Neu beginnen',
    startAfreshHint: 'Schiebt den State eines früheren Scavenge beiseite, statt darauf aufzubauen.',
    assumeStopped: 'Der Server ist angehalten',
    assumeStoppedHint:
      'Für Netzfreigaben, wo seine Sperre nicht sichtbar ist. Eine sichtbare Sperre verweigert den Lauf weiterhin.',

    wouldFree: (total: string, log: string, index: string) =>
      `Gäbe ${total} frei (${log} Log + ${index} Index)`,
    wouldFreeNothing: 'Gäbe nichts frei',
    records: (records: string) => `${records} entfernt`,
    chunks: (rewritten: string, visited: string) => `${rewritten} von ${visited} Chunks`,
    takes: (time: string) => `etwa ${time}`,
    takesLong: (time: string) => `Er dauert etwa ${time}.`,
    needs: (bytes: string, free: string) => `braucht währenddessen ${bytes} von ${free} freien`,
    by: { rule: 'Nach Regel', category: 'Nach Kategorie', stream: 'Nach Stream', chunk: 'Nach Chunk' },
    byLabel: 'Was entfernt wird',
    columns: {
      rule: 'Regel',
      category: 'Kategorie',
      stream: 'Stream',
      streams: 'Streams',
      records: 'Records',
      bytes: 'Record-Bytes',
      share: 'Anteil'
    },
    rules: {
      hardDelete: 'Gelöschte Streams',
      metadataSuperseded: 'Überholte Metadaten',
      softDelete: 'Streams mit Soft Delete',
      truncateBefore: 'Truncate before',
      maxCount: 'Höchstzahl',
      maxAge: 'Höchstalter'
    },
    ruleHints: {
      hardDelete: 'Alles von einem gelöschten Stream außer seinem Tombstone.',
      metadataSuperseded: 'Metadaten, die durch neuere ersetzt sind.',
      softDelete: 'Alles von einem Stream mit Soft Delete außer seinem letzten Event.',
      truncateBefore: 'Events vor der Nummer, die die Metadaten nennen.',
      maxCount: 'Events über die Höchstzahl ihres Streams hinaus.',
      maxAge: 'Events, die älter sind als das Höchstalter ihres Streams.'
    },
    showStream: 'Stream zeigen',
    sums: 'Summe',
    sum: 'Entfernte Records',
    sumHelp: 'Bytes der Records selbst, wie in den Tabellen oben.',
    files: 'Positionskarten, ganze Seiten und Zusammenführen',
    filesHint: 'Dateien schrumpfen um ganze Seiten; neu geschriebene Chunks brauchen Positionskarten.',
    index: 'Indextabellen',
    indexHint: 'Einträge der entfernten Events.',
    total: 'Auf der Platte freigegeben',
    totalHelp: 'Um wie viel die Dateien der Datenbank kleiner werden.',
    schedule: 'Zeitplan…',
    others: (count: string) => `Andere: ${count}`,
    counting: 'Wird gezählt, was wegfällt…',
    notCounted: 'Die Dateien haben sich beim Zählen geändert. Den Plan neu erstellen.',
    exportCsv: 'CSV exportieren…',
    exportJson: 'JSON exportieren…',
    exported: (file: string) => `Gespeichert als ${file}.`,
    stays: (chunks: string, because: string) => `${chunks} ${because}`,
    staysLarger: (isOne: boolean) =>
      isOne
        ? 'bleibt, wie er ist: Seine neue Datei wäre nicht kleiner.'
        : 'bleiben, wie sie sind: Ihre neuen Dateien wären nicht kleiner.',
    replaceAnyway: 'Trotzdem ersetzen',
    moreFacts: (count: string) => `${count} weitere`,
    lastBackup: (age: string, isRehearsed: boolean) =>
      `Letztes Backup ${age}${isRehearsed ? ', geprobt' : ''}`,
    noBackup: 'Von diesem Node ist kein Backup bekannt',
    noBackupTarget: 'Für diesen Node werden keine Backups aufbewahrt',

    sentence: {
      beginning: 'Der Scavenge Point wird gesucht. Noch ist nichts geändert.',
      accumulation: 'Das Log wird auf Metadaten und Tombstones gelesen. Noch ist nichts geändert.',
      calculation: 'Stream für Stream wird entschieden, was wegfällt. Noch ist nichts geändert.',
      chunkExecution:
        'Jeder Chunk wird ohne die entfernten Events kopiert; die alte Datei wird ersetzt, sobald die Kopie geprüft ist.',
      chunkMerging: 'Kleine benachbarte Chunks werden zusammengeführt.',
      indexExecution: 'Die Indexeinträge der entfernten Events werden entfernt.',
      cleaning: 'Nicht mehr benötigter State wird verworfen.'
    },
    planSentence: 'Der Plan geht die Schritte des Laufs durch und misst nur. Nichts wird geändert.',
    startingSentence: 'Wird gestartet…',
    stoppingSentence: 'Hält am nächsten Checkpoint an…',
    phaseBar: 'Diese Phase',
    wholeBar: 'Der ganze Lauf',
    squares: 'Chunks',
    squareOf: (range: string, state: string) => `Chunk ${range}: ${state}`,
    squareStates: {
      done: 'fertig',
      current: 'wird gerade neu geschrieben',
      ahead: 'wird neu geschrieben',
      stays: 'unverändert'
    },
    pause: 'Pausieren',
    pauseHint:
      'Hält am nächsten Checkpoint an und gibt die Datenbank frei. Was getan ist, bleibt; Fortsetzen macht dort weiter, auch nach einem Neustart.',
    paused: 'Pausiert',
    pausedText:
      'Der Scavenge hat an einem Checkpoint angehalten. Was getan ist, ist sicher auf der Platte, und nichts hält die Datenbank: Ein Server darf starten, dieses Fenster geschlossen werden.',
    finish: 'Vorerst dabei belassen',
    notSafeYet: 'Noch nichts freigegeben',
    stopsAt: (time: string) => `Hält an: ${time}`,
    log: (lines: string) => `Log (${lines})`,

    stoppedAt: (time: string) => `Angehalten um ${time}, wie angegeben.`,
    left: (chunks: string) => `${chunks} übrig; der nächste Scavenge setzt dort fort.`,
    expected: 'Erwartet und tatsächlich',
    expectedColumns: { what: '', plan: 'Plan', actual: 'Tatsächlich', difference: 'Unterschied' },
    expectedHelp: {
      plan: 'Was der Plan dieses Laufs erwartet hat, bevor etwas geschrieben wurde.',
      actual: 'Was der Lauf getan hat, während des Laufs gezählt.',
      difference:
        'Tatsächlich weniger Plan. Ein Lauf, der seinen ganzen Plan ausgeführt hat, hat keinen außer der Dauer.'
    },
    wholeHelp: {
      freed: 'Um wie viel die Dateien der Datenbank kleiner wurden: Chunk-Dateien und Indextabellen.',
      log: 'Chunk-Dateien und der Scavenge Point selbst.',
      index: 'Tabellen des Index ohne die Einträge entfernter Events.',
      records: 'Records, die nicht mehr in den Chunk-Dateien sind.',
      entries: 'Einträge, die nicht mehr in den Indextabellen sind.',
      chunks: 'Chunks, die eine neue Datei haben.',
      time: 'Vom Anfang bis zum Ende, mit Pausen.'
    },
    asPlanned: 'wie geplant',
    freedLater: 'Wird später frei',
    whole: {
      freed: 'Auf der Platte freigegeben',
      log: 'aus Chunk-Dateien',
      index: 'aus Indextabellen',
      records: 'Entfernte Records',
      entries: 'Entfernte Indexeinträge',
      chunks: 'Neu geschriebene Chunks',
      time: 'Dauer'
    },
    because: {
      stopped: 'Der Lauf wurde vor seinem Ende angehalten: Der Unterschied ist, was übrig ist.',
      resumed: 'Der Lauf hat einen früheren fortgesetzt, der einen Teil schon getan hatte.',
      differs:
        'Lauf und Plan weichen voneinander ab. Die Datenbank prüfen und das Log dieses Laufs aufbewahren.'
    },
    next: 'Wie weiter',
    verify: 'Jetzt prüfen',
    verifyHint: 'Prüft Log und Index gegeneinander.',
    backUp: 'Sichern',
    backUpHint: 'Das nächste Backup kopiert nur Chunks, die neu geschrieben wurden.',
    planAgain: 'Weiteren planen',
    planAgainHint: 'Mit denselben Optionen oder anderen.'
  }
} satisfies Translation<typeof english>;

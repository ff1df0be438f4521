/** The German texts of `../operations.ts`, which says what each is for. */
import type { operationsTexts as english } from '../operations.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

const BESIDES = {
  pointChunk: 'der Scavenge Point schließt den aktiven Chunk ab und beginnt den nächsten',
  leftovers: 'Dateien unterbrochener Vorgänge werden entfernt',
  filters: 'die Filter kopierter Indextabellen haben eine andere Größe'
} as const;

export const operationsTexts = {
  since: {
    work: (title: string, age: string) => `Das zeigt den Stand vor „${title}“, beendet ${age}.`,
    grown: (bytes: string) => `Das Log ist seitdem um ${bytes} gewachsen.`,
    shrunk: (bytes: string) => `Das Log ist ${bytes} kürzer als damals.`,
    files: 'Dateien in diesem Verzeichnis haben sich seitdem geändert.'
  },
  scavenge: {
    steps: { options: 'Optionen', plan: 'Plan', run: 'Lauf' },
    intro:
      'Ein Scavenge kopiert jeden Chunk, bei dem es sich lohnt, ohne die Events, die Leser nicht mehr sehen, ersetzt die alte Datei durch die Kopie und entfernt die Indexeinträge der entfernten Events.',
    threshold: 'Schwelle',
    thresholdHint:
      'Das Gewicht, ab dem ein Chunk neu geschrieben wird: etwa das Doppelte der Records, die entfernt würden. 0 nimmt jeden Chunk, in dem etwas zu entfernen ist.',
    thresholdAll: 'Jeden abgeschlossenen Chunk neu schreiben, gleich welchen Gewichts',
    thresholdCurve: (bytes: string, share: string, chunks: string) =>
      `Würde ${bytes} freigeben (${share} des Möglichen); neu geschrieben: ${chunks}.`,
    threads: 'Threads',
    threadsHint:
      'Gleichzeitig bearbeitete Chunks. Mehr Threads sind schneller und belasten die Platte stärker.',
    throttle: 'Tempo',
    throttleHint:
      'Unter 100 % macht er zwischen den Schritten Pausen, damit andere Programme ihren Teil der Platte bekommen.',
    speedNow: 'Tempo jetzt',
    speedHint:
      'Eine Änderung hält den Lauf an und setzt ihn mit dem neuen Tempo fort; was getan ist, bleibt.',
    applySpeed: 'Tempo setzen',
    changingSpeed: 'wird geändert…',
    throttleNeedsOne: 'Das Tempo lässt sich nur mit einem Thread begrenzen.',
    merge: 'Kleine benachbarte Chunks in einer Datei zusammenführen',
    placement: 'Wo der Scavenge endet (Scavenge Point)',
    placements: {
      auto: {
        name: 'Automatisch',
        hint: 'Der neueste noch nicht erreichte Scavenge Point; gibt es keinen, ein neuer.'
      },
      existing: {
        name: 'Nur ein vorhandener Point',
        hint: 'Schreibt nichts ins Log. Wurde jeder Point schon erreicht, geschieht nichts.'
      },
      detached: {
        name: 'Bis zum letzten abgeschlossenen Chunk, ohne Point',
        hint: 'Schreibt nichts ins Log, so bleiben die Logs eines Clusters auf allen Nodes gleich.'
      },
      new: {
        name: 'Ein neuer Point',
        hint: 'Schreibt einen Record ans Ende des Logs und schließt den aktiven Chunk ab, wie der Server.'
      }
    },
    clusterTitle: 'Ist das ein einzelner Node oder Mitglied eines Clusters?',
    clusterHint:
      'Ein neuer Scavenge Point ist ein Record im Log. Auf einem Node eines Clusters würde sich dessen Log dadurch von den anderen unterscheiden. Winnow fragt einmal und merkt sich die Antwort.',
    single: 'Ein einzelner Node',
    member: 'Mitglied eines Clusters',
    memberConsequence:
      'Winnow schreibt einem Mitglied eines Clusters keinen neuen Point: einen vorhandenen wählen oder keinen.',
    answeredSingle: 'einzelner Node',
    answeredMember: 'Mitglied eines Clusters',
    change: 'Ändern',
    unsafe: 'Unsicher',
    ignoreHardDeletes: 'Alle Spuren von Streams mit Hard Delete entfernen',
    ignoreHardDeletesHint:
      'Entfernt auch ihre Tombstones, so dass ein solcher Stream wieder beschrieben werden kann, als hätte es ihn nie gegeben. Das lässt sich nicht rückgängig machen.',
    alwaysKeep: 'Einen Chunk ersetzen, auch wenn seine Kopie nicht kleiner ist',
    alwaysKeepHint: 'Sonst bleibt ein solcher Chunk, samt den Events, die entfernt würden.',
    makePlan: 'Plan erstellen',
    makePlanAgain: 'Plan neu erstellen',
    planning: 'Plan wird erstellt…',
    planHint: 'Nichts wird geschrieben, bevor Sie den Plan gesehen haben.',
    noPlan: 'Der Plan zeigt je Chunk, was entfernt würde und was bleibt, aufs Byte genau.',
    optionsChanged: 'Die Optionen haben sich geändert, seit dieser Plan erstellt wurde.',
    logChanged: 'Das Log hat sich geändert, seit dieser Plan erstellt wurde.',
    nothing: 'Es gibt nichts zu tun: Jeder Scavenge Point wurde schon erreicht.',
    totals: {
      records: 'Entfernte Records',
      entries: 'Entfernte Indexeinträge',
      wouldFree: 'Gäbe frei',
      freed: 'Freigegeben',
      log: 'aus Chunk-Dateien',
      index: 'aus Indextabellen',
      size: 'Chunk-Dateien und Indextabellen',
      chunks: 'Neu geschriebene Chunks',
      needed: 'Vorübergehender Platz',
      left: 'Bleibt im aktiven Chunk'
    },
    merges: (merges: number) =>
      merges === 0 ? '' : merges === 1 ? ', 1 Zusammenführung' : `, ${merges} Zusammenführungen`,
    chunksOf: (visited: string, merges: number) =>
      `von ${visited}${merges === 0 ? '' : merges === 1 ? ', 1 Zusammenführung' : `, ${merges} Zusammenführungen`}`,
    besides: (bytes: string, isFreed: boolean, cause: keyof typeof BESIDES) =>
      `${isFreed ? 'Gibt außerdem frei' : 'Belegt'}: ${bytes}; ${BESIDES[cause]}.`,
    needed: (needed: string, free: string) => `${needed} von ${free} freien`,
    threadCount: (threads: number) => (threads === 1 ? 'ein Thread' : `${threads} Threads`),
    notEnough: 'Nicht genug freier Platz: Die alten Dateien bleiben, bis die neuen vollständig sind.',
    useless: 'Dieser Scavenge würde nichts freigeben.',
    uselessPoint:
      'Er würde nur einen Scavenge Point ins Log schreiben und den aktiven Chunk abschließen. Ohne ihn bleibt das Log, wie es ist.',
    uselessNoPoint: 'Er ist nicht nötig.',
    leaveWithoutPoint: 'Keinen Point schreiben',
    leave: 'Plan verwerfen',
    startUselessPoint: 'Nur einen Scavenge Point schreiben',
    startUseless: 'Scavenge trotzdem ausführen',
    columns: {
      range: 'Chunk',
      decision: 'Was geschieht',
      weight: 'Gewicht',
      before: 'Vorher',
      after: 'Nachher',
      bar: 'Bleibt · entfernt',
      records: 'Entfernt'
    },
    pointOf: {
      existing: (number: string, position: string) => `Scavenge Point ${number} an Position ${position}`,
      new: (number: string, position: string) => `Neuer Scavenge Point ${number} an Position ${position}`
    },
    upTo: (position: string) => `Ohne Scavenge Point, bis Position ${position}`,
    pointKind: { existing: 'vorhandener Point', detached: 'ohne Point', new: 'neuer Point' },
    start: (bytes: string, node: string) => `${bytes} aus ${node} entfernen`,
    startNothing: (node: string) => `Scavenge von ${node} starten`,
    confirmTitle: (node: string) => `Scavenge von ${node} ausführen?`,
    confirmText: (records: string, chunks: string, freed: string) =>
      `Entfernt ${records} aus ${chunks} (${freed}). Entfernte Records kommen nur aus einem Backup zurück.`,
    confirmKept: (records: string, chunks: string, freed: string) =>
      `Entfernt ${records} aus ${chunks} (${freed}). Rückgängig zu machen, solange die ersetzten Dateien aufbewahrt werden.`,
    confirmNew: 'Ein neuer Scavenge Point wird ins Log geschrieben und der aktive Chunk abgeschlossen.',
    cancel: 'Abbrechen',
    phases: {
      beginning: 'Beginning',
      accumulation: 'Accumulation',
      calculation: 'Calculation',
      chunkExecution: 'Chunk Execution',
      chunkMerging: 'Chunk Merging',
      indexExecution: 'Index Execution',
      cleaning: 'Cleaning'
    },
    phaseHint: {
      beginning: 'sucht oder schreibt den Scavenge Point',
      accumulation: 'liest neue Chunks auf Metadaten und Tombstones',
      calculation: 'entscheidet Stream für Stream, was zu entfernen ist',
      chunkExecution: 'schreibt die Chunks neu, die schwer genug sind',
      chunkMerging: 'führt kleine Nachbarn zusammen',
      indexExecution: 'entfernt die Indexeinträge entfernter Events',
      cleaning: 'verwirft State, der nicht mehr gebraucht wird'
    },
    running: 'Läuft',
    safe: (bytes: string) => `${bytes} freigegeben und sicher auf der Platte`,
    stop: 'Anhalten',
    stopHint: 'Was getan ist, bleibt; der nächste Scavenge setzt dort fort.',
    log: 'Log',
    stoppedAtOnce: 'Der Scavenge wurde vor seinem Beginn angehalten. Es wurde nichts entfernt.',
    result: {
      success: 'Der Scavenge ist abgeschlossen.',
      stopped: 'Der Scavenge wurde angehalten. Der nächste setzt dort fort.',
      errored: 'Der Scavenge endete mit einem Fehler.'
    },
    freedResult: (bytes: string, records: string) => `${bytes} freigegeben, ${records} entfernt.`,
    freedLater: (bytes: string, records: string) =>
      `${records} entfernt. ${bytes} werden frei, wenn die Aufbewahrung der ersetzten Dateien endet.`,
    verifyNow: 'Jetzt prüfen',
    unfinishedTitle: 'Ein Scavenge ist nicht abgeschlossen',
    unfinished: 'Er behält seinen eigenen Point und seine Schwelle, gleich welche Optionen gesetzt sind.',
    resume: 'Scavenge fortsetzen',
    inUse: 'Ein laufender Server hält dieses Verzeichnis; es lässt sich nur lesen.',
    time: 'Zeit je Phase',
    perChunk: 'Je Chunk',
    history: {
      title: 'Bisherige Scavenges',
      actions: {
        events: 'Seine Events zeigen',
        records: 'Seine Records im Log zeigen',
        chunks: 'Chunks zeigen',
        copyId: 'ID kopieren',
        copyError: 'Fehler kopieren',
        notInLog: 'Dieser Lauf ist auf diesem Rechner verzeichnet, nicht im Log.'
      },
      reading: 'Wird gelesen…',
      none: 'Von dieser Datenbank ist kein Scavenge verzeichnet, weder in ihrem Log noch auf diesem Rechner.',
      columns: {
        started: 'Begonnen',
        took: 'Dauer',
        result: 'Ergebnis',
        point: 'Point',
        threshold: 'Schwelle',
        freed: 'Freigegeben',
        by: 'Durch'
      },
      results: {
        success: 'fertig',
        stopped: 'angehalten',
        errored: 'fehlgeschlagen',
        interrupted: 'abgebrochen',
        resumed: 'fortgesetzt, nicht abgeschlossen'
      },
      afterCut: (times: number) => (times === 1 ? 'einmal abgebrochen' : `${times}-mal abgebrochen`),
      wentOn: 'hat einen früheren fortgesetzt',
      openEnd: 'Ende nicht bekannt',
      chart: 'Freigegebene Bytes je Scavenge im Lauf der Zeit',
      bar: (time: string, freed: string, result: string) => `${time}: ${freed} freigegeben, ${result}`
    },
    sizeChange: (before: string, after: string) => `${before} → ${after}`,
    planTable: 'Der Plan, Chunk für Chunk'
  },

  schedule: {
    expression: 'CRON-Ausdruck',
    expressionHint:
      'Fünf Felder, mit Listen (1,15), Bereichen (MON-FRI) und Schritten (*/6). Sind beide Tagesfelder gesetzt, müssen beide zutreffen.',
    parts: ['Minute', 'Stunde', 'Tag im Monat', 'Monat', 'Wochentag'],
    presets: 'Vorlagen',
    presetList: [
      { expression: '0 6 * * SAT', name: 'samstags um 6' },
      { expression: '0 2 * * *', name: 'jede Nacht um 2' },
      { expression: '0 3 1 * *', name: 'am Monatsersten um 3' },
      { expression: '0 */6 * * *', name: 'alle sechs Stunden' },
      { expression: '30 1 * * MON-FRI', name: 'werktags um 1:30' }
    ],
    next: 'Die nächsten fünf Termine',
    zone: 'Zeitzone'
  },

  verify: {
    title: 'Befunde',
    intro: 'Die Prüfung liest das ganze Log und den Index und vergleicht sie miteinander. Sie ändert nichts.',
    run: 'Prüfen',
    again: 'Erneut prüfen',
    quick: 'Schnell: Hashes der Dateien auslassen',
    moreHint: 'Lesezeit, Threads, Bytes pro Sekunde',
    budget: 'Lesen für',
    budgetUnit: 'Minuten',
    budgetHint:
      'Was am längsten nicht geprüft wurde, kommt zuerst; das nächste Mal geht es dort weiter. Leer: alles.',
    within: 'Auskunft über die letzten',
    withinUnit: 'Tage',
    withinHint: 'Die Antwort sagt, wie viel des Logs in dieser Zeit geprüft wurde. Leer: 30 Tage.',
    runFor: (time: string) => `${time} lang prüfen`,
    budgetStopped: (time: string, waiting: string, next: string) =>
      `Angehalten nach ${time}. Noch nicht an der Reihe: ${waiting}; die nächste ist ${next}.`,
    budgetDone: (files: string) => `Alle waren an der Reihe: ${files}.`,
    budgetTooShort: 'In dieser Zeit wurde keine Datei zu Ende gelesen.',
    okInPart: (files: string) => `Kein Schaden gefunden; gelesen wurden nur: ${files}.`,
    threads: 'Threads',
    threadsHint: 'Gleichzeitig geprüfte Chunks, höchstens einer je Kern.',
    byteRateHint: 'Von allen Threads zusammen gelesen. Leer: so schnell es geht.',
    ok: 'Kein Schaden gefunden.',
    okHints: (hints: string) => `Kein Schaden gefunden, ${hints}.`,
    notOk: (damage: string) => `${damage} gefunden.`,
    checked: 'Geprüft',
    checkedWhat: (files: string, bytes: string, records: string, entries: string) =>
      `${files}, ${bytes}, ${records}, ${entries}`,
    notChecked: 'Nicht geprüft',
    none: 'Es ist nichts Fehlerhaftes bekannt. Geprüft wurde nur, was ein Start liest; „Prüfen“ prüft alles.',
    notLooked: 'Noch nicht geprüft.',
    atStart: 'Gefunden bei der Prüfung des nächsten Starts, die nur liest, was ein Server dann liest.',
    afterRepair: 'Gefunden bei der Prüfung nach der Reparatur.',
    forRepair: 'Gefunden bei der Prüfung für den Reparaturplan.',
    verified: (age: string) => `geprüft ${age}`,
    command: 'Befehl kopieren',
    more: (count: string, code: string) => `${count} weitere der Art ${code} zeigen`,
    at: (offset: string) => `bei ${offset}`,
    position: (position: string) => `Position ${position}`
  }
} satisfies Translation<typeof english>;

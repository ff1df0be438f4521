/** The German texts of `../undo.ts`, which says what each is for. */
import type { undoTexts as english } from '../undo.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const undoTexts = {
  undo: {
    keep: 'Ersetztes aufbewahren',
    keepUnit: 'Tage',
    keepNothing: 'gar nicht',
    keepHint:
      'Der Scavenge lässt sich rückgängig machen, solange seine ersetzten Dateien aufbewahrt werden. Ihr Platz wird erst dann frei. Leer: Der Platz wird sofort frei.',
    keeps: (replaced: string, needed: string, days: string) =>
      `Rückgängig zu machen für ${days}. Bis dahin bleiben ${replaced} ersetzter Dateien liegen und werden bis zu ${needed} mehr gebraucht.`,
    until: (time: string) => `Rückgängig zu machen bis ${time}.`,

    title: 'Scavenges, die sich rückgängig machen lassen',
    total: (bytes: string) => `Aufbewahrte ersetzte Dateien: ${bytes}`,
    kept: (age: string, bytes: string, time: string) => `Scavenge ${age}: ${bytes}, bis ${time}`,
    unfinished: 'nicht abgeschlossen',
    broken: (bytes: string) => `${bytes}, die nicht zurückgelegt werden können`,
    plan: 'Diesen Scavenge rückgängig machen',
    forget: 'Platz jetzt freigeben',
    planTitle: 'Rücknahme des Scavenge',
    exact: 'Das Verzeichnis wird, wie es vor dem Scavenge war, aufs Byte genau.',
    joined: (records: string) =>
      `Das Log ging nach dem Scavenge weiter. Was angehängt wurde (${records}), bleibt, verbunden mit den alten Dateien. Der nächste Start des Servers liest einen Teil des Logs neu für seinen Index, und der nächste Scavenge beginnt ohne State.`,
    finish: 'Die Rücknahme wurde begonnen und ist nicht beendet. Sie wird dort fortgesetzt, wo sie anhielt.',
    putBack: 'Zurückgelegt',
    removed: 'Entfernt',
    logEnds: 'Das Log endet bei',
    notPutBack: 'Nicht zurückgelegt',
    files: (files: string, bytes: string) => `${files}, ${bytes}`,
    chunkRange: (from: string, to: string) => (from === to ? `Chunk ${from}` : `Chunks ${from} bis ${to}`),
    start: 'Scavenge rückgängig machen',
    dismiss: 'Lassen, wie es ist',
    confirmTitle: (node: string) => `Scavenge von ${node} rückgängig machen?`,
    confirm:
      'Die ersetzten Dateien kommen zurück, die des Scavenge werden entfernt. Zuerst wird jeder Chunk geprüft. Während Dateien die Plätze tauschen, startet hier kein Server; mittendrin lässt sich das nicht anhalten.',
    forgetTitle: (node: string) => `Aufbewahrtes von ${node} entfernen?`,
    forgetText: (bytes: string) =>
      `Gibt ${bytes} frei. Der Scavenge lässt sich dann nicht mehr rückgängig machen; was er entfernt hat, kommt nur aus einem Backup zurück.`,
    done: 'Der Scavenge ist rückgängig gemacht.',
    doneExact: 'Das Verzeichnis ist, wie es vorher war.',
    doneJoined: 'Die alten Dateien sind mit dem seither Angehängten verbunden.',
    unfinishedTitle: 'Die Rücknahme eines Scavenge ist nicht abgeschlossen',
    unfinishedText:
      'Einige Dateien sind von vor dem Scavenge, einige neuer. Hier startet kein Server, bis sie abgeschlossen ist.',
    unfinishedFinish: 'Rücknahme abschließen',
    working: 'Ersetzte Dateien werden zurückgelegt…',
    checking: 'Was zurückgelegt wird, wird geprüft…',
    overview: 'Aufbewahrte ersetzte Dateien',
    overviewNote: 'damit sich Scavenges rückgängig machen lassen'
  }
} satisfies Translation<typeof english>;

/** The German texts of `../explain.ts`, which says what each is for. */
import type { explainTexts as english } from '../explain.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const explainTexts = {
  explain: {
    title: 'Erklärung',
    why: 'Warum noch da?',
    close: 'Erklärung schließen',
    again: 'Neu erklären',
    copy: 'Erklärung kopieren',
    asking: 'Der zu erklärende Scavenge wird geplant. Dazu wird das Log einmal gelesen.',
    stopped: 'Vor der Antwort angehalten.',
    event: (number: string, stream: string) => `Event ${number} von ${stream}`,
    record: (position: string) => `Record bei ${position}`,
    uncommitted: (position: string) => `Record bei ${position}, ohne Commit`,
    stream: (stream: string) => `Stream ${stream}`,
    chunk: (range: string) => `Chunk ${range}`,
    verdict: {
      keep: 'Bleibt',
      discard: 'Entfernt dieser Scavenge',
      alreadyGone: 'Schon entfernt',
      rewrite: 'Schreibt dieser Scavenge neu',
      skip: 'Unverändert'
    },
    short: { keep: 'bleibt', discard: 'entfernt', alreadyGone: 'schon entfernt' },
    rule: {
      maxAge: 'Höchstalter',
      maxCount: 'Höchstzahl',
      truncateBefore: 'Gekürzt',
      hardDelete: 'Hard Delete',
      softDelete: 'Soft Delete',
      lastEvent: 'Letztes Event',
      metadataSuperseded: 'Ersetzte Metadaten',
      noRule: 'Keine Regel',
      activeChunk: 'Aktiver Chunk',
      afterScavengePoint: 'Scavenge Point',
      belowThreshold: 'Gewicht des Chunks',
      keptLarger: 'Größe der neuen Datei',
      uncommittedTransaction: 'Transaktion',
      tombstone: 'Tombstone'
    },
    says: { keeps: 'behält', discards: 'entfernt', passes: 'trifft nicht zu' },
    until: 'Bis',
    untilNote: 'dann vom ersten Scavenge mit späterem Point entfernt',
    change: 'Was es ändern würde',
    place: 'Position',
    placeOf: (position: string, chunk: string) => `${position}, Chunk ${chunk}`,
    weight: 'Gewicht',
    threshold: (threshold: string) => `Schwelle ${threshold}`,
    chain: 'Regeln, in der Reihenfolge ihrer Anwendung',
    ranges: 'Events nach Nummer',
    range: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
    explainRange: (range: string) => `Event ${range} erklären`,
    byRule: 'Records nach Regel',
    columns: { rule: 'Regel', says: 'Wirkung', records: 'Records', bytes: 'Bytes' },
    unnumbered: 'Ohne Nummer',
    unnumberedNote: 'Teile von Transaktionen ohne Commit',
    wholeStream: 'Ganzen Stream zeigen',
    itsChunk: 'Chunk zeigen',
    about: 'Grundlage',
    placement: {
      existing: 'ein Scavenge bis zum Point im Log',
      detached: 'ein Scavenge aller abgeschlossenen Chunks ohne Point',
      new: 'ein Scavenge mit neuem Point'
    },
    nothingToDo: 'ein Scavenge ohne Scavenge Point',
    at: (time: string, threshold: string) => `Stand ${time}, Schwelle ${threshold}`
  }
} satisfies Translation<typeof english>;

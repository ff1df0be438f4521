/** The German texts of `../nouns.ts`, which says what each is for. */
import type { nounsTexts as english } from '../nouns.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const nounsTexts = {
  nouns: {
    backup: ['Backup', 'Backups'],
    byte: ['Byte', 'Bytes'],
    chunk: ['Chunk', 'Chunks'],
    chunkFile: ['Chunk-Datei', 'Chunk-Dateien'],
    completedChunk: ['abgeschlossener Chunk', 'abgeschlossene Chunks'],
    damage: ['Schaden', 'Schäden'],
    day: ['Tag', 'Tage'],
    entry: ['Eintrag', 'Einträge'],
    event: ['Event', 'Events'],
    file: ['Datei', 'Dateien'],
    finding: ['Befund', 'Befunde'],
    hint: ['Hinweis', 'Hinweise'],
    indexEntry: ['Indexeintrag', 'Indexeinträge'],
    member: ['Mitglied', 'Mitglieder'],
    minute: ['Minute', 'Minuten'],
    night: ['Nacht', 'Nächte'],
    node: ['Node', 'Nodes'],
    place: ['Stelle', 'Stellen'],
    record: ['Record', 'Records'],
    step: ['Schritt', 'Schritte'],
    stream: ['Stream', 'Streams'],
    thread: ['Thread', 'Threads']
  }
} satisfies Translation<typeof english>;

/** The journal of an undo that is under way: what is written is read again, and what it may not say is refused with the reason. */
import { beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { encodeChecked } from '../../../src-core/replaced/kept-manifest.ts';
import {
  readUndoJournal,
  removeUndoJournal,
  writeUndoJournal,
  type UndoJournal
} from '../../../src-core/replaced/undo-journal.ts';
import { UNDO_MARKER } from '../../../src-core/storage/undo-marker.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const DB = '/db';
const JOURNAL: UndoJournal = {
  phase: 'putting',
  id: '20260101T000000Z-1',
  kind: 'exact',
  indexWithin: null,
  puts: [{ area: 'data', name: 'chunk-000000.000000', isCompleted: true }],
  removes: [{ area: 'data', name: 'chunk-000000.000001' }],
  removesExistence: false,
  removesDirectories: [],
  checkpoints: { writer: '0010000000000000', chaser: null, epoch: null, truncate: null, proposal: null },
  end: 4096
};

let fileSystem: MemoryFileSystem;
beforeEach(() => {
  fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory(DB);
});

function put(content: unknown): void {
  const file = fileSystem.open(`${DB}/${UNDO_MARKER}`, 'createNew');
  const bytes = encodeChecked(content as Record<string, unknown>);
  file.write(bytes, 0, bytes.length, 0);
  file.close();
}

it.each(['putting', 'finishing'] as const)('one that is %s comes back as it was written', (phase) => {
  writeUndoJournal(fileSystem, DB, { ...JOURNAL, phase });
  expect(readUndoJournal(fileSystem, DB)).toEqual({ formatVersion: 1, ...JOURNAL, phase });
  removeUndoJournal(fileSystem, DB);
  expect(readUndoJournal(fileSystem, DB)).toBeUndefined();
});

describe('one with a hash that fits', () => {
  it.each<[string, Record<string, unknown>]>([
    ['it has the format version 2', { formatVersion: 2 }],
    ['it names no step', { phase: 'beginning' }],
    ['it names nothing that is kept', { id: '../elsewhere' }],
    ['it names nothing that is kept', { id: 7 }],
    ['it names no kind', { kind: 'partly' }],
    ['it names no index directory', { indexWithin: 7 }],
    [
      'it names files that no scavenge replaces',
      { puts: [{ area: 'data', name: '../chunk-000000.000000' }] }
    ],
    ['it names files that no scavenge replaces', { puts: [null] }],
    [
      'it names files that no scavenge replaces',
      { removes: [{ area: 'home', name: 'chunk-000000.000000' }] }
    ],
    ['it names files that no scavenge replaces', { removes: 'chunk-000000.000000' }],
    ['it names directories that no scavenge makes', { removesDirectories: ['index'] }],
    ['it names directories that no scavenge makes', { removesDirectories: {} }],
    ['its checkpoints are missing', { checkpoints: null }],
    ['its checkpoints are missing', { checkpoints: { ...JOURNAL.checkpoints, writer: '001' } }],
    ['its checkpoints are missing', { checkpoints: { ...JOURNAL.checkpoints, writer: 16 } }],
    ['members are missing', { end: '4096' }],
    ['members are missing', { removesExistence: 1 }]
  ])('is refused where %s', (why, change) => {
    put({ formatVersion: 1, ...JOURNAL, ...change });
    expect(() => readUndoJournal(fileSystem, DB)).toThrow(EngineError);
    expect(() => readUndoJournal(fileSystem, DB)).toThrow(`${UNDO_MARKER} in ${DB} cannot be read: ${why}.`);
  });
});

/** What an undo would leave, told from its journal before anything changes: no gap in the log, no other end of it. */
import { beforeEach, expect, test } from 'vitest';
import { encodeChunkHeader } from '../../../src-core/chunks/chunk-header.ts';
import { checkpointBytes } from '../../../src-core/replaced/kept-facts.ts';
import type { KeptFile, KeptManifest } from '../../../src-core/replaced/kept-manifest.ts';
import type { UndoJournal } from '../../../src-core/replaced/undo-journal.ts';
import { requireUndoneLog } from '../../../src-core/replaced/undone-log.ts';
import { CRASH_CHUNK_BYTES, guidsFrom, writeCrashDatabase } from '../../support/crash-database.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';

const ID = '20260101T000000Z';
/** Chunks 1 and 2 are one file now; what was kept has one for each. */
const MERGED = 'chunk-000001.000001';
const END = 4 * CRASH_CHUNK_BYTES;

let memory: MemoryFileSystem;
let manifest: KeptManifest;
let journal: UndoJournal;

beforeEach(async () => {
  memory = await writeCrashDatabase({ dataDirectory: '/db', rounds: 1 });
  const names = memory.list('/db')!.filter(({ name }) => name.startsWith('chunk-'));
  for (const { name } of names) memory.remove(`/db/${name}`);
  chunk('chunk-000000.000000', 0, 0);
  chunk(MERGED, 1, 2);
  chunk('chunk-000003.000000', 3, 3);
  const checkpoints = checkpointBytes(memory, '/db');
  manifest = {
    id: ID,
    keptAt: '2026-01-01T00:00:00Z',
    expiresAt: '2026-01-08T00:00:00Z',
    keepMs: 1000,
    writer: END,
    chunkSizeBytes: CRASH_CHUNK_BYTES,
    checkpoints,
    mayAppend: false,
    indexWithin: 'index',
    hadIndex: true,
    hadState: false,
    asideStates: [],
    files: [0, 1, 2, 3].map((number) => kept(number)),
    existence: [],
    point: null,
    completed: [],
    finishedAt: null
  };
  journal = {
    phase: 'putting',
    id: ID,
    kind: 'exact',
    indexWithin: 'index',
    puts: [0, 1, 2, 3].map((number) => ({ area: 'data', name: nameOf(number), isCompleted: false })),
    removes: [{ area: 'data', name: MERGED }],
    removesExistence: false,
    removesDirectories: [],
    checkpoints,
    end: END
  };
});

const nameOf = (number: number) => `chunk-00000${number}.000000`;
const kept = (number: number): KeptFile => ({
  ...{ area: 'data', name: nameOf(number), kind: 'chunk', bytes: 7, mode: 0o644, hash: null },
  ...{ start: number, end: number }
});

/** A file of which only the header says what it covers. */
function chunk(name: string, startNumber: number, endNumber: number): void {
  const file = memory.open(`/db/${name}`, 'createNew');
  const header = encodeChunkHeader({
    ...{ version: 3, minCompatibleVersion: 3, chunkSizeBytes: CRASH_CHUNK_BYTES, startNumber, endNumber },
    ...{ isScavenged: false, chunkId: guidsFrom(3)(), transformType: 0 }
  });
  file.write(header, 0, header.length, 0);
  file.close();
}

const look = (change: Partial<UndoJournal> = {}) =>
  requireUndoneLog({ fileSystem: memory, dataDirectory: '/db', indexDirectory: '/db/index' }, manifest, {
    journal: { ...journal, ...change },
    saidBy: 'undo.json'
  });
const without = (...numbers: number[]) => journal.puts.filter((_, number) => !numbers.includes(number));

test('an undo that puts a chunk for each that it removes leaves a whole log', () => {
  expect(() => look()).not.toThrow();
});

test.each<{ what: string; change: () => Partial<UndoJournal>; gap: number }>([
  { what: 'puts too little for a merged chunk', change: () => ({ puts: without(2) }), gap: 2 },
  { what: 'puts nothing for a merged chunk', change: () => ({ puts: without(1, 2) }), gap: 1 },
  {
    what: 'removes a chunk of the log that it does not put',
    change: () => ({ puts: without(3), removes: [...journal.removes, { area: 'data', name: nameOf(3) }] }),
    gap: 3
  },
  {
    what: 'removes a chunk that it has put',
    change: () => ({ removes: [...journal.removes, { area: 'data', name: nameOf(0) }] }),
    gap: 0
  },
  {
    what: 'puts what is not among the completed chunks as one of these',
    change: () => ({ puts: journal.puts.map((put, i) => ({ ...put, isCompleted: i === 1 })) }),
    gap: 1
  }
])('an undo that $what is refused with the number of the gap', ({ change, gap }) => {
  expect(() => look(change())).toThrow(
    expect.objectContaining({
      code: 'LogCorrupt',
      message: expect.stringMatching(
        new RegExp(`undo.json: it would leave the log without chunk ${gap}\\b`)
      ) as string
    })
  );
});

test.each<{ what: string; change: () => Partial<UndoJournal> }>([
  { what: 'a chunk that stays as it is', change: () => ({ puts: without(0, 3) }) },
  { what: 'a merged chunk that stays as it is', change: () => ({ puts: without(1, 2), removes: [] }) },
  { what: 'both a merged chunk and what it was made from', change: () => ({ removes: [] }) },
  {
    what: 'a file of the index that goes and has the name of a chunk',
    change: () => ({ removes: [...journal.removes, { area: 'index', name: nameOf(3) }] })
  },
  {
    what: 'a completed chunk',
    change: () => {
      manifest = { ...manifest, files: manifest.files.slice(0, 3), completed: [kept(3)] };
      return { puts: journal.puts.map((put, i) => ({ ...put, isCompleted: i === 3 })) };
    }
  }
])('a log is whole with $what', ({ change }) => {
  expect(() => look(change())).not.toThrow();
});

test('a file whose header is of other chunks covers the one that its name says', () => {
  memory.remove(`/db/${MERGED}`);
  chunk(MERGED, 0, 2);
  const change = { puts: without(1, 2), removes: [] };
  expect(() => look(change)).toThrow(/without chunk 2/);
});

test.each<{ what: string; change: () => Partial<UndoJournal>; message: RegExp }>([
  {
    what: 'other bytes for the writer',
    change: () => ({ checkpoints: { ...journal.checkpoints, writer: '0010000000000000' } }),
    message: /it has other bytes for writer\.chk than there were/
  },
  {
    what: 'other bytes for the chaser',
    change: () => ({ checkpoints: { ...journal.checkpoints, chaser: '0010000000000000' } }),
    message: /it has other bytes for chaser\.chk than there were/
  },
  {
    what: 'another end',
    change: () => ({ end: END - 8 }),
    message: new RegExp(`it ends the log at ${END - 8}`)
  }
])('an exact undo with $what is refused', ({ change, message }) => {
  expect(() => look(change())).toThrow(message);
});

test('a joined undo keeps the checkpoints of the directory, but for the chaser, and its own end', () => {
  manifest = { ...manifest, checkpoints: { ...manifest.checkpoints, writer: '0010000000000000' } };
  const chaser = { ...journal.checkpoints, chaser: '0010000000000000' };
  const longer = { kind: 'joined', checkpoints: chaser, end: END - 8 } as const;
  expect(() => look(longer)).not.toThrow();
  expect(() => look({ ...longer, end: END + 8 })).toThrow(/without chunk 4/);
  expect(() => look({ ...longer, checkpoints: { ...chaser, writer: '0010000000000000' } })).toThrow(
    /other bytes for writer\.chk/
  );
});

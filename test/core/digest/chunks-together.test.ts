/**
 * How chunks are shared out for their digests: fewer are read at once where records are short, since digests in the making
 * fit into memory, and no thread is started for what is read sooner than it starts.
 */
import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { openDatabase, type Database } from '../../../src-core/database/database.ts';
import { chunksTogether } from '../../../src-core/digest/chunks-together.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { temporaryDirectory } from '../../support/scavenge-environment.ts';

const MIB = 1024 * 1024;
const fileSystem = new NodeFileSystem();
let home: string;
let database: Database;

beforeEach(() => {
  home = temporaryDirectory();
});
afterEach(() => {
  database.close();
  rmSync(home, { recursive: true, force: true });
});

/** A log of ten completed chunks of 8 KiB and one that is being written, with events of one length. */
function open(dataBytes: number): void {
  const newGuid = guidsFrom(7);
  const chunkSizeBytes = 8192;
  const writer = LogWriter.create({ fileSystem, directory: home, chunkSizeBytes, newGuid });
  const now = () => ticksFromIso('2026-01-01T00:00:00Z')!;
  const appender = new EventAppender({ writer, newGuid, now, lastEventNumber: () => -1 });
  const data = Buffer.alloc(dataBytes, 'x');
  while (writer.position <= 10 * chunkSizeBytes) appender.append('stream', [{ eventType: 'happened', data }]);
  writer.close();
  database = openDatabase({ fileSystem, dataDirectory: home });
}

function together(memoryBytes: number, threads = 1): number {
  const { chunks } = database.log;
  return chunksTogether({ chunks, threads, fileSystem, memoryBytes, leastThreadBytes: 1 }).together;
}

it('reads as many chunks as are hashed side by side, and shares them among the threads', () => {
  open(300);
  expect([together(512 * MIB), together(512 * MIB, 2), together(512 * MIB, 100)]).toEqual([8, 6, 1]);
});

it('reads fewer where records are short, and at least one', () => {
  open(300);
  const long = together(40_000);
  database.close();
  rmSync(home, { recursive: true });
  home = temporaryDirectory();
  open(0);
  // A chunk of some 80 records.
  expect([long, together(40_000), together(40_000, 2), together(1)]).toEqual([8, 3, 1, 1]);
});

it('starts a thread for each so many bytes, but no more than there are chunks', () => {
  open(300);
  const { chunks } = database.log;
  const bytes = chunks.reduce((sum, { dataSize }) => sum + dataSize, 0);
  const threads = (mostThreads: number, leastThreadBytes?: number) =>
    chunksTogether({ chunks, threads: mostThreads, fileSystem, leastThreadBytes }).threads;
  const quarter = Math.floor(bytes / 4);
  expect([threads(4), threads(4, bytes), threads(4, quarter * 2), threads(8, quarter)]).toEqual([1, 1, 2, 4]);
  expect(threads(4, Math.ceil(bytes / 2) + 1)).toBe(1);
  expect([threads(1, 1), threads(4, 1), threads(100, 1)]).toEqual([1, 4, 11]);
  expect(chunksTogether({ chunks: [], threads: 4, fileSystem }).threads).toBe(1);
});

it('leaves it to the reading to say what is wrong with a chunk', () => {
  open(0);
  for (const { path } of database.log.chunks) truncateSync(path, 130);
  expect(together(20_000)).toBe(8);
  rmSync(join(home, 'chunk-000005.000000'));
  expect(together(20_000)).toBe(8);
});

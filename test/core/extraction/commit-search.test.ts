/** The commits of explicit transactions, over a database whose chunks are whole, missing or damaged. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { OperationControl, uncontrolled } from '../../../src-core/database/operation-control.ts';
import { OperationStopped } from '../../../src-core/errors.ts';
import { CommitSearch } from '../../../src-core/extraction/commit-search.ts';
import { databaseSource, sideSource, type RecordSource } from '../../../src-core/extraction/record-walk.ts';
import { databaseSide } from '../../../src-core/insight/difference/database-side.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { LogRecord } from '../../../src-core/records/log-record.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const DIRECTORY = '/db';
const CHUNK_BYTES = 8192;

interface Member {
  position: number;
  transactionPosition: number;
}

let fileSystem: MemoryFileSystem;
/** Of each transaction one member; commits come in the same order, in the last chunk. */
let members: Member[];
let leftOpen: Member;
let last: number;
let database: Database | undefined;

beforeEach(() => {
  fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory(DIRECTORY);
  const newGuid = guidsFrom(4);
  const writer = LogWriter.create({ fileSystem, directory: DIRECTORY, chunkSizeBytes: CHUNK_BYTES, newGuid });
  const appender = new EventAppender({ writer, newGuid, now: () => 1n, lastEventNumber: () => -1 });
  const event = { eventType: 'happened', data: Buffer.alloc(100, '7') };
  const begin = (stream: string) => {
    const transaction = appender.beginTransaction(stream);
    const position = appender.writeInTransaction(transaction, event);
    return { transaction, member: { position, transactionPosition: transaction.position } };
  };
  const open = begin('open');
  const begun = ['a', 'b', 'c'].map((stream) => begin(stream));
  leftOpen = open.member;
  members = begun.map(({ member }) => member);
  while (writer.position < 3 * CHUNK_BYTES + 1000) appender.append('plain', [event]);
  for (const { transaction } of begun) appender.commitTransaction(transaction);
  last = appender.append('plain', [event]).position;
  writer.close();
});
afterEach(() => {
  database?.close();
  database = undefined;
});

function source(kind: 'database' | 'side'): RecordSource {
  database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  return kind === 'database' ? databaseSource(database) : sideSource(databaseSide(database), fileSystem);
}

async function found(search: CommitSearch, asked: readonly Member[]) {
  try {
    const answers = [];
    for (const member of asked) answers.push(await search.commitOf(member));
    return answers;
  } finally {
    search.close();
  }
}

describe.each(['database', 'side'] as const)('the commits of a %s', (kind) => {
  test.each([undefined, 2, 1])('are found whatever number is kept (%s)', async (most) => {
    const asked = [...members, ...members, ...members.toReversed()];
    const answers = await found(new CommitSearch(source(kind), uncontrolled(), most), asked);
    const positions = answers.map((answer) => answer?.position);
    expect(positions.slice(0, 3)).toEqual(positions.slice(3, 6));
    expect(positions.slice(6)).toEqual(positions.slice(0, 3).toReversed());
    expect(positions.every((at) => at !== undefined && at > 3 * CHUNK_BYTES && at < last)).toBe(true);
    expect(new Set(positions).size).toBe(3);
    expect(answers.map((answer) => answer?.firstEventNumber)).toEqual(asked.map(() => 0));
  });

  test('are none for a transaction that was left open', async () => {
    const answers = await found(new CommitSearch(source(kind), uncontrolled()), [leftOpen, members[0]!]);
    expect(answers).toEqual([null, expect.objectContaining({ firstEventNumber: 0 })]);
  });

  test('are not known where a chunk is missing, and are where it lies before the member', async () => {
    fileSystem.remove(`${DIRECTORY}/chunk-000001.000000`);
    const later = { position: last, transactionPosition: last };
    const answers = await found(new CommitSearch(source(kind), uncontrolled()), [leftOpen, later, leftOpen]);
    expect(answers).toEqual([undefined, null, undefined]);
  });
});

test('a search for a commit stops when it is asked to', async () => {
  const stop = new AbortController();
  let turns = 0;
  const control = new OperationControl({
    signal: stop.signal,
    elapsedMs: () => (turns += 100),
    yieldTurn: () => Promise.resolve(stop.abort())
  });
  // A walk that never ends: only the control does.
  const endless: RecordSource = {
    ...source('database'),
    end: Number.MAX_SAFE_INTEGER,
    walk: () => ({
      record: new LogRecord(),
      skipped: undefined,
      next: () => 'skipped',
      enter: () => Promise.resolve(),
      close: () => undefined
    })
  };
  await expect(new CommitSearch(endless, control).commitOf(members[0]!)).rejects.toThrow(OperationStopped);
});

/**
 * A scavenge state that was forged, or broken in ways that SQLite does not mind: anyone who can write to the index
 * directory must not be able to delete live events by it, to run code in it, or to keep a command busy for ever.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { openStreamIndex } from '../../../src-core/index/stream-index.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { verifyScavengeState } from '../../../src-core/scavenge/state/verify-state.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { contentOf, filesOf, type DatabaseContent } from '../../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
/** Before its first scavenge, and states of one that was stopped: before and after it knows what can go. */
let original = '';
let accumulated: Buffer;
let calculated: Buffer;
let uncut: DatabaseContent;

const stateOf = (directory: string) => join(directory, 'index', 'scavenging', 'scavenging.db');
const scavenge = (directory: string, change: Partial<ScavengeRequest> = {}) =>
  runScavenge(scavengeRequest(directory, change), scavengeEnvironment());

async function stoppedAfter(phase: 'accumulation' | 'calculation'): Promise<Buffer> {
  const directory = samples.copy(original);
  await scavenge(directory, { stopAfter: phase });
  return readFileSync(stateOf(directory));
}

beforeAll(async () => {
  const size = { sizeBytes: 200_000, chunkSizeBytes: 65536, seed: 31 };
  original = await samples.write(size, { withPoint: true });
  rmSync(join(original, 'index', 'scavenging'), { recursive: true });
  accumulated = await stoppedAfter('accumulation');
  calculated = await stoppedAfter('calculation');
  const directory = samples.copy(original);
  await scavenge(directory);
  uncut = await contentOf(directory);
});
afterAll(() => samples.removeAll());

function forged(bytes: Buffer, sql: string): Buffer {
  const path = join(samples.directory(), 'forged.db');
  writeFileSync(path, bytes);
  const state = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  state.exec(sql);
  state.close();
  return readFileSync(path);
}

const POINTS = 'discardPoint = 9223372036854775807, maybeDiscardPoint = 9223372036854775807';
const ENDLESS =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS key, i AS value FROM n';

/** What is no state at all, whatever it says of streams. */
const unknown: [string, string][] = [
  ['has text where a number belongs', `UPDATE OriginalStreamDatas SET discardPoint = 'all of it'`],
  ['has text for a limit', `UPDATE OriginalStreamDatas SET maxCount = 'few' WHERE maxCount IS NOT NULL`],
  ['has a fraction for a number', 'UPDATE OriginalStreamDatas SET discardPoint = 1.5'],
  ['has a negative discard point', 'UPDATE OriginalStreamDatas SET discardPoint = -3'],
  ['has a status that none is', 'UPDATE OriginalStreamDatas SET status = 9'],
  ['has text for a weight', `UPDATE ChunkWeights SET value = 'heavy'`],
  ['has an endless weight', 'UPDATE ChunkWeights SET value = 9e999'],
  [
    'has a chunk of a number beyond all logs',
    'INSERT INTO ChunkTimeStampRanges VALUES (1152921504606846976, 1, 2)'
  ],
  ['has a chunk of a negative number', 'INSERT INTO ChunkTimeStampRanges VALUES (-4, 1, 2)'],
  ['has text for a time', `UPDATE ChunkTimeStampRanges SET min = 'early'`],
  ['has bytes for a name', `UPDATE HashUsers SET value = x'00ff'`],
  ['has text for a hash', `INSERT INTO HashUsers VALUES ('abc', 'abc')`],
  ['has bytes for a checkpoint', `UPDATE Checkpoint SET value = x'7b7d'`],
  [
    'has a trigger',
    `CREATE TRIGGER more AFTER UPDATE ON Checkpoint BEGIN UPDATE OriginalStreamDatas SET ${POINTS}; END`
  ],
  ['has a view', 'CREATE VIEW Extra AS SELECT 1 AS one'],
  ['has an endless view', `CREATE VIEW Extra AS ${ENDLESS}`],
  [
    'has an endless view instead of a table',
    `DROP TABLE ChunkWeights; CREATE VIEW ChunkWeights AS ${ENDLESS}`
  ],
  ['has an index on an expression', 'CREATE INDEX more ON ChunkWeights (abs(value))'],
  ['has an index of part of a table', 'CREATE INDEX more ON ChunkWeights (value) WHERE value > 0'],
  ['has an index more', 'CREATE INDEX more ON ChunkWeights (value)'],
  [
    'has a column that is computed',
    'DROP TABLE ChunkTimeStampRanges; ' +
      'CREATE TABLE ChunkTimeStampRanges (key INTEGER PRIMARY KEY, min INTEGER, max INTEGER AS (min + 1))'
  ],
  [
    'has a column with a check',
    'DROP TABLE ChunkWeights; CREATE TABLE ChunkWeights (key INTEGER PRIMARY KEY, value REAL NOT NULL CHECK (value > 0))'
  ],
  [
    'compares names without case',
    'DROP TABLE HashCollisions; CREATE TABLE HashCollisions (key TEXT COLLATE NOCASE PRIMARY KEY)'
  ],
  ['has a table of another kind', 'CREATE VIRTUAL TABLE more USING fts5(text)']
];

/** What is a state by its form, but says of streams what the log does not say. */
const untrue: [string, () => Buffer, string][] = [
  ['all streams were deleted for good', () => calculated, 'UPDATE OriginalStreamDatas SET isTombstoned = 1'],
  [
    'all streams and their metadata were deleted for good',
    () => calculated,
    `UPDATE OriginalStreamDatas SET isTombstoned = 1, ${POINTS}; UPDATE MetastreamDatas SET isTombstoned = 1`
  ],
  [
    'before calculation all streams were deleted for good',
    () => accumulated,
    'UPDATE OriginalStreamDatas SET isTombstoned = 1'
  ],
  [
    'metadata of live streams were deleted for good',
    () => calculated,
    'UPDATE MetastreamDatas SET isTombstoned = 1'
  ],
  ['the newest metadata can go', () => calculated, 'UPDATE MetastreamDatas SET discardPoint = 1000'],
  ['every event can go', () => calculated, `UPDATE OriginalStreamDatas SET ${POINTS}`],
  [
    'one event more of each stream can go',
    () => calculated,
    'UPDATE OriginalStreamDatas SET discardPoint = discardPoint + 1 WHERE isTombstoned = 0'
  ],
  [
    'one event is all that each stream keeps',
    () => accumulated,
    'UPDATE OriginalStreamDatas SET maxCount = 1'
  ],
  [
    'streams are cut that are not',
    () => accumulated,
    'UPDATE OriginalStreamDatas SET truncateBefore = 9223372036854775807'
  ],
  ['events expire at once', () => accumulated, 'UPDATE OriginalStreamDatas SET maxAge = 1'],
  [
    'events expire one by one',
    () => calculated,
    'UPDATE OriginalStreamDatas SET maxAge = 1, maybeDiscardPoint = 9223372036854775806 WHERE isTombstoned = 0'
  ],
  [
    'streams without metadata have some',
    () => accumulated,
    'INSERT OR REPLACE INTO OriginalStreamDatas (key, maxCount, status) ' +
      `SELECT key, 1, 1 FROM HashUsers WHERE value NOT LIKE '$%'`
  ],
  [
    'a stream that it has no name of can go',
    () => calculated,
    `UPDATE OriginalStreamDatas SET ${POINTS}; DELETE FROM HashUsers`
  ],
  [
    'a live stream is another by its name',
    () => calculated,
    `UPDATE OriginalStreamDatas SET ${POINTS}; UPDATE HashUsers SET value = 'nobody' || key`
  ],
  [
    'streams that share a hash can go',
    () => calculated,
    `INSERT INTO HashCollisions SELECT value FROM HashUsers; ` +
      `INSERT INTO OriginalStreamDataCollisions (key, isTombstoned, status) ` +
      `SELECT value, 1, 2 FROM HashUsers WHERE value NOT LIKE '$%'`
  ]
];

const cases: [string, () => Buffer, object][] = [
  ...unknown.map(([name, sql]): [string, () => Buffer, object] => [
    name,
    () => forged(calculated, sql),
    { code: 'StorageFailed', details: { reason: 'stateInvalid' } }
  ]),
  ...untrue.map(([name, bytes, sql]): [string, () => Buffer, object] => [
    `says that ${name}`,
    () => forged(bytes(), `UPDATE ChunkWeights SET value = value + 100; ${sql}`),
    { code: 'LogCorrupt', details: { reason: 'stateInvalid' } }
  ])
];

describe.each(cases)('a stored state that %s', (_name, bytesOf, error) => {
  it('is refused by run, plan and verification before a chunk is rewritten on its word', async () => {
    const directory = samples.copy(original);
    mkdirSync(join(directory, 'index', 'scavenging'));
    writeFileSync(stateOf(directory), bytesOf());
    const logBefore = logFilesOf(directory);
    const before = filesOf(directory);

    expect(await verified(directory)).toMatchObject({
      code: 'stateInvalid',
      remedy: expect.stringContaining('--start-afresh') as string
    });
    const withScratch = scavengeRequest(directory, { scratchDirectory: samples.directory() });
    await expect(planScavenge(withScratch, scavengeEnvironment())).rejects.toMatchObject(error);
    expect(filesOf(directory)).toEqual(before);
    const refusal = { ...error, remedy: expect.stringContaining('--start-afresh') as string };
    await expect(scavenge(directory)).rejects.toMatchObject(refusal);
    expect(logFilesOf(directory)).toEqual(logBefore);

    expect((await scavenge(directory, { startAfresh: true })).result).toBe('success');
    expect(await contentOf(directory)).toEqual(uncut);
  });
});

it.each([
  ['before calculation', () => accumulated],
  ['after it', () => calculated]
])('a true state of a scavenge that was stopped %s passes', async (_when, bytesOf) => {
  const directory = samples.copy(original);
  mkdirSync(join(directory, 'index', 'scavenging'));
  writeFileSync(stateOf(directory), bytesOf());
  expect(await verified(directory)).toBeUndefined();
  expect((await scavenge(directory)).result).toBe('success');
  expect(await contentOf(directory)).toEqual(uncut);
  expect(await verified(directory)).toBeUndefined();
});

/** Chunks and index tables. */
function logFilesOf(directory: string) {
  return Object.fromEntries(
    Object.entries(filesOf(directory)).filter(([name]) => !name.includes('scavenging'))
  );
}

async function verified(dataDirectory: string) {
  const fileSystem = new NodeFileSystem();
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    const index = await openStreamIndex({
      fileSystem,
      directory: database.indexDirectory,
      log: database.log,
      breathe: () => Promise.resolve()
    });
    try {
      return await verifyScavengeState({
        database,
        index,
        isWhole: true,
        makeScratch: () => samples.directory()
      });
    } finally {
      index.close();
    }
  } finally {
    database.close();
  }
}

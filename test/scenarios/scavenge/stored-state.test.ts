/**
 * A scavenge state that cannot be used: damaged, written by a newer version, no scavenge state at all, or that of
 * another log. The run is refused with the way out, nothing is changed, and starting afresh keeps the old file.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { Metastreams, OriginalStreams } from '../../../src-core/scavenge/state/stream-tables.ts';
import { contentOf, filesOf, type DatabaseContent } from '../../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
let original = '';
/** A state in the middle of a run, and what the whole run leaves. */
let stopped: Buffer;
let uncut: DatabaseContent;

const stateOf = (directory: string) => join(directory, 'index', 'scavenging', 'scavenging.db');
const scavenge = (directory: string, change: Partial<ScavengeRequest> = {}) =>
  runScavenge(scavengeRequest(directory, change), scavengeEnvironment());

beforeAll(async () => {
  original = await samples.write(
    { sizeBytes: 200_000, chunkSizeBytes: 65536, seed: 31 },
    { withPoint: true }
  );
  rmSync(join(original, 'index', 'scavenging'), { recursive: true });
  const directory = samples.copy(original);
  await scavenge(directory, { stopAfter: 'calculation' });
  stopped = readFileSync(stateOf(directory));
  await scavenge(directory);
  uncut = await contentOf(directory);
});
afterAll(() => samples.removeAll());

function changed(sql: string): Buffer {
  const path = join(samples.directory(), 'changed.db');
  writeFileSync(path, stopped);
  const state = new DatabaseSync(path);
  state.exec(sql);
  state.close();
  return readFileSync(path);
}

function database(sql: string): Buffer {
  const path = join(samples.directory(), 'other.db');
  const other = new DatabaseSync(path);
  other.exec(sql);
  other.close();
  return readFileSync(path);
}

const states: [string, () => Buffer, object][] = [
  [
    'no database',
    () => Buffer.alloc(40_000, 'nothing'),
    { code: 'StorageFailed', message: /cannot be used/ }
  ],
  [
    'cut in the middle',
    () => stopped.subarray(0, 20_000),
    { code: 'StorageFailed', message: /cannot be used/ }
  ],
  [
    'of a newer schema',
    () => changed('UPDATE SchemaVersion SET version = 2'),
    { code: 'UnsupportedFormat', message: /schema version 2/ }
  ],
  [
    'without its columns',
    () => changed('DROP TABLE ChunkWeights; CREATE TABLE ChunkWeights (something TEXT)'),
    { code: 'StorageFailed', message: /cannot be used/ }
  ],
  [
    'another program’s database',
    () =>
      database('CREATE TABLE invoices (number INTEGER, amount REAL); INSERT INTO invoices VALUES (1, 2.5)'),
    { code: 'StorageFailed', message: /cannot be used: .*invoices/ }
  ]
];

const ofAnotherLog = (message: RegExp) => ({
  code: 'LogCorrupt',
  message,
  details: { reason: 'stateAheadOfLog' }
});

/** Each differs from the log in one thing only. */
const foreign: [string, string, object][] = [
  [
    'names a point of another number',
    `UPDATE Checkpoint SET value = replace(value, '"effectiveNow"', '"eventNumber":7,"effectiveNow"')`,
    ofAnotherLog(/it names scavenge point 7/)
  ],
  [
    'names a point at another position',
    `UPDATE Checkpoint SET value = replace(value, '"position":', '"position":1')`,
    ofAnotherLog(/it names scavenge point 0 at position 1\d+/)
  ],
  [
    'names a point of another time',
    `UPDATE Checkpoint SET value = replace(value, '"effectiveNow":"2026', '"effectiveNow":"2025')`,
    ofAnotherLog(/it names scavenge point 0 .*2025/)
  ],
  [
    'has read a chunk that the log has not',
    'INSERT INTO ChunkTimeStampRanges (key, min, max) VALUES (900, 1, 2)',
    ofAnotherLog(/it knows chunk 900, the log ends with chunk/)
  ],
  [
    'has seen other times in the last chunk it read',
    'UPDATE ChunkTimeStampRanges SET min = 1, max = 2',
    ofAnotherLog(/which chunk \d+ did not have when it was read/)
  ]
];
for (const [name, sql, error] of foreign)
  states.push([`of another log: it ${name}`, () => changed(sql), error]);

describe.each(states)('a stored state that is %s', (_name, bytesOf, error) => {
  it('is refused by plan and run, which leave every file as it is; afresh it is kept aside', async () => {
    const directory = samples.copy(original);
    mkdirSync(join(directory, 'index', 'scavenging'));
    const bytes = bytesOf();
    writeFileSync(stateOf(directory), bytes);
    const before = filesOf(directory);
    const withScratch = scavengeRequest(directory, { scratchDirectory: samples.directory() });
    await expect(planScavenge(withScratch, scavengeEnvironment())).rejects.toMatchObject(error);
    expect(filesOf(directory)).toEqual(before);
    const refusal = { ...error, remedy: expect.stringContaining('--start-afresh') as string };
    await expect(scavenge(directory)).rejects.toMatchObject(refusal);
    expect(filesOf(directory)).toEqual(before);

    expect((await scavenge(directory, { startAfresh: true })).result).toBe('success');
    expect(await contentOf(directory)).toEqual(uncut);
    const aside = join(directory, 'index', 'scavenging.aside-1', 'scavenging.db');
    expect(readFileSync(aside).equals(bytes)).toBe(true);
  });
});

describe('what the state says of streams', () => {
  it('is read into memory once for chunk and index execution together', async () => {
    const reads = [OriginalStreams, Metastreams].map(({ prototype }) => vi.spyOn(prototype, 'forEachHash'));
    try {
      const { chunks, tables } = await scavenge(samples.copy(original));
      expect(chunks.some(({ decision }) => decision === 'rewritten')).toBe(true);
      expect(tables.length).toBeGreaterThan(0);
      for (const read of reads) expect(read).toHaveBeenCalledTimes(1);
    } finally {
      vi.restoreAllMocks();
    }
  });
});

/** Small parts of a scavenge by themselves: warnings, spans, owners, room, and what a rescue says. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src-core/database/database.ts';
import {
  openIndexDirectory,
  openStreamIndexAtOnce,
  type StreamIndex
} from '../../../src-core/index/stream-index.ts';
import { PrepareFlag } from '../../../src-core/records/log-record.ts';
import type { StreamMetadata } from '../../../src-core/records/stream-metadata.ts';
import { MetadataWarnings } from '../../../src-core/scavenge/decisions/metadata-warnings.ts';
import { ValidSpan } from '../../../src-core/scavenge/decisions/valid-span.ts';
import { isHistoryMetadata } from '../../../src-core/scavenge/history/history-events.ts';
import { scavengedChunkOf } from '../../../src-core/scavenge/output/scavenged-chunk.ts';
import { planNights } from '../../../src-core/scavenge/plan-nights.ts';
import { keepsOfPlan } from '../../../src-core/scavenge/replaced-files.ts';
import { requireOwnership } from '../../../src-core/scavenge/require-ownership.ts';
import { refuseTooLittleSpace, requiredSpace } from '../../../src-core/scavenge/required-space.ts';
import { countRecordsRoughly } from '../../../src-core/scavenge/rescue/rescue-order.ts';
import { noChunkFits, waitingWarning } from '../../../src-core/scavenge/rescue/rescue-warnings.ts';
import { ScavengeOutcome } from '../../../src-core/scavenge/scavenge-result.ts';
import type { FileFacts } from '../../../src-core/storage/file-system.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { writeSmallDatabase, writeText } from '../../support/restore-fixture.ts';
import { scavengeRequest } from '../../support/scavenge-environment.ts';

describe('a plan warns of metadata', () => {
  const none: StreamMetadata = {
    ...{ maxCount: null, maxAgeSeconds: null, truncateBefore: null },
    ...{ cacheControlSeconds: null, temporary: null, acl: null }
  };
  const messages = (warnings: MetadataWarnings): string[] => {
    const outcome = new ScavengeOutcome();
    warnings.addTo(outcome);
    return outcome.warnings.map(({ code, message }) => `${code}: ${message}`);
  };

  it('that is an empty write, until it is written again', () => {
    const warnings = new MetadataWarnings();
    warnings.see('orders', { flags: PrepareFlag.isJson, position: 70 }, none);
    expect(messages(warnings)).toEqual([
      expect.stringMatching(/^emptyMetadataWrite: .* of orders \(position 70\) is an empty write/)
    ]);
    warnings.see('orders', { flags: PrepareFlag.isJson | PrepareFlag.data, position: 90 }, none);
    expect(messages(warnings)).toEqual([]);
  });

  it('of which it names ten streams and counts the others', () => {
    const warnings = new MetadataWarnings();
    for (let i = 1; i <= 12; i++)
      warnings.see(`s${i}`, { flags: PrepareFlag.data, position: i }, { ...none, maxCount: 1n });
    const [message] = messages(warnings);
    expect(message).toContain('s10 (position 10) and 2 more streams was written');
    expect(message).not.toContain('s11');
  });
});

it('a span that has ended before it began holds at its beginning', () => {
  const span = new ValidSpan(100_000n, 900_000n);
  span.endAfter(Infinity);
  expect(span.facts).toEqual({ from: '100000', upTo: '900000' });
  span.endAfter(5);
  expect(span.facts).toEqual({ from: '100000', upTo: '100000' });
  expect([100_000n, 100_001n].map((now) => ValidSpan.of(span.facts).holds(now))).toEqual([true, false]);
});

it('a span ends with the first that ends it, in whichever order they are told', () => {
  for (const ends of [
    [30, 70],
    [70, 30]
  ]) {
    const span = new ValidSpan(100_000n, 900_000n);
    for (const ms of ends) span.endAfter(ms, 100_000n);
    expect(span.facts).toEqual({ from: '100000', upTo: '400000' });
  }
});

it.each([
  [{ decision: 'skipped' }, 0],
  [{ decision: 'keptLarger' }, 30],
  [{ decision: 'rewritten' }, 30],
  [{ decision: 'emptied' }, 30],
  [{ decision: 'merged' }, 30]
] as const)(
  'the work on a chunk is what was read and written of its files: of one with %j %d',
  (change, bytes) => {
    const outcome = new ScavengeOutcome();
    const work: unknown[] = [];
    outcome.onWork = (done) => work.push(done);
    const row = {
      chunkStart: 0,
      chunkEnd: 0,
      weight: 2,
      bytesBefore: 20,
      bytesAfter: 10,
      recordsDiscarded: 0
    };
    outcome.setElapsed({ ...row, ...change }, 5);
    const table = { level: 0, order: 0, entriesBefore: 2, entriesAfter: 1, bytesBefore: 20, bytesAfter: 10 };
    outcome.setElapsed(table, 5);
    expect(work).toEqual([
      { kind: 'rewrite', bytes },
      { kind: 'rewrite', bytes: 0 }
    ]);
  }
);

it.each<[boolean, object]>([
  [true, { $maxAge: 86_400, $acl: { $r: '$ops' } }],
  [true, { $maxAge: 86_400, $acl: { $r: ['$ops'] } }],
  [false, { $maxAge: 86_400, $acl: { $w: '$ops' } }],
  [false, { $maxAge: 86_400, $acl: { $r: ['$ops', '$all'] } }],
  [false, { $maxAge: 86_400, $acl: null }],
  [false, { $maxAge: 1, $acl: { $r: '$ops' } }]
])('metadata lets operators read a history for a day: %s of %j', (isIt, metadata) => {
  expect(isHistoryMetadata(Buffer.from(JSON.stringify(metadata)), 1)).toBe(isIt);
});

it('no work is through before the first night', () => {
  const speed = { readPerMs: 1, workPerMs: 1, threads: 1 };
  const plan = planNights({ nights: [], pieces: [], speed, beginningMs: 0, mostNights: 3 });
  expect(plan).toEqual({ nights: [], throughMs: null, tooLongBytes: null });
});

describe('a rescue says', () => {
  const left = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ fileName: `chunk-${i}`, newFileSize: 100 + i }));

  it('which five chunks are left, and that there are more', () => {
    expect(waitingWarning(left(5), 7).message).toContain('(chunk-0, chunk-1, chunk-2, chunk-3, chunk-4)');
    expect(waitingWarning(left(6), 7).message).toContain('chunk-4, …)');
  });

  it('that none fits, with the first file and the numbers', () => {
    expect(noChunkFits(left(2), -5)).toMatchObject({
      code: 'StorageFailed',
      details: { file: 'chunk-0', neededBytes: 100, freeBytes: 0, osCode: 'ENOSPC' }
    });
  });
});

describe('before a run', () => {
  class TwoVolumes extends MemoryFileSystem {
    free = { data: 2 ** 40, index: 2 ** 40 };
    closed = '';
    override describe(file: string): FileFacts | undefined {
      const facts = super.describe(file);
      return facts && file.startsWith('/ix') ? { ...facts, device: 2 } : facts;
    }
    override freeBytes(file: string): number {
      return file.startsWith('/ix') ? this.free.index : this.free.data;
    }
    mayCreateIn(directory: string): boolean {
      return directory !== this.closed;
    }
  }
  const sample = new MemoryFileSystem();
  let fileSystem: TwoVolumes;
  let database: Database;
  let index: StreamIndex;
  beforeAll(() => writeSmallDatabase(sample, '/db'));
  beforeEach(() => {
    fileSystem = new TwoVolumes();
    copyTree({ fileSystem: sample, path: '/db' }, { fileSystem, path: '/db' });
    copyTree({ fileSystem: sample, path: '/db/index' }, { fileSystem, path: '/ix' });
    database = openDatabase({ fileSystem, dataDirectory: '/db', indexDirectory: '/ix' });
    const directory = openIndexDirectory({ fileSystem, directory: '/ix', log: database.log });
    index = openStreamIndexAtOnce({ log: database.log, directory });
    database.close();
  });

  it('each volume has to have its own room, to the byte', () => {
    const question = { database, index, threads: 1, merge: true, writesPoint: false };
    const { dataBytes, indexBytes } = requiredSpace(question);
    fileSystem.free = { data: dataBytes, index: indexBytes };
    expect(() => refuseTooLittleSpace(question)).not.toThrow();
    for (const [volume, file] of [
      ['data', '/db'],
      ['index', '/ix']
    ] as const) {
      fileSystem.free = { data: dataBytes, index: indexBytes };
      fileSystem.free[volume]--;
      expect(() => refuseTooLittleSpace(question)).toThrow(
        expect.objectContaining({
          code: 'StorageFailed',
          details: expect.objectContaining({ file, freeBytes: fileSystem.free[volume] }) as object
        })
      );
    }
  });

  it('both directories have to be open for writing, and files that are gone have no owner', () => {
    writeText(fileSystem, '/db/own', 'x');
    const question = {
      fileSystem,
      dataDirectory: '/db',
      indexDirectory: '/ix',
      paths: ['/db/own', '/db/gone'],
      newGuid: () => 'trial'
    };
    const before = fileSystem.list('/db');
    expect(() => requireOwnership(question)).not.toThrow();
    expect(fileSystem.list('/db')).toEqual(before);
    fileSystem.closed = '/ix';
    expect(() => requireOwnership(question)).toThrow(
      expect.objectContaining({ code: 'StorageFailed', details: { file: '/ix', osCode: 'EACCES' } })
    );
    expect(fileSystem.list('/db')).toEqual(before);
  });

  it('a plan that is to keep what is replaced says how much that is', () => {
    const outcome = new ScavengeOutcome();
    expect(keepsOfPlan(scavengeRequest('/db'), outcome, database)).toEqual({});
    expect(keepsOfPlan(scavengeRequest('/db', { keepReplacedMs: 60_000 }), outcome, undefined)).toEqual({});
    expect(keepsOfPlan(scavengeRequest('/db', { keepReplacedMs: 60_000 }), outcome, database)).toMatchObject({
      keeps: { replacedBytes: 0, keepMs: 60_000 }
    });
  });

  it('a chunk has as many records as its first ones let expect, and none where there is no file', () => {
    const chunk = scavengedChunkOf(database.chunkSet.chunks[0]!);
    const exact = countRecordsRoughly(fileSystem, chunk);
    expect(exact).toBeGreaterThan(10);
    expect(countRecordsRoughly(fileSystem, { ...chunk, recordCount: 7 })).toBe(7);
    expect(countRecordsRoughly(fileSystem, { ...chunk, recordCount: null, chunk: null })).toBe(0);
    const empty = {
      ...chunk,
      chunk: Object.create(chunk.chunk, { dataSize: { value: 0 } }) as typeof chunk.chunk
    };
    expect(countRecordsRoughly(fileSystem, { ...empty, recordCount: null })).toBe(0);
  });
});

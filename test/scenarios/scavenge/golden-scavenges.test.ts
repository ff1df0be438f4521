/**
 * Scavenges that the real server ran, run again. `current-a` ends with a scavenge point, so everything about it is
 * determined: records, files, sizes, index entries, bytes saved. For the others this engine writes a point of its
 * own with the server's time; of the records that were there before, the same must be left.
 */
import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { runScavenge, planScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeReportData, ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import {
  contentOf,
  filesOf,
  positionOf,
  withDatabase,
  type DatabaseContent
} from '../../support/database-content.ts';
import { expectedOf, goldenJson, removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import type { ExpectedDatabase } from '../../support/golden-expectations.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';

afterEach(removeUnpacked);

const scavenge = (directory: string, change: Partial<ScavengeRequest>) =>
  runScavenge(scavengeRequest(directory, change), scavengeEnvironment());

/** The plan of the same request; leaves no trace. */
async function plan(directory: string, change: Partial<ScavengeRequest>): Promise<ScavengeReportData> {
  const scratchDirectory = temporaryDirectory();
  try {
    return await planScavenge(
      scavengeRequest(directory, { ...change, scratchDirectory }),
      scavengeEnvironment()
    );
  } finally {
    rmSync(scratchDirectory, { recursive: true });
  }
}

/** What plan and run must have in common. */
function comparable(report: ScavengeReportData) {
  const { scavengeId: _scavengeId, thresholds: _thresholds, phases, chunks, ...rest } = report;
  return {
    ...rest,
    phases: phases.map(({ phase }) => phase),
    chunks: chunks.map(({ newFile: _newFile, ...row }) => row)
  };
}

function expectSound(directory: string): Promise<void> {
  return withDatabase(directory, async (database) => {
    const { findings } = await verifyDatabase({
      database,
      quick: false,
      control: scavengeEnvironment().operation
    });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
  });
}

async function expectNothingLeftToDo(directory: string, change: Partial<ScavengeRequest>): Promise<void> {
  const before = filesOf(directory);
  const report = await scavenge(directory, { ...change, scavengePoint: 'existing' });
  expect(report.scavengePoint).toBeNull();
  expect(filesOf(directory)).toEqual(before);
}

interface ServerRun {
  spaceSaved: number;
  chunks: { a: string; start: number; end: number; saved: number }[];
  index: { level: number; index: number; del: number; kept: number; saved: number }[];
}

describe('current-a, scavenged to its own point', () => {
  const variants: [string, Partial<ScavengeRequest>][] = [
    ['after', {}],
    ['after-nomerge', { merge: false }],
    ['after-ihd', { unsafeIgnoreHardDeletes: true }]
  ];

  it.each(variants)('is left as the server left it: %s', async (folder, change) => {
    const directory = unpackDatabase({ name: 'current-a', folder: 'before' });
    const planned = await plan(directory, change);
    const report = await scavenge(directory, change);
    expect(comparable(report)).toEqual(comparable(planned));

    const [server] = goldenJson('current-a', `scavenge.${folder}.json`) as [ServerRun];
    expect(report.spaceSavedBytes).toBe(server.spaceSaved);
    expect(
      report.chunks.map(({ chunkStart, chunkEnd, decision, bytesBefore, bytesAfter }) => ({
        a: decision === 'merged' ? 'merged' : 'scavenged',
        start: chunkStart,
        end: chunkEnd,
        saved: bytesBefore - bytesAfter
      }))
    ).toEqual(server.chunks.map(({ a, start, end, saved }) => ({ a, start, end, saved })));
    expect(
      report.tables.map(({ level, order, entriesBefore, entriesAfter, bytesBefore, bytesAfter }) => ({
        level,
        index: order,
        del: entriesBefore - entriesAfter,
        kept: entriesAfter,
        saved: bytesBefore - bytesAfter
      }))
    ).toEqual(server.index.map(({ level, index, del, kept, saved }) => ({ level, index, del, kept, saved })));

    const ours = await contentOf(directory);
    const theirs = await contentOf(unpackDatabase({ name: 'current-a', folder }));
    expect(ours).toEqual(theirs);
    expect(chunkNamesOf(directory)).toEqual(expectedOf('current-a', folder).chunks.map(({ file }) => file));
    await expectSound(directory);
    await expectNothingLeftToDo(directory, change);
  });
});

function chunkNamesOf(directory: string): string[] {
  return Object.keys(filesOf(directory))
    .filter((name) => name.startsWith('chunk-'))
    .sort();
}

interface Golden {
  name: string;
  folder: string;
  change: Partial<ScavengeRequest>;
}

describe('a server’s scavenge, run again with a point of our own', () => {
  const goldens: Golden[] = [
    { name: 'rules', folder: 'after-t0', change: {} },
    { name: 'rules', folder: 'after-t-high', change: { threshold: 112 } },
    { name: 'rules', folder: 'after-nomerge', change: { merge: false } },
    { name: 'rules', folder: 'after-ihd', change: { unsafeIgnoreHardDeletes: true } },
    { name: 'transactions', folder: 'after-t0', change: {} },
    { name: 'transactions', folder: 'after-ihd', change: { unsafeIgnoreHardDeletes: true } },
    { name: 'tables', folder: 'after-scavenge', change: {} }
  ];

  it.each(goldens)('leaves of $name what $folder has', async ({ name, folder, change }) => {
    const expected = expectedOf(name, folder);
    const end = Number(expectedOf(name, 'before').checkpoints['writer.chk']);
    const now = timeOfPoint(expected);
    const directory = unpackDatabase({ name, folder: 'before' });
    const wanted: Partial<ScavengeRequest> = { scavengePoint: 'new', now, ...change };
    const planned = await plan(directory, wanted);
    const report = await scavenge(directory, wanted);
    expect(comparable(report)).toEqual(comparable(planned));

    const ours = await contentOf(directory);
    const theirs = await contentOf(unpackDatabase({ name, folder }));
    expect(recordsBelow(ours, end)).toEqual(recordsBelow(theirs, end));
    expect(entriesBelow(ours, end)).toEqual(entriesBelow(theirs, end));
    await expectSound(directory);
    await expectNothingLeftToDo(directory, wanted);
  });
});

/** Of the newest scavenge point in the log. */
function timeOfPoint(expected: ExpectedDatabase): string {
  const point = expected.records.findLast(({ stream }) => stream === '$scavengePoints')!;
  return `${point.ts!}Z`;
}

function recordsBelow({ records }: DatabaseContent, end: number): string[] {
  return records.filter((line) => positionOf(line) < end);
}

/** All tables together: the server had flushed its memory between the two moments. */
function entriesBelow({ tables }: DatabaseContent, end: number): string[] {
  return tables
    .flat()
    .filter((line) => Number(line.split(' ')[2]) < end)
    .sort();
}

describe('a scavenge that the server was killed in', () => {
  it('goes on where the server stopped and ends as the server’s own resumption', async () => {
    const directory = unpackDatabase({ name: 'killed-scavenge', folder: 'at-kill' });
    const end = Number(expectedOf('killed-scavenge', 'at-kill').checkpoints['writer.chk']);
    const report = await scavenge(directory, {});
    expect(report).toMatchObject({
      result: 'success',
      resumed: true,
      scavengePoint: { number: 0, placement: 'existing' }
    });
    const ours = await contentOf(directory);
    const theirs = await contentOf(unpackDatabase({ name: 'killed-scavenge', folder: 'after-resume' }));
    expect(recordsBelow(ours, end)).toEqual(recordsBelow(theirs, end));
    await expectSound(directory);
    await expectNothingLeftToDo(directory, {});
  });
});

describe('a log that no scavenge can pass', () => {
  it.each([
    { name: 'rules-odd', reason: 'tombstoneInMetadataStream' },
    { name: 'old-v0', reason: 'metadataInTransaction' }
  ])('$name is refused before anything is written', async ({ name, reason }) => {
    const directory = unpackDatabase({ name, folder: 'before' });
    const before = filesOf(directory);
    await expect(scavenge(directory, { scavengePoint: 'new' })).rejects.toMatchObject({
      code: 'UnsupportedFormat',
      details: { reason }
    });
    expect(filesOf(directory)).toEqual(before);
  });
});

/** Two streams with one hash of the server's: every count, digest and check tells them apart. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { readDigestAtOnce } from '../../../src-core/digest/read-digest.ts';
import { recentFromDigests } from '../../../src-core/digest/recent-from-digests.ts';
import { emptyIndexMap, writeIndexMap } from '../../../src-core/index/index-map.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { readRecentEntries } from '../../../src-core/index/read-recent-entries.ts';
import { readStreamForward } from '../../../src-core/index/read-stream.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { explain } from '../../../src-core/insight/explain/explain.ts';
import { breakDownRemoval } from '../../../src-core/insight/removal/break-down-removal.ts';
import { compareThresholds } from '../../../src-core/insight/usage/compare-thresholds.ts';
import { newestEvents } from '../../../src-core/insight/usage/newest-events.ts';
import { sumUsage } from '../../../src-core/insight/usage/usage-items.ts';
import { usageOfNames } from '../../../src-core/insight/usage/usage-of-names.ts';
import { rebuildIndex } from '../../../src-core/repair/rebuild-index.ts';
import { planScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { ticksToIso } from '../../../src-core/units/ticks.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { COLLIDING_ORDERS, OTHER_COLLIDING_ORDERS } from '../../support/colliding-names.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { guidName } from '../index/index-fixture.ts';
import { SmallLog } from './small-log.ts';

const [ruled, free] = COLLIDING_ORDERS;
const [deleted, left] = OTHER_COLLIDING_ORDERS;
const newGuid = guidsFrom(9);
const breathe = (): Promise<void> => Promise.resolve();
let log: SmallLog;

beforeEach(() => {
  log = new SmallLog();
});
afterEach(() => log.remove());

const place = () => ({ fileSystem: log.fileSystem, dataDirectory: log.dataDirectory });
const writeIndex = () => rebuildIndex({ ...place(), control: uncontrolled(), newGuid });

/** In turn, over two chunks: one of each two keeps one event only, or is deleted. */
function write(): void {
  for (let chunk = 0; chunk < 2; chunk++) {
    for (let i = 0; i < 20; i++) for (const name of [ruled, free, deleted, left]) log.append(name, 300);
    if (chunk === 0) log.events.setMetadata(ruled, '{"$maxCount":1}');
    else log.events.hardDelete(deleted);
    log.completeChunk();
  }
  log.append('after');
}

async function verified(): Promise<string[]> {
  const database = openDatabase(place());
  try {
    const { findings } = await verifyDatabase({ database, quick: false, control: uncontrolled() });
    return findings.filter(({ severity }) => severity === 'damage').map(({ message }) => message);
  } finally {
    database.close();
  }
}

it('their names have one hash', () => {
  for (const [one, other] of [COLLIDING_ORDERS, OTHER_COLLIDING_ORDERS]) {
    expect(one).not.toBe(other);
    expect(hashStream(one)).toEqual(hashStream(other));
  }
});

describe('two streams with one hash', () => {
  it('have each its own records and rules in a count, and free what a plan frees', async () => {
    write();
    log.close();
    await writeIndex();
    const usage = await log.count();
    const { items } = await sumUsage(usage, 'stream', 100);
    const of = (name: string) => {
      const { records, discardableRecords } = items.find((item) => item.name === name)!;
      return [records, discardableRecords];
    };
    expect([ruled, free, deleted, left].map(of)).toEqual([
      [40, 39],
      [40, 0],
      [41, 40],
      [40, 0]
    ]);
    const named = await usageOfNames(usage, { streams: [ruled, left], categories: ['order'] });
    expect(named.streams.map(({ name, records }) => [name, records])).toEqual([
      [ruled, 40],
      [left, 40]
    ]);
    const { last } = await newestEvents(usage, breathe);
    expect(last.records).toBe(0);
    const { operation } = scavengeEnvironment();
    const [row] = await compareThresholds(usage, operation, [0]);
    const plan = await planScavenge(
      scavengeRequest(log.dataDirectory, {
        scavengePoint: 'detached',
        now: ticksToIso(log.now),
        alwaysKeepScavenged: false
      }),
      scavengeEnvironment()
    );
    expect(row).toMatchObject({
      recordsDiscarded: plan.recordsDiscarded,
      spaceSaved: plan.spaceSaved
    });
    expect(plan.recordsDiscarded).toBe(79);
    expect(row!.spaceSaved.index).toBeGreaterThan(0);
  });

  it('lose the same by what is known of chunks and by the log', async () => {
    write();
    log.close();
    await writeIndex();
    const request = scavengeRequest(log.dataDirectory, {
      scavengePoint: 'detached',
      now: ticksToIso(log.now),
      alwaysKeepScavenged: true
    });
    const plan = await planScavenge(request, scavengeEnvironment());
    const { fileSystem } = log;
    const digests = new ChunkDigests({ fileSystem, newGuid, threads: 1 });
    const byLog = await breakDownRemoval({ request, plan, top: 10 }, scavengeEnvironment());
    expect(await breakDownRemoval({ request, plan, top: 10 }, scavengeEnvironment({ digests }))).toEqual(
      byLog
    );
    expect(byLog?.byStream.items.map(({ name, records }) => [name, records]).sort()).toEqual(
      [
        [ruled, 39],
        [deleted, 40]
      ].sort()
    );
  });

  it.each([
    ['ruled', ruled, ['0-38 discard maxCount', '39-39 keep lastEvent']],
    ['free', free, ['0-39 keep noRule']]
  ])(
    'are explained each by its own rules, from the log and from what is known of chunks: %s',
    async (_which, stream, ranges) => {
      write();
      log.close();
      await writeIndex();
      const request = scavengeRequest(log.dataDirectory, {
        scavengePoint: 'detached',
        now: ticksToIso(log.now)
      });
      const { fileSystem } = log;
      const digests = new ChunkDigests({ fileSystem, newGuid, threads: 1 });
      for (const environment of [scavengeEnvironment(), scavengeEnvironment({ digests })]) {
        const told = await explain({ kind: 'stream', stream }, request, environment);
        if (told.kind !== 'stream') expect.unreachable();
        expect(told.ranges.map(({ from, to, verdict, rule }) => `${from}-${to} ${verdict} ${rule}`)).toEqual(
          ranges
        );
      }
    }
  );

  it('are found each by its name in a digest, and entries are not taken from digests', async () => {
    write();
    log.close();
    const database = openDatabase(place());
    const { chunks } = database.log;
    const digest = readDigestAtOnce(log.fileSystem, chunks[0]!);
    for (const name of [ruled, free, deleted, left])
      expect(digest.streamName(digest.streamOrdinal(name))).toBe(name);
    expect(digest.streamOrdinal(`${ruled}x`)).toBe(-1);
    const range = { prepareCheckpoint: -1, commitCheckpoint: -1, end: database.log.end };
    const digestOf = (chunk: (typeof chunks)[number]) => readDigestAtOnce(log.fileSystem, chunk);
    expect(await recentFromDigests({ ...range, chunks, digestOf, breathe })).toBeUndefined();
    database.close();
  });

  it('are read each for itself, and are sound', async () => {
    write();
    log.close();
    await writeIndex();
    expect(await verified()).toEqual([]);
    const database = openDatabase(place());
    const index = await database.openIndex(uncontrolled());
    const read = (stream: string) => readStreamForward(index, { stream, from: 0, count: 100, now: log.now });
    expect([ruled, free, deleted, left].map((name) => [read(name).result, read(name).events.length])).toEqual(
      [
        ['success', 1],
        ['success', 40],
        ['streamDeleted', 0],
        ['success', 40]
      ]
    );
    database.close();
  });

  it('make no disorder of tables, in which numbers of the one are above those of the other', async () => {
    for (let i = 0; i < 5; i++) log.append(ruled);
    const first = log.writer.position;
    for (let i = 0; i < 2; i++) log.append(free);
    log.append('after');
    log.close();
    const database = openDatabase(place());
    const { end } = database.log;
    const directory = database.indexDirectory;
    log.fileSystem.makeDirectory(directory);
    const parts = [
      { from: -1, end: first },
      { from: first - 1, end }
    ];
    let last = -1;
    for (const [i, part] of parts.entries()) {
      const entries = await readRecentEntries({
        log: { cursor: (_from, to) => database.log.cursor(0, to) },
        prepareCheckpoint: part.from,
        commitCheckpoint: part.from,
        end: part.end,
        hasher: hashStream
      });
      writeIndexTable({ fileSystem: log.fileSystem, directory, name: guidName(i + 1) }, entries);
      last = database.log.findBackward(part.end, () => true)!.position;
    }
    const tables = [
      { level: 0, position: 1, file: guidName(2) },
      { level: 0, position: 0, file: guidName(1) }
    ];
    const map = { ...emptyIndexMap(), prepareCheckpoint: last, commitCheckpoint: last, tables };
    writeIndexMap(log.fileSystem, directory, map, guidName(9));
    database.close();
    expect(await verified()).toEqual([]);
    // In the other order they would be, were they of one stream.
    const swapped = tables.map(({ file, ...at }) => ({
      ...at,
      file: file === guidName(1) ? guidName(2) : guidName(1)
    }));
    writeIndexMap(log.fileSystem, directory, { ...map, tables: swapped }, guidName(8));
    expect(await verified()).toEqual([]);
  });
});

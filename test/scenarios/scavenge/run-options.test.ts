/** What a scavenge does with its options, its state and requests to stop, on small sample databases. */
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { OperationControl } from '../../../src-core/database/operation-control.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeEnvironment, ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { contentOf, filesOf, withDatabase, type DatabaseContent } from '../../support/database-content.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples, stateRowsOf } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
/** A log without and with a scavenge point, never scavenged; tests work on copies. */
let bare = '';
let pointed = '';
/** What a whole scavenge of `pointed` leaves. */
let uncut: DatabaseContent;
let uncutState: Record<string, unknown[]>;

const size = { sizeBytes: 600_000, chunkSizeBytes: 65536, seed: 11 };

beforeAll(async () => {
  bare = await samples.write(size, { withPoint: false });
  pointed = await samples.write(size, { withPoint: true });
  const directory = samples.copy(pointed);
  await scavenge(directory);
  uncut = await contentOf(directory);
  uncutState = stateRowsOf(directory);
});
afterAll(() => {
  samples.removeAll();
  removeUnpacked();
});

const isNoState = (name: string) => !name.includes('scavenging');

/** Continues the log of a copy, in the chunk that is being written. */
function append(directory: string, write: (appender: EventAppender) => void): void {
  const fileSystem = new NodeFileSystem();
  const { chunkSet } = openDatabase({ fileSystem, dataDirectory: directory });
  const { newGuid, now } = scavengeEnvironment();
  const writer = LogWriter.open({ fileSystem, directory, newGuid }, chunkSet);
  write(new EventAppender({ writer, newGuid, now, lastEventNumber: () => -1 }));
  writer.close();
}

function scavenge(
  directory: string,
  change: Partial<ScavengeRequest> = {},
  environment: Partial<ScavengeEnvironment> & { signal?: AbortSignal } = {}
) {
  return runScavenge(scavengeRequest(directory, change), scavengeEnvironment(environment));
}

describe('the choice of a scavenge point', () => {
  it('refuses to write one where nothing says that the node stands alone, and changes nothing', async () => {
    const directory = samples.copy(bare);
    const before = filesOf(directory);
    await expect(scavenge(directory, { scavengePoint: 'auto' })).rejects.toMatchObject({
      code: 'InvalidRequest',
      details: { field: 'scavengePoint' }
    });
    expect(filesOf(directory)).toEqual(before);
  });

  it('writes one for a single node, with the threshold and time asked for', async () => {
    const directory = samples.copy(bare);
    const report = await scavenge(directory, {
      scavengePoint: 'auto',
      singleNode: true,
      threshold: 20,
      now: '2026-02-03T04:05:06.7000000Z'
    });
    expect(report.scavengePoint).toMatchObject({
      number: 0,
      threshold: 20,
      effectiveNow: '2026-02-03T04:05:06.7000000Z',
      placement: 'new'
    });
    expect(report.chunks.some(({ decision }) => decision === 'skipped')).toBe(true);
    for (const { decision, weight } of report.chunks) {
      if (decision !== 'merged') expect(decision === 'skipped').toBe(weight < 20);
    }
    await withDatabase(directory, ({ log }) =>
      expect(log.chunks.every(({ isActive }) => !isActive)).toBe(true)
    );
  });

  it('uses an unreached one rather than writing another', async () => {
    const report = await scavenge(samples.copy(pointed), { scavengePoint: 'auto', threshold: 5 });
    expect(report.scavengePoint).toMatchObject({ number: 0, threshold: 0, placement: 'existing' });
    expect(report.warnings.map(({ code }) => code)).toContain('thresholdOfPoint');
  });

  it('has nothing to do without one when only existing ones may be used', async () => {
    const directory = samples.copy(bare);
    const before = filesOf(directory);
    const report = await scavenge(directory, { scavengePoint: 'auto', syncOnly: true });
    expect(report).toMatchObject({ result: 'success', scavengePoint: null, chunks: [], tables: [] });
    expect(filesOf(directory)).toEqual(before);
  });

  it('numbers a further one behind the last and reads only what is new', async () => {
    const directory = samples.copy(pointed);
    await scavenge(directory);
    const read: number[] = [];
    const report = await scavenge(
      directory,
      { scavengePoint: 'new', now: SAMPLE_TIME },
      { trace: { entry: (entry) => entry.kind === 'accumulateChunk' && read.push(entry.chunk) } }
    );
    expect(report.scavengePoint?.number).toBe(1);
    expect(read).toHaveLength(1);
  });
});

describe('a detached scavenge', () => {
  const detached: Partial<ScavengeRequest> = { scavengePoint: 'detached', now: SAMPLE_TIME };

  it('writes nothing to the log, leaves no state and removes what a point there would let go', async () => {
    const directory = samples.copy(bare);
    append(directory, (appender) => {
      appender.setMetadata('left-behind', '{"$maxCount":1}');
      const event = { eventType: 'left', data: Buffer.from('{}') };
      appender.append('left-behind', [event, event, event]);
    });
    const winnowHome = samples.directory();
    const end = await withDatabase(directory, ({ log }) => log.end);
    const report = await scavenge(directory, { ...detached, winnowHome });
    expect(report.scavengePoint?.placement).toBe('detached');
    expect(report.recordsDiscarded).toBeGreaterThan(0);
    expect(report.leftInActiveChunk.records).toBe(2);
    expect(Object.keys(filesOf(directory)).some((name) => name.includes('scavenging'))).toBe(false);
    expect(filesOf(winnowHome)).toEqual({});
    await withDatabase(directory, ({ log }) => expect(log.end).toBe(end));
  });

  it('is resumed from its own state, to the same end', async () => {
    const [whole, stopped] = [samples.copy(bare), samples.copy(bare)];
    await scavenge(whole, { ...detached, winnowHome: samples.directory() });
    const winnowHome = samples.directory();
    const first = await scavenge(stopped, { ...detached, winnowHome, stopAfter: 'calculation' });
    expect(first.result).toBe('stopped');
    const second = await scavenge(stopped, { ...detached, winnowHome, now: '2027-01-01T00:00:00Z' });
    expect(second).toMatchObject({ result: 'success', resumed: true });
    expect(second.scavengePoint?.effectiveNow).toBe(first.scavengePoint?.effectiveNow);
    expect(await contentOf(stopped)).toEqual(await contentOf(whole));
  });

  it('is refused while another scavenge is unfinished', async () => {
    const directory = samples.copy(pointed);
    await scavenge(directory, { stopAfter: 'accumulation' });
    await expect(scavenge(directory, { ...detached, winnowHome: samples.directory() })).rejects.toMatchObject(
      {
        code: 'InvalidRequest',
        details: { field: 'scavengePoint' }
      }
    );
  });
});

describe('stopping', () => {
  const phases = ['accumulation', 'calculation', 'chunkExecution', 'chunkMerging', 'indexExecution'] as const;

  it.each(phases)('after %s is resumed to the same end', async (stopAfter) => {
    const directory = samples.copy(pointed);
    const first = await scavenge(directory, { stopAfter });
    expect(first.result).toBe('stopped');
    expect(first.phases.at(-1)?.phase).toBe(stopAfter);
    const second = await scavenge(directory);
    expect(second).toMatchObject({ result: 'success', resumed: true });
    expect(await contentOf(directory)).toEqual(uncut);
    expect(stateRowsOf(directory)).toEqual(uncutState);
  });

  it('on request is an outcome, and the next run goes on', async () => {
    const directory = samples.copy(pointed);
    const stop = new AbortController();
    let switched = 0;
    const report = await scavenge(
      directory,
      {},
      {
        signal: stop.signal,
        trace: { entry: (entry) => entry.kind === 'switchIn' && ++switched === 3 && stop.abort() }
      }
    );
    expect(report.result).toBe('stopped');
    expect(report.chunks).toHaveLength(3);
    expect(Object.keys(filesOf(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect((await scavenge(directory)).resumed).toBe(true);
    expect(await contentOf(directory)).toEqual(uncut);
    expect(stateRowsOf(directory)).toEqual(uncutState);
  });

  it('rests as long as a throttled run must, and ends the same', async () => {
    const directory = samples.copy(pointed);
    let nowMs = 0;
    let restedMs = 0;
    const operation = new OperationControl({
      elapsedMs: () => (nowMs += 20), // every look at the clock is 20 ms of work
      yieldTurn: () => Promise.resolve()
    });
    const sleep = async (ms: number) => {
      restedMs += ms;
      nowMs += ms;
    };
    await scavenge(directory, { throttlePercent: 50 }, { operation, sleep });
    expect(restedMs).toBeGreaterThan(1000);
    expect(restedMs / nowMs).toBeGreaterThan(0.35);
    expect(restedMs / nowMs).toBeLessThanOrEqual(0.5);
    expect(await contentOf(directory)).toEqual(uncut);
  });
});

describe('a rewritten chunk that would not be smaller', () => {
  it('is not put in place unless asked for, and keeps its weight', async () => {
    const [kept, replaced] = [samples.copy(pointed), samples.copy(pointed)];
    const all = await scavenge(replaced, { merge: false });
    const some = await scavenge(kept, { merge: false, alwaysKeepScavenged: false });
    const larger = some.chunks.filter(({ decision }) => decision === 'keptLarger');
    expect(larger.length).toBeGreaterThan(0);
    for (const row of larger) {
      const other = all.chunks.find(({ chunkStart }) => chunkStart === row.chunkStart)!;
      expect(other.bytesAfter).toBeGreaterThanOrEqual(row.bytesBefore);
      expect(row).toMatchObject({ bytesAfter: row.bytesBefore, recordsDiscarded: 0 });
    }
    expect(some.spaceSavedBytes).toBeGreaterThanOrEqual(all.spaceSavedBytes);
    const weights = stateRowsOf(kept)['ChunkWeights']!;
    expect(weights).toHaveLength(larger.filter(({ weight }) => weight > 0).length);
    expect(stateRowsOf(kept)['MetastreamDatas']!.length > 0).toBe(weights.length > 0);
    expect(stateRowsOf(replaced)['MetastreamDatas']).toEqual([]);
  });

  it('stops a run that ignores hard deletes when it holds records of a hard-deleted stream', async () => {
    const directory = samples.copy(pointed);
    const before = filesOf(directory, isNoState);
    const request: Partial<ScavengeRequest> = { unsafeIgnoreHardDeletes: true, alwaysKeepScavenged: false };
    const error: unknown = await scavenge(directory, request).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'InvalidRequest', details: { field: 'alwaysKeepScavenged' } });
    expect(filesOf(directory, isNoState)).toEqual(before);
    const finished = await scavenge(directory, { ...request, alwaysKeepScavenged: true });
    expect(finished).toMatchObject({ result: 'success', resumed: true });
  });
});

describe('stored state that does not fit the log', () => {
  const stateOf = (directory: string) => join(directory, 'index', 'scavenging');

  it('is refused when it names a scavenge point that the log does not hold', async () => {
    const directory = samples.copy(pointed);
    await scavenge(directory);
    const older = samples.copy(bare);
    cpSync(stateOf(directory), stateOf(older), { recursive: true });
    const before = filesOf(older);
    const request: Partial<ScavengeRequest> = { scavengePoint: 'new', now: SAMPLE_TIME };
    await expect(scavenge(older, request)).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { reason: 'stateAheadOfLog' }
    });
    expect(filesOf(older)).toEqual(before);
    const report = await scavenge(older, { ...request, startAfresh: true });
    expect(report).toMatchObject({ result: 'success', resumed: false });
    expect(Object.keys(filesOf(older))).toContain(join('index', 'scavenging.aside-1', 'scavenging.db'));
  });

  it('is refused when a later scavenge of a golden database left it', async () => {
    const directory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    const newer = unpackDatabase({ name: 'rules', folder: 'after-twice' });
    rmSync(stateOf(directory), { recursive: true });
    cpSync(stateOf(newer), stateOf(directory), { recursive: true });
    await expect(scavenge(directory)).rejects.toMatchObject({ details: { reason: 'stateAheadOfLog' } });
  });

  it('is accepted when it is older: the newest point is then unreached', async () => {
    const directory = samples.copy(pointed);
    await scavenge(directory);
    const older = join(samples.directory(), 'scavenging');
    cpSync(stateOf(directory), older, { recursive: true });
    await scavenge(directory, { scavengePoint: 'new', now: SAMPLE_TIME });
    const newest = await contentOf(directory);
    rmSync(stateOf(directory), { recursive: true });
    cpSync(older, stateOf(directory), { recursive: true });
    const report = await scavenge(directory);
    expect(report.scavengePoint).toMatchObject({ number: 1, placement: 'existing' });
    expect((await contentOf(directory)).records).toEqual(newest.records);
  });

  it('is named with the way out when it is damaged, and created again when it is empty', async () => {
    const directory = samples.copy(pointed);
    mkdirSync(stateOf(directory), { recursive: true });
    writeFileSync(join(stateOf(directory), 'scavenging.db'), 'this is no database'.repeat(2000));
    await expect(scavenge(directory)).rejects.toThrow(/scavenging\.db cannot be used/);
    writeFileSync(join(stateOf(directory), 'scavenging.db'), '');
    expect((await scavenge(directory)).result).toBe('success');
    expect(await contentOf(directory)).toEqual(uncut);
  });
});

describe('a plan', () => {
  it.each<[string, Partial<ScavengeRequest>]>([
    ['to the existing point', {}],
    ['with a new point', { scavengePoint: 'new', now: SAMPLE_TIME }],
    ['detached', { scavengePoint: 'detached', now: SAMPLE_TIME }],
    ['that keeps larger chunks', { alwaysKeepScavenged: false }],
    ['that ignores hard deletes', { unsafeIgnoreHardDeletes: true }]
  ])('%s changes nothing and has the numbers of its run', async (_name, change) => {
    const directory = samples.copy(pointed);
    const scratchDirectory = samples.directory();
    const request = { ...change, winnowHome: samples.directory() };
    const before = filesOf(directory);
    // What other thresholds would free is for a choice that a run no longer has.
    const { thresholds: _thresholds, ...planned } = await planScavenge(
      scavengeRequest(directory, { ...request, scratchDirectory }),
      scavengeEnvironment()
    );
    expect(filesOf(directory)).toEqual(before);
    expect(filesOf(scratchDirectory)).toEqual({});
    const { scavengeId: _scavengeId, ...ran } = await scavenge(directory, request);
    const withoutNames = ran.chunks.map(({ newFile: _newFile, ...row }) => row);
    expect({ ...ran, chunks: withoutNames, phases: ran.phases.map(({ phase }) => ({ phase })) }).toEqual(
      planned
    );
  });

  it('goes on from the state of a stopped run without touching it', async () => {
    const directory = samples.copy(pointed);
    await scavenge(directory, { stopAfter: 'calculation' });
    const before = filesOf(directory);
    const planned = await planScavenge(
      scavengeRequest(directory, { scratchDirectory: samples.directory() }),
      scavengeEnvironment()
    );
    expect(filesOf(directory)).toEqual(before);
    const ran = await scavenge(directory);
    expect(planned).toMatchObject({ resumed: true, spaceSavedBytes: ran.spaceSavedBytes });
  });
});

describe('metadata that readers and scavenges see differently', () => {
  it('are named by plan and run, and an age beyond all time discards nothing', async () => {
    const directory = unpackDatabase({ name: 'rules-odd-nomd', folder: 'before' });
    const request = {
      scavengePoint: 'new',
      now: SAMPLE_TIME,
      scratchDirectory: samples.directory()
    } as const;
    const planned = await planScavenge(scavengeRequest(directory, request), scavengeEnvironment());
    expect(planned.warnings.map(({ code }) => code)).toContain('metadataWithoutJsonFlag');
    const report = await scavenge(directory, request);
    expect(report.warnings).toEqual(planned.warnings);
    expect(report.result).toBe('success');
  });
});

describe('a database that somebody else holds', () => {
  it('is left alone', async () => {
    const directory = samples.copy(pointed);
    const release = new NodeFileSystem().tryLock(join(directory, 'writer.chk'))!;
    try {
      await expect(scavenge(directory)).rejects.toMatchObject({ code: 'DatabaseInUse' });
    } finally {
      release();
    }
    expect((await scavenge(directory)).result).toBe('success');
  });
});

describe('a damaged chunk', () => {
  /** Flips a byte in the payload of a chunk, which only its hash shows. */
  function flipByte(directory: string, chunk: string): void {
    const path = join(directory, chunk);
    const bytes = readFileSync(path);
    const at = bytes.indexOf('"', 20_000) + 3;
    bytes[at] = bytes[at]! ^ 1;
    chmodSync(path, 0o644);
    writeFileSync(path, bytes);
  }

  it('is never copied under a hash of its own: run and plan name it', async () => {
    const directory = samples.copy(pointed);
    flipByte(directory, 'chunk-000002.000000');
    const error = { code: 'LogCorrupt', details: { file: 'chunk-000002.000000' } };
    const request = scavengeRequest(directory, { scratchDirectory: samples.directory() });
    await expect(planScavenge(request, scavengeEnvironment())).rejects.toMatchObject(error);
    await expect(scavenge(directory)).rejects.toMatchObject(error);
    expect(Object.keys(filesOf(directory))).toContain('chunk-000002.000000');
  });

  it('is left out of merges, with a warning', async () => {
    const directory = unpackDatabase({ name: 'current-a', folder: 'before' });
    await scavenge(directory, { stopAfter: 'chunkExecution' });
    const victim = Object.keys(filesOf(directory)).find((name) => name.startsWith('chunk-000003'))!;
    flipByte(directory, victim);
    const report = await scavenge(directory);
    expect(report.result).toBe('success');
    expect(report.warnings.map(({ code }) => code)).toContain('mergeFailed');
    expect(Object.keys(filesOf(directory))).toContain(victim);
  });
});

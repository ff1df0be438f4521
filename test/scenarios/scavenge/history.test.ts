/**
 * The history of scavenges: what servers left in the golden databases is read, and what a run of ours leaves in the
 * log of a single node is what the server left for the same scavenge. Cut anywhere, the log stays sound.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { readLogHistory, type LoggedRun } from '../../../src-core/scavenge/history/read-log-history.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { TraceEntry } from '../../../src-core/scavenge/scavenge-trace.ts';
import type { ScavengeEnvironment, ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import type { FileSystem } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso, ticksToIso } from '../../../src-core/units/ticks.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { withDatabase } from '../../support/database-content.ts';
import { FaultyFileSystem, PowerCut } from '../../support/faulty-file-system.ts';
import { expectedOf, goldenJson, removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';
import { SplitFileSystem } from '../../support/split-file-system.ts';

const samples = new ScavengeSamples();
afterEach(() => {
  removeUnpacked();
  samples.removeAll();
});

const SIZE = { sizeBytes: 200_000, chunkSizeBytes: 32768, seed: 4 };
const ON_ITS_OWN: Partial<ScavengeRequest> = { scavengePoint: 'new', singleNode: true, now: SAMPLE_TIME };
const breathe = () => Promise.resolve();

function scavenge(
  directory: string,
  change: Partial<ScavengeRequest> = {},
  environment: Partial<ScavengeEnvironment> = {}
) {
  const request = scavengeRequest(directory, { ...ON_ITS_OWN, ...change });
  return runScavenge(request, scavengeEnvironment({ hostName: 'db-1', ...environment }));
}

function historyOf(directory: string): Promise<LoggedRun[]> {
  return withDatabase(directory, ({ log }, index) => readLogHistory({ log, index, breathe }));
}

interface HistoryRecord {
  stream: string;
  number: number;
  type: string;
  flags: number;
  text: string;
}

/** Records of the history's streams, metadata included, in the order of the log. */
function recordsOf(directory: string): Promise<HistoryRecord[]> {
  return withDatabase(directory, ({ log }) => {
    const records: HistoryRecord[] = [];
    for (const cursor = log.cursor(); cursor.next();) {
      const { record } = cursor;
      if (record.kind !== 'prepare' || !/^(\$\$)?\$scavenges(-|$)/.test(record.stream)) continue;
      const text = Buffer.from(record.data).toString('utf8');
      const { stream, eventNumber: number, eventType: type, flags } = record;
      records.push({ stream, number, type, flags, text });
    }
    return records;
  });
}

function expectSound(directory: string): Promise<void> {
  return withDatabase(directory, async (database) => {
    const { operation } = scavengeEnvironment();
    const { findings } = await verifyDatabase({ database, quick: false, control: operation });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
  });
}

interface ServerRuns {
  runs: { scavengeId: string; events: { type: string; data: Record<string, unknown> }[] }[];
}

describe('scavenges of servers', () => {
  it.each([
    ['rules', 'after-t0'],
    ['rules', 'after-t-high'],
    ['rules', 'after-twice'],
    ['rules', 'after-ihd'],
    ['transactions', 'after-t0'],
    ['tables', 'after-scavenge']
  ])('in the log of %s, %s are told as their events do', async (name, folder) => {
    const { runs } = goldenJson(name, `scavenge.${folder}.json`) as ServerRuns;
    const told = await historyOf(unpackDatabase({ name, folder }));
    expect(told.map(({ scavengeId }) => scavengeId)).toEqual(runs.map(({ scavengeId }) => scavengeId));
    for (const [at, run] of told.entries()) {
      const end = runs[at]!.events.at(-1)!.data;
      expect(run).toMatchObject({
        result: 'success',
        nodeEndpoint: end['nodeEndpoint'],
        spaceSavedBytes: end['spaceSaved'],
        maxChunkScavenged: end['maxChunkScavenged'],
        point: { isNew: true, number: at }
      });
      expect(ticksToIso(run.started).slice(0, 11)).toBe('2026-11-21T');
      expect(run.ended! - run.started).toBeGreaterThanOrEqual(run.timeTaken / 2);
    }
  });

  it('that a restart cut are interrupted, also where an old server says "Failed"', async () => {
    const [killed] = await historyOf(unpackDatabase({ name: 'killed-scavenge', folder: 'at-kill' }));
    expect(killed).toMatchObject({ result: 'interrupted', ended: undefined, spaceSavedBytes: 94_208 });
    const runs = await historyOf(unpackDatabase({ name: 'killed-scavenge', folder: 'after-resume' }));
    expect(runs).toMatchObject([
      { result: 'interrupted', spaceSavedBytes: 94_208, point: { isNew: true, number: 0 } },
      { result: 'success', spaceSavedBytes: 360_448, point: { isNew: false, number: 0 } }
    ]);
  });

  it('are none where there was none', async () => {
    expect(await historyOf(unpackDatabase({ name: 'rules', folder: 'before' }))).toEqual([]);
    expect(await historyOf(unpackDatabase({ name: 'current-a', folder: 'after' }))).toEqual([]);
  });
});

describe('events that no scavenge of a server would leave', () => {
  const event = (eventType: string, members: object = {}) => ({
    eventType,
    data: Buffer.from(JSON.stringify(members))
  });
  const STARTED = event('$scavengeStarted', { nodeEndpoint: '10.0.0.1:2113' });
  const link = (id: string) => ({ eventType: '$>', data: Buffer.from(`0@$scavenges-${id}`), isJson: false });

  it('are told as far as they say something, and what links to nothing is no run', async () => {
    const directory = await samples.write(SIZE, { withPoint: true });
    append(directory, (appender) => {
      appender.append('$scavenges', [
        event('noted', { by: 'somebody' }),
        ...['links-only', 'start-gone', 'end-only', 'other-result', 'other-first'].map(link)
      ]);
      appender.append('$scavengePoints', [event('noted')]);
      appender.append('$scavenges-start-gone', [
        event('$scavengeChunksCompleted'),
        event('$scavengeMergeCompleted')
      ]);
      appender.append('$scavenges-end-only', [event('$scavengeCompleted', { result: 'Success' })]);
      appender.append('$scavenges-other-result', [STARTED, event('$scavengeCompleted', { result: 'Half' })]);
      appender.append('$scavenges-other-first', [
        event('noted'),
        event('$scavengeCompleted', { result: 'Failed', timeTaken: '00:00:01' })
      ]);
    });
    const runs = await historyOf(directory);
    expect(runs.map(({ scavengeId, result, nodeEndpoint }) => [scavengeId, result, nodeEndpoint])).toEqual([
      ['start-gone', 'interrupted', undefined],
      ['end-only', 'success', undefined],
      ['other-result', 'errored', '10.0.0.1:2113'],
      ['other-first', 'errored', undefined]
    ]);
    expect(runs[0]).toMatchObject({
      timeTaken: 0,
      spaceSavedBytes: 0,
      maxChunkScavenged: 0,
      ended: undefined
    });
    expect(runs[1]!.started).toBe(runs[1]!.ended);
    expect(runs[3]!.ended! - runs[3]!.started).toBe(10_000_000n);
    for (const run of runs) expect(run.point).toMatchObject({ number: 0 });
  });

  it('are found behind more than one page of links', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const ids = Array.from({ length: 120 }, (_, number) => `run-${number}`);
    append(directory, (appender) => {
      for (const id of ids) {
        appender.append(`$scavenges-${id}`, [STARTED]);
        appender.append('$scavenges', [link(id)]);
      }
    });
    expect((await historyOf(directory)).map(({ scavengeId }) => scavengeId)).toEqual(ids);
  });
});

/** Without what differs from run to run: ids, durations, who. */
function comparable({ stream, number, type, flags, text }: HistoryRecord): string {
  const plain = text
    .replace(/"timeTaken": "[\d:.]+"/, '"timeTaken": ""')
    .replace(/"nodeEndpoint": "[^"]*"/, '"nodeEndpoint": ""');
  return `${number} ${flags} ${stream} ${type} ${plain}`.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
}

describe('a scavenge of ours on a single node', () => {
  it.each([
    ['rules', 'after-t0'],
    ['rules', 'after-nomerge'],
    ['transactions', 'after-t0']
  ])('leaves in the log of %s what the server left there: %s', async (name, folder) => {
    const directory = unpackDatabase({ name, folder: 'before' });
    const point = expectedOf(name, folder).records.findLast(({ stream }) => stream === '$scavengePoints')!;
    const merge = folder !== 'after-nomerge';
    const report = await scavenge(directory, { now: `${point.ts!}Z`, merge });
    const ours = (await recordsOf(directory)).map(comparable);
    const theirs = (await recordsOf(unpackDatabase({ name, folder }))).map(comparable);
    expect(ours).toEqual(theirs);
    expect(report.warnings).toEqual([]);
    expect(await historyOf(directory)).toMatchObject([
      {
        scavengeId: report.scavengeId,
        nodeEndpoint: 'winnow@db-1',
        result: 'success',
        spaceSavedBytes: report.spaceSavedBytes,
        point: { isNew: true, position: report.scavengePoint!.position }
      }
    ]);
    await expectSound(directory);
  });

  it('tells of index tables, and its plan has the numbers of the run', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const scratchDirectory = samples.directory();
    const planned = await planScavenge(
      scavengeRequest(directory, { ...ON_ITS_OWN, scratchDirectory }),
      scavengeEnvironment({ hostName: 'db-1' })
    );
    expect(await historyOf(directory)).toEqual([]);
    const { scavengeId: _scavengeId, phases: _phases, chunks, ...report } = await scavenge(directory);
    const { phases: _planned, chunks: plannedChunks, thresholds: _thresholds, ...rest } = planned;
    expect(report).toEqual(rest);
    expect(chunks.map(({ newFile: _newFile, ...row }) => row)).toEqual(plannedChunks);
    const types = (await recordsOf(directory)).map(({ type }) => type);
    expect(types.filter((type) => type === '$scavengeIndexCompleted')).toHaveLength(report.tables.length);
    await expectSound(directory);
  });

  it('writes the metadata of $scavenges once, and again for another retention', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    await scavenge(directory, { stopAfter: 'beginning' });
    await scavenge(directory, { startAfresh: true });
    await scavenge(directory, { scavengeHistoryMaxAgeDays: 7 });
    const metadata = (await recordsOf(directory)).filter(({ stream }) => stream === '$$$scavenges');
    // Of the two the newer one is in force; that the older one is gone is a later scavenge's affair.
    expect(metadata.map(({ text }) => text.slice(0, 19))).toEqual([
      '{"$maxAge":2592000,',
      '{"$maxAge":604800,"'
    ]);
    expect(await historyOf(directory)).toMatchObject([
      { result: 'stopped' },
      { result: 'success' },
      { result: 'success' }
    ]);
    await expectSound(directory);
  });

  it('that fails says why', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const fail = () => {
      const fileSystem = new NodeFileSystem();
      fileSystem.open(join(directory, 'nothing.there'), 'read');
    };
    await expect(scavenge(directory, {}, { trace: { executingRecordOf: fail } })).rejects.toThrow(
      'nothing.there'
    );
    const [run] = await historyOf(directory);
    expect(run).toMatchObject({ result: 'errored' });
    expect(run?.error).toMatch(/^Error while scavenging DB: .*nothing\.there.*[^.]\.$/s);
  });

  it('whose history cannot be written scavenges all the same', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    append(directory, (appender) => {
      appender.append('$scavenges', [{ eventType: 'noted', data: Buffer.from('by somebody') }]);
      appender.hardDelete('$scavenges');
    });
    const report = await scavenge(directory);
    expect(report).toMatchObject({ result: 'success', warnings: [{ code: 'historyNotWritten' }] });
    await expectSound(directory);
  });

  it.each<[string, Partial<ScavengeRequest>]>([
    ['nothing says that it is one', { singleNode: undefined }],
    ['it is a member', { singleNode: false }],
    ['no point is written', { scavengePoint: 'detached' }]
  ])('leaves no history where %s', async (_reason, change) => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const before = await recordsOf(directory);
    await scavenge(directory, { ...change, winnowHome: samples.directory() });
    expect(await recordsOf(directory)).toEqual(before);
  });

  it('that is killed stays without an end until the next one writes its own', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const kill = () => {
      throw new Error('killed');
    };
    await expect(scavenge(directory, {}, { trace: { executingRecordOf: kill } })).rejects.toThrow('killed');
    expect(await historyOf(directory)).toMatchObject([{ result: 'interrupted', ended: undefined }]);

    const resumed = await scavenge(directory, { scavengePoint: 'auto' });
    expect(resumed).toMatchObject({ resumed: true, scavengePoint: { placement: 'existing' } });
    expect(await historyOf(directory)).toHaveLength(1);

    await scavenge(directory, {}, { hostName: 'db-2' });
    expect(await historyOf(directory)).toMatchObject([{ ended: undefined }, { result: 'success' }]);
    await scavenge(directory);
    const [killed, ...others] = await historyOf(directory);
    expect(killed).toMatchObject({ result: 'interrupted', error: 'The node was restarted.' });
    expect(killed?.ended).toBeDefined();
    expect(others).toMatchObject([{ result: 'success' }, { result: 'success' }]);
    await expectSound(directory);
  });
});

function append(directory: string, write: (appender: EventAppender) => void): void {
  const fileSystem = new NodeFileSystem();
  const { chunkSet } = openDatabase({ fileSystem, dataDirectory: directory });
  const { newGuid } = scavengeEnvironment();
  const now = () => ticksFromIso(SAMPLE_TIME)!;
  const writer = LogWriter.open({ fileSystem, directory, newGuid }, chunkSet);
  write(new EventAppender({ writer, newGuid, now, lastEventNumber: () => -1 }));
  writer.close();
}

describe('a scavenge of ours that is cut in the middle', () => {
  it('leaves in the log what it had done until then', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const whole = await scavenge(samples.copy(directory));
    const rewritten = whole.chunks.filter(({ decision }) => decision === 'rewritten');
    expect(rewritten.length).toBeGreaterThan(3);
    let begun = 0;
    const kill = (entry: TraceEntry) => {
      if (entry.kind === 'rewrite' && ++begun === 3) throw new Error('killed');
    };
    await expect(scavenge(directory, {}, { trace: { entry: kill } })).rejects.toThrow('killed');
    const types = (await recordsOf(directory)).map(({ type }) => type);
    expect(types.filter((type) => type === '$scavengeChunksCompleted')).toHaveLength(2);
    const saved = rewritten
      .slice(0, 2)
      .reduce((sum, { bytesBefore, bytesAfter }) => sum + bytesBefore - bytesAfter, 0);
    expect(await historyOf(directory)).toMatchObject([
      { result: 'interrupted', ended: undefined, spaceSavedBytes: saved, maxChunkScavenged: 1 }
    ]);
    await expectSound(directory);
  });

  it('tells of chunks while it runs, also when that fills a chunk of the log', async () => {
    const directory = await samples.write({ ...SIZE, chunkSizeBytes: 8192 }, { withPoint: false });
    const told: number[] = [];
    const look = async () => {
      const types = (await recordsOf(directory)).map(({ type }) => type);
      told.push(types.filter((type) => type === '$scavengeChunksCompleted').length);
    };
    const looks: Promise<void>[] = [];
    const entry = (traced: TraceEntry) => {
      if (traced.kind === 'rewrite') looks.push(look());
    };
    const report = await scavenge(directory, {}, { trace: { entry } });
    await Promise.all(looks);
    expect(told.length).toBeGreaterThan(20);
    expect(new Set(told).size).toBeGreaterThan(10);
    expect(report.warnings).toEqual([]);
    const ends = await withDatabase(directory, ({ log }) => [log.end, report.scavengePoint!.position]);
    expect(ends[0]! - ends[1]!).toBeGreaterThan(2 * 8192);
    expect(await historyOf(directory)).toMatchObject([
      { result: 'success', spaceSavedBytes: report.spaceSavedBytes }
    ]);
    await expectSound(directory);
  });

  it('goes on scavenging when its history cannot be written any more', async () => {
    const directory = await samples.write(SIZE, { withPoint: false });
    const expected = await scavenge(samples.copy(directory));
    let begun = 0;
    const real = new NodeFileSystem();
    const fileSystem = new Proxy(real, {
      get: (target, name: keyof NodeFileSystem) => {
        if (name !== 'open') return target[name].bind(target) as unknown;
        return (path: string, mode: Parameters<NodeFileSystem['open']>[1]) => {
          if (begun >= 2 && mode === 'readWrite' && path.endsWith('writer.chk')) {
            throw storageError('ENOSPC', path);
          }
          return target.open(path, mode);
        };
      }
    });
    const entry = (traced: TraceEntry) => {
      if (traced.kind === 'rewrite') begun++;
    };
    const report = await scavenge(directory, {}, { fileSystem, trace: { entry } });
    expect(report).toMatchObject({
      result: 'success',
      spaceSavedBytes: expected.spaceSavedBytes,
      warnings: [{ code: 'historyNotWritten' }]
    });
    expect(await historyOf(directory)).toMatchObject([{ result: 'interrupted' }]);
    await expectSound(directory);
  });
});

describe('a power cut', () => {
  it('at any call of a scavenge that writes history leaves a log that tells what was done', async () => {
    const dataDirectory = await samples.write({ ...SIZE, sizeBytes: 60_000 }, { withPoint: false });
    const state = join(dataDirectory, 'index', 'scavenging');
    const real = new NodeFileSystem();
    const split = (inner: FileSystem) => new SplitFileSystem(inner, real, state);
    const start = () => {
      rmSync(state, { recursive: true, force: true });
      const memory = new MemoryFileSystem();
      copyTree({ fileSystem: real, path: dataDirectory }, { fileSystem: memory, path: dataDirectory });
      return memory;
    };
    const run = (fileSystem: FileSystem) =>
      scavenge(dataDirectory, { scavengePoint: 'auto' }, { fileSystem });
    const told = async (fileSystem: FileSystem) => {
      const database = openDatabase({ fileSystem, dataDirectory });
      database.requireWhole();
      const index = await database.openIndex(scavengeEnvironment().operation);
      const runs = await readLogHistory({ log: database.log, index, breathe });
      database.close();
      return runs;
    };

    const whole = new FaultyFileSystem(start());
    const { spaceSavedBytes } = await run(split(whole));
    const seen = new Set<number>();
    for (let cutAt = 1; cutAt <= whole.calls; cutAt++) {
      const cut = new FaultyFileSystem(start(), { cutAt });
      await expect(run(split(cut)), `cut at call ${cutAt}`).rejects.toBeInstanceOf(PowerCut);
      const survivors = split(cut.survivors(cutAt));
      const [before] = await told(survivors);
      const toldBytes = before?.spaceSavedBytes ?? 0;
      seen.add(toldBytes);
      const rest = await run(survivors);
      // What is told is on disk. A chunk that was switched in just before the cut may be missing.
      if (before?.ended === undefined) {
        expect(toldBytes + rest.spaceSavedBytes, `after a cut at call ${cutAt}`).toBeLessThanOrEqual(
          spaceSavedBytes
        );
      }
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  it('at any call that writes history leaves a log with which the next run continues', async () => {
    const dataDirectory = await samples.write({ ...SIZE, sizeBytes: 60_000 }, { withPoint: false });
    const state = join(dataDirectory, 'index', 'scavenging');
    const real = new NodeFileSystem();
    const split = (inner: FileSystem) => new SplitFileSystem(inner, real, state);
    const start = () => {
      rmSync(state, { recursive: true, force: true });
      const memory = new MemoryFileSystem();
      copyTree({ fileSystem: real, path: dataDirectory }, { fileSystem: memory, path: dataDirectory });
      return memory;
    };
    const run = (fileSystem: FileSystem) =>
      scavenge(dataDirectory, { stopAfter: 'beginning', startAfresh: true }, { fileSystem });
    const told = async (fileSystem: FileSystem) => {
      const database = openDatabase({ fileSystem, dataDirectory });
      database.requireWhole();
      const index = await database.openIndex(scavengeEnvironment().operation);
      const runs = await readLogHistory({ log: database.log, index, breathe });
      database.close();
      return runs.map(({ result, ended }) => (ended === undefined ? 'no end' : result));
    };

    const whole = new FaultyFileSystem(start());
    await run(split(whole));
    expect(await told(split(whole))).toEqual(['stopped']);
    const seen = new Set<string>();
    for (let cutAt = 1; cutAt <= whole.calls; cutAt++) {
      const cut = new FaultyFileSystem(start(), { cutAt });
      await expect(run(split(cut)), `cut at call ${cutAt}`).rejects.toBeInstanceOf(PowerCut);
      const survivors = split(cut.survivors(cutAt));
      const before = await told(survivors);
      seen.add(before.join());
      await run(survivors);
      const marked = before.map((result) => (result === 'no end' ? 'interrupted' : result));
      expect(await told(survivors), `after a cut at call ${cutAt}`).toEqual([...marked, 'stopped']);
    }
    expect([...seen].sort()).toEqual(['', 'no end', 'stopped']);
  });
});

/** Runs by a plan's identity: exactly that plan, or nothing. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeManifest } from '../../../src-core/backup/manifest.ts';
import { NodeFileSystem } from '../../../src-core/index.ts';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { resealed } from '../../support/changed-manifest.ts';
import { filesOf } from '../../support/database-content.ts';
import { removeUnpacked, unpackDamaged } from '../../support/golden.ts';
import { BACKUP_ID, writeBackup, writeSmallDatabase } from '../../support/restore-fixture.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';
import { runOperation } from '../../support/testing-context.ts';

const fileSystem = new NodeFileSystem();
const samples = new ScavengeSamples();
const SIZE = { sizeBytes: 300_000, chunkSizeBytes: 65_536, seed: 3 };
const FIRST = Date.parse(SAMPLE_TIME);
const LATER = FIRST + 400 * 24 * 3600 * 1000;

let directory: string;
let database: string;
let home: string;
let sample: string;
beforeAll(async () => {
  sample = await samples.write(SIZE, { withPoint: false });
});
afterAll(() => samples.removeAll());
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-planned-'));
  home = path.join(directory, 'home');
  database = samples.copy(sample);
});
afterEach(() => {
  removeUnpacked();
  fs.rmSync(directory, { recursive: true, force: true });
});

interface How {
  nowMs?: number;
  clock?: () => number;
  signal?: AbortSignal;
  onProgress?: () => void;
}

function run<N extends keyof Replies>(
  name: N,
  request: RequestOf<N>,
  { nowMs = FIRST, clock, signal = new AbortController().signal, onProgress = () => undefined }: How = {}
): Promise<Replies[N]> {
  return runOperation(name, request, { fileSystem, signal, clock: clock ?? (() => nowMs), onProgress });
}

function refusal(differs: string) {
  return {
    code: 'PlanStale',
    details: { differs },
    remedy: expect.stringContaining('Make a new plan') as string
  };
}

async function expectRefused(
  attempt: () => Promise<unknown>,
  differs: string,
  untouched = database
): Promise<void> {
  const before = filesOf(untouched);
  await expect(attempt()).rejects.toMatchObject(refusal(differs));
  expect(filesOf(untouched)).toEqual(before);
}

function touch(file: string): void {
  fs.utimesSync(file, new Date(FIRST), new Date(FIRST + 7000));
}

function setCheckpoint(file: string, value: bigint): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  fs.writeFileSync(path.join(database, file), bytes);
}

describe('a scavenge by its plan', () => {
  const options = (): RequestOf<'planScavenge'> => ({
    dataDirectory: database,
    scavengePoint: 'detached',
    winnowHome: home
  });
  const planned = async (more: Partial<RequestOf<'planScavenge'>> = {}) => {
    const plan = await run('planScavenge', { ...options(), ...more });
    return { plan, planId: plan.planId! };
  };

  it('is the plan, at the time of the plan, however late it runs and at whatever speed', async () => {
    const { plan, planId } = await planned();
    const request = { ...options(), plan: planId, throttlePercent: 99 };
    const report = await run('runScavenge', request, { nowMs: LATER });
    expect(report.scavengePoint).toEqual(plan.scavengePoint);
    expect(report.recordsDiscarded).toBe(plan.recordsDiscarded);
    expect(report.spaceSavedBytes).toBe(plan.spaceSavedBytes);
    expect(report.planId).toBeUndefined();
  });

  it('is known by the same identity as long as the directory is at rest, no matter who reads it', async () => {
    const { planId } = await planned({ now: SAMPLE_TIME });
    await run('inspectDatabase', { dataDirectory: database });
    await run('verifyDatabase', { dataDirectory: database });
    await run('listChunks', { dataDirectory: database, computeWeights: true });
    fileSystem.tryLock(path.join(database, 'writer.chk'))!();
    expect((await planned({ now: SAMPLE_TIME })).planId).toBe(planId);
    expect(planId).toMatch(/^scavenge-20260101T0000000000000Z(-[0-9a-f]{10}){6}$/);
  });

  it('is the same plan when it also says which records go, and their sums are those of the plan', async () => {
    const { plan, planId } = await planned({ breakdown: true, winnowHome: home });
    expect(planId).toBe((await planned({ winnowHome: home })).planId);
    const { removed } = plan;
    const sumOf = (rows: readonly { records: number; bytes: number }[]): [number, number] => [
      rows.reduce((sum, { records }) => sum + records, 0),
      rows.reduce((sum, { bytes }) => sum + bytes, 0)
    ];
    expect(plan.recordsDiscarded).toBeGreaterThan(0);
    expect(removed?.records).toBe(plan.recordsDiscarded);
    for (const rows of [removed!.byRule, removed!.byCategory.items, removed!.byStream.items]) {
      expect(sumOf(rows)).toEqual([removed!.records, removed!.bytes]);
    }
    const explained = new Map<string, number>();
    for (const { chunkStart, decision } of plan.chunks) {
      if (decision !== 'rewritten' && decision !== 'emptied') continue;
      const answer = await run('explain', { ...options(), chunk: chunkStart });
      for (const { rule, verdict, records } of 'byRule' in answer ? answer.byRule : []) {
        if (verdict === 'discard') explained.set(rule, (explained.get(rule) ?? 0) + records);
      }
    }
    expect(new Map(removed!.byRule.map(({ rule, records }) => [rule, records]))).toEqual(explained);
  });

  it('stops at the time that it was given, says what is left, and is resumed with the rest of the plan', async () => {
    const { plan, planId } = await planned({ winnowHome: home });
    const until = new Date(FIRST + 60_000).toISOString();
    const clock = { nowMs: FIRST };
    const request = { ...options(), winnowHome: home, plan: planId, until };
    const report = await run('runScavenge', request, {
      clock: () => clock.nowMs,
      onProgress: () => (clock.nowMs = FIRST + 60_000)
    });
    expect(report).toMatchObject({ result: 'stopped', stoppedAtTime: until });
    const rest = await run('runScavenge', { ...options(), winnowHome: home, plan: report.planId! });
    expect(rest.result).toBe('success');
    expect(report.recordsDiscarded + rest.recordsDiscarded).toBe(plan.recordsDiscarded);
    const late = { ...options(), winnowHome: home, until: new Date(FIRST - 1).toISOString() };
    await expect(run('runScavenge', late)).rejects.toMatchObject({ code: 'InvalidRequest' });
  });

  it.each([
    ['threshold', { threshold: 5 }],
    ['merges', { merge: false }],
    ['placement', { scavengePoint: 'new' as const }],
    ['threads', { threads: 2 }],
    ['hard deletes', { unsafeIgnoreHardDeletes: true }],
    ['what is kept', { alwaysKeepScavenged: true }],
    ['the state', { startAfresh: true }]
  ])('is refused with other options: %s', async (_what, more) => {
    const { planId } = await planned();
    await expectRefused(() => run('runScavenge', { ...options(), ...more, plan: planId }), 'options');
  });

  it('is refused with another time than that of the plan', async () => {
    const { planId } = await planned();
    const request = { ...options(), plan: planId, now: '2027-01-01T00:00:00Z' };
    await expectRefused(() => run('runScavenge', request), 'time');
    const same = { ...options(), plan: planId, now: SAMPLE_TIME };
    expect(await run('runScavenge', same)).toMatchObject({ result: 'success' });
  });

  it('is refused in another directory', async () => {
    const { planId } = await planned();
    const other = samples.copy(database);
    await expect(
      run('runScavenge', { ...options(), dataDirectory: other, plan: planId })
    ).rejects.toMatchObject({
      code: 'PlanStale',
      details: { differs: expect.stringContaining('directory') as string }
    });
  });

  it.each([
    ['the writer moved', 'checkpoints', () => setCheckpoint('chaser.chk', 4096n)],
    ['a truncation is asked for', 'checkpoints', () => setCheckpoint('truncate.chk', 4096n)],
    ['a chunk was written to', 'chunk files', () => touch(path.join(database, 'chunk-000001.000000'))],
    [
      'a chunk has a newer version',
      'chunk files',
      () =>
        fs.renameSync(path.join(database, 'chunk-000001.000000'), path.join(database, 'chunk-000001.000001'))
    ],
    [
      'the index map is another',
      'index',
      () => fs.appendFileSync(path.join(database, 'index', 'indexmap'), '\n')
    ],
    [
      'there is a scavenge state',
      'scavenge state',
      () => {
        fs.mkdirSync(path.join(database, 'index', 'scavenging'));
        fs.writeFileSync(path.join(database, 'index', 'scavenging', 'scavenging.db'), 'x');
      }
    ]
  ])('is refused when %s', async (_what, differs, change) => {
    const { planId } = await planned();
    change();
    await expectRefused(() => run('runScavenge', { ...options(), plan: planId }), differs);
  });

  it('is refused when a scavenge has begun meanwhile, detached or not', async () => {
    const { planId } = await planned();
    await run('runScavenge', { ...options(), stopAfter: 'calculation' });
    await expect(run('runScavenge', { ...options(), plan: planId })).rejects.toMatchObject({
      code: 'PlanStale',
      details: { differs: expect.stringContaining('scavenge state') as string }
    });
  });

  it('takes no identity that is none, or one of another kind', async () => {
    for (const plan of ['none', 'scavenge-1', `scavenge-20269901T0000000000000Z-${'0'.repeat(10)}`]) {
      await expectRefused(() => run('runScavenge', { ...options(), plan }), 'plan');
    }
    const { planId } = await run('planIndexRebuild', { dataDirectory: database });
    await expectRefused(() => run('runScavenge', { ...options(), plan: planId! }), 'kind');
  });

  it('compares under the lock, after the holder of the directory has released it', async () => {
    const { planId } = await planned();
    setCheckpoint('proposal.chk', 7n);
    const release = fileSystem.tryLock(path.join(database, 'writer.chk'))!;
    const attempt = () => run('runScavenge', { ...options(), plan: planId });
    await expect(attempt()).rejects.toMatchObject({ code: 'DatabaseInUse' });
    release();
    await expectRefused(attempt, 'checkpoints');
  });

  it.each(['detached', 'new'] as const)('that was stopped says what the rest of it is: %s', async (way) => {
    const request = { ...options(), scavengePoint: way, singleNode: true };
    const begun = { ...request, stopAfter: 'calculation' as const };
    const plan = await run('planScavenge', begun);
    const stopped = await run('runScavenge', { ...begun, plan: plan.planId! });
    expect(stopped.result).toBe('stopped');
    await expect(run('runScavenge', { ...begun, plan: plan.planId! })).rejects.toMatchObject({
      code: 'PlanStale'
    });
    const rest = { ...request, plan: stopped.planId!, throttlePercent: 50 };
    const report = await run('runScavenge', rest, { nowMs: LATER });
    expect(report).toMatchObject({ result: 'success' });
    expect(report.scavengePoint!.effectiveNow).toBe(plan.scavengePoint!.effectiveNow);
  });
});

describe('a rescue by its plan', () => {
  it('is the plan, and is refused with other limits', async () => {
    const options = { dataDirectory: database, winnowHome: home, reserveBytes: 0 };
    const plan = await run('planRescue', options);
    const run1 = { ...options, plan: plan.planId! };
    await expectRefused(() => run('runRescue', { ...run1, reserveBytes: 1 }), 'options');
    const report = await run('runRescue', run1, { nowMs: LATER });
    expect(report.spaceSavedBytes).toBe(plan.spaceSavedBytes);
    expect(report.scavengePoint).toEqual(plan.scavengePoint);
  });
});

describe('an index rebuild by its plan', () => {
  it('is refused when the index has changed, and runs when it has not', async () => {
    const { planId } = await run('planIndexRebuild', { dataDirectory: database });
    const map = path.join(database, 'index', 'indexmap');
    const content = fs.readFileSync(map);
    fs.appendFileSync(map, '\n');
    await expectRefused(() => run('rebuildIndex', { dataDirectory: database, plan: planId! }), 'index');
    fs.writeFileSync(map, content);
    const report = await run('rebuildIndex', { dataDirectory: database, plan: planId! });
    expect(report.actions.every(({ done }) => done)).toBe(true);
    await expect(run('rebuildIndex', { dataDirectory: database, plan: planId! })).rejects.toMatchObject({
      code: 'PlanStale'
    });
  });
});

describe('a repair by its plan', () => {
  it('is refused with other findings to answer, and when a file was written to', async () => {
    const damaged = unpackDamaged('damaged-f-ptable-missing');
    const { planId } = await run('repairDatabase', { dataDirectory: damaged, dryRun: true });
    const repair = { dataDirectory: damaged, plan: planId! };
    await expectRefused(() => run('repairDatabase', { ...repair, acceptLoss: true }), 'options', damaged);
    const table = fs.readdirSync(path.join(damaged, 'index')).find((name) => /^[0-9a-f-]{36}$/.test(name));
    const file =
      table === undefined ? path.join(damaged, 'chunk-000000.000000') : path.join(damaged, 'index', table);
    const facts = fs.statSync(file);
    touch(file);
    await expectRefused(
      () => run('repairDatabase', repair),
      table === undefined ? 'chunk files' : 'index',
      damaged
    );
    fs.utimesSync(file, facts.atimeMs / 1000, facts.mtimeMs / 1000);
  });

  it('does what was planned', async () => {
    const damaged = unpackDamaged('damaged-f-ptable-missing');
    const plan = await run('repairDatabase', { dataDirectory: damaged, dryRun: true });
    const report = await run('repairDatabase', { dataDirectory: damaged, plan: plan.planId! });
    expect(report.actions.map(({ code, file }) => [code, file]).slice(0, plan.actions.length)).toEqual(
      plan.actions.map(({ code, file }) => [code, file])
    );
    expect(report).toMatchObject({ ok: true });
    expect(report.planId).toBeUndefined();
  });
});

describe('backups and their plans', () => {
  let target: string;
  let node: string;
  beforeEach(async () => {
    target = path.join(directory, 'backups');
    node = path.join(directory, 'node');
    const source = path.join(directory, 'source');
    await writeSmallDatabase(fileSystem, source, { chaserBehind: 1000 });
    const manifest = writeBackup(fileSystem, source, target);
    fs.writeFileSync(path.join(target, BACKUP_ID, 'manifest.json'), encodeManifest(manifest));
  });

  function addBackup(id: string): void {
    fs.cpSync(path.join(target, BACKUP_ID), path.join(target, id), { recursive: true });
    const manifest = path.join(target, id, 'manifest.json');
    const text = fs.readFileSync(manifest, 'utf8').replaceAll(BACKUP_ID, id);
    fs.writeFileSync(
      manifest,
      resealed(Buffer.from(text), () => undefined)
    );
  }

  it('a restore is the plan, and the old files go where the plan said', async () => {
    fs.cpSync(database, node, { recursive: true });
    const plan = await run('planRestore', { target, dataDirectory: node });
    const report = await run(
      'runRestore',
      { target, dataDirectory: node, plan: plan.planId },
      { nowMs: LATER }
    );
    expect(report.movedAside).toEqual(plan.movesAside);
  });

  it('a restore is refused when the target has changed, with other options, and of a newer backup', async () => {
    fs.cpSync(database, node, { recursive: true });
    const { planId } = await run('planRestore', { target, dataDirectory: node });
    const restore = { target, dataDirectory: node, plan: planId };
    await expectRefused(() => run('runRestore', { ...restore, applyTruncation: true }), 'options', node);
    addBackup('20271121T050000Z-4f2b');
    await expectRefused(() => run('runRestore', restore), 'backup', node);
    fs.rmSync(path.join(target, '20271121T050000Z-4f2b'), { recursive: true });
    fs.writeFileSync(path.join(node, 'chunk-000009.000000'), '');
    await expectRefused(() => run('runRestore', restore), 'chunk files', node);
    expect(fs.readdirSync(directory).sort()).toEqual(['backups', 'node', 'source']);
  });

  it('a restore that is refused leaves no directories that were not there', async () => {
    const plan = await run('planRestore', { target, dataDirectory: node });
    const other = { target, dataDirectory: node, applyTruncation: true, plan: plan.planId };
    await expect(run('runRestore', other)).rejects.toMatchObject(refusal('options'));
    expect(fs.existsSync(node)).toBe(false);
    await run('runRestore', { target, dataDirectory: node, plan: plan.planId });
  });

  it('a prune removes what the plan named, and is refused when there is another backup', async () => {
    addBackup('20271121T050000Z-4f2b');
    const retention = { last: 1, daily: 0, weekly: 0, monthly: 0 };
    const plan = await run('pruneBackups', { target, retention, dryRun: true });
    expect(plan.removed.map(({ id }) => id)).toEqual([BACKUP_ID]);
    addBackup('20281121T050000Z-4f2c');
    // The lock's file stays.
    fs.writeFileSync(path.join(target, '.winnow-backup.lock'), '');
    const prune = { target, retention, plan: plan.planId! };
    await expectRefused(() => run('pruneBackups', prune), 'backups', target);
    await expectRefused(
      () => run('pruneBackups', { ...prune, retention: { ...retention, last: 2 } }),
      'options, backups',
      target
    );
    fs.rmSync(path.join(target, '20281121T050000Z-4f2c'), { recursive: true });
    expect((await run('pruneBackups', prune)).removed.map(({ id }) => id)).toEqual([BACKUP_ID]);
  });
});

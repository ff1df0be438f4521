import { beforeEach, describe, expect, test, vi } from 'vitest';
import { EngineError, OperationStopped } from '../../../src-core/index.ts';
import type { CallOptions } from '../../../src-main/engine/engine-host.ts';
import type {
  Progress,
  WorkReply,
  WorkSnapshot
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import { RateMeter } from '../../../src-main/verbs/rate-meter.ts';
import { WorkKeeper, type WorkToStart } from '../../../src-main/verbs/work-keeper.ts';

let nowMs = 0;
let heard: WorkSnapshot[] = [];
let keeper: WorkKeeper;

beforeEach(() => {
  nowMs = 1000;
  heard = [];
  keeper = new WorkKeeper({
    clock: () => nowMs,
    onChange: (snapshot) => heard.push(snapshot),
    onForget: () => undefined
  });
});

/** Work whose course the test decides. */
function work(name: WorkToStart['name'] = 'runScavenge') {
  const end = Promise.withResolvers<WorkReply>();
  let options: CallOptions = {};
  const snapshot = keeper.start({
    name,
    nodeId: 'node-1',
    title: 'Scavenge node-1',
    request: { threshold: 0 },
    run: (given) => {
      options = given;
      return end.promise;
    }
  });
  const progress = (phase: string, done: number, total: number | null = 100): void => {
    options.onProgress?.({
      operation: name,
      dataDirectory: '/data',
      phase,
      done,
      total,
      unit: 'chunks',
      savedBytes: 0,
      elapsedMs: 0,
      message: null
    } satisfies Progress);
  };
  return { id: snapshot.id, end, options: () => options, progress, now: () => find(snapshot.id) };
}

function find(id: string): WorkSnapshot {
  return keeper.list().find((snapshot) => snapshot.id === id)!;
}

const report = { result: 'success' } as unknown as WorkReply;

describe('kept work', () => {
  test('is a snapshot that a reloaded window can ask for', () => {
    const running = work();
    running.progress('accumulation', 10);
    expect(running.now()).toMatchObject({ state: 'running', progress: { phase: 'accumulation', done: 10 } });
    expect(keeper.running()).toHaveLength(1);
  });

  test('tells each phase with its times', async () => {
    const running = work();
    running.progress('accumulation', 10);
    nowMs = 3000;
    running.progress('calculation', 0);
    nowMs = 4000;
    running.end.resolve(report);
    await vi.waitFor(() => expect(running.now().state).toBe('done'));
    expect(running.now().phases).toEqual([
      { phase: 'accumulation', startedMs: 1000, endedMs: 3000 },
      { phase: 'calculation', startedMs: 3000, endedMs: 4000 }
    ]);
    expect(keeper.result(running.id)).toEqual(report);
  });

  test('knows rate and time left once it has seen enough', () => {
    const running = work();
    running.progress('accumulation', 0);
    expect(running.now().ratePerSecond).toBeNull();
    nowMs = 3000;
    running.progress('accumulation', 20);
    expect(running.now()).toMatchObject({ ratePerSecond: 10, remainingMs: 8000 });
  });

  test('tells lines of its log together, and none is lost', async () => {
    const running = work();
    const before = heard.length;
    const lines = Array.from({ length: 300 }, (_, index) => `chunk ${index}`);
    for (const message of lines) running.options().onLog?.({ level: 'info', message });
    expect(running.now().log).toEqual(lines);
    await vi.waitFor(() => expect(heard.at(-1)?.log).toEqual(lines));
    expect(heard.length - before).toBe(1);
    running.options().onLog?.({ level: 'info', message: 'the last' });
    running.end.resolve(report);
    await vi.waitFor(() => expect(running.now().state).toBe('done'));
    expect(heard.at(-1)?.log.at(-1)).toBe('the last');
    expect(heard.length - before).toBe(2);
  });

  test('stops in an orderly way, and only once', async () => {
    const running = work();
    const aborted = vi.fn();
    running.options().signal!.addEventListener('abort', aborted);
    keeper.stop(running.id);
    keeper.stop(running.id);
    expect(running.now().state).toBe('stopping');
    expect(aborted).toHaveBeenCalledTimes(1);
    running.end.reject(new OperationStopped());
    await vi.waitFor(() => expect(running.now()).toMatchObject({ state: 'stopped', error: null }));
  });

  test('is stopped, not done, when its report says so', async () => {
    const running = work();
    running.end.resolve({ ...report, result: 'stopped' } as unknown as WorkReply);
    await vi.waitFor(() => expect(running.now().state).toBe('stopped'));
    expect(keeper.result(running.id)).not.toBeNull();
  });

  test('keeps why it failed', async () => {
    const running = work();
    running.end.reject(new EngineError({ code: 'StorageFailed', message: 'full', remedy: 'free space' }));
    await vi.waitFor(() =>
      expect(running.now()).toMatchObject({
        state: 'failed',
        error: { code: 'StorageFailed', message: 'full' }
      })
    );
  });

  test('refuses a second scavenge of the same node, and none of another kind', () => {
    work();
    expect(() => work()).toThrow(/still running/);
    expect(() => work('planScavenge')).not.toThrow();
  });

  test.each(['createBackup', 'runRestore', 'undoRestore', 'repairDatabase', 'rebuildIndex'] as const)(
    'refuses a scavenge during %s of the same node, and the other way round',
    async (name) => {
      const first = work(name);
      expect(() => work()).toThrow(/still running/);
      first.end.resolve(report);
      await vi.waitFor(() => expect(first.now().state).toBe('done'));
      work();
      expect(() => work(name)).toThrow(/still running/);
    }
  );

  test('lets erasure in a backup and a backup of the same node wait for each other, and no scavenge for it', async () => {
    const first = work('eraseInBackup');
    expect(() => work('createBackup')).toThrow(/still running/);
    expect(() => work('eraseInBackup')).toThrow(/still running/);
    expect(() => work('planBackupErasure')).not.toThrow();
    const scavenge = work();
    for (const { end } of [first, scavenge]) end.resolve(report);
    await vi.waitFor(() => expect(keeper.running()).toHaveLength(1));
    work('createBackup');
    expect(() => work('eraseInBackup')).toThrow(/still running/);
  });

  test('a plan that nobody asked for makes room for anything that somebody wants of the node', () => {
    const begin = (nodeId: string, request: Record<string, unknown>): string =>
      keeper.start({
        name: 'planScavenge',
        nodeId,
        title: 'Plan',
        request,
        run: () => new Promise<WorkReply>(() => undefined)
      }).id;
    const [unasked, other, asked] = [
      begin('node-1', { unasked: true }),
      begin('node-2', { unasked: true }),
      begin('node-3', {})
    ];
    begin('node-1', { unasked: true });
    expect(find(unasked).state).toBe('running');
    work('verifyDatabase');
    keeper.makeRoom('node-3');
    expect([find(unasked).state, find(other).state, find(asked).state]).toEqual([
      'stopping',
      'running',
      'running'
    ]);
  });

  test('can be forgotten once it has ended, not before', async () => {
    const running = work();
    keeper.forget(running.id);
    expect(keeper.list()).toHaveLength(1);
    running.end.resolve(report);
    await vi.waitFor(() => expect(running.now().state).toBe('done'));
    keeper.forget(running.id);
    expect(keeper.list()).toHaveLength(0);
  });

  test('waits for everything to stop when the window is closed', async () => {
    const running = work();
    const stopped = keeper.stopAll();
    expect(running.now().state).toBe('stopping');
    running.end.reject(new OperationStopped());
    await stopped;
    expect(keeper.running()).toHaveLength(0);
  });

  test('ignores progress that arrives after the end', async () => {
    const running = work();
    running.end.resolve(report);
    await vi.waitFor(() => expect(running.now().state).toBe('done'));
    running.progress('late', 1);
    expect(running.now().progress).toBeNull();
  });
});

describe('the rate', () => {
  test('is that of the last seconds, not of the whole time', () => {
    const meter = new RateMeter();
    for (let second = 0; second <= 20; second++) meter.take(second * 1000, second * 100);
    for (let second = 21; second <= 40; second++) meter.take(second * 1000, 2000 + (second - 20) * 10);
    expect(meter.perSecond).toBeCloseTo(10, 5);
  });

  test('begins again when the count does', () => {
    const meter = new RateMeter();
    meter.take(0, 0);
    meter.take(1000, 50);
    meter.take(2000, 0);
    expect(meter.perSecond).toBeNull();
  });
});

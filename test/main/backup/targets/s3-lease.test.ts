/** Leases in an object store: one writer at a time, also after one was killed. */
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  LEASE_FOLDER,
  LEASE_MS,
  takeLease,
  type LeaseHolder,
  type LeaseStore
} from '../../../../src-main/backup/targets/s3-lease.ts';
import { thisProcess } from '../../../../src-main/backup/targets/this-process.ts';

const MINUTE = 60_000;

/** A store with a clock of its own; `fail` makes it unreachable. */
class MemoryLeaseStore implements LeaseStore {
  readonly description = 's3://bucket/x';
  readonly objects = new Map<string, { text: string; modifiedMs: number }>();
  isReachable = true;
  clock = () => 1_000_000;

  put(name: string, text: string): Promise<void> {
    if (!this.isReachable) return Promise.reject(new Error('unreachable'));
    this.objects.set(name, { text, modifiedMs: this.clock() });
    return Promise.resolve();
  }
  leases() {
    return Promise.resolve([...this.objects].map(([name, { modifiedMs }]) => ({ name, modifiedMs })));
  }
  read(name: string): Promise<string> {
    return Promise.resolve(this.objects.get(name)!.text);
  }
  remove(name: string): Promise<void> {
    this.objects.delete(name);
    return Promise.resolve();
  }
}

const holder = (change: Partial<LeaseHolder> = {}): LeaseHolder => ({
  host: 'one',
  pid: 10,
  scope: 'boot a',
  isAlive: () => true,
  ...change
});

describe('a lease', () => {
  let store: MemoryLeaseStore;
  beforeEach(() => {
    store = new MemoryLeaseStore();
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  it('keeps others out until it is released, and names its holder', async () => {
    const lease = await takeLease(store, holder());
    const refused = takeLease(store, holder({ host: 'two', pid: 20 }));
    await expect(refused).rejects.toThrow(/running in s3:\/\/bucket\/x \(process 10 on one\)/);
    await expect(takeLease(store, holder())).rejects.toMatchObject({ code: 'DatabaseInUse' });
    expect(store.objects.size).toBe(1);
    await lease.release();
    expect(store.objects.size).toBe(0);
    await (await takeLease(store, holder({ host: 'two' }))).release();
  });

  it('is given up by both who begin in one moment, rather than held by both', async () => {
    const put = store.put.bind(store);
    store.put = async (name, text) => {
      await put(name, text);
      if (store.objects.size === 1) await put(`${LEASE_FOLDER}other`, '{"host":"two","pid":1,"scope":null}');
    };
    await expect(takeLease(store, holder())).rejects.toMatchObject({ code: 'DatabaseInUse' });
    expect([...store.objects.keys()]).toEqual([`${LEASE_FOLDER}other`]);
  });

  it.each([
    ['of another host', { host: 'two' }, false],
    ['of another start of the machine', { scope: 'boot b' }, false],
    ['of a machine that tells no processes apart', { scope: null }, false],
    ['of this process', { pid: 10 }, false],
    ['of a process of this machine that has ended', {}, true]
  ])('%s: taken over at once? %j %s', async (_, change, isTaken) => {
    await takeLease(store, holder({ pid: 99, ...change }));
    const second = takeLease(store, holder({ isAlive: (pid) => pid !== 99 && pid !== 10 }));
    if (isTaken) await (await second).release();
    else await expect(second).rejects.toMatchObject({ code: 'DatabaseInUse' });
    expect(store.objects.size).toBe(isTaken ? 0 : 1);
  });

  it('that was not renewed is dead after its time, by the clock of the store', async () => {
    await store.put(`${LEASE_FOLDER}old`, 'no text of ours');
    store.clock = () => 1_000_000 + LEASE_MS;
    await expect(takeLease(store, holder())).rejects.toMatchObject({ code: 'DatabaseInUse' });
    store.clock = () => 1_000_000 + LEASE_MS + 1;
    await (await takeLease(store, holder())).release();
    expect(store.objects.size).toBe(0);
  });

  it('is renewed while it is held, and known to be lost when that fails for minutes', async () => {
    const lease = await takeLease(store, holder());
    const [name] = store.objects.keys();
    store.clock = () => 5_000_000;
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(store.objects.get(name!)!.modifiedMs).toBe(5_000_000);
    store.isReachable = false;
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(lease.isLost()).toBe(false);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(lease.isLost()).toBe(true);
    store.isReachable = true;
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(lease.isLost()).toBe(false);
    await lease.release();
  });
});

it('this process is alive, and one that has ended is not', () => {
  const { isAlive, pid } = thisProcess();
  expect(isAlive(pid)).toBe(true);
  expect(isAlive(spawnSync(process.execPath, ['-e', '']).pid)).toBe(false);
});

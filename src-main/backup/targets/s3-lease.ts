/**
 * One writer at a time in an object store, which has no locks: a writer stores a lease, renews it while at
 * work, and gives way if there is another one. Two that begin at the same moment may both give way, but never both
 * continue. Times are those of the store, so that clocks need not agree.
 *
 * A lease that was not renewed for LEASE_MS is dead, and so is one of a process on this machine that has ended.
 */
import { randomUUID } from 'node:crypto';
import { EngineError } from '../../../src-core/index.ts';

export interface StoredLease {
  name: string;
  /** When it was stored or renewed, by the clock of the store. */
  modifiedMs: number;
}

export interface LeaseStore {
  readonly description: string;
  put(name: string, text: string): Promise<void>;
  /** All objects whose name begins with LEASE_FOLDER. */
  leases(): Promise<StoredLease[]>;
  read(name: string): Promise<string>;
  remove(name: string): Promise<void>;
}

export interface LeaseHolder {
  host: string;
  pid: number;
  /** Identifies the processes of this boot of this machine; null if that is not possible. */
  scope: string | null;
  isAlive: (pid: number) => boolean;
}

export interface Lease {
  /** It could not be renewed for so long that others may consider it dead. */
  isLost(): boolean;
  release(): Promise<void>;
}

export const LEASE_FOLDER = '.winnow-leases/';
export const LEASE_MS = 5 * 60_000;
const RENEW_MS = 60_000;
/** Earlier than others may consider it dead, by far more than a request takes. */
const LOST_MS = LEASE_MS - 2 * RENEW_MS;

export async function takeLease(store: LeaseStore, holder: LeaseHolder): Promise<Lease> {
  const name = LEASE_FOLDER + randomUUID();
  const { host, pid, scope } = holder;
  const put = (): Promise<void> => store.put(name, `${JSON.stringify({ host, pid, scope })}\n`);
  let renewedMs = performance.now();
  await put();
  try {
    await giveWay(name, store, holder);
  } catch (error) {
    // A lease that stays is dead after a while; report the first failure.
    await store.remove(name).catch(() => undefined);
    throw error;
  }
  let renewal = Promise.resolve();
  const timer = setInterval(() => {
    const beganMs = performance.now();
    renewal = put().then(
      () => {
        renewedMs = beganMs;
      },
      // The next turn tries again; the writer checks whether it is lost.
      () => undefined
    );
  }, RENEW_MS);
  timer.unref();
  return {
    isLost: () => performance.now() - renewedMs > LOST_MS,
    release: async () => {
      clearInterval(timer);
      await renewal;
      await store.remove(name);
    }
  };
}

/** Throws if another lease is alive; removes the dead ones. */
async function giveWay(name: string, store: LeaseStore, holder: LeaseHolder): Promise<void> {
  const leases = await store.leases();
  const own = leases.find((lease) => lease.name === name);
  for (const lease of leases) {
    if (lease.name === name) continue;
    const by = await readHolder(store, lease.name);
    // Without our own in the list the time of the store is not known: then no lease counts as dead.
    const isOld = own !== undefined && own.modifiedMs - lease.modifiedMs > LEASE_MS;
    if (!isOld && !isOfEndedProcess(by, holder)) throw inUse(store.description, by);
    await store.remove(lease.name);
  }
  if (!own) throw inUse(store.description, undefined);
}

type Written = Pick<LeaseHolder, 'host' | 'pid' | 'scope'>;

/** undefined if it was removed meanwhile, or is not one of ours. */
async function readHolder(store: LeaseStore, name: string): Promise<Written | undefined> {
  try {
    const { host, pid, scope } = JSON.parse(await store.read(name)) as Partial<
      Record<keyof Written, unknown>
    >;
    if (typeof host !== 'string' || typeof pid !== 'number') return undefined;
    return { host, pid, scope: typeof scope === 'string' ? scope : null };
  } catch {
    // It counts as alive until it is old, which costs a wait at most.
    return undefined;
  }
}

function isOfEndedProcess(by: Written | undefined, holder: LeaseHolder): boolean {
  if (!by || by.scope === null || by.scope !== holder.scope || by.host !== holder.host) return false;
  return by.pid !== holder.pid && !holder.isAlive(by.pid);
}

function inUse(target: string, by: Written | undefined): EngineError {
  const who = by ? ` (process ${by.pid} on ${by.host})` : '';
  return new EngineError({
    code: 'DatabaseInUse',
    message: `Another backup, prune or adoption is running in ${target}${who}.`,
    remedy: `Wait until it ends, then run the same command again. If it was killed, wait ${LEASE_MS / 60_000} minutes.`,
    details: { target, ...(by ? { host: by.host, pid: by.pid } : {}) }
  });
}

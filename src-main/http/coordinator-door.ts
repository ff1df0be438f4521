/**
 * Gives other processes with the same WINNOW_HOME access to a coordinator: the auto-scavenge routes, on this machine only,
 * with the key that is stored beside the lease and without any users.
 */
import pino from 'pino';
import type { Lease } from '../cluster/coordinator-lease.ts';
import { startAdminServer } from './admin-server.ts';
import type { AutoScavengeDoor } from '../cluster/auto-scavenge.ts';
import { newHomeKey, withHomeKey } from '../access/home-key.ts';

export interface CoordinatorDoor {
  /** Stored beside the lease. */
  at: Parameters<Lease['publish']>[0];
  close(): Promise<void>;
}

export async function openCoordinatorDoor(
  autoScavenge: AutoScavengeDoor,
  clock: () => number
): Promise<CoordinatorDoor> {
  const key = newHomeKey();
  const service = await startAdminServer({
    host: '127.0.0.1',
    port: 0,
    publicNames: [],
    tls: undefined,
    credentials: withHomeKey({ identify: () => Promise.resolve({ kind: 'anonymous' }) }, key),
    node: undefined,
    autoScavenge,
    logger: pino({ level: 'silent' }),
    clock
  });
  return { at: { url: service.url, key }, close: () => service.close() };
}

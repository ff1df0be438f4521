/** Identifies this process as the holder of a lease, and tells whether another process on this machine still exists. */
import os from 'node:os';
import { ownProcessPlace } from '../../settings/process-place.ts';
import type { LeaseHolder } from './s3-lease.ts';

export function thisProcess(): LeaseHolder {
  return { host: os.hostname(), pid: process.pid, scope: processScope(), isAlive };
}

/** The boot of the machine and the namespace of process numbers. Where they are not known, a dead lease must time out. */
function processScope(): string | null {
  const place = ownProcessPlace();
  return place && `${place.boot} ${place.processes}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be signalled, but it exists.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

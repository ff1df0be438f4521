/** Identifies this process as the holder of a lease, and tells whether another process on this machine still exists. */
import fs from 'node:fs';
import os from 'node:os';
import type { LeaseHolder } from './s3-lease.ts';

export function thisProcess(): LeaseHolder {
  return { host: os.hostname(), pid: process.pid, scope: processScope(), isAlive };
}

/** The boot of the machine and the namespace of process numbers: containers have their own. */
function processScope(): string | null {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // Not Linux, or a sandbox without /proc: a dead lease must then time out.
    return null;
  }
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

/** Who holds a lease when this process does, and whether another process of this machine is still there. */
import fs from 'node:fs';
import os from 'node:os';
import type { LeaseHolder } from './s3-lease.ts';

export function thisProcess(): LeaseHolder {
  return { host: os.hostname(), pid: process.pid, scope: processScope(), isAlive };
}

/** The start of the machine and the namespace in which a process number means something: containers have their own. */
function processScope(): string | null {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // Not Linux, or a sandbox without /proc: a dead lease is then waited for.
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of somebody else may not be asked, but it is there.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

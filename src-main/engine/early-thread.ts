/**
 * The engine's thread, started before the command's own modules are loaded: both load at the same time then. Kept in a
 * module that loads nothing else. It does not keep the process alive until the host takes it.
 */
import { Worker } from 'node:worker_threads';

/** Commands that ask the engine in its thread, whatever their options. The thread of one that is refused ends with the process. */
export const WITH_ENGINE: ReadonlySet<string> = new Set([
  'chunks',
  'records',
  'streams',
  'read',
  'index',
  'verify',
  'diff',
  'extract',
  'export',
  'redact',
  'repair',
  'plan',
  'scavenge',
  'explain',
  'usage',
  'thresholds',
  'forecast',
  'projections',
  'erasure',
  'rescue',
  'doctor',
  'startup',
  'bundle',
  'backup',
  'restore'
]);

let early: Worker | undefined;

/** The thread is the caller's only to look at. */
export function startEarlyThread(url: URL): Worker {
  const thread = new Worker(url);
  // One that ends before it is taken is none: the host starts another, and tells why that one ends.
  const forget = (): void => {
    if (early === thread) early = undefined;
  };
  thread.on('error', forget);
  thread.on('exit', forget);
  thread.unref();
  early = thread;
  return thread;
}

/** The thread that was started early, once; undefined when there is none. */
export function takeEarlyThread(): Worker | undefined {
  const taken = early;
  early = undefined;
  taken?.removeAllListeners('error');
  taken?.removeAllListeners('exit');
  taken?.ref();
  return taken;
}

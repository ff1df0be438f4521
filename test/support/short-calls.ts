/**
 * A machine whose reads and writes do less than they are asked for, and are interrupted, as on shares, in user space and
 * under a quota: what the system promises is no more than that. The real calls of this thread, with fewer bytes.
 */
import fs from 'node:fs';
import type { Prng } from './prng.ts';

export interface ShortCalls {
  /** So many came back with fewer bytes. */
  short: number;
  /** So many were interrupted, and had done nothing. */
  interrupted: number;
  restore: () => void;
}

const SHORT = 0.4;
const INTERRUPTED = 0.2;

type Call = (
  descriptor: number,
  bytes: NodeJS.ArrayBufferView,
  offset: number,
  length: number,
  position: number | null
) => number;

/** From now on until `restore`. */
export function shortenCalls(random: Prng): ShortCalls {
  const { readSync, writeSync } = fs;
  const done: ShortCalls = {
    short: 0,
    interrupted: 0,
    restore: () => Object.assign(fs, { readSync, writeSync })
  };
  const shortened =
    (call: Call): Call =>
    (descriptor, bytes, offset, length, position) => {
      if (random.chance(INTERRUPTED)) {
        done.interrupted++;
        throw Object.assign(new Error('EINTR: interrupted system call'), { code: 'EINTR', syscall: 'read' });
      }
      const isShort = length > 1 && random.chance(SHORT);
      if (isShort) done.short++;
      return call(descriptor, bytes, offset, isShort ? 1 + random.below(length - 1) : length, position);
    };
  Object.assign(fs, { readSync: shortened(readSync as Call), writeSync: shortened(writeSync as Call) });
  return done;
}

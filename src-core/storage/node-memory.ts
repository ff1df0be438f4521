/**
 * What the allocator of the C library keeps of memory that was freed, given back to the system. Buffers of a few megabytes that
 * several threads made and freed stay with it otherwise: a hundred megabytes and more, beside what the next phase needs.
 * Only with glibc on Linux; elsewhere nothing is done. The library is loaded when there is something worth giving back.
 */
import { createRequire } from 'node:module';
import type Koffi from 'koffi';
import { ownFacts } from './platform-facts.ts';

/** A process of this size has loaded its code and little else. */
const WORTH_BYTES = 256 * 1024 * 1024;
/** Growth since the last time, within one phase. */
const GROWN_BYTES = 64 * 1024 * 1024;
/** A walk over the free pieces takes some milliseconds. */
const LEAST_MS = 3000;

let trim: ((pad: number) => number) | null | undefined;

/** null where there is none: musl, macOS, Windows. */
function trimCall(): ((pad: number) => number) | null {
  if (trim !== undefined) return trim;
  if (!ownFacts.givesPagesBack) return (trim = null);
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
    return (trim = koffi.load(ownFacts.library).func('int malloc_trim(size_t)') as (pad: number) => number);
  } catch {
    return (trim = null);
  }
}

/** One for each operation: told of what it is at, it gives back between phases, and now and then within a long one. */
export class FreedMemory {
  #phase = '';
  #heldBytes = 0;
  #lookedMs = 0;

  /** `nowMs`: of any clock that goes on. */
  at(phase: string, nowMs: number): void {
    const isNew = phase !== this.#phase;
    if (!isNew && nowMs - this.#lookedMs < LEAST_MS) return;
    this.#phase = phase;
    this.#lookedMs = nowMs;
    const bytes = process.memoryUsage.rss();
    if (bytes < WORTH_BYTES || (!isNew && bytes < this.#heldBytes + GROWN_BYTES)) return;
    trimCall()?.(0);
    this.#heldBytes = process.memoryUsage.rss();
  }
}

/**
 * What the engine keeps between the pages that a window requests: one value for each of a few keys, discarded
 * when its source files have changed. It only saves work; discarding it at any time is harmless.
 */
import { createHash } from 'node:crypto';
import {
  OperationStopped,
  type ChunkSet,
  type Database,
  type OperationControl
} from '../../../src-core/index.ts';

export class EngineCache<Value> {
  readonly #limit: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, { stamp: string; value: Promise<Value> }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** It was made, or is being made. */
  holds(key: string, stamp: string): boolean {
    return this.#entries.get(key)?.stamp === stamp;
  }

  /**
   * The kept value if `stamp` still matches; otherwise that of `make`, which is kept unless it fails. Throws
   * OperationStopped as soon as `control` is stopped while another caller makes the value.
   */
  async get(
    key: string,
    stamp: string,
    make: () => Promise<Value>,
    control: Pick<OperationControl, 'signal' | 'throwIfStopped'>
  ): Promise<Value> {
    const known = this.#entries.get(key);
    if (known?.stamp === stamp) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      try {
        return await unlessStopped(known.value, control.signal);
      } catch {
        // The caller that began it was stopped or failed: this one tries itself, unless it was stopped too.
        control.throwIfStopped();
      }
    }
    const entry = { stamp, value: make() };
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) break;
      this.#entries.delete(oldest);
    }
    try {
      return await entry.value;
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    }
  }
}

/** The value once available; rejects with OperationStopped as soon as `signal` fires. */
async function unlessStopped<T>(value: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return value;
  const stopped = Promise.withResolvers<never>();
  const onAbort = (): void => stopped.reject(new OperationStopped());
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([value, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Names and sizes of the files of a set that was read: a set does not change, and may have ten thousand. */
const filesOfSets = new WeakMap<ChunkSet, string>();

/** Changes with every append, rewrite and restore. */
export function stampOf({ chunkSet, log }: Database): string {
  let files = filesOfSets.get(chunkSet);
  if (files === undefined) {
    const all = chunkSet.chunks.map((chunk) => `${chunk.fileName}:${chunk.fileSize}`).join('|');
    files = createHash('sha256').update(all).digest('hex');
    filesOfSets.set(chunkSet, files);
  }
  return `${log.end}|${files}`;
}

export function keyOf(database: Database): string {
  return `${database.dataDirectory}\n${database.indexDirectory}`;
}

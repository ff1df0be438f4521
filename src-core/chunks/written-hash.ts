/**
 * The MD5 of a new file, computed in another thread while the file is written. The thread that writes tells in shared memory
 * how far it is; the one that hashes reads these bytes back, which are in the system's cache, so nothing is copied between
 * the two and neither waits for the other's event loop.
 *
 * Shared memory, four words of 32 bits: a counter to wait on, the state, and the number of bytes that are written, in two
 * parts: whole blocks, and what comes behind them once the state says that all is written.
 */
import { createHash } from 'node:crypto';
import { logCorrupt } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';

const COUNTER = 0;
const STATE = 1;
const BLOCKS = 2;
const REST = 3;
const WORDS = 4;

/** While it is 0, more is to come. */
const WRITTEN = 1;
const GIVEN_UP = 2;

const BLOCK_BYTES = 1024 * 1024;

/** The writer's side. */
export interface WrittenHash {
  /** So many bytes of the file, from its start, are in it now. */
  wrote(byteCount: number): void;
  /** Lower-case hex digits of the first `byteCount` bytes; nothing more is written meanwhile. */
  digest(byteCount: number): Promise<string>;
  /** Nobody wants the hash any more. The other thread closes the file. */
  abandon(): void;
}

/** How far the writer is. */
export class WrittenProgress {
  readonly shared: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor() {
    this.shared = new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT);
    this.#words = new Int32Array(this.shared);
  }

  wrote(byteCount: number): void {
    Atomics.store(this.#words, BLOCKS, Math.floor(byteCount / BLOCK_BYTES));
    this.#wake();
  }

  end(byteCount: number): void {
    Atomics.store(this.#words, BLOCKS, Math.floor(byteCount / BLOCK_BYTES));
    Atomics.store(this.#words, REST, byteCount % BLOCK_BYTES);
    Atomics.store(this.#words, STATE, WRITTEN);
    this.#wake();
  }

  giveUp(): void {
    Atomics.store(this.#words, STATE, GIVEN_UP);
    this.#wake();
  }

  #wake(): void {
    Atomics.add(this.#words, COUNTER, 1);
    Atomics.notify(this.#words, COUNTER);
  }
}

/**
 * The reader's side: lower-case hex digits once everything is written, an empty string when it was given up. Blocks its thread
 * meanwhile.
 */
export function hashWhileWritten(
  fileSystem: Pick<FileSystem, 'open'>,
  { path, shared }: { path: string; shared: SharedArrayBuffer }
): string {
  const words = new Int32Array(shared);
  const md5 = createHash('md5');
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  const file = fileSystem.open(path, 'read');
  try {
    for (let done = 0; ;) {
      const counter = Atomics.load(words, COUNTER);
      const state = Atomics.load(words, STATE);
      if (state === GIVEN_UP) return '';
      const rest = state === WRITTEN ? Atomics.load(words, REST) : 0;
      const end = Atomics.load(words, BLOCKS) * BLOCK_BYTES + rest;
      while (done < end) {
        const count = file.read(block, 0, Math.min(BLOCK_BYTES, end - done), done);
        if (count === 0) throw shorter(path, done);
        md5.update(block.subarray(0, count));
        done += count;
      }
      if (state === WRITTEN) return md5.digest('hex');
      Atomics.wait(words, COUNTER, counter);
    }
  } finally {
    file.close();
  }
}

function shorter(file: string, offset: number): Error {
  return logCorrupt(
    `${file} ends at offset ${offset}, and more was written to it.`,
    { file, offset },
    'Another program changed a file that was being written. Find out which one, then run this again; it resumes.'
  );
}

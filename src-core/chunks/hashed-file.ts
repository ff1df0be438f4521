/**
 * A file whose bytes are hashed as they are read in order, so that a chunk is read once for its hash and its records.
 * Windows of a walk overlap a little, and the position map is read out of turn: bytes are hashed once, in their order,
 * and what nobody has read is read in the end.
 */
import { assert } from '../assert.ts';
import type { Hasher } from '../codec/md5-lanes.ts';
import type { OpenFile } from '../storage/file-system.ts';

const BLOCK_BYTES = 1024 * 1024;

export class HashedFile implements OpenFile {
  readonly #inner: OpenFile;
  readonly #hasher: Hasher;
  /** Hashed up to here, exclusive, and never beyond `#end`. */
  #hashedTo = 0;
  readonly #end: number;
  readonly #onBytes: (count: number) => void;

  /** Hashes the bytes before `end`; `onBytes` hears of them. */
  constructor(inner: OpenFile, parts: { end: number; hasher: Hasher; onBytes: (count: number) => void }) {
    this.#inner = inner;
    this.#end = parts.end;
    this.#hasher = parts.hasher;
    this.#onBytes = parts.onBytes;
  }

  get path(): string {
    return this.#inner.path;
  }

  size(): number {
    return this.#inner.size();
  }

  read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    const count = this.#inner.read(target, targetOffset, length, position);
    const to = Math.min(position + count, this.#end);
    if (position <= this.#hashedTo && to > this.#hashedTo) {
      this.#hasher.update(
        target.subarray(targetOffset + this.#hashedTo - position, targetOffset + to - position)
      );
      this.#onBytes(to - this.#hashedTo);
      this.#hashedTo = to;
    }
    return count;
  }

  /** Reads up to `end` whatever is not hashed yet. False when the file is shorter. */
  async readUpTo(end: number, breathe: () => Promise<void>): Promise<boolean> {
    const block = Buffer.allocUnsafe(Math.max(0, Math.min(BLOCK_BYTES, end - this.#hashedTo)));
    while (this.#hashedTo < end) {
      const count = this.read(block, 0, Math.min(block.length, end - this.#hashedTo), this.#hashedTo);
      if (count === 0) return false;
      await breathe();
    }
    return true;
  }

  /** The hash of the whole, lower-case hex digits. */
  async digest(breathe: () => Promise<void>): Promise<string> {
    await this.readUpTo(this.#end, breathe);
    return this.#hasher.digest();
  }

  write(): void {
    assert(false, 'a file that is verified is never written');
  }
  truncate(): void {
    assert(false, 'a file that is verified is never cut');
  }
  sync(): void {
    // Nothing was written.
  }
  close(): void {
    this.#inner.close();
  }
}

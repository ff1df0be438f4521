/**
 * Writes a new file from its first byte to its last, and leaves holes where it is zero: blocks of zeros are not written,
 * the file is only as long as if they were. Sums up its MD5 on the way.
 */
import { createHash } from 'node:crypto';
import { assert } from '../assert.ts';
import type { FileSystem, OpenFile } from '../storage/file-system.ts';

const BUFFER_BYTES = 1024 * 1024;
const BLOCK_BYTES = 4096;
const ZEROS = Buffer.alloc(BLOCK_BYTES);

export class SparseFile {
  readonly #file: OpenFile;
  readonly #md5 = createHash('md5');
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #buffered = 0;
  /** Length so far without what is in the buffer. */
  #written = 0;
  #isDigested: boolean;

  /** `isSummed`: the hash will be asked for. */
  constructor(fileSystem: FileSystem, path: string, { isSummed = true }: { isSummed?: boolean } = {}) {
    this.#isDigested = !isSummed;
    this.#file = fileSystem.open(path, 'createNew');
  }

  get length(): number {
    return this.#written + this.#buffered;
  }

  put(source: Uint8Array, start = 0, length = source.length): void {
    for (let done = 0; done < length;) {
      const part = Math.min(length - done, BUFFER_BYTES - this.#buffered);
      this.#buffer.set(source.subarray(start + done, start + done + part), this.#buffered);
      this.#buffered += part;
      done += part;
      if (this.#buffered === BUFFER_BYTES) this.#flush();
    }
  }

  zerosUpTo(end: number): void {
    assert(end >= this.length, 'a file is written from its first byte to its last');
    while (this.length < end) {
      const part = Math.min(end - this.length, BUFFER_BYTES - this.#buffered);
      this.#buffer.fill(0, this.#buffered, this.#buffered + part);
      this.#buffered += part;
      if (this.#buffered === BUFFER_BYTES) this.#flush();
    }
  }

  /** The hash of what was put so far; of this file it can be asked once. */
  digest(): Buffer {
    this.#flush();
    this.#isDigested = true;
    return this.#md5.digest();
  }

  /** Ends the file at `size` and returns once it is on the disk. */
  complete(size: number): void {
    this.#flush();
    this.#file.truncate(size);
    this.#file.sync();
    this.#file.close();
  }

  close(): void {
    this.#file.close();
  }

  #flush(): void {
    if (this.#buffered === 0) return;
    const bytes = this.#buffer.subarray(0, this.#buffered);
    this.#buffered = 0;
    const start = this.#written;
    this.#written += bytes.length;
    // A digest that was asked for takes nothing more; what follows is the digest itself.
    if (!this.#isDigested) this.#md5.update(bytes);
    for (let at = 0; at < bytes.length;) {
      let end = at;
      while (end < bytes.length && !isZero(bytes, end)) end = Math.min(bytes.length, end + BLOCK_BYTES);
      if (end > at) this.#file.write(bytes, at, end - at, start + at);
      at = end;
      while (at < bytes.length && isZero(bytes, at)) at = Math.min(bytes.length, at + BLOCK_BYTES);
    }
  }
}

/** The block that begins at `at`, or what is left of it. */
function isZero(bytes: Buffer, at: number): boolean {
  const end = Math.min(bytes.length, at + BLOCK_BYTES);
  return ZEROS.compare(bytes, at, end, 0, end - at) === 0;
}

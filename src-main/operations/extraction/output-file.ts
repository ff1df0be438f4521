/**
 * A file that grows under a name of its own and is continued after a kill: it is cut to what was durable, and that is read
 * once, because the hash of the whole file is told at its end. One process at a time writes it.
 */
import { createHash, type Hash } from 'node:crypto';
import { EngineError, isWithoutLocks, type FileSystem } from '../../../src-core/index.ts';

const BUFFER_BYTES = 1024 * 1024;

export class OutputFile {
  readonly #file: ReturnType<FileSystem['open']>;
  readonly #unlock: () => void;
  readonly #hash: Hash = createHash('sha256');
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #buffered = 0;
  /** Behind what was written to the file. */
  #end = 0;

  /** `length`: bytes of an existing file that are kept; 0 begins again. */
  constructor(fileSystem: FileSystem, path: string, length: number) {
    const exists = fileSystem.describe(path) !== undefined;
    this.#file = fileSystem.open(path, exists ? 'readWrite' : 'createNew');
    let unlock: (() => void) | undefined;
    try {
      unlock = lock(fileSystem, path);
      this.#keep(path, length);
      this.#unlock = unlock;
    } catch (error) {
      unlock?.();
      this.#file.close();
      throw error;
    }
  }

  /** With what is still in the buffer. */
  get length(): number {
    return this.#end + this.#buffered;
  }

  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    for (let done = 0; done < bytes.length;) {
      const part = Math.min(bytes.length - done, BUFFER_BYTES - this.#buffered);
      this.#buffer.set(bytes.subarray(done, done + part), this.#buffered);
      this.#buffered += part;
      done += part;
      if (this.#buffered === BUFFER_BYTES) this.#flush();
    }
  }

  /** Returns once everything is on the disk. */
  sync(): void {
    this.#flush();
    this.#file.sync();
  }

  /** Of the whole file, lower-case hex digits. Once, after the last `write`. */
  digest(): string {
    return this.#hash.digest('hex');
  }

  close(): void {
    this.#unlock();
    this.#file.close();
  }

  #flush(): void {
    if (this.#buffered === 0) return;
    this.#file.write(this.#buffer, 0, this.#buffered, this.#end);
    this.#end += this.#buffered;
    this.#buffered = 0;
  }

  #keep(path: string, length: number): void {
    const size = this.#file.size();
    if (size < length) {
      throw new EngineError({
        code: 'StorageFailed',
        message: `${path} has ${size} bytes; ${length} were written and flushed before.`,
        remedy: 'Begin again with --start-afresh.',
        details: { file: path, expected: length, found: size }
      });
    }
    if (size > length) this.#file.truncate(length);
    while (this.#end < length) {
      const count = this.#file.read(this.#buffer, 0, Math.min(BUFFER_BYTES, length - this.#end), this.#end);
      if (count === 0) throw new RangeError(`${path} became shorter while it was read.`);
      this.#hash.update(this.#buffer.subarray(0, count));
      this.#end += count;
    }
  }
}

function lock(fileSystem: FileSystem, path: string): () => void {
  try {
    const unlock = fileSystem.tryLock(path);
    if (unlock) return unlock;
  } catch (error) {
    // Nobody is in the way, as far as anybody can tell.
    if (isWithoutLocks(error)) return () => undefined;
    throw error;
  }
  throw new EngineError({
    code: 'DatabaseInUse',
    message: `Another extraction is writing ${path}.`,
    remedy: 'Wait for its end, or choose another output.',
    details: { file: path }
  });
}

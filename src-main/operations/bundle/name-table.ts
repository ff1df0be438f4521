/**
 * What each name became, a line of JSON each, in a file that its owner alone can read. Names that come again are written
 * once, as long as they are among a million: a line more does no harm, memory without a bound would.
 */
import { createHash } from 'node:crypto';
import type { FileSystem } from '../../../src-core/index.ts';

const MOST_KNOWN = 1_000_000;
const BUFFER_BYTES = 256 * 1024;
const OWNER_ONLY = 0o600;

export class NameTable {
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  readonly #temporary: string;
  readonly #file: ReturnType<FileSystem['open']>;
  readonly #known = new Set<string>();
  #lines: string[] = [];
  #buffered = 0;
  #written = 0;
  #isComplete = false;

  /** Throws StorageFailed when the file cannot be made. */
  constructor(fileSystem: FileSystem, file: string) {
    this.#fileSystem = fileSystem;
    this.#path = file;
    this.#temporary = `${file}.new`;
    fileSystem.remove(this.#temporary);
    this.#file = fileSystem.open(this.#temporary, 'createNew');
    fileSystem.changeMode(this.#temporary, OWNER_ONLY);
  }

  add(kind: 'stream' | 'type', name: string, replaced: string): void {
    const sum = createHash('sha1').update(`${kind}\0${name}`).digest('base64');
    if (this.#known.has(sum)) return;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.add(sum);
    const line = `${JSON.stringify({ kind, replaced, name })}\n`;
    this.#lines.push(line);
    this.#buffered += line.length;
    if (this.#buffered >= BUFFER_BYTES) this.#flush();
  }

  /** Gives the file its name. */
  complete(): void {
    this.#flush();
    this.#file.sync();
    this.#file.close();
    this.#fileSystem.rename(this.#temporary, this.#path);
    this.#isComplete = true;
  }

  /** Leaves nothing behind of a table that is not complete. */
  abandon(): void {
    if (this.#isComplete) return;
    this.#file.close();
    this.#fileSystem.remove(this.#temporary);
  }

  #flush(): void {
    const bytes = Buffer.from(this.#lines.join(''), 'utf8');
    this.#lines = [];
    this.#buffered = 0;
    this.#file.write(bytes, 0, bytes.length, this.#written);
    this.#written += bytes.length;
  }
}

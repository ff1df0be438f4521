/**
 * The memory that our own passes through large files take from others. What was read lies in the system's page cache,
 * and a terabyte that is read once would push out whatever a server or anybody else has there. Therefore what lies
 * longest unread is given back once more than a budget of it has gathered: a second pass over a chunk still finds it,
 * and so does the next command where the database is small.
 *
 * Nothing is given back while memory lies idle: then nobody is pushed out, and a verification that comes back to the log
 * finds it.
 *
 * Only pages that were not in the cache before are given back: those that were, somebody uses. Nothing is known of a
 * file whose pages the system does not tell, and it is left alone.
 */
import type { Disk } from './disk.ts';

/** In steps of this size; a step that is half read when its time comes is given back whole. */
const STEP_BYTES = 8 * 1024 * 1024;

/** A file as long as any step of it may have to be given back. */
interface PassedFile {
  path: string;
  inode: number;
  /** One byte for each page, odd where it was in the cache before; undefined: no page was. */
  cachedBefore: Uint8Array | undefined;
  steps: number;
}

interface Step {
  file: PassedFile;
  from: number;
}

export class PassedPages {
  readonly #disk: Disk;
  readonly #budgetBytes: number;
  /** Bytes passed before anything was looked at: small databases never pay for asking. */
  #passedBytes = 0;
  readonly #files = new Map<string, PassedFile>();
  /** Least recently passed first. */
  readonly #steps = new Map<string, Step>();

  constructor(disk: Disk) {
    this.#disk = disk;
    this.#budgetBytes = disk.budgetBytes();
  }

  /** So much was read, or written, in order. True once it is worth while to tell which. */
  counts(count: number): boolean {
    this.#passedBytes += count;
    return this.#passedBytes >= this.#budgetBytes / 2;
  }

  /** A reader will pass through this file: what of it is in the cache is somebody's. `false`: all of it, or not known. */
  watch(descriptor: number, path: string): boolean {
    const { inode, size } = this.#disk.facts(descriptor);
    const known = this.#files.get(path);
    if (known?.inode === inode) return true;
    const cached = this.#disk.cachedPages(descriptor, size);
    if (cached === undefined || cached === 'all') return false;
    this.#files.set(path, {
      path,
      inode,
      cachedBefore: cached === 'none' ? undefined : cached,
      steps: 0
    });
    return true;
  }

  /** These bytes of a watched file, or of one that is `new`, were passed. */
  pass(path: string, { from, to }: { from: number; to: number }): void {
    const file = this.#files.get(path);
    if (!file) return;
    for (let at = from - (from % STEP_BYTES); at < to; at += STEP_BYTES) {
      const key = `${at}:${path}`;
      if (!this.#steps.delete(key)) file.steps++;
      this.#steps.set(key, { file, from: at });
    }
    this.#settle();
  }

  /** A new file was written and is on the disk; none of it was in the cache. */
  wrote(descriptor: number, path: string): void {
    const { inode, size } = this.#disk.facts(descriptor);
    if (size < STEP_BYTES) return;
    const known = this.#files.get(path);
    if (known?.inode !== inode) this.#files.set(path, { path, inode, cachedBefore: undefined, steps: 0 });
    this.pass(path, { from: 0, to: size });
  }

  #settle(): void {
    if (this.#steps.size * STEP_BYTES <= this.#budgetBytes || this.#disk.hasIdleMemory()) return;
    for (const [key, step] of this.#steps) {
      if (this.#steps.size * STEP_BYTES <= this.#budgetBytes) return;
      this.#steps.delete(key);
      this.#giveBack(step);
    }
  }

  #giveBack({ file, from }: Step): void {
    if (--file.steps === 0 && this.#files.get(file.path) === file) this.#files.delete(file.path);
    const ranges = file.cachedBefore
      ? rangesNotCached(file.cachedBefore, { from, pageBytes: this.#disk.pageBytes })
      : [{ from, length: STEP_BYTES }];
    if (ranges.length > 0) this.#disk.giveBack(file, ranges);
  }
}

function rangesNotCached(
  cachedBefore: Uint8Array,
  { from, pageBytes }: { from: number; pageBytes: number }
): { from: number; length: number }[] {
  const ranges: { from: number; length: number }[] = [];
  const end = Math.min(cachedBefore.length, (from + STEP_BYTES) / pageBytes);
  for (let page = from / pageBytes; page < end; page++) {
    if ((cachedBefore[page]! & 1) === 1) continue;
    const last = ranges.at(-1);
    if (last && last.from + last.length === page * pageBytes) last.length += pageBytes;
    else ranges.push({ from: page * pageBytes, length: pageBytes });
  }
  return ranges;
}

/**
 * The reads of one open file. Those that follow each other for a while are a pass: only a pass asks ahead and has its
 * pages given back (`read-ahead.ts`, `passed-pages.ts`). Every large file is read in passes, whatever for, so this is the
 * one place that knows of both.
 */
import type { Disk } from './disk.ts';
import type { PassedPages } from './passed-pages.ts';
import { ReadAhead } from './read-ahead.ts';

/** From so many bytes on, reads one after the other are a pass. */
export const PASS_BYTES = 1024 * 1024;

export interface PassedFileParts {
  descriptor: number;
  path: string;
  disk: Disk;
  passed: PassedPages;
}

export class FilePass {
  readonly #file: PassedFileParts;
  /** Reads that follow each other: where the last one ended, and how many bytes they are. */
  #runEnd = 0;
  #runBytes = 0;
  /** Up to where the pass has been told of. */
  #toldTo = 0;
  #ahead: ReadAhead | undefined;
  /** Its pages may be given back; undefined: not looked at yet. */
  #isWatched: boolean | undefined;

  constructor(file: PassedFileParts) {
    this.#file = file;
  }

  /** As of the port; throws what the system throws. */
  read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    // Windows of a walk overlap a little.
    if (position > this.#runEnd || position + length <= this.#runEnd) this.#begin(position);
    const isPass = this.#runBytes + length >= PASS_BYTES;
    if (isPass && this.#isWatched === undefined) this.#look(length);
    const isTimed = isPass && ReadAhead.times(length);
    const done = isTimed
      ? this.#readTimed(target, targetOffset, length, position)
      : this.#read(target, targetOffset, length, position);
    const end = position + done;
    if (end > this.#runEnd) this.#runBytes += end - this.#runEnd;
    this.#runEnd = end;
    if (isPass && end - this.#toldTo >= PASS_BYTES) this.#tell(end);
    return done;
  }

  #read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    const { disk, descriptor } = this.#file;
    let done = 0;
    while (done < length) {
      const count = disk.read(descriptor, target, targetOffset + done, length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  #readTimed(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    const { disk, descriptor } = this.#file;
    const startMs = disk.elapsedMs();
    const count = this.#read(target, targetOffset, length, position);
    const tookMs = disk.elapsedMs() - startMs;
    const range = (this.#ahead ??= new ReadAhead()).after({ position, count, tookMs });
    if (range) {
      const askedMs = disk.elapsedMs();
      disk.willRead(descriptor, range);
      this.#ahead.waited(disk.elapsedMs() - askedMs);
    }
    return count;
  }

  #begin(position: number): void {
    this.#runEnd = position;
    this.#toldTo = position;
    this.#runBytes = 0;
    this.#ahead?.moved();
  }

  /** Before the pass brings in what is not there yet. */
  #look(length: number): void {
    const { passed, descriptor, path } = this.#file;
    if (passed.counts(length)) this.#isWatched = passed.watch(descriptor, path);
  }

  #tell(end: number): void {
    const { passed, path } = this.#file;
    if (this.#isWatched === true) passed.pass(path, { from: this.#toldTo, to: end });
    this.#toldTo = end;
  }
}

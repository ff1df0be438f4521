/**
 * Notes in the book what a verification finds as it goes, with the time at which each reading began, and keeps the book now
 * and then. A file that changed while it was read is not noted at all.
 */
import type { ProofBook } from './proof-book.ts';
import type { ProvableFile } from './provable-file.ts';

/** What is to be known of a finding here. */
interface Judged {
  findings: readonly { severity: 'damage' | 'hint' }[];
}

/** Says what a file was when it had been read, and what was found in it. */
export type EndOfReading = (found: Judged, after: ProvableFile) => void;

/** A killed run loses no more than this. */
const SAVED_INTERVAL_MS = 60_000;

export class ProofNotes {
  readonly book: ProofBook;
  readonly #clock: () => number;
  #savedMs: number;

  /** `clock`: milliseconds since 1970. */
  constructor(book: ProofBook, clock: () => number) {
    this.book = book;
    this.#clock = clock;
    this.#savedMs = clock();
  }

  /** The reading of these files begins now. */
  begin(files: readonly ProvableFile[]): EndOfReading[] {
    const atMs = this.#clock();
    return files.map((before) => ({ findings }, after) => {
      if (after.identity !== before.identity) return;
      this.book.note(before, { atMs, isSound: findings.every(({ severity }) => severity !== 'damage') });
      this.#keep();
    });
  }

  /** Of a file that the disk does not give: what was proved of it before is no longer so. */
  noteUnreadable(file: ProvableFile): void {
    this.book.note(file, { atMs: this.#clock(), isSound: false });
  }

  /** What cannot be kept now may be at the end, where somebody is told. */
  #keep(): void {
    const nowMs = this.#clock();
    if (nowMs - this.#savedMs < SAVED_INTERVAL_MS) return;
    this.#savedMs = nowMs;
    this.book.save();
  }
}

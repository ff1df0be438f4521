/**
 * Searches a file as bytes, from the first to the last, with enough kept between blocks that nothing is missed where
 * they meet. In files of SQLite an occurrence that provably is part of a longer name is left out.
 */
import type { Pattern, Subject } from './erasure-question.ts';
import type { PatternSearch } from './search-bytes.ts';
import { CELL_CONTEXT_BYTES, judgeStateName } from './state-names.ts';

export interface RawScanParts {
  subjects: readonly Subject[];
  search: PatternSearch;
  isState: boolean;
  /** `isCell`: it is the text of a table's cell. */
  onFound: (subject: number, offset: number, isCell: boolean) => void;
}

export class RawScan {
  readonly #parts: RawScanParts;
  readonly #before: number;
  readonly #behind: number;
  #window: Buffer = Buffer.alloc(0);
  #base = 0;
  /** Offset in the file up to which occurrences have been told of. */
  #told = 0;

  constructor(parts: RawScanParts) {
    this.#parts = parts;
    const context = parts.isState ? CELL_CONTEXT_BYTES : 0;
    this.#before = context;
    this.#behind = parts.search.longest + context;
  }

  feed(block: Uint8Array): void {
    this.#window = Buffer.concat([this.#window, block]);
    this.#tell(this.#window.length - this.#behind);
  }

  finish(): void {
    this.#tell(this.#window.length);
  }

  /** Tells of what begins before an offset in the window. */
  #tell(end: number): void {
    const from = this.#told - this.#base;
    if (end <= from) return;
    for (const { pattern, at } of this.#parts.search.find(this.#window, from)) {
      if (at < end) this.#judge(pattern, at);
    }
    this.#told = this.#base + end;
    const keptFrom = Math.max(0, end - this.#before);
    this.#window = this.#window.subarray(keptFrom);
    this.#base += keptFrom;
  }

  #judge(pattern: Pattern, at: number): void {
    const { subjects, isState, onFound } = this.#parts;
    const offset = this.#base + at;
    if (!isState || pattern.form !== 'name') {
      onFound(pattern.subject, offset, false);
      return;
    }
    const judged = judgeStateName(subjects[pattern.subject]!, this.#window, at, pattern.bytes.length);
    if (judged !== 'longer') onFound(pattern.subject, offset, judged !== 'unproved');
  }
}

/**
 * The walk of `records --salvage`: what can still be read as records, with the holes between them reported as rows of their
 * own and as warnings. Never changes anything, and never ends at damage.
 */
import { SalvageLog, type Chunk, type Database, type LogRecord } from '../../../src-core/index.ts';
import type { SkippedRow } from '../../contract/operations/reports.ts';
import type { WalkRange } from './log-walk.ts';

export class SalvageWalk {
  readonly from: number;
  readonly to: number;
  readonly #log: SalvageLog;
  readonly #say: (message: string) => void;
  #skipped: SkippedRow[] = [];

  constructor(database: Database, range: WalkRange, say: (message: string) => void) {
    this.#log = new SalvageLog(database, range);
    this.#say = say;
    this.from = this.#log.from;
    this.to = Number.isFinite(this.#log.to) ? this.#log.to : database.log.end;
    for (const problem of database.problems) {
      if (problem.severity === 'damage') say(problem.message);
    }
  }

  get record(): LogRecord {
    return this.#log.record;
  }

  get chunk(): Chunk {
    return this.#log.chunk;
  }

  get fileOffset(): number {
    return this.#log.fileOffset;
  }

  next(): boolean {
    for (;;) {
      const found = this.#log.next();
      if (found === 'record') return true;
      if (found === 'end') return false;
      const { skipped } = this.#log;
      if (!skipped) continue;
      const { file, from, to, why } = skipped;
      this.#skipped.push({ skipped });
      this.#say(`${file}: skipped ${to - from} bytes of the log, from position ${from} to ${to}: ${why}`);
    }
  }

  /** The holes skipped since the last call, in order: they are before the current record. */
  takeSkipped(): SkippedRow[] {
    const skipped = this.#skipped;
    this.#skipped = [];
    return skipped;
  }

  close(): void {
    this.#log.close();
  }
}

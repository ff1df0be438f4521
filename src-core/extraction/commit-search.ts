/**
 * The commit that gives event numbers to the members of an explicit transaction, looked for forward from a member in a
 * walk of its own. Members are asked for in the order of the log, so that all of them together cost one more pass at
 * most. Commits between are kept; the oldest go when there are many, and are looked up again.
 *
 * As log/committed-numbers.ts, for sources that may be damaged or are decoded chunk by chunk: where something between
 * could not be read, a commit that is not found may lie there.
 */
import type { OperationControl } from '../database/operation-control.ts';
import type { RecordSource, RecordWalk } from './record-walk.ts';

/** Some ten megabytes. */
const MOST_COMMITS = 100_000;
const RECORDS_BETWEEN_LOOKS = 1024;

export interface FoundCommit {
  firstEventNumber: number;
  /** Of the commit record. */
  position: number;
}

export class CommitSearch {
  readonly #source: RecordSource;
  readonly #control: OperationControl;
  readonly #mostCommits: number;
  /** By transaction position, of the commits in [from, to). */
  readonly #commits = new Map<number, FoundCommit>();
  #from = 0;
  #to = 0;
  #walk: RecordWalk | undefined;
  /** End of the last range that could not be read. */
  #holeEnd = -1;

  /** `source`: not the one whose walk is under way, if chunks are decoded into files. */
  constructor(source: RecordSource, control: OperationControl, mostCommits = MOST_COMMITS) {
    this.#source = source;
    this.#control = control;
    this.#mostCommits = mostCommits;
  }

  /** null: no commit follows. undefined: it may lie where nothing could be read. */
  async commitOf(member: {
    position: number;
    transactionPosition: number;
  }): Promise<FoundCommit | null | undefined> {
    const { position, transactionPosition } = member;
    if (!this.#walk || position < this.#from) this.#begin(position);
    const known = this.#commits.get(transactionPosition);
    if (known !== undefined) return known;
    const { end } = this.#source;
    for (let seen = 1; this.#to < end; seen++) {
      const walk = this.#walk!;
      const found = walk.next();
      if (found === 'end') this.#to = end;
      else if (found === 'chunk') await walk.enter();
      else if (found === 'skipped') this.#holeEnd = Math.max(this.#holeEnd, walk.skipped?.to ?? 0);
      else {
        const { record } = walk;
        this.#to = record.position;
        if (record.kind === 'commit') {
          // A view: the next record, or the search of the next member, moves it on.
          const { transactionPosition: committed, eventNumber, position: at } = record;
          const commit = { firstEventNumber: eventNumber, position: at };
          this.#keep(committed, commit);
          if (committed === transactionPosition) return commit;
        }
      }
      if (seen % RECORDS_BETWEEN_LOOKS === 0 && this.#control.isDue) await this.#control.breathe();
    }
    return this.#holeEnd > position ? undefined : null;
  }

  close(): void {
    this.#walk?.close();
    this.#walk = undefined;
  }

  #begin(position: number): void {
    this.close();
    this.#commits.clear();
    this.#from = position;
    this.#to = position;
    this.#holeEnd = -1;
    this.#walk = this.#source.walk({ from: position, to: this.#source.end });
  }

  #keep(transactionPosition: number, commit: FoundCommit): void {
    if (!this.#commits.has(transactionPosition)) this.#commits.set(transactionPosition, commit);
    if (this.#commits.size <= this.#mostCommits) return;
    this.#commits.clear();
    this.#from = this.#to;
  }
}

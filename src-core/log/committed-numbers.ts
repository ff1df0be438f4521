/**
 * Which event number the commit of an explicit transaction gives to a member. A member does not carry it: the commit
 * lies somewhere behind, and gives the first number; each member adds its offset in the transaction.
 *
 * Commits are looked for forward from the member, once for all members that are asked for in the order of the log: the
 * commits between are kept (the oldest go when there are many), so that a walk costs one more pass at most, however
 * many transactions are open. Never blames the log: where it cannot be read nothing is known.
 */
import { requireFaultBut } from '../errors.ts';
import type { LogRecord } from '../records/log-record.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../units/event-number.ts';
import type { LogReader } from './log-reader.ts';

/** Some ten megabytes. */
const MOST_COMMITS = 100_000;
const RECORDS_BETWEEN_LOOKS = 1024;

export interface CommittedNumbersParts {
  log: Pick<LogReader, 'cursor' | 'end'>;
  /** Called now and then; may pause, and ends the search by throwing. */
  breathe: () => Promise<void>;
  /** Bytes of the log behind a member that are searched at most; without it all of them. */
  mostBytes?: number;
  /** For tests. */
  mostCommits?: number;
}

/** What is taken from a member before the search, because a view moves on. */
export interface TransactionMember {
  position: number;
  transactionPosition: number;
  transactionOffset: number;
  isTombstone: boolean;
  hasData: boolean;
}

/** undefined for records that do not belong to an explicit transaction: they carry their number. */
export function memberOf(record: LogRecord): TransactionMember | undefined {
  if (record.kind !== 'prepare' || record.isSelfCommitted) return undefined;
  const { position, transactionPosition, transactionOffset, isTombstone, hasData } = record;
  return { position, transactionPosition, transactionOffset, isTombstone, hasData };
}

export class CommittedNumbers {
  readonly #parts: CommittedNumbersParts;
  /** First numbers by transaction position, of commits in [from, to). */
  readonly #commits = new Map<number, number>();
  #from = 0;
  #to = 0;

  constructor(parts: CommittedNumbersParts) {
    this.#parts = parts;
  }

  /**
   * The event number; null when no commit follows; undefined when there is none to give: the begin or end of a
   * transaction without data is no event, and a search may end before the commit.
   */
  async of(member: TransactionMember): Promise<number | null | undefined> {
    const { position, transactionPosition, transactionOffset, isTombstone, hasData } = member;
    const first = await this.#firstNumber(position, transactionPosition);
    if (typeof first !== 'number') return first;
    if (isTombstone) return DELETED_STREAM_EVENT_NUMBER;
    return hasData ? first + transactionOffset : undefined;
  }

  async #firstNumber(position: number, transactionPosition: number): Promise<number | null | undefined> {
    if (position < this.#from || position > this.#to) {
      this.#commits.clear();
      this.#from = position;
      this.#to = position;
    }
    const known = this.#commits.get(transactionPosition);
    if (known !== undefined) return known;
    const { log, breathe, mostBytes = Infinity, mostCommits = MOST_COMMITS } = this.#parts;
    const end = Math.min(log.end, position + mostBytes);
    if (this.#to >= end) return end === log.end ? null : undefined;
    const records = log.cursor(this.#to, end);
    try {
      for (let seen = 1; records.next(); seen++) {
        const { record } = records;
        // The next search begins with the record behind this one; to see this one again does no harm.
        this.#to = record.position;
        if (record.kind === 'commit') {
          this.#keep(record.transactionPosition, record.eventNumber, mostCommits);
          if (record.transactionPosition === transactionPosition) return record.eventNumber;
        }
        if (seen % RECORDS_BETWEEN_LOOKS === 0) await breathe();
      }
    } catch (error) {
      requireFaultBut(error, 'AssertionFailed');
      return undefined;
    } finally {
      records.close();
    }
    this.#to = end;
    return end === log.end ? null : undefined;
  }

  /** What is dropped is looked up again when it is needed. */
  #keep(transactionPosition: number, firstNumber: number, most: number): void {
    if (!this.#commits.has(transactionPosition)) this.#commits.set(transactionPosition, firstNumber);
    if (this.#commits.size <= most) return;
    this.#commits.clear();
    this.#from = this.#to;
  }
}

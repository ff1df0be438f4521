/**
 * Which entries the log gives, by the rules the server follows when it fills its index:
 *
 *   - A prepare that commits itself counts where it stands, with the pair (position, position).
 *   - Prepares of an explicit transaction count when their commit is met, with the pair (commit, prepare). They may
 *     lie before the place where reading began.
 *   - Only prepares with data or the mark of a deletion count; system records never do.
 *   - An entry is new when its pair is above the given check points, commit compared first.
 *
 * Shown record after record, it hands each new entry to a sink and keeps nothing but open transactions, and of
 * those no more than MAX_REMEMBERED prepares: released ones are read from the log again at their commit.
 */
import type { AtNumber, AtPosition } from '../units/of-unit.ts';
import { PrepareFlag } from '../records/log-record.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../units/event-number.ts';
import type { IndexedRecord, RecordLog } from './record-source.ts';
import { hashStreamOf, type StreamHash, type StreamHasher } from './stream-hash.ts';

/** Some ten megabytes. A transaction stays open for seconds, so a log with more of them open is a strange one. */
const MAX_REMEMBERED = 100_000;

/** Takes entries as they come: in the order of their commits. */
export interface EntrySink {
  add(hashHigh: number, hashLow: number, number: AtNumber, position: AtPosition): void;
}

/** False: records of the stream make no entry. `named`: where its name begins; `hash`: of the name. */
export type AskedStreams = (named: Pick<IndexedRecord, 'bytes' | 'streamStart'>, hash: StreamHash) => boolean;

export interface LogEntriesParts {
  log: Pick<RecordLog, 'cursor' | 'heads'>;
  hasher: StreamHasher;
  /** Line 3 of an index map; -1 and -1: everything is new. */
  prepareCheckpoint: number;
  commitCheckpoint: number;
  sink: EntrySink;
  only?: AskedStreams | undefined;
  /** For tests. */
  maxRemembered?: number;
}

/** An uncommitted explicit transaction: what its commit will put into the index. */
class OpenTransaction {
  readonly hashHigh: number[] = [];
  readonly hashLow: number[] = [];
  readonly offset: number[] = [];
  readonly position: number[] = [];
  readonly isTombstone: boolean[] = [];
  /** After its end record nothing belongs to it any more. */
  isEnded = false;

  /** Gives whether the record makes an entry. */
  add(record: IndexedRecord, { hasher, only }: LogEntriesParts, hash: StreamHash): boolean {
    let isEntry = record.hasData || record.isTombstone;
    if (isEntry) {
      hashStreamOf(record, hasher, hash);
      isEntry = only === undefined || only(record, hash);
    }
    if (isEntry) {
      this.hashHigh.push(hash.high);
      this.hashLow.push(hash.low);
      this.offset.push(record.transactionOffset);
      this.position.push(record.position);
      this.isTombstone.push(record.isTombstone);
    }
    this.isEnded = (record.flags & PrepareFlag.transactionEnd) !== 0;
    return isEntry;
  }
}

export class LogEntries {
  readonly #parts: LogEntriesParts;
  readonly #hash: StreamHash = { high: 0, low: 0 };
  /** By transaction position. Spares a second walk over the log for each commit. */
  readonly #open = new Map<number, OpenTransaction>();
  readonly #maxRemembered: number;
  #remembered = 0;
  #lastPrepare: number;
  #lastCommit: number;

  constructor(parts: LogEntriesParts) {
    this.#parts = parts;
    this.#maxRemembered = parts.maxRemembered ?? MAX_REMEMBERED;
    this.#lastPrepare = parts.prepareCheckpoint;
    this.#lastCommit = parts.commitCheckpoint;
  }

  /** The pair of the last entry: the check points of an index that holds all entries so far. */
  get checkpoints(): { prepareCheckpoint: number; commitCheckpoint: number } {
    return { prepareCheckpoint: this.#lastPrepare, commitCheckpoint: this.#lastCommit };
  }

  /** Takes the next record of the log. The view may move on afterwards. */
  see(record: IndexedRecord): void {
    if (record.kind === 'system') return;
    if (record.kind === 'commit')
      this.#commit(record.position, record.transactionPosition, record.eventNumber);
    else if (!record.isSelfCommitted) this.#remember(record);
    else if (record.hasData || record.isTombstone) {
      const { position } = record;
      const { hasher, only } = this.#parts;
      const { high, low } = hashStreamOf(record, hasher, this.#hash);
      if (only !== undefined && !only(record, this.#hash)) return;
      this.#addIfNew(high, low, record.eventNumber, position, position);
    }
  }

  #addIfNew(high: number, low: number, number: AtNumber, position: AtPosition, commitPosition: number): void {
    const { commitCheckpoint, prepareCheckpoint } = this.#parts;
    const isNew =
      commitPosition > commitCheckpoint ||
      (commitPosition === commitCheckpoint && position > prepareCheckpoint);
    if (!isNew) return;
    this.#lastCommit = commitPosition;
    this.#lastPrepare = position;
    this.#parts.sink.add(high, low, number, position);
  }

  #remember(record: IndexedRecord): void {
    const { transactionPosition } = record;
    let open = this.#open.get(transactionPosition);
    if (!open) {
      // Its beginning is before the place where reading began, or was released: the commit reads it from there.
      if (record.position !== transactionPosition) return;
      open = new OpenTransaction();
      this.#open.set(transactionPosition, open);
    }
    if (open.isEnded || !open.add(record, this.#parts, this.#hash)) return;
    if (++this.#remembered <= this.#maxRemembered) return;
    this.#open.clear();
    this.#remembered = 0;
  }

  #commit(commitPosition: number, transactionPosition: number, firstEventNumber: number): void {
    const remembered = this.#open.get(transactionPosition);
    const open = remembered ?? this.#readTransaction(transactionPosition, commitPosition);
    if (remembered) {
      this.#open.delete(transactionPosition);
      this.#remembered -= remembered.position.length;
    }
    for (let i = 0; i < open.position.length; i++) {
      const number = open.isTombstone[i]! ? DELETED_STREAM_EVENT_NUMBER : firstEventNumber + open.offset[i]!;
      this.#addIfNew(open.hashHigh[i]!, open.hashLow[i]!, number, open.position[i]!, commitPosition);
    }
  }

  /** The prepares of a transaction that is not remembered. */
  #readTransaction(from: number, commitPosition: number): OpenTransaction {
    const { log } = this.#parts;
    const records = log.heads ? log.heads(from, commitPosition) : log.cursor(from, commitPosition);
    const found = new OpenTransaction();
    try {
      while (!found.isEnded && records.next()) {
        const { record } = records;
        if (record.kind !== 'prepare' || record.transactionPosition !== from) continue;
        found.add(record, this.#parts, this.#hash);
      }
    } finally {
      records.close();
    }
    return found;
  }
}

/**
 * Finds in the log the entries that the tables do not hold yet, by the rules the server follows at its start:
 *
 *   - A prepare that commits itself counts where it stands, with the pair (position, position).
 *   - Prepares of an explicit transaction count when their commit is met, with the pair (commit, prepare). They may
 *     lie before the place where reading began.
 *   - Only prepares with data or the mark of a deletion count; system records never do.
 *   - An entry is new when its pair is above the map's check points, commit compared first.
 *
 * Reading begins at the commit check point and includes the record there.
 */
import { PrepareFlag } from '../records/log-record.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../units/event-number.ts';
import type { RecentEntries } from './recent-entries.ts';
import { RecentEntriesBuilder } from './recent-entries.ts';
import type { IndexedRecord, RecordLog } from './record-source.ts';
import { hashStreamOf, type StreamHash, type StreamHasher } from './stream-hash.ts';

/** Records between two pauses. */
const BREATHE_EVERY = 4096;

export interface ReadRecentEntries {
  log: Pick<RecordLog, 'cursor'>;
  /** Line 3 of the index map; -1 and -1 without one: the whole log. */
  prepareCheckpoint: number;
  commitCheckpoint: number;
  /** Where the log ends, exclusive. */
  end: number;
  hasher: StreamHasher;
  breathe?: () => Promise<void>;
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

  add(record: IndexedRecord, hasher: StreamHasher, hash: StreamHash): void {
    if (record.hasData || record.isTombstone) {
      hashStreamOf(record, hasher, hash);
      this.hashHigh.push(hash.high);
      this.hashLow.push(hash.low);
      this.offset.push(record.transactionOffset);
      this.position.push(record.position);
      this.isTombstone.push(record.isTombstone);
    }
    this.isEnded = (record.flags & PrepareFlag.transactionEnd) !== 0;
  }
}

export async function readRecentEntries(options: ReadRecentEntries): Promise<RecentEntries> {
  const reading = new Reading(options);
  const start = Math.max(0, options.commitCheckpoint);
  const records = options.log.cursor(start, options.end);
  let sinceBreath = 0;
  try {
    while (records.next()) {
      reading.see(records.record);
      if (++sinceBreath < BREATHE_EVERY) continue;
      sinceBreath = 0;
      await options.breathe?.();
    }
  } finally {
    records.close();
  }
  return reading.entries.build();
}

class Reading {
  readonly entries = new RecentEntriesBuilder();
  readonly #options: ReadRecentEntries;
  readonly #hash: StreamHash = { high: 0, low: 0 };
  /** By transaction position. Spares a second walk over the log for each commit. */
  readonly #open = new Map<number, OpenTransaction>();

  constructor(options: ReadRecentEntries) {
    this.#options = options;
  }

  see(record: IndexedRecord): void {
    if (record.kind === 'system') return;
    if (record.kind === 'commit')
      this.#commit(record.position, record.transactionPosition, record.eventNumber);
    else if (!record.isSelfCommitted) this.#remember(record);
    else if (record.hasData || record.isTombstone) {
      const { position } = record;
      const { high, low } = hashStreamOf(record, this.#options.hasher, this.#hash);
      this.#addIfNew(high, low, record.eventNumber, position, position);
    }
  }

  #addIfNew(high: number, low: number, number: number, position: number, commitPosition: number): void {
    const { commitCheckpoint, prepareCheckpoint } = this.#options;
    const isNew =
      commitPosition > commitCheckpoint ||
      (commitPosition === commitCheckpoint && position > prepareCheckpoint);
    if (isNew) this.entries.add(high, low, number, position);
  }

  #remember(record: IndexedRecord): void {
    const { transactionPosition } = record;
    let open = this.#open.get(transactionPosition);
    if (!open) {
      // Its beginning lies before the place where reading began: the commit will read it from there.
      if (record.position !== transactionPosition) return;
      open = new OpenTransaction();
      this.#open.set(transactionPosition, open);
    }
    if (!open.isEnded) open.add(record, this.#options.hasher, this.#hash);
  }

  #commit(commitPosition: number, transactionPosition: number, firstEventNumber: number): void {
    const open =
      this.#open.get(transactionPosition) ?? this.#readTransaction(transactionPosition, commitPosition);
    this.#open.delete(transactionPosition);
    for (let i = 0; i < open.position.length; i++) {
      const number = open.isTombstone[i]! ? DELETED_STREAM_EVENT_NUMBER : firstEventNumber + open.offset[i]!;
      this.#addIfNew(open.hashHigh[i]!, open.hashLow[i]!, number, open.position[i]!, commitPosition);
    }
  }

  /** The prepares of a transaction that began before the place where reading began. */
  #readTransaction(from: number, commitPosition: number): OpenTransaction {
    const records = this.#options.log.cursor(from, commitPosition);
    const found = new OpenTransaction();
    try {
      while (!found.isEnded && records.next()) {
        const { record } = records;
        if (record.kind !== 'prepare' || record.transactionPosition !== from) continue;
        found.add(record, this.#options.hasher, this.#hash);
      }
    } finally {
      records.close();
    }
    return found;
  }
}

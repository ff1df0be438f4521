/**
 * Reads from the log the entries that the tables do not hold yet (log-entries.ts has the rules), as the server does
 * at its start. Reading begins at the commit check point and includes the record there.
 */
import type { HashSieve } from './hash-sieve.ts';
import { LogEntries, type EntrySink } from './log-entries.ts';
import type { RecentEntries } from './recent-entries.ts';
import { RecentEntriesBuilder } from './recent-entries.ts';
import type { RecordLog, RecordSource } from './record-source.ts';
import type { StreamHasher } from './stream-hash.ts';

/** Records between two pauses. */
const BREATHE_EVERY = 4096;

/** What of the log is in no table. */
export interface RecentRange {
  /** Line 3 of the index map; -1 and -1 without one: the whole log. */
  prepareCheckpoint: number;
  commitCheckpoint: number;
  /** Where the log ends, exclusive. */
  end: number;
}

export interface ReadRecentEntries extends RecentRange {
  log: Pick<RecordLog, 'cursor' | 'heads'>;
  hasher: StreamHasher;
  breathe?: () => Promise<void>;
  /** Entries of other streams are left out, most of them. */
  only?: HashSieve | undefined;
}

export async function readRecentEntries(options: ReadRecentEntries): Promise<RecentEntries> {
  const reading = new Reading(options);
  try {
    while (reading.read(BREATHE_EVERY)) await options.breathe?.();
    return reading.entries.build();
  } finally {
    reading.close();
  }
}

/** The same without a pause: for a caller that cannot wait, of a range that it has bounded. */
export function readRecentEntriesAtOnce(options: Omit<ReadRecentEntries, 'breathe'>): RecentEntries {
  const reading = new Reading(options);
  try {
    reading.read(Number.POSITIVE_INFINITY);
    return reading.entries.build();
  } finally {
    reading.close();
  }
}

class Reading {
  readonly entries = new RecentEntriesBuilder();
  readonly #seen: LogEntries;
  readonly #records: RecordSource;

  constructor(options: ReadRecentEntries) {
    const { log, end, only } = options;
    const from = Math.max(0, options.commitCheckpoint);
    this.#seen = new LogEntries({ ...options, sink: only ? sieved(only, this.entries) : this.entries });
    this.#records = log.heads ? log.heads(from, end) : log.cursor(from, end);
  }

  /** At most so many records more. False: there are no more. */
  read(most: number): boolean {
    for (let count = 0; count < most; count++) {
      if (!this.#records.next()) return false;
      this.#seen.see(this.#records.record);
    }
    return true;
  }

  close(): void {
    this.#records.close();
  }
}

function sieved(only: HashSieve, entries: RecentEntriesBuilder): EntrySink {
  return {
    add(hashHigh, hashLow, number, position) {
      if (only.mayHold(hashHigh)) entries.add(hashHigh, hashLow, number, position);
    }
  };
}

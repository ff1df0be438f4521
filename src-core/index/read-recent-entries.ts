/**
 * Reads from the log the entries that the tables do not hold yet (log-entries.ts has the rules), as the server does
 * at its start. Reading begins at the commit check point and includes the record there.
 */
import { LogEntries, type AskedStreams } from './log-entries.ts';
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
  /** Where a record begins, behind the check points: entries before it are left out, except those of a transaction that ends behind it. */
  from?: number;
  breathe?: () => Promise<void>;
  /** For who asks about some streams: what the log alone knows of others is left out. */
  only?: AskedStreams | undefined;
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
    const { log, end } = options;
    const from = Math.max(0, options.commitCheckpoint, options.from ?? 0);
    this.#seen = new LogEntries({ ...options, sink: this.entries });
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

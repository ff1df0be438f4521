/**
 * Reads from the log the entries that the tables do not hold yet (log-entries.ts has the rules), as the server does
 * at its start. Reading begins at the commit check point and includes the record there.
 */
import { LogEntries } from './log-entries.ts';
import type { RecentEntries } from './recent-entries.ts';
import { RecentEntriesBuilder } from './recent-entries.ts';
import type { RecordLog } from './record-source.ts';
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
}

export async function readRecentEntries(options: ReadRecentEntries): Promise<RecentEntries> {
  const entries = new RecentEntriesBuilder();
  const reading = new LogEntries({ ...options, sink: entries });
  const { log, end } = options;
  const from = Math.max(0, options.commitCheckpoint);
  const records = log.heads ? log.heads(from, end) : log.cursor(from, end);
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
  return entries.build();
}

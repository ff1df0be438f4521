/** What follows the place of a planned truncation, or is in a hole: as far as files and index still show. */
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { requireFault } from '../errors.ts';
import { IndexDirectory } from '../index/index-directory.ts';
import { TableScan } from '../index/table-scan.ts';
import { SalvageLog } from './salvage-log.ts';

const MOST_STREAMS = 10;

export interface Loss {
  /** Log positions, half-open. */
  from: number;
  to: number;
  /** Records of the range that still read. */
  readableRecords: number;
  /** Streams of the readable ones, the first few. */
  streams: string[];
  moreStreams: number;
  /** Entries of the index that lead into the range: events that were there. */
  indexEntries: number;
}

export interface DescribeLoss {
  database: Database;
  from: number;
  to: number;
  control: OperationControl;
}

export async function describeLoss(options: DescribeLoss): Promise<Loss> {
  const { database, from, to, control } = options;
  const streams = new Set<string>();
  let readableRecords = 0;
  const log = new SalvageLog(database, { from, to });
  try {
    for (let found = log.next(); found !== 'end'; found = log.next()) {
      if (found !== 'record') continue;
      readableRecords++;
      if (log.record.kind === 'prepare') streams.add(log.record.stream);
      if (control.isDue) await control.breathe();
    }
  } finally {
    log.close();
  }
  return {
    from,
    to,
    readableRecords,
    streams: [...streams].slice(0, MOST_STREAMS),
    moreStreams: Math.max(0, streams.size - MOST_STREAMS),
    indexEntries: await countEntries(options)
  };
}

/** In a sentence. */
export function lossInWords({ from, to, readableRecords, streams, moreStreams, indexEntries }: Loss): string {
  const names = streams.map((name) => JSON.stringify(name)).join(', ');
  const more = moreStreams > 0 ? ` and ${moreStreams} more` : '';
  const readable =
    readableRecords === 0
      ? 'none of it is readable as records'
      : `${readableRecords} of its records are still readable${names === '' ? '' : ` (streams ${names}${more})`}`;
  const entries = indexEntries === 0 ? '' : `; ${indexEntries} index entries lead there`;
  return `positions ${from} to ${to}: ${readable}${entries}`;
}

async function countEntries({ database, from, to, control }: DescribeLoss): Promise<number> {
  const { fileSystem, indexDirectory } = database;
  const index = IndexDirectory.open({
    fileSystem,
    directory: indexDirectory,
    logEnd: Infinity,
    log: database.log
  });
  let count = 0;
  try {
    if (!index.isUsable) return 0;
    for (const table of index.tables) {
      const scan = new TableScan(table);
      while (scan.next()) {
        const { block } = scan;
        for (let i = 0; i < block.count; i++) {
          if (block.position[i]! >= from && block.position[i]! < to) count++;
        }
        if (control.isDue) await control.breathe();
      }
    }
    return count;
  } catch (error) {
    // A damaged table cannot say more.
    requireFault(error, 'IndexCorrupt');
    return count;
  } finally {
    index.close();
  }
}

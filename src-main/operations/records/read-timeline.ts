/**
 * When each chunk was written: the times of its first and last record. Two small reads per chunk, kept for files that
 * have not changed: a log may have thousands.
 */
import {
  ChunkReader,
  EngineError,
  LogRecord,
  ticksToIso,
  type Chunk,
  isFileGone
} from '../../../src-core/index.ts';
import { lookIntoDatabase } from '../database/database-access.ts';
import { keyOf } from '../database/engine-cache.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { ChunkTimes, TimelineReport } from '../../contract/operations/reading-reports.ts';

interface Known {
  stamp: string;
  times: ChunkTimes;
}

/** By database, then by first chunk number. */
const known = new Map<string, Map<number, Known>>();
const KEPT_DATABASES = 3;

export async function readTimeline(
  request: CheckedRequestOf<'readTimeline'>,
  context: OperationContext
): Promise<TimelineReport> {
  return lookIntoDatabase(request, context, async (database) => {
    const kept = keptFor(keyOf(database));
    const record = new LogRecord();
    const chunks: ChunkTimes[] = [];
    for (const chunk of database.log.chunks) {
      const stamp = `${chunk.fileName}:${chunk.fileSize}:${chunk.dataSize}`;
      let entry = kept.get(chunk.startNumber);
      if (entry?.stamp !== stamp) {
        entry = { stamp, times: timesOf(context, chunk, record) };
        kept.set(chunk.startNumber, entry);
      }
      chunks.push(entry.times);
      if (context.control.isDue) await context.control.breathe();
    }
    return { chunks };
  });
}

function keptFor(key: string): Map<number, Known> {
  const kept = known.get(key) ?? new Map<number, Known>();
  known.delete(key);
  known.set(key, kept);
  for (const oldest of known.keys()) {
    if (known.size <= KEPT_DATABASES) break;
    known.delete(oldest);
  }
  return kept;
}

function timesOf({ fileSystem }: OperationContext, chunk: Chunk, record: LogRecord): ChunkTimes {
  const none = { chunkStart: chunk.startNumber, first: null, last: null };
  if (chunk.dataSize === 0) return none;
  const reader = new ChunkReader(fileSystem, chunk);
  try {
    reader.readAtPhysical(0, record);
    const first = ticksToIso(record.ticks);
    reader.readEndingAt(chunk.dataSize, record);
    return { chunkStart: chunk.startNumber, first, last: ticksToIso(record.ticks) };
  } catch (error) {
    // A damaged or encrypted chunk has no times; verification reports the damage.
    if (error instanceof EngineError && !isFileGone(error)) return none;
    throw error;
  } finally {
    reader.close();
  }
}

/**
 * About how many index entries a log gives, from a few records of a few chunks: for the space that a rebuild needs,
 * and for its plan. Reads some megabytes, whatever the size of the log.
 */
import type { Database } from '../database/database.ts';

const MAX_CHUNKS = 16;
const RECORDS_OF_A_CHUNK = 2000;

export function estimateEntryCount({ log }: Database, end: number): number {
  const chunks = log.chunks.filter(({ startPosition, dataSize }) => startPosition < end && dataSize > 0);
  let bytes = 0;
  let entries = 0;
  const step = Math.max(1, Math.ceil(chunks.length / MAX_CHUNKS));
  for (let i = 0; i < chunks.length; i += step) {
    const { startPosition, endPosition } = chunks[i]!;
    const cursor = log.cursor(startPosition, Math.min(end, endPosition));
    for (let count = 0; count < RECORDS_OF_A_CHUNK && cursor.next(); count++) {
      const { record } = cursor;
      bytes += record.length + 8;
      if (record.hasData || record.isTombstone) entries++;
    }
    cursor.close();
  }
  if (bytes === 0) return 0;
  const total = chunks.reduce((sum, { startPosition, dataSize, isScavenged }) => {
    return sum + (isScavenged ? dataSize : Math.min(dataSize, end - startPosition));
  }, 0);
  return Math.round((entries / bytes) * total);
}

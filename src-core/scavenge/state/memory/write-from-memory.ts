/** A scavenge state that has outgrown memory, written to a file that is still empty. */
import { eventNumberToBigInt } from '../../../units/event-number.ts';
import type { OriginalStreamData, StreamLimits } from '../stream-data.ts';
import type { StateStorage, StateTables } from '../state-tables.ts';
import type { MemoryTables } from './memory-tables.ts';

/** Returns the tables of the file. */
export function writeFromMemory(
  from: MemoryTables,
  checkpointText: string | undefined,
  file: StateStorage
): StateTables {
  const to = file.openTables();
  file.begin();
  for (const handle of from.originals.handlesAfter(null)) {
    const data = from.originals.get(handle)!;
    to.originals.setMetadata(handle, limitsOf(data));
    if (data.isTombstoned) to.originals.setTombstone(handle);
    to.originals.setDiscardPoints(handle, data);
  }
  for (const handle of from.metastreams.handlesAfter(null)) {
    const { isTombstoned, discardPoint } = from.metastreams.get(handle)!;
    to.metastreams.setDiscardPoint(handle, discardPoint);
    if (isTombstoned) to.metastreams.setTombstone(handle);
  }
  from.weights.forEach((chunk, weight) => to.weights.add(chunk, weight));
  for (let chunk = 0; chunk <= from.timeRanges.lastChunk; chunk++) {
    const range = from.timeRanges.get(chunk);
    if (range) to.timeRanges.put(chunk, range.min, range.max);
  }
  for (const stream of from.collisions.all()) to.collisions.add(stream);
  from.hashUsers.forEach((high, low, name) => to.hashUsers.put(high, low, name));
  to.hashUsers.flush();
  if (checkpointText !== undefined) file.checkpointText = checkpointText;
  file.commit();
  return to;
}

function limitsOf({ maxAgeSeconds, maxCount, truncateBefore }: OriginalStreamData): StreamLimits {
  const orNull = (limit: number) => (limit < 0 ? null : eventNumberToBigInt(limit));
  return {
    maxAgeSeconds: orNull(maxAgeSeconds),
    maxCount: orNull(maxCount),
    truncateBefore: orNull(truncateBefore)
  };
}

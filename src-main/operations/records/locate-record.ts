/** The index of a record in its chunk, so that a list can scroll to it: the record at a position, or the next one. */
import { invalidRequest, type Chunk, type Database } from '../../../src-core/index.ts';
import { lookIntoDatabase } from '../database/database-access.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { chunkOffsets } from '../chunks/read-chunk-page.ts';
import type { RecordPlace } from '../../contract/operations/reading-reports.ts';

export async function locateRecord(
  request: CheckedRequestOf<'locateRecord'>,
  context: OperationContext
): Promise<RecordPlace> {
  return lookIntoDatabase(request, context, async (database) => {
    const { log } = database;
    const { position } = request;
    for (const chunk of log.chunks) {
      if (chunk.endPosition <= position) continue;
      const place = await placeIn(database, chunk, position, context);
      if (place) return place;
    }
    throw invalidRequest(
      `There is no record at or after ${position}; the log ends at ${log.end}.`,
      'position',
      `Name a position below ${log.end}.`
    );
  });
}

async function placeIn(
  database: Database,
  chunk: Chunk,
  position: number,
  context: OperationContext
): Promise<RecordPlace | undefined> {
  const physical = await chunkOffsets(database, chunk, context);
  const reader = database.log.readerOf(chunk);
  const wanted = reader.physicalOffsetAtOrAfter(Math.max(0, position - chunk.startPosition));
  const index = lowerBound(physical, wanted);
  const at = physical[index];
  if (at === undefined) return undefined;
  const found = chunk.isScavenged ? reader.map.logicalAt(index) : at;
  return { chunk: chunk.startNumber, index, position: chunk.startPosition + found };
}

/** Index of the first value that is not below the wanted one. */
function lowerBound(values: Int32Array, wanted: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

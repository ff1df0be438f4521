/** One page of a chunk's records, for a scrolled table. */
import { ChunkReader, LogRecord, type Chunk, type Database } from '../../../src-core/index.ts';
import { committedNumbers, PAGE_SEARCH_BYTES, withCommittedNumber } from '../streams/committed-number.ts';
import { lookIntoDatabase } from '../database/database-access.ts';
import { requestedChunk } from './describe-chunk.ts';
import { EngineCache, keyOf, stampOf } from '../database/engine-cache.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf, Page } from '../../contract/operations/operation-contract.ts';
import { recordRow } from '../records/record-row.ts';
import type { RecordRow } from '../../contract/operations/reports.ts';

const RECORDS_BETWEEN_LOOKS = 4096;
const KEPT_CHUNKS = 4;

/** Physical offsets of a chunk's records, so that a page in the middle needs no walk. */
const offsets = new EngineCache<Int32Array>(KEPT_CHUNKS);

export async function readChunkPage(
  request: CheckedRequestOf<'readChunkPage'>,
  context: OperationContext
): Promise<Page<RecordRow>> {
  return lookIntoDatabase(request, context, async (database) => {
    const chunk = requestedChunk(database, request.chunk);
    const all = await chunkOffsets(database, chunk, context);
    const reader = new ChunkReader(database.fileSystem, chunk);
    try {
      const record = new LogRecord();
      const rows: RecordRow[] = [];
      const numbers = committedNumbers(database, context, PAGE_SEARCH_BYTES);
      for (const physical of all.subarray(request.offset, request.offset + request.limit)) {
        reader.readAtPhysical(physical, record);
        const place = {
          chunk: Math.floor(record.position / database.log.chunkSizeBytes),
          fileOffset: chunk.dataStart + physical
        };
        rows.push(await withCommittedNumber(recordRow(record, place, 'none'), record, numbers));
      }
      return { rows, offset: request.offset, total: all.length };
    } finally {
      reader.close();
    }
  });
}

/** Physical offsets of the records of a chunk, in order. */
export function chunkOffsets(
  database: Database,
  chunk: Chunk,
  context: OperationContext
): Promise<Int32Array> {
  const key = `${keyOf(database)}\n${chunk.fileName}`;
  return offsets.get(key, stampOf(database), () => recordOffsets(database, chunk, context), context.control);
}

async function recordOffsets(
  database: Database,
  chunk: Chunk,
  { control }: OperationContext
): Promise<Int32Array> {
  const reader = new ChunkReader(database.fileSystem, chunk);
  try {
    if (chunk.isScavenged) return reader.map.physicalOffsets();
    const cursor = reader.cursor();
    let found = new Int32Array(RECORDS_BETWEEN_LOOKS);
    let count = 0;
    while (cursor.next()) {
      if (count === found.length) {
        const larger = new Int32Array(found.length * 2);
        larger.set(found);
        found = larger;
      }
      found[count] = cursor.physicalOffset;
      count += 1;
      if (count % RECORDS_BETWEEN_LOOKS === 0 && control.isDue) {
        control.report({
          phase: 'records',
          done: cursor.physicalOffset,
          total: chunk.dataSize,
          unit: 'bytes'
        });
        await control.breathe();
      }
    }
    return found.slice(0, count);
  } finally {
    reader.close();
  }
}

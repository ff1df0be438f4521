/**
 * Every physical chunk with the facts of its header and footer, the parts of the log without a readable file, and the
 * leftover files beside them.
 */
import { findingOfProblem, type Chunk, type LogGap } from '../../../src-core/index.ts';
import { computedWeights, storedWeights } from '../scavenge/chunk-weights.ts';
import { withDatabase } from '../database/database-access.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { ChunkRow, ChunksReport, LogGapRow } from '../../contract/operations/reports.ts';

export async function listChunks(
  request: CheckedRequestOf<'listChunks'>,
  context: OperationContext
): Promise<ChunksReport> {
  return withDatabase(request, context, async (database) => {
    const weights = request.computeWeights
      ? await computedWeights(request, context)
      : storedWeights(database);
    const { chunkSet } = database;
    return {
      chunks: chunkSet.chunks.map((chunk) => chunkRow(chunk, weights)),
      gaps: chunkSet.gaps.map((gap) => gapRow(gap, chunkSet.chunkSizeBytes)),
      superseded: chunkSet.superseded,
      leftovers: [...chunkSet.surplus, ...chunkSet.leftovers]
    };
  });
}

/** `weights` by logical chunk number; undefined if none are known. */
function chunkRow(chunk: Chunk, weights: ReadonlyMap<number, number> | undefined): ChunkRow {
  return {
    file: chunk.fileName,
    chunkStart: chunk.startNumber,
    chunkEnd: chunk.endNumber,
    version: chunk.fileVersion,
    formatVersion: chunk.header.version,
    isCompleted: chunk.isCompleted,
    isScavenged: chunk.isScavenged,
    logicalStart: chunk.startPosition,
    logicalEnd: chunk.endPosition,
    logicalDataSize: chunk.logicalDataSize,
    physicalDataSize: chunk.dataSize,
    fileSize: chunk.fileSize,
    mapEntries: chunk.mapEntries,
    md5: chunk.footer?.md5 ?? null,
    // The chunk being written is never scavenged: it has no weight.
    weight: weights === undefined || chunk.isActive ? null : weightOf(chunk, weights),
    isActive: chunk.isActive
  };
}

function gapRow({ startNumber, endNumber, state, problem }: LogGap, chunkSizeBytes: number): LogGapRow {
  return {
    chunkStart: startNumber,
    chunkEnd: endNumber,
    state,
    logicalStart: startNumber * chunkSizeBytes,
    logicalEnd: (endNumber + 1) * chunkSizeBytes,
    finding: findingOfProblem(problem)
  };
}

/** The weight of a merged file is the sum of its logical chunks' weights. */
function weightOf(chunk: Chunk, weights: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (let number = chunk.startNumber; number <= chunk.endNumber; number++) sum += weights.get(number) ?? 0;
  return sum;
}

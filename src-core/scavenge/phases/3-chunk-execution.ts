/**
 * Copies each physical chunk whose weight reaches the threshold without its discarded records, and switches the
 * copy in. Chunks are visited in order from the resume point while they begin before the scavenge point.
 *
 * Order that must hold: the file is switched in first, then the weight is reset, then the checkpoint moves on. A
 * run that is cut in between does the chunk again, which removes nothing.
 */
import { EngineError, logCorrupt } from '../../errors.ts';
import { ChunkReader } from '../../chunks/chunk-reader.ts';
import type { ChunkOutput } from '../chunk-output.ts';
import { reachesThreshold } from '../chunk-weights.ts';
import { KeptRecords } from '../kept-records.ts';
import type { RunControl } from '../run-control.ts';
import { chunkRangeText, type ScavengedChunk } from '../scavenged-chunk.ts';
import type { ScavengePoint } from '../scavenge-point.ts';
import type { ChunkDecision, ScavengeOutcome } from '../scavenge-result.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import { shouldDiscardRecord } from '../should-discard.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import type { StreamVerdicts } from '../stream-verdicts.ts';
import { TrailingCheckpoint } from '../trailing-checkpoint.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { FRAME_LENGTH } from '../../records/log-record.ts';

export interface ChunkExecutionParts {
  fileSystem: FileSystem;
  /** The physical chunks in order; replaced entries are written back. */
  chunks: ScavengedChunk[];
  state: ScavengeState;
  verdicts: StreamVerdicts;
  output: ChunkOutput;
  control: RunControl;
  outcome: ScavengeOutcome;
  point: ScavengePoint;
  ignoreHardDeletes: boolean;
  /** Replace a chunk even if the new file is not smaller. */
  alwaysKeepScavenged: boolean;
  trace?: ScavengeTrace | undefined;
}

/** `doneChunk`: the last logical chunk that is finished already, null for none. */
export async function runChunkExecution(parts: ChunkExecutionParts, doneChunk: number | null): Promise<void> {
  const { chunks, state, control, point, trace } = parts;
  const from = doneChunk === null ? 0 : doneChunk + 1;
  const isToVisit = (chunk: ScavengedChunk) =>
    chunk.endNumber >= from && chunk.startPosition < point.position;
  control.enter('chunkExecution', 'chunks', chunks.filter(isToVisit).length);
  if (parts.ignoreHardDeletes && !parts.alwaysKeepScavenged)
    await refuseHardDeletedLeftovers(parts, isToVisit);
  const trailing = new TrailingCheckpoint();
  for (let i = 0; i < chunks.length; i++) {
    const chunk = chunks[i]!;
    if (!isToVisit(chunk)) continue;
    requireCompleted(chunk);
    const { startNumber, endNumber } = chunk;
    const item = { checkpoint: endNumber, before: startNumber === 0 ? null : startNumber - 1 };
    trailing.start(item);
    trace?.entry?.({ kind: 'retain', first: startNumber, last: endNumber });
    chunks[i] = await executeChunk(parts, chunk);
    trailing.finish(item);
    const done = trailing.take();
    if (done !== undefined)
      state.setCheckpoint({ stage: 'executingChunks', scavengePoint: point, doneChunk: done });
    control.advance(1);
    await control.rest();
  }
}

function requireCompleted(chunk: ScavengedChunk): void {
  if (chunk.isCompleted) return;
  throw logCorrupt(
    `${chunk.fileName} lies before the scavenge point but is not completed, so it cannot be scavenged.`,
    { file: chunk.fileName, position: chunk.startPosition },
    'Write a new scavenge point ("--scavenge-point new"): that completes the chunk.'
  );
}

async function executeChunk(parts: ChunkExecutionParts, chunk: ScavengedChunk): Promise<ScavengedChunk> {
  const { state, output, control, outcome, point, trace } = parts;
  const { startNumber, endNumber } = chunk;
  const weight = state.weights.sum(startNumber, endNumber);
  const range = chunkRangeText(chunk);
  const add = (decision: ChunkDecision, after: ScavengedChunk, recordsDiscarded: number) => {
    outcome.chunks.push({
      chunkStart: startNumber,
      chunkEnd: endNumber,
      weight,
      decision,
      bytesBefore: chunk.fileSize,
      bytesAfter: after.fileSize,
      recordsDiscarded,
      ...(after === chunk || after.chunk === null ? {} : { newFile: after.fileName })
    });
    return after;
  };
  if (!reachesThreshold(weight, point.threshold) && !parts.ignoreHardDeletes) {
    control.log(
      `SCAVENGING: skipped physical chunk ${range} with weight ${weight}. The threshold is ${point.threshold}.`
    );
    return add('skipped', chunk, 0);
  }
  trace?.entry?.({ kind: 'rewrite', first: startNumber, last: endNumber });
  control.log(
    `SCAVENGING: started to scavenge physical chunk ${range} with weight ${weight}. The threshold is ${point.threshold}.`
  );
  const kept = await judgeRecords(parts, chunk);
  if (!parts.alwaysKeepScavenged && kept.fileSize(output.formatVersion) >= chunk.fileSize) {
    control.log(
      `SCAVENGING: kept physical chunk ${range} with weight ${weight}: the new file would not be smaller.`
    );
    if (kept.discardedCount > 0) outcome.warnings.push(keptLargerWarning(chunk, kept));
    return add('keptLarger', chunk, 0);
  }
  const replacement = await output.rewrite(chunk, kept);
  if (replacement.chunk) trace?.entry?.({ kind: 'switchIn', file: replacement.fileName });
  state.weights.reset(startNumber, endNumber);
  control.saved(chunk.fileSize - replacement.fileSize);
  return add(kept.count === 0 ? 'emptied' : 'rewritten', replacement, kept.discardedCount);
}

function keptLargerWarning(chunk: ScavengedChunk, kept: KeptRecords) {
  return {
    code: 'keptLarger',
    message:
      `${chunk.fileName} stays as it is with ${kept.discardedCount} deleted or expired records ` +
      `(${kept.discardedBytes} bytes), because the new file would not be smaller.`,
    remedy: 'Run with "--always-keep-scavenged" to remove them whatever the size.'
  };
}

/**
 * A run that ignores hard deletes takes a stream's tombstone away. Were an event of that stream left in a chunk
 * that is not replaced, it would come back to life, so the run is refused before it replaces anything.
 */
async function refuseHardDeletedLeftovers(
  parts: ChunkExecutionParts,
  isToVisit: (chunk: ScavengedChunk) => boolean
): Promise<void> {
  for (const chunk of parts.chunks) {
    if (!isToVisit(chunk) || !chunk.isCompleted) continue;
    const kept = await judgeRecords(parts, chunk);
    const isKeptLarger = kept.fileSize(parts.output.formatVersion) >= chunk.fileSize;
    if (!isKeptLarger || kept.hardDeletedCount === 0) continue;
    throw new EngineError({
      code: 'InvalidRequest',
      message:
        `${chunk.fileName} holds ${kept.hardDeletedCount} records of hard-deleted streams and would be kept, because ` +
        'its new file would not be smaller; without their tombstones those streams would come back.',
      remedy: 'Run again with "--always-keep-scavenged", or without "--unsafe-ignore-hard-deletes".',
      details: { file: chunk.fileName, field: 'alwaysKeepScavenged' }
    });
  }
}

/** Reads a chunk and decides on each of its records. */
export async function judgeRecords(
  parts: Pick<
    ChunkExecutionParts,
    'fileSystem' | 'verdicts' | 'control' | 'point' | 'ignoreHardDeletes' | 'trace'
  >,
  chunk: Pick<ScavengedChunk, 'chunk' | 'startPosition'>
): Promise<KeptRecords> {
  const { fileSystem, verdicts, control, point, ignoreHardDeletes, trace } = parts;
  const kept = new KeptRecords();
  const reader = new ChunkReader(fileSystem, chunk.chunk!);
  try {
    const cursor = reader.cursor();
    while (cursor.next()) {
      const { record } = cursor;
      const framedLength = record.length + FRAME_LENGTH;
      let isDiscarded = false;
      if (record.kind === 'prepare' && record.position < point.position) {
        if (trace?.executingRecordOf) {
          trace.executingRecordOf(record.stream);
          control.throwIfStopped();
        }
        const verdict = verdicts.ofRecord(record);
        isDiscarded = shouldDiscardRecord(record, verdict, ignoreHardDeletes);
        if (isDiscarded && verdict.isTombstoned) kept.hardDeletedCount++;
      }
      if (isDiscarded) kept.discard(framedLength);
      else kept.keep(record.position - chunk.startPosition, cursor.physicalOffset, framedLength);
      if (control.isDue()) await control.breathe();
    }
  } finally {
    reader.close();
  }
  return kept;
}

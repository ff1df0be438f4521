/**
 * Copies each physical chunk whose weight reaches the threshold without its discarded records, and switches the
 * copy in. Chunks are visited in order from the resume point while they begin before the scavenge point; several
 * may be prepared at once, one at a time is put in place.
 *
 * Order that must hold: the file is switched in first, then the weight is reset, then the checkpoint moves on, and
 * never past a chunk that is still in work. A run that is cut in between does a chunk again, which removes nothing.
 */
import { logCorrupt } from '../../errors.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import type { ChunkOutput } from '../chunk-output.ts';
import { DISCARD_WEIGHT, reachesThreshold } from '../chunk-weights.ts';
import { refuseKeptLeftovers } from '../hard-deleted-leftovers.ts';
import type { Judging } from '../judge-records.ts';
import type { PreparedRewrite } from '../prepare-rewrite.ts';
import type { RunControl } from '../run-control.ts';
import { chunkRangeText, type ScavengedChunk } from '../scavenged-chunk.ts';
import type { ScavengePoint } from '../scavenge-point.ts';
import type { ChunkDecision, ChunkOutcome, ScavengeOutcome, ScavengeWarning } from '../scavenge-result.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import type { StreamVerdicts } from '../stream-verdicts.ts';
import { TrailingCheckpoint } from '../trailing-checkpoint.ts';

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
  /** Chunks in work at once. */
  threads: number;
  trace?: ScavengeTrace | undefined;
}

/** `doneChunk`: the last logical chunk that is finished already, null for none. */
export async function runChunkExecution(parts: ChunkExecutionParts, doneChunk: number | null): Promise<void> {
  const { chunks, control, point } = parts;
  const from = doneChunk === null ? 0 : doneChunk + 1;
  const isToVisit = (chunk: ScavengedChunk) =>
    chunk.endNumber >= from && chunk.startPosition < point.position;
  const places = chunks.flatMap((chunk, place) => (isToVisit(chunk) ? [place] : []));
  control.enter('chunkExecution', 'chunks', places.length);
  if (parts.ignoreHardDeletes && !parts.alwaysKeepScavenged) {
    const visited = places.map((place) => chunks[place]!);
    await refuseKeptLeftovers(judgingOf(parts), visited, parts.output.formatVersion);
  }
  await new ChunkExecution(parts, places).run();
}

function judgingOf(parts: ChunkExecutionParts): Judging {
  const { fileSystem, verdicts, control, point, ignoreHardDeletes, trace } = parts;
  return { fileSystem, verdicts, control, pointPosition: point.position, ignoreHardDeletes, trace };
}

class ChunkExecution {
  readonly #parts: ChunkExecutionParts;
  readonly #judging: Judging;
  /** Places in the list of chunks, still to be visited. */
  readonly #waiting: number[];
  readonly #trailing = new TrailingCheckpoint();
  /** Rows by first chunk: workers finish in any order. */
  readonly #rows = new Map<number, ChunkOutcome>();
  readonly #warnings = new Map<number, ScavengeWarning>();
  #hasFailed = false;

  constructor(parts: ChunkExecutionParts, places: readonly number[]) {
    this.#parts = parts;
    this.#judging = judgingOf(parts);
    this.#waiting = [...places];
  }

  async run(): Promise<void> {
    const { threads, outcome } = this.#parts;
    // All are awaited even when one fails: a worker that went on behind our back would write into the directory.
    const ends = await Promise.allSettled(Array.from({ length: threads }, () => this.#work()));
    outcome.chunks.push(...inOrder(this.#rows));
    outcome.warnings.push(...inOrder(this.#warnings));
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure) throw failure.reason;
  }

  async #work(): Promise<void> {
    const { chunks, control, threads } = this.#parts;
    for (let place = this.#waiting.shift(); place !== undefined; place = this.#waiting.shift()) {
      try {
        await this.#visit(place, chunks[place]!);
        if (threads === 1) await control.rest();
        else await control.breathe();
      } catch (error) {
        this.#hasFailed = true;
        throw error;
      }
      if (this.#hasFailed) return;
    }
  }

  async #visit(place: number, chunk: ScavengedChunk): Promise<void> {
    const { chunks, state, control, point, trace } = this.#parts;
    requireCompleted(chunk);
    const { startNumber, endNumber } = chunk;
    const item = { checkpoint: endNumber, before: startNumber === 0 ? null : startNumber - 1 };
    this.#trailing.start(item);
    trace?.entry?.({ kind: 'retain', first: startNumber, last: endNumber });
    const after = await this.#execute(chunk);
    if (!after) return; // given up because of another worker's failure: not done, and holds the checkpoint back
    chunks[place] = after;
    this.#trailing.finish(item);
    const done = this.#trailing.take();
    if (done !== undefined) {
      state.setCheckpoint({ stage: 'executingChunks', scavengePoint: point, doneChunk: done });
    }
    control.advance(1);
  }

  async #execute(chunk: ScavengedChunk): Promise<ScavengedChunk | undefined> {
    const { state, output, control, point, ignoreHardDeletes, trace } = this.#parts;
    const { startNumber, endNumber } = chunk;
    const startMs = control.elapsedMs;
    const weight = state.weights.sum(startNumber, endNumber);
    const named = `physical chunk ${chunkRangeText(chunk)} with weight ${weight}`;
    const add = (decision: ChunkDecision, after: ScavengedChunk, recordsDiscarded: number) => {
      this.#addRow({ chunk, weight, decision, after, recordsDiscarded, startMs });
      return after;
    };
    if (!reachesThreshold(weight, point.threshold) && !ignoreHardDeletes) {
      control.log(`SCAVENGING: skipped ${named}. The threshold is ${point.threshold}.`);
      return add('skipped', chunk, 0);
    }
    trace?.entry?.({ kind: 'rewrite', first: startNumber, last: endNumber });
    control.log(`SCAVENGING: started to scavenge ${named}. The threshold is ${point.threshold}.`);
    const prepared = await output.prepare(chunk, this.#judging);
    if (!prepared.isReplacement) {
      control.log(`SCAVENGING: kept ${named}: the new file would not be smaller.`);
      if (prepared.discardedCount > 0) {
        this.#warnings.set(startNumber, keptLargerWarning(chunk, prepared));
        // What is left behind must be found again, and nothing that lets it go be forgotten meanwhile. After a lost
        // state only the records themselves still tell that they can go.
        if (weight === 0) state.weights.add(startNumber, DISCARD_WEIGHT * prepared.discardedCount);
      }
      return add('keptLarger', chunk, 0);
    }
    if (this.#hasFailed) {
      output.abandon(prepared);
      return undefined;
    }
    const replacement = output.switchIn(chunk, prepared);
    if (replacement.chunk) trace?.entry?.({ kind: 'switchIn', file: replacement.fileName });
    state.weights.reset(startNumber, endNumber);
    control.saved(chunk.fileSize - replacement.fileSize);
    return add(prepared.keptCount === 0 ? 'emptied' : 'rewritten', replacement, prepared.discardedCount);
  }

  #addRow(row: {
    chunk: ScavengedChunk;
    weight: number;
    decision: ChunkDecision;
    after: ScavengedChunk;
    recordsDiscarded: number;
    startMs: number;
  }): void {
    const { chunk, weight, decision, after, recordsDiscarded } = row;
    const { control, outcome } = this.#parts;
    const outcomeRow: ChunkOutcome = {
      chunkStart: chunk.startNumber,
      chunkEnd: chunk.endNumber,
      weight,
      decision,
      bytesBefore: chunk.fileSize,
      bytesAfter: after.fileSize,
      recordsDiscarded,
      ...(after === chunk || after.chunk === null ? {} : { newFile: after.fileName })
    };
    outcome.setElapsed(outcomeRow, control.elapsedMs - row.startMs);
    this.#rows.set(chunk.startNumber, outcomeRow);
  }
}

function inOrder<T>(byChunk: ReadonlyMap<number, T>): T[] {
  return [...byChunk].sort(([a], [b]) => a - b).map(([, value]) => value);
}

function requireCompleted(chunk: ScavengedChunk): void {
  if (chunk.isCompleted) return;
  throw logCorrupt(
    `${chunk.fileName} lies before the scavenge point but is not completed, so it cannot be scavenged.`,
    { file: chunk.fileName, position: chunk.startPosition },
    'Write a new scavenge point ("--scavenge-point new"): that completes the chunk.'
  );
}

function keptLargerWarning(chunk: ScavengedChunk, prepared: PreparedRewrite): ScavengeWarning {
  return {
    code: 'keptLarger',
    message:
      `${chunk.fileName} stays as it is with ${prepared.discardedCount} deleted or expired records ` +
      `(${prepared.discardedBytes} bytes), because the new file would not be smaller.`,
    remedy: 'Run with "--always-keep-scavenged" to remove them whatever the size.'
  };
}

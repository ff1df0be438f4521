/**
 * Copies each physical chunk whose weight reaches the threshold without its discarded records, and switches the
 * copy in. Chunks are visited in order from the resume point while they begin before the scavenge point; several
 * may be prepared at once, and sealed while the next ones are, one at a time is put in place.
 *
 * Order that must hold: the file is switched in first, then the weight is reset, then the checkpoint moves on, and
 * never past a chunk that is still in work. A run that is cut in between does a chunk again, which removes nothing.
 *
 * A rescue takes the chunks in its own order and leaves those for which there is no space; the checkpoint stays
 * before the first that is left.
 */
import type { ChunkDecision } from '../../units/scavenge-terms.ts';
import type { HeadSource } from '../../log/log-reader.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import type { ChunkOutput } from '../output/chunk-output.ts';
import { DISCARD_WEIGHT, reachesThreshold } from '../decisions/chunk-weights.ts';
import type { DiscardTally } from '../decisions/discard-tally.ts';
import { refuseKeptLeftovers } from '../decisions/hard-deleted-leftovers.ts';
import type { KeptJudgements } from '../decisions/kept-judgements.ts';
import type { Judging } from '../decisions/judge-records.ts';
import type { PreparedRewrite } from '../output/prepare-rewrite.ts';
import type { RescueBudget } from '../rescue/rescue-budget.ts';
import {
  countRecordsRoughly,
  estimateNewFileSize,
  RescueOrder,
  type RescueCandidate
} from '../rescue/rescue-order.ts';
import { noChunkFits, waitingWarning } from '../rescue/rescue-warnings.ts';
import type { RunControl } from '../run-control.ts';
import { chunkRangeText, type ScavengedChunk } from '../output/scavenged-chunk.ts';
import { ScatteredCheckpoint } from '../state/scattered-checkpoint.ts';
import { SealedBehind } from '../output/sealed-behind.ts';
import { openChunk } from '../points/open-chunk.ts';
import type { ScavengePoint } from '../points/scavenge-point.ts';
import type { ChunkOutcome, ScavengeOutcome, ScavengeWarning, VisitedChunk } from '../scavenge-result.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import type { StreamVerdicts } from '../decisions/stream-verdicts.ts';
import { TrailingCheckpoint, type TrailingItem } from '../state/trailing-checkpoint.ts';

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
  /** See Judging. */
  heads?: HeadSource | undefined;
  /** Of a plan: what earlier ones found of chunks that were judged by the same. */
  judged?: KeptJudgements | undefined;
  /** See Judging. */
  tally?: DiscardTally | undefined;
  /** Replace a chunk even if the new file is not smaller. */
  alwaysKeepScavenged: boolean;
  /** Chunks in work at once. */
  threads: number;
  /** Best chunks first, one at a time, within this room. */
  rescue?: RescueBudget | undefined;
  trace?: ScavengeTrace | undefined;
}

/**
 * `doneChunk`: the last logical chunk that is finished already, null for none. False when a rescue has left chunks
 * for which there was no room.
 */
export async function runChunkExecution(
  parts: ChunkExecutionParts,
  doneChunk: number | null
): Promise<boolean> {
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
  const execution = new ChunkExecution(parts, places);
  if (parts.rescue) return execution.rescue(parts.rescue);
  await execution.run();
  return true;
}

function judgingOf(parts: ChunkExecutionParts): Judging {
  const { fileSystem, verdicts, control, point, ignoreHardDeletes, heads, judged, tally, trace } = parts;
  const pointPosition = point.position;
  const wantsDiscards = tally !== undefined;
  const questions = { heads, judged, wantsDiscards, tally };
  return { fileSystem, verdicts, control, pointPosition, ignoreHardDeletes, ...questions, trace };
}

/** Where the checkpoint may be stored, in either order of work. */
interface DoneItems {
  start?(item: TrailingItem): void;
  finish(item: TrailingItem): void;
  take(): number | undefined;
}

/** Ends what was begun: nothing more of it is written or judged. */
type Finish = () => Promise<Execution>;

/** Either the chunk as it now is, or why it is not done. */
type Execution =
  | { kind: 'done'; after: ScavengedChunk }
  /** Another worker failed. */
  | { kind: 'givenUp' }
  | { kind: 'noRoom'; newFileSize: number };

class ChunkExecution {
  readonly #parts: ChunkExecutionParts;
  readonly #judging: Judging;
  /** Places in the list of chunks, still to be visited. */
  readonly #waiting: number[];
  readonly #count: number;
  readonly #done: DoneItems;
  /** Rows by first chunk: workers finish in any order. */
  readonly #rows = new Map<number, ChunkOutcome>();
  readonly #visited = new Map<number, VisitedChunk>();
  readonly #warnings = new Map<number, ScavengeWarning>();
  #hasFailed = false;

  constructor(parts: ChunkExecutionParts, places: readonly number[]) {
    this.#parts = parts;
    this.#judging = judgingOf(parts);
    this.#waiting = [...places];
    this.#count = places.length;
    this.#done = parts.rescue
      ? new ScatteredCheckpoint(places.map((place) => parts.chunks[place]!.endNumber))
      : new TrailingCheckpoint();
  }

  /** Best first. What reaches no threshold is only passed, at the end. False when some found no room. */
  async rescue(budget: RescueBudget): Promise<boolean> {
    const { chunks, control, outcome } = this.#parts;
    const toRewrite = this.#waiting.filter((place) => this.#isToRewrite(place));
    const order = new RescueOrder(toRewrite.map((place) => this.#candidateOf(place)));
    try {
      for (let next = order.take(budget.chunkRoom); next; next = order.take(budget.chunkRoom)) {
        const chunk = chunks[next.place]!;
        const finish = await this.#begin(next.place, chunk, budget.chunkRoom);
        const result = await finish();
        if (result.kind === 'noRoom') order.putBack(next, result.newFileSize);
        await control.rest();
      }
      for (const place of this.#waiting) {
        if (!this.#rows.has(chunks[place]!.startNumber)) await this.#pass(place, order);
      }
    } finally {
      outcome.chunksLeft = this.#count - this.#rows.size;
      outcome.chunks.push(...this.#rows.values());
      outcome.visited.push(...inOrder(this.#visited));
      outcome.warnings.push(...inOrder(this.#warnings));
    }
    if (order.waiting.length === 0) return true;
    const left = order.waiting.map((candidate) => ({
      fileName: chunks[candidate.place]!.fileName,
      newFileSize: candidate.newFileSize
    }));
    if (budget.freedBytes === 0) throw noChunkFits(left, budget.chunkRoom);
    outcome.warnings.push(waitingWarning(left, budget.chunkRoom));
    return false;
  }

  #isToRewrite(place: number): boolean {
    const { chunks, point, state } = this.#parts;
    const { startNumber, endNumber } = chunks[place]!;
    return reachesThreshold(state.weights.sum(startNumber, endNumber), point.threshold);
  }

  #candidateOf(place: number): RescueCandidate {
    const { fileSystem, chunks, state, output } = this.#parts;
    const chunk = chunks[place]!;
    requireCompleted(chunk);
    const { startNumber, endNumber, dataSize, fileSize } = chunk;
    const newFileSize = estimateNewFileSize({
      dataSize,
      recordCount: countRecordsRoughly(fileSystem, chunk),
      weight: state.weights.sum(startNumber, endNumber),
      formatVersion: output.formatVersion
    });
    return { place, startNumber, fileSize, newFileSize, isExact: false };
  }

  /** A chunk that stays as it is: too little weight, or no room. Only the first counts as done. */
  async #pass(place: number, order: RescueOrder): Promise<void> {
    const { chunks, state } = this.#parts;
    const chunk = chunks[place]!;
    if (!order.waiting.some((candidate) => candidate.place === place)) {
      const finish = await this.#begin(place, chunk, 0);
      await finish();
      return;
    }
    const weight = state.weights.sum(chunk.startNumber, chunk.endNumber);
    const startMs = this.#parts.control.elapsedMs;
    this.#addRow({ chunk, weight, decision: 'skipped', after: chunk, recordsDiscarded: 0, startMs });
  }

  async run(): Promise<void> {
    const { threads, outcome, output, chunks, ignoreHardDeletes } = this.#parts;
    const rewritten = this.#waiting.filter((place) => ignoreHardDeletes || this.#isToRewrite(place));
    output.expect(
      rewritten.map((place) => chunks[place]!),
      rewritten.length
    );
    try {
      await SealedBehind.run(output, (behind) => this.#workAll(threads, behind));
    } finally {
      outcome.chunksLeft = this.#count - this.#rows.size;
      outcome.chunks.push(...inOrder(this.#rows));
      outcome.visited.push(...inOrder(this.#visited));
      outcome.warnings.push(...inOrder(this.#warnings));
    }
  }

  /** All are awaited even when one fails: a worker that kept running unnoticed would write into the directory. */
  async #workAll(threads: number, behind: SealedBehind): Promise<void> {
    const ends = await Promise.allSettled(Array.from({ length: threads }, () => this.#work(behind)));
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure) throw failure.reason;
  }

  async #work(behind: SealedBehind): Promise<void> {
    const { chunks, control, threads } = this.#parts;
    for (let place = this.#waiting.shift(); place !== undefined; place = this.#waiting.shift()) {
      try {
        const finish = await this.#begin(place, chunks[place]!, Infinity);
        await behind.add(finish());
        if (threads === 1) await control.rest();
        else await control.breathe();
      } catch (error) {
        this.#hasFailed = true;
        throw error;
      }
      if (this.#hasFailed) return;
    }
  }

  /** Judges the chunk and writes its replacement, if it gets one. */
  async #begin(place: number, chunk: ScavengedChunk, roomBytes: number): Promise<Finish> {
    const { trace } = this.#parts;
    requireCompleted(chunk);
    const { startNumber, endNumber } = chunk;
    const item = { checkpoint: endNumber, before: startNumber === 0 ? null : startNumber - 1 };
    this.#done.start?.(item);
    trace?.entry?.({ kind: 'retain', first: startNumber, last: endNumber });
    const execute = await this.#execute(chunk, roomBytes);
    return async () => {
      try {
        const execution = await execute();
        if (execution.kind === 'done') this.#passed(place, item, execution.after);
        return execution; // what is not done holds the checkpoint back
      } catch (error) {
        this.#hasFailed = true;
        throw error;
      }
    };
  }

  #passed(place: number, item: TrailingItem, after: ScavengedChunk): void {
    const { chunks, state, control, point } = this.#parts;
    chunks[place] = after;
    this.#done.finish(item);
    const done = this.#done.take();
    if (done !== undefined) {
      state.setCheckpoint({ stage: 'executingChunks', scavengePoint: point, doneChunk: done });
    }
    control.advance(1);
  }

  async #execute(chunk: ScavengedChunk, roomBytes: number): Promise<Finish> {
    const { state, output, control, point, ignoreHardDeletes, trace } = this.#parts;
    const { startNumber, endNumber } = chunk;
    const startMs = control.elapsedMs;
    const weight = state.weights.sum(startNumber, endNumber);
    const named = `physical chunk ${chunkRangeText(chunk)} with weight ${weight}`;
    const add = (decision: ChunkDecision, after: ScavengedChunk, recordsDiscarded: number): Execution => {
      this.#addRow({ chunk, weight, decision, after, recordsDiscarded, startMs });
      return { kind: 'done', after };
    };
    const stays = (decision: ChunkDecision) => () => Promise.resolve(add(decision, chunk, 0));
    if (!reachesThreshold(weight, point.threshold) && !ignoreHardDeletes) {
      control.log(`SCAVENGING: skipped ${named}. The threshold is ${point.threshold}.`);
      return stays('skipped');
    }
    trace?.entry?.({ kind: 'rewrite', first: startNumber, last: endNumber });
    control.log(`SCAVENGING: started to scavenge ${named}. The threshold is ${point.threshold}.`);
    const prepared = await output.prepare(chunk, this.#judging, roomBytes);
    if (prepared.isTooLarge) {
      control.log(`SCAVENGING: left ${named}: the new file needs ${prepared.fileSize} bytes.`);
      return () => Promise.resolve({ kind: 'noRoom', newFileSize: prepared.fileSize });
    }
    if (!prepared.isReplacement) {
      control.log(`SCAVENGING: kept ${named}: the new file would not be smaller.`);
      if (prepared.discardedCount > 0) {
        this.#warnings.set(startNumber, keptLargerWarning(chunk, prepared));
        // What is left must be found again, and the state that discards it must be kept until then. After a lost
        // state only the records themselves still tell that they can go.
        if (weight === 0) state.weights.add(startNumber, DISCARD_WEIGHT * prepared.discardedCount);
      }
      return stays('keptLarger');
    }
    return async () => {
      await output.seal(prepared);
      if (this.#hasFailed) {
        output.abandon(prepared);
        return { kind: 'givenUp' };
      }
      const after = this.#replace(chunk, prepared);
      return add(prepared.keptCount === 0 ? 'emptied' : 'rewritten', after, prepared.discardedCount);
    };
  }

  #replace(chunk: ScavengedChunk, prepared: PreparedRewrite): ScavengedChunk {
    const { state, output, control, rescue, trace } = this.#parts;
    const replacement = output.switchIn(chunk, prepared);
    if (replacement.chunk) trace?.entry?.({ kind: 'switchIn', file: replacement.fileName });
    state.weights.reset(chunk.startNumber, chunk.endNumber);
    control.saved(chunk.fileSize - replacement.fileSize);
    rescue?.replacedChunk({ bytesBefore: chunk.fileSize, bytesAfter: replacement.fileSize });
    return replacement;
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
    this.#visited.set(chunk.startNumber, { chunk, after, weight });
  }
}

function inOrder<T>(byChunk: ReadonlyMap<number, T>): T[] {
  return [...byChunk].sort(([a], [b]) => a - b).map(([, value]) => value);
}

function requireCompleted(chunk: ScavengedChunk): void {
  if (!chunk.isCompleted) throw openChunk(chunk);
}

function keptLargerWarning(chunk: ScavengedChunk, prepared: PreparedRewrite): ScavengeWarning {
  return {
    code: 'keptLarger',
    message:
      `${chunk.fileName} stays as it is with ${prepared.discardedCount} deleted or expired records ` +
      `(${prepared.discardedBytes} bytes), because the new file would not be smaller.`,
    remedy:
      'To remove them as well, replace a chunk even if its copy is not smaller: the option "always keep scavenged".'
  };
}

/**
 * Watches a scavenge for a case: records its course in the words of the cases, and requests a stop at the
 * point that the case names.
 */
import {
  StreamStatus,
  type ScavengeCheckpoint,
  type ScavengeTrace,
  type StreamHandle,
  type StreamHasher,
  type TraceEntry
} from '../../src-core/index.ts';
import type { CaseHandle, CaseStep, CaseStopPoint } from './case-format.ts';

export const STATUS_NAMES = Object.fromEntries(
  Object.entries(StreamStatus).map(([name, value]) => [value, name])
) as Record<number, string>;

/** A handle as cases write it. */
export function caseHandle(handle: StreamHandle): CaseHandle {
  return handle.kind === 'hash' ? { hash: handle.high * 2 ** 32 + handle.low } : { stream: handle.stream };
}

/** A checkpoint as cases write it. */
export function caseCheckpoint(checkpoint: ScavengeCheckpoint): Record<string, unknown> {
  const { stage, scavengePoint } = checkpoint;
  const base = { stage, scavengePoint: scavengePoint.number };
  if (stage === 'accumulating' || stage === 'executingChunks') return { ...base, done: checkpoint.doneChunk };
  if (stage !== 'calculating') return base;
  return { ...base, done: checkpoint.doneStream && caseHandle(checkpoint.doneStream) };
}

function traceLine(entry: TraceEntry): Record<string, unknown> {
  switch (entry.kind) {
    case 'start': {
      const previous = entry.previous === undefined ? {} : { previous: entry.previous };
      return { start: entry.phase, scavengePoint: entry.scavengePoint, ...previous };
    }
    case 'resume':
      return { resume: entry.phase, from: caseCheckpoint(entry.from) };
    case 'end':
    case 'aborted':
      return { [entry.kind]: entry.phase };
    case 'accumulateChunk':
      return { accumulateChunk: entry.chunk };
    case 'checkpoint':
      return { checkpoint: caseCheckpoint(entry.checkpoint) };
    case 'rollback':
      return { rollback: true };
    case 'setDiscardPoints':
      return {
        setDiscardPoints: caseHandle(entry.stream),
        status: STATUS_NAMES[entry.status],
        discardBefore: entry.discardPoint,
        maybeDiscardBefore: entry.maybeDiscardPoint
      };
    case 'retain':
    case 'rewrite':
      return { [entry.kind]: [entry.first, entry.last] };
    case 'switchIn':
      return { switchIn: entry.file };
  }
}

export class CaseTrace implements ScavengeTrace {
  readonly lines: Record<string, unknown>[] = [];
  /** Points that were passed but must not be. */
  readonly passed: string[] = [];
  readonly #hasher: StreamHasher;
  readonly #step: CaseStep;
  readonly #stop: () => void;

  constructor(step: CaseStep, hasher: StreamHasher, stop: () => void) {
    this.#step = step;
    this.#hasher = hasher;
    this.#stop = stop;
  }

  entry(entry: TraceEntry): void {
    this.lines.push(traceLine(entry));
  }

  accumulatingMetadataOf(stream: string): void {
    this.#reach('accumulatingMetadataOf', (point) => point.stream === stream);
  }

  calculatingStream(handle: StreamHandle): void {
    this.#reach('calculatingStream', ({ stream = '' }) =>
      handle.kind === 'id' ? handle.stream === stream : handle.low === this.#hasher(stream).low
    );
  }

  executingRecordOf(stream: string): void {
    this.#reach('executingRecordOf', (point) => point.stream === stream);
  }

  executingIndexEntryOf(_high: number, low: number): void {
    this.#reach('executingIndexEntryOf', ({ stream = '' }) => this.#hasher(stream).low === low);
  }

  checkpointing(checkpoint: ScavengeCheckpoint): void {
    this.#reach('checkpointing', ({ stage }) => checkpoint.stage === stage);
  }

  #reach(at: string, isMeant: (point: CaseStopPoint) => boolean): void {
    const { stopWhen, mustNotHappen } = this.#step;
    if (stopWhen?.at === at && isMeant(stopWhen)) this.#stop();
    for (const point of mustNotHappen ?? []) {
      if (point.at === at && isMeant(point)) this.passed.push(`${at} ${point.stream ?? point.stage ?? ''}`);
    }
  }
}

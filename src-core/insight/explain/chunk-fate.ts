/**
 * What the planned scavenge does with a physical chunk, and why. Asked of the scavenger's own weights, threshold and
 * judgement of records; each chunk is judged at most once.
 */
import type { ChunkWeight, Threshold } from '../../units/of-unit.ts';
import type { Chunk } from '../../chunks/chunk.ts';
import { reachesThreshold } from '../../scavenge/decisions/chunk-weights.ts';
import { judgeRecords } from '../../scavenge/decisions/judge-records.ts';
import { KeptRecords } from '../../scavenge/decisions/kept-records.ts';
import type { PlannedScavenge } from './planned-scavenge.ts';

export type ChunkFateKind =
  | 'rewritten'
  /** Its weight does not reach the threshold. */
  | 'belowThreshold'
  /** The new file would not be smaller. */
  | 'keptLarger'
  /** The resumed scavenge has been here before it was stopped. */
  | 'passed'
  /** Still written to. */
  | 'active'
  /** No part of it lies before the scavenge point. */
  | 'behindPoint';

export type ChunkFate = {
  chunk: Chunk;
  weight: ChunkWeight;
  /** Of the scavenge point. */
  threshold: Threshold;
} & (
  | { kind: Exclude<ChunkFateKind, 'keptLarger'>; sizes?: ChunkSizes }
  // Its sizes are the reason.
  | { kind: 'keptLarger'; sizes: ChunkSizes }
);

/** Old and new size of a chunk that was measured. */
export interface ChunkSizes {
  before: number;
  after: number;
}

export class ChunkFates {
  readonly #planned: PlannedScavenge;
  readonly #known = new Map<Chunk, ChunkFate>();

  constructor(planned: PlannedScavenge) {
    this.#planned = planned;
  }

  async of(chunk: Chunk): Promise<ChunkFate> {
    let fate = this.#known.get(chunk);
    if (!fate) this.#known.set(chunk, (fate = await this.#find(chunk)));
    return fate;
  }

  async #find(chunk: Chunk): Promise<ChunkFate> {
    const { decisions, request } = this.#planned;
    const isActive = chunk.isActive || !chunk.isCompleted;
    if (!decisions || chunk.startPosition >= decisions.point.position) {
      const threshold = decisions?.point.threshold ?? request.threshold;
      return { kind: isActive ? 'active' : 'behindPoint', chunk, weight: 0, threshold };
    }
    const { state, point, judging, formatVersion, passedChunk } = decisions;
    const { threshold } = point;
    const weight = state.weights.sum(chunk.startNumber, chunk.endNumber);
    const known = { chunk, weight, threshold };
    if (isActive) return { kind: 'active', ...known };
    if (chunk.endNumber <= passedChunk) return { kind: 'passed', ...known };
    if (!reachesThreshold(weight, threshold) && !judging.ignoreHardDeletes) {
      return { kind: 'belowThreshold', ...known };
    }
    if (request.alwaysKeepScavenged) return { kind: 'rewritten', ...known };
    const judged = judging.judged?.of(chunk);
    const kept = judged ? KeptRecords.counted(judged) : await judgeRecords(judging, chunk);
    const sizes = { before: chunk.fileSize, after: kept.fileSize(formatVersion) };
    return { kind: sizes.after < sizes.before ? 'rewritten' : 'keptLarger', ...known, sizes };
  }
}

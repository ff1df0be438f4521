/**
 * How far a run is as a whole, and what has become of its chunks. What each phase weighs comes from the plan: the bytes that it
 * reads and writes. Without a plan only the phase itself is known.
 */
import { SCAVENGE_PHASES, type ScavengePhase } from '../../../src-core/units/scavenge-terms.ts';
import type { ScavengeReport, WorkSnapshot } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { progressShare } from '../../format/progress.ts';

/** Decisions about streams read the index only; a part of what reading the log takes. */
const CALCULATION_PART = 0.15;
/** Of the whole, for the phases that move no bytes worth naming. */
const LEAST_PART = 0.005;
/** Before so much is done, time that is left cannot be told. */
const LEAST_TOLD = 0.03;

export interface WholeProgress {
  share: number;
  /** null: too early to tell. */
  remainingMs: number | null;
}

export function wholeProgress(work: WorkSnapshot, plan: ScavengeReport, nowMs: number): WholeProgress {
  const weights = phaseWeights(plan);
  const total = SCAVENGE_PHASES.reduce((sum, phase) => sum + weights[phase], 0);
  const at = SCAVENGE_PHASES.findIndex((phase) => phase === work.progress?.phase);
  if (at < 0) return { share: 0, remainingMs: null };
  const before = SCAVENGE_PHASES.slice(0, at).reduce((sum, phase) => sum + weights[phase], 0);
  const share = (before + weights[SCAVENGE_PHASES[at]!] * progressShare(work.progress)) / total;
  const elapsedMs = nowMs - work.startedMs;
  if (share < LEAST_TOLD) return { share, remainingMs: null };
  // A run that was slowed down in this phase is not over before the phase is.
  const remainingMs = Math.max((elapsedMs / share) * (1 - share), work.remainingMs ?? 0);
  return { share, remainingMs };
}

function phaseWeights({ chunks, tables, bytesBefore }: ScavengeReport): Record<ScavengePhase, number> {
  const moved = (of: (decision: string) => boolean): number =>
    chunks
      .filter(({ decision }) => of(decision))
      .reduce((sum, chunk) => sum + chunk.bytesBefore + chunk.bytesAfter, 0);
  const least = LEAST_PART * Math.max(1, bytesBefore);
  return {
    beginning: least,
    accumulation: bytesBefore + least,
    calculation: CALCULATION_PART * bytesBefore + least,
    chunkExecution: moved((decision) => decision !== 'skipped' && decision !== 'merged') + least,
    chunkMerging: moved((decision) => decision === 'merged') + least,
    indexExecution: tables.reduce((sum, table) => sum + table.bytesBefore + table.bytesAfter, 0) + least,
    cleaning: least
  };
}

export type SquareState = 'done' | 'current' | 'ahead' | 'stays';

export interface ChunkSquare {
  chunkStart: number;
  chunkEnd: number;
  state: SquareState;
}

/** More squares than this are too small to be told apart: several chunks share one. */
const MOST_SQUARES = 1500;

/** The chunks of the plan in the order of the work; those that are done have turned. */
export function chunkSquares({ chunks }: ScavengeReport, work: WorkSnapshot): ChunkSquare[] {
  const visited = chunks.filter(({ decision }) => decision !== 'merged');
  const done = doneChunks(work, visited.length);
  const isIn = work.progress?.phase === 'chunkExecution' && work.endedMs === null;
  const squares = visited.map(({ chunkStart, chunkEnd, decision }, index): ChunkSquare => {
    const stays = decision === 'skipped' || decision === 'keptLarger';
    const state = stays ? 'stays' : index < done ? 'done' : index === done && isIn ? 'current' : 'ahead';
    return { chunkStart, chunkEnd, state };
  });
  const each = Math.ceil(squares.length / MOST_SQUARES);
  if (each <= 1) return squares;
  return Array.from({ length: Math.ceil(squares.length / each) }, (_, at) =>
    joined(squares.slice(at * each, (at + 1) * each))
  );
}

function doneChunks({ progress }: WorkSnapshot, count: number): number {
  const at = SCAVENGE_PHASES.findIndex((phase) => phase === progress?.phase);
  const execution = SCAVENGE_PHASES.indexOf('chunkExecution');
  if (at < execution) return 0;
  if (at > execution) return count;
  // A run that resumes another counts only what was left to it.
  const left = (progress?.total ?? count) - Math.floor(progress?.done ?? 0);
  return Math.max(0, count - left);
}

const LEADING: readonly SquareState[] = ['current', 'ahead', 'done', 'stays'];

function joined(squares: readonly ChunkSquare[]): ChunkSquare {
  const state = LEADING.find((one) => squares.some((square) => square.state === one)) ?? 'stays';
  return { chunkStart: squares[0]!.chunkStart, chunkEnd: squares.at(-1)!.chunkEnd, state };
}

/**
 * The parts of a log that no file of its directory can serve: chunks whose file is missing, and files that cannot be
 * read as the chunk they are named after. Pure; the faults themselves are found by `readChunkSet`.
 */
import type { LogProblem } from './log-problem.ts';

export interface LogGap {
  /** Logical chunk numbers; both included. */
  startNumber: number;
  endNumber: number;
  /** No file at all, or one whose header or footer cannot be used. */
  state: 'missing' | 'unreadable';
  problem: LogProblem;
}

export interface UnreadableFile {
  file: string;
  startNumber: number;
  /** As its header says; the same number where that tells nothing. */
  endNumber: number;
}

interface GapParts {
  unreadable: readonly UnreadableFile[];
  absent: readonly LogGap[];
  problems: readonly LogProblem[];
  /** The chunk that holds the end of the log: what lies behind it has no place in the log. */
  lastNumber: number;
}

/** In the order of the log. */
export function gapsOf({ unreadable, absent, problems, lastNumber }: GapParts): LogGap[] {
  const gaps = [...absent];
  for (const { file, startNumber, endNumber } of unreadable) {
    const problem = problems.find((one) => one.file === file && one.severity === 'damage');
    if (!problem || startNumber > lastNumber) continue;
    gaps.push({ startNumber, endNumber, state: 'unreadable', problem });
  }
  return gaps.sort((a, b) => a.startNumber - b.startNumber);
}

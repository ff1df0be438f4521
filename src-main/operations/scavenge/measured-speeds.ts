/** How fast scavenges of a database went, by their number of threads. What was not measured is not there. */
import path from 'node:path';
import type { Speed } from '../../../src-core/index.ts';
import { ScavengePaces, type MeasuredRun } from '../../settings/scavenge-paces.ts';

/** A phase that took less tells nothing by itself. */
const LEAST_MS = 1000;

interface Place {
  winnowHome?: string | undefined;
  dataDirectory: string;
}

/** Runs that were measured, whatever they tell. */
export function measuredRuns({ winnowHome, dataDirectory }: Place): MeasuredRun[] {
  if (winnowHome === undefined) return [];
  return new ScavengePaces(path.resolve(winnowHome), path.resolve(dataDirectory)).runs;
}

/**
 * Without a throttle, by threads, ascending. Reading is done by one thread whatever their number, so all runs tell of
 * it. Runs with a limit of bytes tell nothing.
 */
export function speedsOf(runs: readonly MeasuredRun[]): Speed[] {
  const free = runs.filter(({ isLimited }) => !isLimited);
  const readPerMs = perMs(sumOf(free, 'readBytes'), sumOf(free, 'readMs'));
  return [...Map.groupBy(free, ({ threads }) => threads)]
    .flatMap(([threads, alike]): Speed[] => {
      const whole = wholePerMs(alike);
      // How fast chunks are replaced by several threads, no other part of the run tells.
      const workPerMs =
        perMs(sumOf(alike, 'workBytes'), sumOf(alike, 'workMs')) ?? (threads === 1 ? whole : undefined);
      const reading = readPerMs ?? whole;
      return workPerMs === undefined || reading === undefined
        ? []
        : [{ threads, readPerMs: reading, workPerMs }];
    })
    .toSorted((a, b) => a.threads - b.threads);
}

/**
 * The longest of what runs took before their work, and of those that resumed another; 0: not measured. The first run of a
 * log searches all of it before its work, so one that resumes is not taken to begin as late.
 */
export function longestBeginnings(runs: readonly MeasuredRun[]): { beginMs: number; resumeMs: number } {
  const longest = (some: readonly MeasuredRun[]): number =>
    Math.max(0, ...some.map(({ beginMs }) => beginMs));
  const beginMs = longest(runs.filter(({ isResumed }) => !isResumed));
  const resumed = runs.filter(({ isResumed }) => isResumed);
  return { beginMs, resumeMs: resumed.length === 0 ? beginMs : longest(resumed) };
}

/** Reading and replacing together, of the runs with one thread; undefined: not measured. */
export function oneThreadPerMs(runs: readonly MeasuredRun[]): number | undefined {
  return wholePerMs(runs.filter(({ threads, isLimited }) => threads === 1 && !isLimited));
}

function wholePerMs(runs: readonly MeasuredRun[]): number | undefined {
  return perMs(
    sumOf(runs, 'readBytes') + sumOf(runs, 'workBytes'),
    sumOf(runs, 'readMs') + sumOf(runs, 'workMs')
  );
}

function perMs(bytes: number, ms: number): number | undefined {
  return ms < LEAST_MS || bytes === 0 ? undefined : bytes / ms;
}

function sumOf(
  runs: readonly MeasuredRun[],
  member: 'readBytes' | 'readMs' | 'workBytes' | 'workMs'
): number {
  return runs.reduce((sum, run) => sum + run[member], 0);
}

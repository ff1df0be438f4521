/** What is known of a node's next start, for the page and the overview alike. */
import type {
  DoctorReport,
  NodeEntry,
  StartupReport,
  WorkSnapshot
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import type { Database } from '../database.svelte.ts';
import type { Operations } from '../operations.svelte.ts';
import { sinceThen } from '../since-then.ts';

export interface StartAnswer {
  work: WorkSnapshot | undefined;
  isRunning: boolean;
  /** undefined while there is none, or where it is about files that are there no longer. */
  report: DoctorReport | undefined;
  /** The files are others than those that were looked at. */
  isStale: boolean;
}

export function startAnswer(
  { operations, database }: { operations: Operations; database: Database },
  { id }: Pick<NodeEntry, 'id'>
): StartAnswer {
  const work = operations.latest(id, 'examineStart');
  const report = operations.resultOf(work, 'examineStart');
  const { inspection } = database;
  const isStale =
    report !== undefined &&
    inspection !== null &&
    database.nodeId === id &&
    inspection.health.directory !== report.directory;
  // What was said of files at rest says nothing any more once they have changed; a server changes them all the time.
  const isGone =
    (isStale && inspection?.inUse === null) ||
    // Of a directory that could be read then and cannot be read now.
    (database.nodeId === id &&
      database.failedMs !== null &&
      (work?.endedMs ?? Infinity) <= database.failedMs);
  return { work, isRunning: work?.endedMs === null, report: isGone ? undefined : report, isStale };
}

/** A start that costs data, or that has damage to get past, is no good news. */
export function isGoodStart({ prediction, findings }: DoctorReport): boolean {
  return prediction.starts && !findings.some(({ severity }) => severity === 'damage');
}

/** How long the next start takes: the newest forecast, or what a preparation left. */
export interface NextStart {
  work: WorkSnapshot | undefined;
  isRunning: boolean;
  report: StartupReport | undefined;
  /** The directory is another one than that the report is about. */
  isOver: boolean;
}

export function nextStart(
  workbench: { operations: Operations; database: Database },
  { id }: Pick<NodeEntry, 'id'>
): NextStart {
  const { operations } = workbench;
  const work = operations.latestOf(id, ['forecastStartup', 'prepareStartup']);
  const report = operations.resultOf(work, 'forecastStartup') ?? operations.resultOf(work, 'prepareStartup');
  return {
    work,
    isRunning: work?.endedMs === null,
    report,
    isOver: work !== undefined && report !== undefined && sinceThen(workbench, work) !== undefined
  };
}

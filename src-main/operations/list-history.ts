/** The scavenges of a database, newest first: those its log tells of, and those recorded in WINNOW_HOME. */
import path from 'node:path';
import {
  isWinnowNode,
  readLogHistory,
  ticksFromIso,
  ticksToIso,
  type LoggedRun
} from '../../src-core/index.ts';
import { ScavengeRecords, type RecordedScavenge } from '../settings/scavenge-records.ts';
import { withDatabase } from './database-access.ts';
import type { OperationContext } from './operation.ts';
import type { CheckedRequestOf } from './operation-contract.ts';
import type { HistoryReport, HistoryRun } from './reports.ts';
import { openStreamIndex } from './stream-index-access.ts';

export async function listHistory(
  request: CheckedRequestOf<'listHistory'>,
  context: OperationContext
): Promise<HistoryReport> {
  const logged = await withDatabase(request, context, async (database) => {
    const index = await openStreamIndex(database, context);
    try {
      return await readLogHistory({ log: database.log, index, breathe: () => context.control.breathe() });
    } finally {
      index.close();
    }
  });
  const { winnowHome, dataDirectory } = request;
  const recorded =
    winnowHome === undefined
      ? []
      : new ScavengeRecords(path.resolve(winnowHome), path.resolve(dataDirectory)).list();
  const runs = [...logged.map(ofLog), ...recorded.filter(isReadable).map(ofRecord)];
  runs.sort((a, b) => (a.row.startedAt < b.row.startedAt ? 1 : a.row.startedAt > b.row.startedAt ? -1 : 0));
  joinResumed(runs);
  return { runs: runs.map(({ row }) => row) };
}

interface ListedRun {
  row: HistoryRun;
  /** Where its scavenge point is; undefined when nobody knows. */
  position: number | undefined;
  resumed: boolean;
}

function ofLog(run: LoggedRun): ListedRun {
  const isOurs = run.nodeEndpoint !== undefined && isWinnowNode(run.nodeEndpoint);
  return {
    row: {
      scavengeId: run.scavengeId,
      startedAt: ticksToIso(run.started),
      endedAt: run.ended === undefined ? null : ticksToIso(run.ended),
      result: run.result,
      placement: run.point ? (run.point.isNew ? 'new' : 'existing') : null,
      threshold: run.point?.threshold ?? null,
      spaceSavedBytes: run.spaceSavedBytes,
      by: isOurs ? 'winnow' : 'server',
      node: run.nodeEndpoint ?? null,
      error: run.error ?? null,
      resumes: null,
      recordedIn: 'log'
    },
    position: run.point?.position,
    resumed: false
  };
}

/** Somebody may have written into the file by hand. */
function isReadable({ start, end }: RecordedScavenge): boolean {
  return ticksFromIso(start.at) !== undefined && (!end || ticksFromIso(end.at) !== undefined);
}

function ofRecord({ start, end }: RecordedScavenge): ListedRun {
  return {
    row: {
      scavengeId: start.scavengeId,
      startedAt: start.at,
      endedAt: end?.at ?? null,
      result: end?.result ?? 'interrupted',
      placement: start.placement,
      threshold: start.threshold,
      spaceSavedBytes: end?.spaceSavedBytes ?? 0,
      by: 'winnow',
      node: `winnow@${start.hostName}`,
      error: end?.error ?? null,
      resumes: null,
      recordedIn: 'winnowHome'
    },
    position: start.position,
    resumed: start.resumed
  };
}

/**
 * A run that goes on with another's work names it: the newest unfinished one before it to the same point. One
 * that was interrupted counts as resumed from then on. `runs`: newest first.
 */
function joinResumed(runs: readonly ListedRun[]): void {
  for (const [at, { row, position, resumed }] of runs.entries()) {
    if (!resumed) continue;
    const isDetached = row.placement === 'detached';
    const earlier = runs.slice(at + 1).find((run) => {
      const isOfSameKind = (run.row.placement === 'detached') === isDetached;
      return isOfSameKind && run.position === position && run.row.result !== 'success';
    });
    if (!earlier) continue;
    row.resumes = earlier.row.scavengeId;
    if (earlier.row.result === 'interrupted') earlier.row.result = 'resumed';
  }
}

/**
 * The scavenges of a database, newest first: those recorded in its log, and those recorded in WINNOW_HOME. A run that
 * was interrupted and the run that resumed it are one row, no matter who started it and where its parts are recorded.
 */
import path from 'node:path';
import {
  isWinnowNode,
  readLogHistory,
  ticksFromIso,
  ticksToIso,
  type LoggedRun
} from '../../../src-core/index.ts';
import { ScavengeRecords, type RecordedScavenge } from '../../settings/scavenge-records.ts';
import { withDatabase } from '../database/database-access.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { HistoryReport, HistoryRun } from '../../contract/operations/reports.ts';
import { openStreamIndex } from '../streams/stream-index-access.ts';

const TICKS_PER_MS = 10_000;

export async function listHistory(
  request: CheckedRequestOf<'listHistory'>,
  context: OperationContext
): Promise<HistoryReport> {
  const { winnowHome } = request;
  const logged = await withDatabase(request, context, async (database) => {
    const index = await openStreamIndex(database, context, { winnowHome, isOfSystem: true });
    try {
      return await readLogHistory({ log: database.log, index, breathe: () => context.control.breathe() });
    } finally {
      index.close();
    }
  });
  const recorded = recordedScavenges(request.winnowHome, request.dataDirectory);
  const servers = new Set(
    logged.map(({ nodeEndpoint }) => nodeEndpoint).filter((node) => node !== undefined && !isWinnowNode(node))
  );
  const runs = [...logged.map((run) => ofLog(run, servers.size <= 1)), ...recorded.map(ofRecord)];
  runs.sort((a, b) => (a.row.startedAt < b.row.startedAt ? -1 : a.row.startedAt > b.row.startedAt ? 1 : 0));
  return {
    runs: joinResumed(runs)
      .map(({ row }) => row)
      .reverse()
  };
}

interface ListedRun {
  row: HistoryRun;
  /** Position of its scavenge point; undefined if not known. */
  position: number | undefined;
  /** It is recorded as resuming another, or follows from the order of the log. */
  mayResume: (earlier: ListedRun) => boolean;
}

/** `isOnlyServer`: the log names no other server, so that only this one can have resumed what Winnow began. */
function ofLog(run: LoggedRun, isOnlyServer: boolean): ListedRun {
  const isOurs = run.nodeEndpoint !== undefined && isWinnowNode(run.nodeEndpoint);
  return {
    row: {
      scavengeId: run.scavengeId,
      scavengeIds: [run.scavengeId],
      startedAt: ticksToIso(run.started),
      endedAt: run.ended === undefined ? null : ticksToIso(run.ended),
      result: run.result,
      placement: run.point ? (run.point.isNew ? 'new' : 'existing') : null,
      threshold: run.point?.threshold ?? null,
      spaceSavedBytes: run.spaceSavedBytes,
      elapsedMs: Math.round(run.timeTaken / TICKS_PER_MS),
      by: isOurs ? 'winnow' : 'server',
      node: run.nodeEndpoint ?? null,
      error: run.error ?? null,
      resumes: null,
      recordedIn: 'log'
    },
    position: run.point?.position,
    // The log of a cluster also records the other members' runs to the same point.
    mayResume: ({ row }) => {
      if (run.point?.isNew !== false) return false;
      if (row.by === 'winnow' && !isOurs) return isOnlyServer;
      return row.recordedIn === 'log' && row.node === (run.nodeEndpoint ?? null);
    }
  };
}

/** Those recorded in WINNOW_HOME, in the order they began. */
export function recordedScavenges(winnowHome: string | undefined, dataDirectory: string): RecordedScavenge[] {
  if (winnowHome === undefined) return [];
  const records = new ScavengeRecords(path.resolve(winnowHome), path.resolve(dataDirectory));
  return records.list().filter(isReadable);
}

/** The file may have been edited by hand. */
function isReadable({ start, saved, end }: RecordedScavenge): boolean {
  return [start, saved, end].every((line) => !line || ticksFromIso(line.at) !== undefined);
}

function ofRecord({ start, saved, end }: RecordedScavenge): ListedRun {
  const last = end ?? saved;
  return {
    row: {
      scavengeId: start.scavengeId,
      scavengeIds: [start.scavengeId],
      startedAt: start.at,
      endedAt: end?.at ?? null,
      result: end?.result ?? 'interrupted',
      placement: start.placement,
      threshold: start.threshold,
      spaceSavedBytes: last?.spaceSavedBytes ?? 0,
      elapsedMs: last ? msBetween(start.at, last.at) : null,
      by: 'winnow',
      node: `winnow@${start.hostName}`,
      error: end?.error ?? null,
      resumes: null,
      recordedIn: 'winnowHome'
    },
    position: start.position,
    mayResume: () => start.resumed
  };
}

/** Both are known to be valid times. */
function msBetween(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

/**
 * A run resumes the newest unfinished one before it to the same point. An interrupted one becomes part
 * of it; one that was stopped or failed has its own end and stays a row, which the later one names.
 * `runs`: oldest first, like the answer.
 */
function joinResumed(runs: readonly ListedRun[]): ListedRun[] {
  const lines: ListedRun[] = [];
  // Only these can be resumed: a history of a hundred thousand runs that went well is not searched for each of them.
  const unfinished = new Map<string, number[]>();
  for (const run of runs) {
    const point = `${run.row.placement === 'detached' ? 'detached' : 'log'} ${run.position}`;
    const open = unfinished.get(point) ?? [];
    unfinished.set(point, open);
    const among = open.findLastIndex((line) => run.mayResume(lines[line]!));
    const at = open[among];
    const earlier = at === undefined ? undefined : lines[at];
    let line = lines.length;
    if (at === undefined || !earlier) {
      lines.push(run);
    } else if (earlier.row.result === 'interrupted' || earlier.row.result === 'resumed') {
      line = at;
      lines[at] = { ...run, row: joined(earlier.row, run.row) };
      open.splice(among, 1);
    } else {
      lines.push({ ...run, row: { ...run.row, resumes: earlier.row.scavengeId } });
    }
    if (lines[line]!.row.result === 'success') continue;
    // In the order of the lines, as the newest is asked first.
    const behind = open.findLastIndex((other) => other < line) + 1;
    open.splice(behind, 0, line);
  }
  return lines;
}

function joined(earlier: HistoryRun, last: HistoryRun): HistoryRun {
  const { elapsedMs, spaceSavedBytes } = last;
  return {
    ...last,
    scavengeIds: [...earlier.scavengeIds, ...last.scavengeIds],
    startedAt: earlier.startedAt,
    result: last.endedAt === null ? 'resumed' : last.result,
    // The point was new when the first of them began.
    placement: earlier.placement ?? last.placement,
    threshold: last.threshold ?? earlier.threshold,
    spaceSavedBytes: earlier.spaceSavedBytes + spaceSavedBytes,
    elapsedMs: elapsedMs === null || earlier.elapsedMs === null ? null : earlier.elapsedMs + elapsedMs,
    resumes: earlier.resumes
  };
}

/**
 * When a database was last scavenged, from what really knows: the runs that its log and WINNOW_HOME tell of. Without
 * them only its files speak: a scavenged chunk was there when its file was written, and a copy or a restore writes it
 * later. The scavenge state and its point tell of a time by which ages were judged, never of when the work was done.
 */
import {
  isWinnowNode,
  readLogHistory,
  ticksFromMs,
  ticksToIso,
  type Database,
  type LoggedRun,
  type StreamIndex
} from '../../../src-core/index.ts';
import { recordedScavenges } from '../scavenge/list-history.ts';
import type { InspectReport } from '../../contract/operations/reports.ts';
import type { ScavengeStateGlance } from '../scavenge/scavenge-state-glance.ts';

export type LastScavenged = Pick<InspectReport, 'lastScavenged' | 'lastScavengedFrom'>;

/** Runs that changed nothing and did not end well are passed over; so many in a row say enough. */
const RUNS_ASKED = 50;

export interface LastScavengedQuestion {
  database: Database;
  index: StreamIndex | undefined;
  state: ScavengeStateGlance | undefined;
  winnowHome: string | undefined;
  breathe: () => Promise<void>;
}

export async function lastScavenged(question: LastScavengedQuestion): Promise<LastScavenged> {
  const { database, state } = question;
  const scavenged = database.chunkSet.chunks.filter((chunk) => chunk.isScavenged);
  const times = [...(await loggedTimes(question)), ...recordedTimes(question, scavenged.length > 0)].sort();
  const newest = times.at(-1);
  if (newest !== undefined) return { lastScavenged: newest, lastScavengedFrom: 'history' };
  if (scavenged.length > 0) {
    const written = scavenged.map(({ path }) => database.fileSystem.describe(path)?.modifiedMs ?? 0);
    return { lastScavenged: ticksToIso(ticksFromMs(Math.max(...written))), lastScavengedFrom: 'files' };
  }
  // It came to its end and found nothing to replace; nothing tells when.
  return { lastScavenged: null, lastScavengedFrom: state?.stage === 'done' ? 'unknown' : 'never' };
}

/** A log with runs of several servers is that of a cluster: which of them is this node, it does not say. */
async function loggedTimes({ database, index, breathe }: LastScavengedQuestion): Promise<string[]> {
  if (!index) return [];
  const runs = await readLogHistory({ log: database.log, index, breathe, newest: RUNS_ASKED });
  const nodes = new Set(runs.flatMap(({ nodeEndpoint }) => nodeEndpoint ?? []).filter(isServer));
  const isOurs = ({ nodeEndpoint }: LoggedRun) =>
    nodes.size <= 1 || (nodeEndpoint !== undefined && isWinnowNode(nodeEndpoint));
  return runs
    .filter((run) => isOurs(run) && hasDoneSomething(run))
    .map(({ ended, started, timeTaken }) =>
      ticksToIso(ended ?? ((started + BigInt(timeTaken)) as typeof started))
    );
}

function isServer(nodeEndpoint: string): boolean {
  return !isWinnowNode(nodeEndpoint);
}

/** `hasScavenged`: without scavenged chunks, what a run has freed was in files that a restore has replaced since. */
function recordedTimes({ database, winnowHome }: LastScavengedQuestion, hasScavenged: boolean): string[] {
  return recordedScavenges(winnowHome, database.dataDirectory).flatMap(({ start, saved, end }) => {
    const last = end ?? saved;
    const spaceSavedBytes = last?.spaceSavedBytes ?? 0;
    const isDone = hasDoneSomething({ result: end?.result ?? 'interrupted', spaceSavedBytes });
    const isGone = spaceSavedBytes !== 0 && !hasScavenged;
    return last && isDone && !isGone && start.position <= (database.checkpoints.writer ?? 0) ? [last.at] : [];
  });
}

/** It came to its end, or replaced files before it was cut. */
function hasDoneSomething({ result, spaceSavedBytes }: { result: string; spaceSavedBytes: number }): boolean {
  return result === 'success' || spaceSavedBytes !== 0;
}

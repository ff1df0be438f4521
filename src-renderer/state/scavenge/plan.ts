/** Plans of a node: making one, and the newest as long as it still says something (nothing of ours has written since). */
import type {
  NodeEntry,
  ScavengeReport,
  WorkSnapshot
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import { isWeighing, type Operations } from '../operations.svelte.ts';
import type { Database } from '../database.svelte.ts';
import { DEFAULT_FORM, requestOf, type ScavengeForm } from './scavenge-options.ts';
import { writtenAfter } from '../since-then.ts';

export interface KnownPlan {
  work: WorkSnapshot;
  report: ScavengeReport;
}

/** Starts a dry run; without a form with the default options ("what would a scavenge free?"). */
export async function startPlan(
  workbench: { operations: Operations; database: Pick<Database, 'inspection'> },
  node: NodeEntry,
  form?: ScavengeForm
): Promise<void> {
  const request = requestOf(form ?? DEFAULT_FORM, node, workbench.database.inspection);
  // What goes by rule and stream takes longer than its sum; asked for where it is shown.
  const breakdown = form === undefined ? {} : { breakdown: true };
  await workbench.operations.start(node.id, 'planScavenge', { ...request, ...breakdown });
}

/** The plan that a run was started with, as long as it is kept: the newest one before it. */
export function planOfRun(operations: Operations, run: WorkSnapshot): KnownPlan | undefined {
  const name = run.name === 'runRescue' ? 'planRescue' : 'planScavenge';
  const work = operations.all.find(
    (snapshot) =>
      snapshot.nodeId === run.nodeId &&
      snapshot.name === name &&
      snapshot.state === 'done' &&
      snapshot.startedMs <= run.startedMs
  );
  const report = operations.scavengeReport(work?.id);
  return work && report ? { work, report } : undefined;
}

type IsWanted = (report: ScavengeReport | undefined) => boolean;

/** The newest of those wanted that somebody asked for; of plans from before our own writing none is. */
export function latestPlan(
  operations: Operations,
  nodeId: string | null,
  isWanted: IsWanted = () => true
): KnownPlan | undefined {
  return newestPlan(
    operations,
    nodeId,
    (work) => !isWeighing(work) && isWanted(operations.scavengeReport(work.id))
  );
}

/** The plan that knows the weights of chunks: the newest that looked at all of them, asked for or not; else the newest. */
export function weightsPlan(operations: Operations, nodeId: string | null): KnownPlan | undefined {
  return (
    newestPlan(operations, nodeId, ({ id }) => looksAtEveryChunk(operations.scavengeReport(id))) ??
    latestPlan(operations, nodeId)
  );
}

function newestPlan(
  operations: Operations,
  nodeId: string | null,
  isWanted: (work: WorkSnapshot) => boolean
): KnownPlan | undefined {
  const work = operations.all.find(
    (snapshot) =>
      snapshot.nodeId === nodeId &&
      snapshot.name === 'planScavenge' &&
      snapshot.state === 'done' &&
      isWanted(snapshot)
  );
  if (!work || writtenAfter(operations, work)) return undefined;
  const report = operations.scavengeReport(work.id);
  return report ? { work, report } : undefined;
}

/** Made with no threshold: from it one can tell what any threshold would do. */
export function looksAtEveryChunk(report: ScavengeReport | undefined): boolean {
  return (report?.scavengePoint?.threshold ?? 1) <= 0;
}

/** File bytes that a plan would free or a run has freed, with their parts. */
export interface Freed {
  bytes: number;
  log: number;
  index: number;
  /** Of chunk files and index tables as they were. */
  share: number;
  /** Chunk files rewritten. */
  chunks: number;
}

export function freedBy({ spaceSaved, bytesBefore, chunkCount }: ScavengeReport): Freed {
  const { log, index, total } = spaceSaved;
  return {
    bytes: total,
    log,
    index,
    share: bytesBefore > 0 ? total / bytesBefore : 0,
    chunks: chunkCount.rewritten
  };
}

/** The engine says that running this plan would be of no use. */
export function freesNothing(report: ScavengeReport): boolean {
  return report.warnings.some((warning) => warning.code === 'nothingToFree');
}

/**
 * Resumes a scavenge that was stopped or killed. A run of this window that was stopped told what is left of its plan,
 * which is run as it was agreed to. Of any other only the state in the directory is known: what is left of it is
 * planned first, and that plan is run.
 */
import type { WorkSnapshot } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { ask, WorkbenchError } from '../../api/engine-client.ts';
import { isInspectionCurrent } from '../in-use.ts';
import type { Operations } from '../operations.svelte.ts';
import { RESUME_REQUEST } from './scavenge-options.ts';
import type { Workbench } from '../workbench.svelte.ts';

export interface WhatToResume {
  /** The newest run of this window. */
  run: WorkSnapshot | undefined;
  /** Where another speed is wanted than it had. */
  throttlePercent?: number;
}

export async function resumeScavenge(
  operations: Operations,
  nodeId: string,
  { run, ...speed }: WhatToResume
): Promise<void> {
  if (run?.state === 'stopped') {
    const planId = await planIdOf(run.id);
    const request = { ...restOf(run.request), ...speed };
    if (planId !== undefined && (await isStarted(operations, nodeId, request, planId))) return;
  }
  const request = { ...RESUME_REQUEST, ...speed };
  const { id } = await operations.start(nodeId, 'planScavenge', request);
  if ((await endOf(operations, id))?.state !== 'done') return;
  await operations.start(nodeId, 'runScavenge', request, await planIdOf(id));
}

/**
 * Why the next scavenge resumes one that is waiting, as a sentence of the engine's; undefined when it does not, while
 * the directory is held (its holder may be scavenging), and until it was inspected again after our own work.
 */
export function waitingScavenge(workbench: Workbench): string | undefined {
  const { database, operations } = workbench;
  const { inspection } = database;
  if (inspection?.nextScavenge.kind !== 'resume' || inspection.inUse !== null) return undefined;
  if (operations.isWriting(database.nodeId) || !isInspectionCurrent(workbench)) return undefined;
  return inspection.nextScavenge.because;
}

/** What was for the beginning only, and a time to stop at that has come, hold no more. */
function restOf({
  until,
  startAfresh: _,
  stopAfter: __,
  ...request
}: Record<string, unknown>): Record<string, unknown> {
  return typeof until === 'string' && Date.parse(until) > Date.now() ? { ...request, until } : request;
}

/** False when it was a run that somebody began by another door, with options that this window does not know. */
async function isStarted(
  operations: Operations,
  nodeId: string,
  request: Record<string, unknown>,
  planId: string
): Promise<boolean> {
  try {
    await operations.start(nodeId, 'runScavenge', request, planId);
    return true;
  } catch (error) {
    if (error instanceof WorkbenchError && error.report.code === 'PlanStale') return false;
    throw error;
  }
}

async function planIdOf(id: string): Promise<string | undefined> {
  const result = await ask('workResult', { id });
  return result !== null && 'scavengePoint' in result ? result.planId : undefined;
}

/** The snapshot with which a piece of work ended; undefined when it was forgotten. */
export function endOf(operations: Operations, id: string): Promise<WorkSnapshot | undefined> {
  return new Promise((resolve) => {
    const stop = $effect.root(() => {
      $effect(() => {
        const snapshot = operations.get(id);
        if (snapshot !== undefined && snapshot.endedMs === null) return;
        resolve(snapshot);
        queueMicrotask(() => stop());
      });
    });
  });
}

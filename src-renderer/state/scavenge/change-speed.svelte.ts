/**
 * Another speed for a scavenge that runs: it is stopped, which keeps what is done, and resumed at the new speed.
 * Never starts anything when the run has ended by itself meanwhile.
 */
import type { WorkSnapshot } from '../../../src-main/contract/verbs/workbench-contract.ts';
import type { Operations } from '../operations.svelte.ts';
import { endOf, resumeScavenge } from './resume-scavenge.svelte.ts';

export async function changeSpeed(
  operations: Operations,
  work: WorkSnapshot,
  percent: number
): Promise<void> {
  const { nodeId } = work;
  if (nodeId === null) return;
  await operations.stop(work.id);
  const run = await endOf(operations, work.id);
  if (run?.state !== 'stopped') return;
  await resumeScavenge(operations, nodeId, { run, throttlePercent: percent });
}

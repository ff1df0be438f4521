/**
 * Another speed for a scavenge that runs: it is stopped, which keeps what is done, and gone on with at the new speed.
 * Never starts anything when the run has ended by itself meanwhile.
 */
import type { WorkSnapshot } from '../../src-main/ipc/contract.ts';
import { ask } from '../api/engine-client.ts';
import type { Operations } from './operations.svelte.ts';
import { resumeRequest } from './scavenge-options.ts';

export async function changeSpeed(
  operations: Operations,
  work: WorkSnapshot,
  percent: number
): Promise<void> {
  const { nodeId } = work;
  if (nodeId === null) return;
  await operations.stop(work.id);
  const ended = await endOf(operations, work.id);
  if (ended?.state !== 'stopped') return;
  const result = await ask('workResult', { id: work.id });
  const report = result !== null && 'scavengePoint' in result ? result : undefined;
  await operations.start(nodeId, 'runScavenge', resumeRequest(ended, report, percent));
}

/** The snapshot with which a piece of work ended; undefined when it was forgotten. */
function endOf(operations: Operations, id: string): Promise<WorkSnapshot | undefined> {
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

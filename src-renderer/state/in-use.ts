/**
 * Whether somebody else holds the database that is shown. A scavenge or restore of our own holds it too, and is no
 * stranger; and an inspection that was asked for before that work ended may have seen it.
 */
import type { Workbench } from './workbench.svelte.ts';

export function isInForeignUse(workbench: Workbench): boolean {
  const { database, operations } = workbench;
  if ((database.inspection?.inUse ?? null) === null) return false;
  return !operations.isWriting(database.nodeId) && isInspectionCurrent(workbench);
}

/** The inspection is not from the time of writing work of ours that has ended since. */
export function isInspectionCurrent({ database, operations }: Workbench): boolean {
  const endedMs = operations.writingEndedMs(database.nodeId);
  return endedMs === null || database.inspectedMs >= endedMs;
}

/** Whether somebody else holds the database that is shown. A scavenge of our own holds it too, and is no stranger. */
import type { Workbench } from './workbench.svelte.ts';

export function isInForeignUse(workbench: Workbench): boolean {
  const { database, operations } = workbench;
  return (database.inspection?.inUse ?? null) !== null && !operations.isWriting(database.nodeId);
}

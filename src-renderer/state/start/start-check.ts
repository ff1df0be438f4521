/** The look at a node's next start: begun from the view, the palette, or where a database cannot be opened. */
import type { NodeEntry } from '../../../src-main/contract/verbs/workbench-contract.ts';
import type { Workbench } from '../workbench.svelte.ts';

export interface StartCheck {
  /** Empty: as the chunks tell. */
  serverVersion: string;
  thorough: boolean;
}

/** Versions between which starts differ, newest first. */
export const SERVER_VERSIONS = [
  '25.1',
  '25.0',
  '24.10',
  '24.6',
  '24.2',
  '23.10',
  '22.10',
  '21.10',
  '5.0'
] as const;

export async function checkStart(
  { operations }: Workbench,
  { id }: NodeEntry,
  { serverVersion, thorough }: StartCheck = { serverVersion: '', thorough: false }
): Promise<void> {
  await operations.start(id, 'examineStart', {
    thorough,
    ...(serverVersion === '' ? {} : { serverVersion })
  });
}

/** Looks, and goes to the view, which finds the look begun. */
export async function showStart(workbench: Workbench, node: NodeEntry): Promise<void> {
  await checkStart(workbench, node);
  workbench.places.go({ nodeId: node.id, view: 'verify' });
}

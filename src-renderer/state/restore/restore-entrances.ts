/** Ways into a restore from where it is needed: each takes along what is known there. */
import type {
  BackupRow,
  ErrorReport,
  NodeEntry
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import { texts } from '../../texts.ts';
import type { Workbench } from '../workbench.svelte.ts';

/** A backup of the catalogue: only where to is left to choose. */
export function restoreBackup(
  { restore, places }: Workbench,
  node: NodeEntry,
  backup: Pick<BackupRow, 'id'>
): void {
  restore.begin(node.id, { source: { kind: 'node', nodeId: node.id }, backupId: backup.id });
  places.go({ nodeId: node.id, view: 'restore' });
}

/** A directory that was to be opened and has no database: what the panel of that failure offers. */
export function restoreInto(
  workbench: Workbench,
  { message, details }: ErrorReport
): { action?: { label: string; run: () => void } } {
  const id = details['restoreTo'];
  if (typeof id !== 'string') return {};
  const { restore, places } = workbench;
  const path = typeof details['file'] === 'string' ? details['file'] : message;
  const run = (): void => {
    restore.begin(null, { destination: { kind: 'place', place: { id, path, nodeId: null } } });
    workbench.dismissFailure();
    places.go({ application: 'restore' });
  };
  return { action: { label: texts.restore.here, run } };
}

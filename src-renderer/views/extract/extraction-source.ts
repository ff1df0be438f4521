/** What is read by an extraction: the node, or a backup of its target or of a place that a person chose. */
import type { ChosenPath } from '../../../src-main/contract/verbs/workbench-contract.ts';

export interface ExtractionSource {
  kind: 'node' | 'backup';
  /** Where the backup is; null: in the target of the node. */
  place: ChosenPath | null;
  /** null: the newest there, or what was chosen itself. */
  backupId: string | null;
  /** It is encrypted, as far as is known. */
  isEncrypted: boolean;
}

export const OF_THE_NODE: ExtractionSource = {
  kind: 'node',
  place: null,
  backupId: null,
  isEncrypted: false
};

/** As requests name it. `key`: what opens encrypted backups; a plain one is not asked with it. */
export function sourceMembers(
  { kind, place, backupId, isEncrypted }: ExtractionSource,
  key: { keyPlace?: string; passwordId?: string }
) {
  if (kind === 'node') return {};
  return {
    ...(place === null ? { usesBackups: true } : { fromPlace: place.id }),
    ...(backupId === null ? {} : { backupId }),
    ...(isEncrypted ? key : {})
  };
}

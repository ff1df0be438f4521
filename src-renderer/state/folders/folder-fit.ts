/** Whether a folder fits what it is wanted for, and what to say about it. Pure; the operation itself checks again. */
import type { FolderKind, FolderPurpose } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { texts } from '../../texts.ts';

export interface FolderFit {
  isPossible: boolean;
  /** Empty: there is nothing to say. */
  words: string;
}

/** What can be chosen although something is said about it. */
const POSSIBLE: readonly `${FolderKind} ${FolderPurpose}`[] = [
  'database restoreTo',
  'backups backupTarget',
  'other restoreTo'
];

/** `kind`: null where it is not known. */
export function folderFit(purpose: FolderPurpose, kind: FolderKind | null): FolderFit {
  if (kind === null || kind === 'empty') return { isPossible: true, words: '' };
  const said: Partial<Record<FolderPurpose, string>> = texts.folders.fits[kind];
  const words = said[purpose] ?? '';
  return { isPossible: words === '' || POSSIBLE.includes(`${kind} ${purpose}`), words };
}

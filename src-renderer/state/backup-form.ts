/** How a backup is taken, as a person sets it, and the request that it makes. Pure but for the ids it is given. */
import type { ChosenPath, WindowRequestOf } from '../../src-main/contract/verbs/workbench-contract.ts';

const MEBIBYTE = 1024 * 1024;
/** The command line's limit too. */
export const MOST_THREADS = 64;

export interface BackupForm {
  mode: 'auto' | 'full' | 'differential';
  compress: boolean;
  /** null: as the engine chooses. */
  threads: number | null;
  mebibytesPerSecond: number | null;
  moved: boolean;
  /** Of the running server; empty: it is not asked. */
  nodeUrl: string;
  nodeUser: string;
  /** Id of a kept password. */
  passwordId: string | null;
  authority: ChosenPath | null;
  stopScavenge: boolean;
}

export const PLAIN_BACKUP: BackupForm = {
  mode: 'auto',
  compress: false,
  threads: null,
  mebibytesPerSecond: null,
  moved: false,
  nodeUrl: '',
  nodeUser: '',
  passwordId: null,
  authority: null,
  stopScavenge: false
};

export function backupRequest(form: BackupForm): WindowRequestOf<'planBackup'> {
  const { mode, compress, threads, mebibytesPerSecond, moved } = form;
  return {
    mode,
    compress,
    ...(threads === null ? {} : { threads }),
    ...(mebibytesPerSecond === null ? {} : { bytesPerSecond: mebibytesPerSecond * MEBIBYTE }),
    ...(moved ? { moved } : {}),
    ...serverOf(form)
  };
}

function serverOf({
  nodeUrl,
  nodeUser,
  passwordId,
  authority,
  stopScavenge
}: BackupForm): WindowRequestOf<'planBackup'> {
  const url = nodeUrl.trim();
  if (url === '') return {};
  const user = nodeUser.trim();
  return {
    nodeUrl: url,
    ...(user === '' ? {} : { nodeUser: user }),
    ...(passwordId === null ? {} : { passwordId }),
    ...(authority === null ? {} : { authorityPlace: authority.id }),
    ...(stopScavenge ? { stopScavenge } : {})
  };
}

/**
 * The database of a backup, restored into a scratch directory of ours, which is removed when the work has ended. Its
 * name is that of the backup: what a killed run left there is removed by the next, under the lock of the target.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeDirectories, planRestore, runRestore } from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import type { OpenedBackup } from '../restore/restore-source.ts';
import { environmentOf } from '../restore/run-restore.ts';

export interface GatheredBackup {
  dataDirectory: string;
  indexDirectory: string;
  /** For the state of a detached scavenge. */
  winnowHome: string;
}

/** Only for this user: the backup may be encrypted, and here it is not. */
const OWNER_ONLY = 0o700;

export function scratchFor(id: string, scratchDirectory: string | undefined): string {
  return path.join(path.resolve(scratchDirectory ?? tmpdir()), `winnow-backup-erasure-${id}`);
}

/** The directory that is there already, to ask for free space. */
export function existingAbove(directory: string): string {
  let above = path.dirname(directory);
  while (!fs.existsSync(above) && path.dirname(above) !== above) above = path.dirname(above);
  return above;
}

export async function withGathered<T>(
  { source }: Pick<OpenedBackup, 'source'>,
  scratch: string,
  context: OperationContext,
  work: (gathered: GatheredBackup) => Promise<T>
): Promise<T> {
  const { fileSystem } = context;
  await remove(scratch);
  makeDirectories(scratch, OWNER_ONLY);
  try {
    const dataDirectory = path.join(scratch, 'db');
    const indexDirectory = path.join(dataDirectory, 'index');
    const plan = planRestore(fileSystem, {
      source,
      dataDirectory,
      indexDirectory,
      appliesTruncation: true,
      stamp: 'erasure'
    });
    await runRestore(plan, source, { ...environmentOf(context, false), verify: undefined });
    return await work({ dataDirectory, indexDirectory, winnowHome: path.join(scratch, 'home') });
  } finally {
    await remove(scratch);
  }
}

async function remove(scratch: string): Promise<void> {
  await fs.promises.rm(scratch, { recursive: true, force: true });
}

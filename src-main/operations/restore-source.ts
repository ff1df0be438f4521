/** Opens what a restore takes its files from: a backup of a catalogue, or a directory that was copied by hand. */
import path from 'node:path';
import {
  backupSource,
  chooseBackup,
  isBackupId,
  plainCopySource,
  readCatalogue,
  type BackupTarget,
  type Manifest,
  type RestoreSource
} from '../../src-core/index.ts';
import { withTarget } from './backup-target-access.ts';
import type { OperationContext } from './operation.ts';

export interface NamedBackup {
  target: string;
  id?: string | undefined;
}

export interface OpenedBackup {
  source: RestoreSource;
  /** null for a copy made by hand. */
  backup: { target: BackupTarget; manifest: Manifest } | null;
}

/** Opens the backup that was named, and closes its target when `work` has ended. */
export function withBackup<T>(
  named: NamedBackup,
  context: OperationContext,
  work: (opened: OpenedBackup) => Promise<T>
): Promise<T> {
  const { fileSystem } = context;
  const { target: location, id } = placeOf(named, context);
  return withTarget({ target: location, mustExist: true }, context, async ({ target, decode }) => {
    if (id === undefined && !isRemote(location) && !(await holdsBackups(target))) {
      return work({ source: plainCopySource(fileSystem, location), backup: null });
    }
    const manifest = await chooseBackup(target, id);
    const source = backupSource({ target, manifest, targetName: location, decode });
    return work({ source, backup: { target, manifest } });
  });
}

/** The folder of one backup may be named as well as the target that holds it. */
function placeOf({ target, id }: NamedBackup, { fileSystem }: OperationContext): NamedBackup {
  if (isRemote(target)) return { target, id };
  const directory = path.resolve(target);
  const isOneBackup =
    id === undefined &&
    isBackupId(path.basename(directory)) &&
    fileSystem.describe(path.join(directory, 'manifest.json')) !== undefined;
  return isOneBackup
    ? { target: path.dirname(directory), id: path.basename(directory) }
    : { target: directory, id };
}

/** `s3://…` and its like. */
function isRemote(location: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(location);
}

/** Also those whose manifest is damaged: such a target is no plain copy. */
async function holdsBackups(target: BackupTarget): Promise<boolean> {
  const { backups, damaged } = await readCatalogue(target);
  return backups.length + damaged.length > 0;
}

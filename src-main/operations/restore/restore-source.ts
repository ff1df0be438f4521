/** Opens the source of a restore: a backup of a catalogue, or a directory that was copied by hand. */
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
} from '../../../src-core/index.ts';
import type { TargetAccess } from '../../backup/open-target.ts';
import { isRemoteLocation } from '../../settings/s3-location.ts';
import { withTarget } from '../backup/backup-target-access.ts';
import type { OperationContext } from '../operation.ts';

export interface NamedBackup extends TargetAccess {
  target: string;
  id?: string | undefined;
}

export interface OpenedBackup {
  source: RestoreSource;
  /** null for a copy made by hand. */
  backup: { target: BackupTarget; manifest: Manifest } | null;
}

/** Opens the named backup, and closes its target when `work` has ended. */
export function withBackup<T>(
  named: NamedBackup,
  context: OperationContext,
  work: (opened: OpenedBackup) => Promise<T>
): Promise<T> {
  const { fileSystem } = context;
  const { target: location, id } = placeOf(named, context);
  const { s3Endpoint, keyFile, password, verifyKeys } = named;
  const access = { s3Endpoint, keyFile, password, verifyKeys };
  return withTarget({ ...access, target: location, mustExist: true }, context, async (open) => {
    const { target, decode } = open;
    if (id === undefined && !isRemoteLocation(location) && !(await holdsBackups(target))) {
      return work({ source: plainCopySource(fileSystem, location), backup: null });
    }
    const manifest = await chooseBackup(target, id);
    open.requireKeys(manifest);
    const source = backupSource({ target, manifest, targetName: location, decode });
    return work({ source, backup: { target, manifest } });
  });
}

/** The folder of one backup may be named, or the target that contains it. */
function placeOf(
  { target, id }: NamedBackup,
  { fileSystem }: OperationContext
): Pick<NamedBackup, 'target' | 'id'> {
  if (isRemoteLocation(target)) return { target, id };
  const directory = path.resolve(target);
  const isOneBackup =
    id === undefined &&
    isBackupId(path.basename(directory)) &&
    fileSystem.describe(path.join(directory, 'manifest.json')) !== undefined;
  return isOneBackup
    ? { target: path.dirname(directory), id: path.basename(directory) }
    : { target: directory, id };
}

/** Also true for damaged manifests: such a target is not a plain copy. */
async function holdsBackups(target: BackupTarget): Promise<boolean> {
  const { backups, damaged } = await readCatalogue(target);
  return backups.length + damaged.length > 0;
}

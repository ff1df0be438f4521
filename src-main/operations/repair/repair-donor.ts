/**
 * The backup that a repair may take chunks from: one of a catalogue, or a copy of a data directory made by hand. A
 * backup with another history is refused as a whole; the engine decides whether a single chunk matches.
 */
import path from 'node:path';
import {
  chooseBackup,
  invalidRequest,
  openDirectoryDonor,
  readBackupFile,
  readCatalogue,
  readEpochs,
  type BackupTarget,
  type ChunkDonor,
  type Database,
  type DecodeFile,
  type DonorChunk,
  type Manifest,
  entriesIn,
  requireFaultBut
} from '../../../src-core/index.ts';
import type { TargetAccess } from '../../backup/open-target.ts';
import { withTarget } from '../backup/backup-target-access.ts';
import type { OperationContext } from '../operation.ts';

export interface NamedDonor extends TargetAccess {
  target: string;
  id?: string | undefined;
}

/** Runs `work` with the open donor, or without one if none is named. */
export async function withDonor<T>(
  named: NamedDonor | undefined,
  context: OperationContext,
  work: (donor: { donor: ChunkDonor; manifest: Manifest | null } | undefined) => Promise<T>
): Promise<T> {
  if (!named) return work(undefined);
  return withTarget({ ...named, mustExist: true }, context, async ({ target, decode, requireKeys }) => {
    if (named.id === undefined && !(await holdsBackups(target))) {
      return work({ donor: plainDonor(named.target, context), manifest: null });
    }
    const manifest = await chooseBackup(target, named.id);
    requireKeys(manifest);
    return work({ donor: donorOf(target, manifest, decode), manifest });
  });
}

async function holdsBackups(target: BackupTarget): Promise<boolean> {
  const { backups, damaged } = await readCatalogue(target);
  return backups.length + damaged.length > 0;
}

/** The directory itself, or the folder `data` in it, as in backups and snapshots. */
function plainDonor(target: string, { fileSystem }: OperationContext): ChunkDonor {
  const directory = path.resolve(target);
  const inside = path.join(directory, 'data');
  const hasChunks = (place: string) =>
    entriesIn(fileSystem, place).some(({ name }) => /^chunk-\d{6}\.\d{6}$/.test(name));
  const place = !hasChunks(directory) && hasChunks(inside) ? inside : directory;
  if (!hasChunks(place)) {
    throw invalidRequest(
      `${directory} contains neither backups nor chunk files.`,
      '--from-backup',
      'Name your backup target, DIR@ID for one backup, or a copy of the data directory.'
    );
  }
  return openDirectoryDonor(fileSystem, place);
}

function donorOf(target: BackupTarget, manifest: Manifest, decode: DecodeFile): ChunkDonor {
  const files = manifest.files.filter(({ area, chunk }) => area === 'data' && chunk !== null);
  const byName = new Map(files.map((file) => [file.name, file]));
  return {
    description: `the backup ${manifest.id}`,
    chunkSizeBytes: manifest.chunkSize,
    chunks: files.map(({ name, bytes, sha256, chunk }): DonorChunk => {
      const { start, end, isCompleted } = chunk!;
      return {
        fileName: name,
        startNumber: start,
        endNumber: end,
        isCompleted,
        fileSize: bytes,
        sha256
      };
    }),
    read: ({ fileName }) => readBackupFile(target, byName.get(fileName)!, decode)
  };
}

/** Throws InvalidRequest if an epoch with the same number has another id: two histories. */
export function refuseOtherHistory({ epochs, id }: Manifest, { log, checkpoints }: Database): void {
  const own = epochsOf({ log, checkpoints });
  for (const epoch of epochs) {
    const same = own.find(({ number }) => number === epoch.number);
    if (!same || same.id === epoch.id) continue;
    throw invalidRequest(
      `The backup ${id} has another history: its epoch ${epoch.number} is ${epoch.id}, here it is ${same.id}.`,
      '--from-backup',
      'Name a backup of this node, or of a member of its cluster.'
    );
  }
}

/** None if the damage hides them: then the chunks themselves must match. */
function epochsOf({ log, checkpoints }: Pick<Database, 'log' | 'checkpoints'>) {
  try {
    return readEpochs(log, checkpoints.epoch);
  } catch (error) {
    requireFaultBut(error, 'StorageFailed');
    return [];
  }
}

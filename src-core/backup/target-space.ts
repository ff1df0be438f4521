/** Room in the target for a backup: asked before anything is written, and told when it was used up meanwhile. */
import { EngineError } from '../errors.ts';
import type { BackupTarget } from './backup-target.ts';

/** Room for checkpoints, manifest and directory entries. */
const SPARE_BYTES = 1024 * 1024;
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Refuses a target with too little room. */
export function requireSpace(
  { bytesToCopy, freeBytes }: { bytesToCopy: number; freeBytes: number | undefined },
  target: string
): void {
  const neededBytes = bytesToCopy + SPARE_BYTES;
  if (freeBytes === undefined || freeBytes >= neededBytes) return;
  throw new EngineError({
    code: 'StorageFailed',
    message:
      `${target} has ${freeBytes} free bytes; this backup needs ${neededBytes}: ` +
      `${neededBytes - freeBytes} are missing.`,
    remedy: 'Free space in the target ("winnow backup prune"), or name another one. Nothing was written.',
    details: { target, neededBytes, freeBytes, osCode: 'ENOSPC' }
  });
}

/** The failure as it is, or, where a write found no room, with the target, what is missing in it, and what to do. */
export async function toldWithSpace(
  error: unknown,
  { target, bytesLeft }: { target: BackupTarget; bytesLeft: number }
): Promise<unknown> {
  if (!(error instanceof EngineError) || !FULL.has(error.details.osCode ?? '')) return error;
  const freeBytes = await target.freeBytes().catch(() => undefined);
  const neededBytes = bytesLeft + SPARE_BYTES;
  const known =
    freeBytes === undefined
      ? ''
      : ` It has ${freeBytes} free bytes; the rest of this backup needs up to ${neededBytes}` +
        (neededBytes > freeBytes
          ? `: ${neededBytes - freeBytes} are missing.`
          : ', so it is short of something else, such as names of files.');
  return new EngineError({
    code: 'StorageFailed',
    message: `The backup target ${target.description} became full.${known} ${error.message}`,
    remedy:
      'Free space in the target ("winnow backup prune" removes old backups), then take the backup again: it resumes ' +
      'with what is copied already. The earlier backups are untouched.',
    details: {
      ...error.details,
      target: target.description,
      neededBytes,
      ...(freeBytes === undefined ? {} : { freeBytes })
    },
    cause: error
  });
}

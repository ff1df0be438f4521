/**
 * The file in a data directory that says: a restore into this directory was begun and has not ended. It is there
 * before the first change and goes after the last one; the server ignores its name. Whatever writes asks for it
 * first. Here only its name and what every caller needs of it; the rest of its content is the restore's.
 */
import { EngineError } from '../errors.ts';
import { readWholeFile, type FileSystem } from './file-system.ts';
import { refuseUnfinishedUndo } from './undo-marker.ts';

export const RESTORE_MARKER = 'winnow-restore.json';

export interface UnfinishedRestore {
  /** The restore's own word for how far it is; `unknown` when the file cannot be read. */
  phase: string;
  /** What is restored, for messages. */
  backup: string;
}

/** What the marker says; undefined without one. */
export function unfinishedRestore(
  fileSystem: FileSystem,
  dataDirectory: string
): UnfinishedRestore | undefined {
  const bytes = readWholeFile(fileSystem, fileSystem.join(dataDirectory, RESTORE_MARKER));
  if (!bytes) return undefined;
  try {
    const content: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const { phase, backup } = content as { phase?: unknown; backup?: unknown };
    if (typeof phase === 'string' && typeof backup === 'string') return { phase, backup };
  } catch {
    // The marker is replaced as a whole, so it was damaged later; that it is there is what counts.
  }
  return { phase: 'unknown', backup: 'unknown' };
}

/** Until the first file moves the old database is there, and after the last one the new one. */
const WHOLE = ['copying', 'preparing', 'finishing'];

/** Whether the directory holds neither the old database nor the new one. A phase that is not known counts as such. */
export function isBetweenDatabases({ phase }: UnfinishedRestore): boolean {
  return !WHOLE.includes(phase);
}

/** Throws DatabaseInUse when a restore into this directory, or the undo of a scavenge, has not ended. */
export function refuseUnfinishedRestore(fileSystem: FileSystem, dataDirectory: string): void {
  refuseUnfinishedUndo(fileSystem, dataDirectory);
  const unfinished = unfinishedRestore(fileSystem, dataDirectory);
  if (unfinished) throw restoreUnfinished(dataDirectory, unfinished);
}

export function restoreUnfinished(dataDirectory: string, { phase, backup }: UnfinishedRestore): EngineError {
  return new EngineError({
    code: 'DatabaseInUse',
    message: `A restore of ${backup} into ${dataDirectory} is unfinished (${phase}).`,
    remedy:
      `Finish it with "winnow restore --continue --to ${dataDirectory}", or put the old files back with ` +
      `"winnow restore --undo --to ${dataDirectory}".`,
    details: { file: RESTORE_MARKER, reason: 'restoreUnfinished', phase }
  });
}

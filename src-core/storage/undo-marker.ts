/**
 * The file in a data directory that says: putting back what a scavenge replaced was begun and has not ended. It is there
 * before the first change and goes after the last one; the server ignores its name. Here only its name and what every
 * caller needs of it; its content is the undo's (replaced/undo-journal.ts).
 */
import { EngineError } from '../errors.ts';
import type { FileSystem } from './file-system.ts';

export const UNDO_MARKER = 'winnow-undo.json';

/** True in the middle of an undo. */
export function isUndoUnfinished(fileSystem: FileSystem, dataDirectory: string): boolean {
  return fileSystem.describe(fileSystem.join(dataDirectory, UNDO_MARKER)) !== undefined;
}

/** Throws DatabaseInUse in the middle of an undo. */
export function refuseUnfinishedUndo(fileSystem: FileSystem, dataDirectory: string): void {
  if (!isUndoUnfinished(fileSystem, dataDirectory)) return;
  throw new EngineError({
    code: 'DatabaseInUse',
    message: `Undoing a scavenge of ${dataDirectory} is unfinished: some files are those of before it, some are newer.`,
    remedy: `Finish it with "winnow scavenge --undo ${dataDirectory}"; it resumes where it stopped.`,
    details: { file: UNDO_MARKER, reason: 'undoUnfinished' }
  });
}

/** Where an export writes, and how far it is: the unfinished database has another name, and the state lies in it. */
import path from 'node:path';
import { z } from 'zod';
import { EngineError, invalidRequest, type FileSystem, entriesIn } from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import { keptCounts, readKept, writeKept } from './extraction-state.ts';
import { isInside } from './output-place.ts';
import { noCounts } from './tally.ts';

export interface ExportPlace {
  /** Absolute. */
  directory: string;
  /** Of the database that is being written, beside it. */
  unfinished: string;
  stateFile: string;
}

const count = z.number().int().nonnegative();
const state = z.object({
  version: z.literal(1),
  question: z.string(),
  /** Of the source: where the walk ends, and where the next run begins. */
  end: count,
  position: count,
  /** Of the new log: the chunk that begins with the event at `position`; 0: from the beginning. */
  target: count,
  notCommitted: count,
  links: count,
  danglingLinks: count,
  ...keptCounts
});
export type ExportState = z.infer<typeof state>;

export function newExportState(question: string, end: number): ExportState {
  const zero = { position: 0, target: 0, notCommitted: 0, links: 0, danglingLinks: 0 };
  return { version: 1, question, end, ...zero, ...noCounts() };
}

export function exportPlace(toDatabase: string): ExportPlace {
  const directory = path.resolve(toDatabase);
  const unfinished = `${directory}.winnow-export`;
  return { directory, unfinished, stateFile: path.join(unfinished, 'winnow-export.json') };
}

/** Throws before anything is written. */
export function requireExportable(
  { directory }: ExportPlace,
  sources: readonly string[],
  fileSystem: FileSystem
): void {
  const field = '--to-database';
  for (const source of sources) {
    if (!isInside(directory, source) && !isInside(source, directory)) continue;
    throw invalidRequest(`${directory} and ${source}, which is what is read, contain one another.`, field);
  }
  const parent = path.dirname(directory);
  if (!fileSystem.describe(parent)?.isDirectory) {
    throw invalidRequest(`There is no directory ${parent}.`, field, 'Create it, or choose another place.');
  }
  const facts = fileSystem.describe(directory);
  if (!facts || (facts.isDirectory && fileSystem.list(directory)?.length === 0)) return;
  throw new EngineError({
    code: 'InvalidRequest',
    message: `${directory} ${facts.isDirectory ? 'is not empty' : 'is not a directory'}.`,
    remedy: 'Choose a new or empty directory.',
    details: { field, file: directory }
  });
}

export function readExportState(
  place: ExportPlace,
  question: string,
  sourceEnd: number,
  { fileSystem }: OperationContext
): ExportState | undefined {
  const kept = readKept(fileSystem, place.stateFile, state);
  if (!kept) return undefined;
  if (kept.question === question && kept.end <= sourceEnd) return kept;
  throw new EngineError({
    code: 'InvalidRequest',
    message:
      kept.question === question
        ? `The log ends at ${sourceEnd} now; the unfinished export began with one that ended at ${kept.end}.`
        : `An unfinished export with another question lies in ${place.unfinished}.`,
    remedy: 'Begin again with --start-afresh, or choose another place.',
    details: { field: '--to-database', file: place.stateFile }
  });
}

export function writeExportState(
  place: ExportPlace,
  current: ExportState,
  { fileSystem }: OperationContext
): void {
  writeKept(fileSystem, place.stateFile, current);
}

/** Removes what an unfinished export left under its own name: nothing else ever lies there. */
export function forgetExport(
  { unfinished }: ExportPlace,
  { fileSystem }: OperationContext,
  { keepsDirectory = false }: { keepsDirectory?: boolean } = {}
): void {
  const empty = (directory: string): void => {
    for (const { name, isDirectory } of entriesIn(fileSystem, directory)) {
      const entry = fileSystem.join(directory, name);
      if (!isDirectory) fileSystem.remove(entry);
      else {
        empty(entry);
        fileSystem.removeDirectory(entry);
      }
    }
  };
  if (!fileSystem.describe(unfinished)) return;
  empty(unfinished);
  if (!keepsDirectory) fileSystem.removeDirectory(unfinished);
}

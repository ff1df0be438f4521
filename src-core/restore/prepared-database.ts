/**
 * The gathered database as it will be once its log is cut, opened for looking through before it takes the place of
 * the old one. Where the cut is left to the server, the files are opened as if it had happened.
 */
import { Database, openDatabase } from '../database/database.ts';
import { readCheckpoints } from '../log/checkpoint-file.ts';
import { readChunkSet } from '../log/chunk-set.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { TruncationPlan } from '../log/truncation.ts';

export interface PreparedPlace {
  fileSystem: FileSystem;
  dataDirectory: string;
  indexDirectory: string;
  /** undefined when the files are cut already. */
  pending: TruncationPlan | undefined;
}

/** The caller closes it. */
export function openPrepared({ pending, ...place }: PreparedPlace): Database {
  if (!pending) return openDatabase(place);
  const { fileSystem, dataDirectory, indexDirectory } = place;
  const set = readChunkSet({ fileSystem, directory: dataDirectory, writer: pending.end });
  const removed = new Set(pending.removed.map(({ file }) => file));
  const checkpoints = {
    ...readCheckpoints(fileSystem, dataDirectory),
    ...pending.checkpoints,
    truncate: -1
  };
  return new Database(place, indexDirectory, checkpoints, {
    ...set,
    chunks: set.chunks.filter(({ fileName }) => !removed.has(fileName)),
    gaps: set.gaps.filter(({ problem: { file } }) => file === null || !removed.has(file)),
    surplus: set.surplus.filter(({ file }) => !removed.has(file)),
    problems: set.problems.filter(({ file }) => file === null || !removed.has(file))
  });
}

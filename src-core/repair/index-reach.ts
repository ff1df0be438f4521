/** Up to where the index says that it has read the log: the log, and its chaser, were at least as far. */
import type { Database } from '../database/database.ts';
import { requireFaultBut } from '../errors.ts';
import { readIndexMap } from '../index/index-map.ts';

/** Commit check point of the index map; -1 without a map that can be read. */
export function indexReach({ fileSystem, indexDirectory }: Database): number {
  try {
    return readIndexMap(fileSystem, indexDirectory)?.commitCheckpoint ?? -1;
  } catch (error) {
    requireFaultBut(error, 'StorageFailed');
    return -1;
  }
}

/** The index has read what the chaser has not, and the log has it: the chaser was set back, nothing else is wrong. */
export function isChaserBehindIndex(database: Database): boolean {
  const reached = indexReach(database);
  return reached >= (database.checkpoints.chaser ?? 0) && reached < database.log.end;
}

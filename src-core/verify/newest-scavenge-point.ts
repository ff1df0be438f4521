/** Position of the newest scavenge point that was written behind the log as it was opened; -1 without one. */
import { openDatabase, type Database } from '../database/database.ts';
import { requireFault } from '../errors.ts';

const SCAVENGE_POINTS_STREAM = '$scavengePoints';

export function newestScavengePoint({ fileSystem, dataDirectory, indexDirectory, log }: Database): number {
  let now: Database | undefined;
  try {
    now = openDatabase({ fileSystem, dataDirectory, indexDirectory });
    let newest = -1;
    for (const cursor = now.log.cursor(log.end); cursor.next();) {
      const { kind, position } = cursor.record;
      if (kind === 'prepare' && cursor.record.stream === SCAVENGE_POINTS_STREAM) newest = position;
    }
    return newest;
  } catch (error) {
    // The tail is still being written, or was moved meanwhile: then nothing more is known.
    requireFault(error);
    return -1;
  } finally {
    now?.close();
  }
}

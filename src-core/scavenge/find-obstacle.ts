/**
 * Looks through the records that a scavenge would accumulate for those that it can never pass, before anything is
 * written: neither a scavenge point nor a checkpoint. The server finds them in the middle of the run.
 */
import type { LogReader } from '../log/log-reader.ts';
import { refuseObstacle } from './phases/1-accumulation.ts';
import type { RunControl } from './run-control.ts';

export async function refuseObstacles(log: LogReader, from: number, control: RunControl): Promise<void> {
  const cursor = log.cursor(from);
  try {
    while (cursor.next()) {
      if (cursor.record.kind === 'prepare') refuseObstacle(cursor.record);
      if (control.isDue()) await control.breathe();
    }
  } finally {
    cursor.close();
  }
}

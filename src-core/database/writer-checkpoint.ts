/** The one file that says where a log ends. */
import { logCorrupt } from '../errors.ts';
import { refuseUnfinishedRestore } from '../storage/restore-marker.ts';
import type { Database } from './database.ts';

/** Nothing but writer.chk says where the log ends, and its lock is what keeps a server away. */
export function requireWriterCheckpoint({ checkpoints, fileSystem, dataDirectory }: Database): void {
  if (checkpoints.writer !== null) return;
  refuseUnfinishedRestore(fileSystem, dataDirectory); // in the middle of one it is missing for a while
  throw logCorrupt(
    'writer.chk is missing: the end of the log is not known.',
    { file: 'writer.chk' },
    'Restore the checkpoints from the same backup as the chunks, or run "winnow repair", which finds the end of the log.'
  );
}

/**
 * Records that no scavenge can pass, ours or the server's: metadata within explicit transactions, deletions where
 * none can be. They are looked for in the records that a scavenge would accumulate, before anything is written:
 * neither a scavenge point nor a checkpoint. The server finds them in the middle of the run.
 */
import { EngineError, logCorrupt } from '../errors.ts';
import type { LogReader } from '../log/log-reader.ts';
import type { HeadCursor, RecordHead } from '../records/record-head.ts';
import { DELETED_STREAM_EVENT_NUMBER, LEGACY_DELETED_STREAM_EVENT_NUMBER } from '../units/event-number.ts';
import type { RunControl } from './run-control.ts';

/** `onSearched` hears before which position there is none, also when the search is stopped. */
export async function refuseObstacles(
  log: LogReader,
  { from, to, onSearched }: { from: number; to: number; onSearched?: (position: number) => void },
  control: RunControl
): Promise<void> {
  const cursor = log.heads(from, to);
  let searched = from;
  try {
    while (cursor.next()) {
      searched = cursor.record.position;
      if (cursor.record.kind === 'prepare') refuseObstacle(cursor.record);
      if (control.isDue()) await control.breathe();
    }
    searched = to;
  } finally {
    cursor.close();
    onSearched?.(searched);
  }
}

/**
 * Looks for obstacles in what is read for another reason, so that it need not be read again: between `from` and `to`
 * there is none.
 */
export class ObstacleWatch {
  from = 0;
  to = 0;

  /** Once it was read to its end, and nothing was met, the range counts. */
  over(cursor: HeadCursor, from: number, to: number): HeadCursor {
    let isClear = true;
    return {
      get record() {
        return cursor.record;
      },
      next: () => {
        if (!cursor.next()) {
          if (isClear) [this.from, this.to] = [from, to];
          return false;
        }
        const { record } = cursor;
        if (isClear && record.kind === 'prepare') isClear = !isObstacle(record);
        return true;
      },
      close: () => cursor.close()
    };
  }
}

function isObstacle(record: RecordHead): boolean {
  if (!record.isTombstone && !record.isMetastream) return false;
  try {
    refuseObstacle(record);
    return false;
  } catch {
    return true; // said in its turn: what comes before it in the log was not looked at
  }
}

/** Records that a scavenge can never pass; a prepare. */
export function refuseObstacle(record: RecordHead): void {
  const { isTombstone, isMetastream, eventNumber } = record;
  if (!isTombstone && !isMetastream) return;
  if (isTombstone && isMetastream) {
    throw obstacle(
      record,
      'tombstoneInMetadataStream',
      `The metadata stream ${record.stream} was hard-deleted at position ${record.position}`
    );
  }
  if (eventNumber >= 0) {
    refuseContradiction(record);
    return;
  }
  throw isTombstone
    ? obstacle(
        record,
        'tombstoneInTransaction',
        `The stream ${record.stream} was hard-deleted within an explicit transaction, at position ${record.position}`
      )
    : obstacle(
        record,
        'metadataInTransaction',
        `Metadata of ${record.stream.slice(2)} was written within an explicit transaction, at position ${record.position}`
      );
}

/**
 * What no server writes, and what a scavenge, the server's too, would take for a reason to remove events that readers see:
 * a deletion that has the number of an event, and metadata that are no event.
 */
function refuseContradiction(record: RecordHead): void {
  const { isTombstone, hasData, eventNumber, position } = record;
  const isDeletion =
    eventNumber === DELETED_STREAM_EVENT_NUMBER || eventNumber === LEGACY_DELETED_STREAM_EVENT_NUMBER;
  if (isTombstone && !isDeletion) {
    throw contradiction(
      record,
      `The record at position ${position} is marked as the deletion of ${record.stream}, but has the number ${eventNumber}`
    );
  }
  if (!isTombstone && !hasData && record.data.length > 0) {
    throw contradiction(
      record,
      `The record at position ${position} holds metadata of ${record.stream.slice(2)}, but is not marked as an event`
    );
  }
}

function contradiction({ stream, position }: RecordHead, what: string): EngineError {
  return logCorrupt(
    `${what}, which no server writes. A scavenge would remove events of the stream that readers see.`,
    { reason: 'contradictoryRecord', stream, position },
    'Verify the database and restore the chunk from a backup. Nothing was changed.'
  );
}

function obstacle(record: RecordHead, reason: string, what: string): EngineError {
  return new EngineError({
    code: 'UnsupportedFormat',
    message: `${what}. Such a record stops every scavenge, the server's too.`,
    remedy:
      'Copy the events you need into a new database (for example by replication to another cluster), where this ' +
      'record does not exist. Nothing was changed.',
    details: { reason, stream: record.stream, position: record.position }
  });
}

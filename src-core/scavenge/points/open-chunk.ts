/**
 * A scavenge point completes its chunk when it is written alone. One that somebody wrote together with other events does not,
 * and a scavenge to it meets an open chunk: the server errors there once it executes, every time again. Told before a run
 * begins, so that no state is left which the next one would resume.
 */
import { logCorrupt, type EngineError } from '../../errors.ts';
import type { LogReader } from '../../log/log-reader.ts';

const FRESH = 'Write a new scavenge point ("--scavenge-point new"): that completes the chunk.';
const BEGUN =
  'Write a new scavenge point and set the unfinished run aside ("--scavenge-point new --start-afresh"): the new point ' +
  'completes the chunk.';

/** LogCorrupt where a chunk that begins before the point is not completed. */
export function requireCompletedBefore(
  { chunks }: Pick<LogReader, 'chunks'>,
  position: number,
  { isBegun }: { isBegun: boolean }
): void {
  const open = chunks.find((chunk) => !chunk.isCompleted && chunk.startPosition < position);
  if (open) throw openChunk(open, isBegun ? BEGUN : FRESH);
}

/** A run met it that had begun. */
export function openChunk(
  { fileName, startPosition }: { fileName: string; startPosition: number },
  remedy = BEGUN
): EngineError {
  return logCorrupt(
    `${fileName} is before the scavenge point but not completed, so it cannot be scavenged.`,
    { file: fileName, position: startPosition },
    remedy
  );
}

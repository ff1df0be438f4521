/**
 * Whether the newest scavenge point of the log is the one that the last scavenge reached, by few reads: then a scavenge
 * toward an existing point has nothing to do, and neither the entries that only the log holds nor what the state says of
 * streams need be read. The state's point is read from the log, which shows that the two belong together; index
 * tables tell of later points as far as they reach, and after that a known digest or the bytes of the chunk.
 *
 * Only "yes" is an answer. Whatever is not as it should be, or cannot be told in this way, is a "no": then all of it
 * is read, and what is wrong is said there. Nothing is ever written on the strength of it.
 */
import { SCAVENGE_POINTS_STREAM } from '../../database/event-appender.ts';
import type { Database } from '../../database/database.ts';
import type { ChunkDigests } from '../../digest/chunk-digests.ts';
import { DigestStreamCursor } from '../../digest/digest-cursor.ts';
import { EngineError, requireFault } from '../../errors.ts';
import type { Chunk } from '../../chunks/chunk.ts';
import { EntryLookup } from '../../index/entry-lookup.ts';
import type { IndexDirectory } from '../../index/index-directory.ts';
import type { StreamHasher } from '../../index/stream-hash.ts';
import { framedName, occursIn } from '../../log/find-stream-name.ts';
import { FRAME_LENGTH } from '../../records/log-record.ts';
import type { RunProgress } from '../run-progress.ts';
import { openStateToRead } from '../state/read-state.ts';
import { decodeScavengeCheckpoint } from '../state/scavenge-checkpoint.ts';
import { isScavengePointRecord, scavengePointOf, type ScavengePoint } from './scavenge-point.ts';

export interface NewestReached {
  database: Database;
  directory: IndexDirectory;
  hasher: StreamHasher;
  statePath: string;
  /** Those that are there are asked; none is made. */
  digests?: ChunkDigests | undefined;
  /** What earlier runs left. */
  progress?: RunProgress | undefined;
  breathe: () => Promise<void>;
}

export async function isNewestPointReached(parts: NewestReached): Promise<boolean> {
  const { database, directory, hasher } = parts;
  // Whatever is damaged is described by those who need it whole.
  if (!directory.isUsable) return false;
  try {
    const point = reachedPoint(parts);
    if (!point) return false;
    const framedBytes = framedSizeOf(point, database);
    if (framedBytes === undefined) return false;
    if (parts.progress?.isNewestReached(database.log, point)) return true;
    const latest = new EntryLookup(directory.tables).latest(hasher(SCAVENGE_POINTS_STREAM));
    if (latest && latest.number > point.number) return false;
    if (latest?.number === point.number && latest.position !== point.position) return false;
    if (!(await isNoOtherAfterTables(parts, point, framedBytes))) return false;
    parts.progress?.newestReached(database.log, point);
    return true;
  } catch (error) {
    requireFault(error);
    return false;
  }
}

/** The point of the last scavenge, if it came to its end. */
function reachedPoint({ database, statePath }: NewestReached): ScavengePoint | undefined {
  const { fileSystem } = database;
  // What waits in the write-ahead log of a cut run counts, and is taken up where the state is opened for a run.
  if (!fileSystem.describe(statePath)?.size || fileSystem.describe(`${statePath}-wal`)?.size)
    return undefined;
  const makeScratch = () => {
    throw new EngineError({
      code: 'DatabaseInUse',
      message: `The scavenge state ${statePath} changes while it is being read.`,
      remedy: 'Try again in a moment.'
    });
  };
  const reading = openStateToRead({ fileSystem, path: statePath, makeScratch, isQuick: true });
  try {
    if (!reading?.isComplete) return undefined;
    const row = reading.database.prepare('SELECT value FROM Checkpoint WHERE key = 0').get();
    const checkpoint = row && decodeScavengeCheckpoint(String(row['value']));
    if (reading.wasChanged() || checkpoint?.stage !== 'done') return undefined;
    return checkpoint.scavengePoint;
  } finally {
    reading?.close();
  }
}

/** Bytes of the point's record with its frame; undefined when the log holds something else at its position. */
function framedSizeOf(point: ScavengePoint, { log }: Database): number | undefined {
  const record = log.readAt(point.position);
  if (!record || !isScavengePointRecord(record)) return undefined;
  const { number, effectiveNow } = scavengePointOf(record);
  const isSame = number === point.number && effectiveNow === point.effectiveNow;
  return isSame ? record.length + FRAME_LENGTH : undefined;
}

async function isNoOtherAfterTables(
  parts: NewestReached,
  point: ScavengePoint,
  framedBytes: number
): Promise<boolean> {
  const { log } = parts.database;
  const from = Math.max(0, parts.directory.checkpoints.commitCheckpoint);
  for (const chunk of log.chunks) {
    if (chunk.endPosition <= from) continue;
    if (await holdsAnother(parts, chunk, { from, point, framedBytes })) return false;
  }
  return true;
}

interface Known {
  /** Position from which the index tables say nothing. */
  from: number;
  point: ScavengePoint;
  framedBytes: number;
}

async function holdsAnother(
  { database, digests, breathe }: NewestReached,
  chunk: Chunk,
  { from, point, framedBytes }: Known
): Promise<boolean> {
  const digest = digests?.known(chunk);
  if (digest) {
    const records = new DigestStreamCursor(digest, SCAVENGE_POINTS_STREAM);
    while (records.next()) {
      const { position } = records.record;
      if (position >= from && position !== point.position) return true;
    }
    return false;
  }
  const reader = database.log.readerOf(chunk);
  const start = reader.physicalOffsetAtOrAfter(Math.max(0, from - chunk.startPosition));
  const end = chunk.dataSize;
  const own = reader.physicalOffset(point.position - chunk.startPosition);
  const isOwnHere = own >= 0 && point.position >= chunk.startPosition && point.position < chunk.endPosition;
  // The reached point itself is left out.
  const ranges =
    isOwnHere && own >= start
      ? [
          { from: start, to: own },
          { from: own + framedBytes, to: end }
        ]
      : [{ from: start, to: end }];
  const wanted = framedName(SCAVENGE_POINTS_STREAM);
  for (const range of ranges) if (await occursIn(reader, wanted, range, breathe)) return true;
  return false;
}

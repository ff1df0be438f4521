/**
 * Whether the logs of stopped members are the same, as far as they all reach. Compared: the size of chunks, the chain
 * of epochs, the newest scavenge point, for each chunk that two members hold unscavenged its data size and, where
 * the headers are the same too, the hash in the footer; of the two newest chunks every byte. Chunks that were
 * scavenged differ between members and are trusted. Only reads.
 */
import { createHash } from 'node:crypto';
import {
  CHUNK_HEADER_LENGTH,
  invalidRequest,
  newestPointBefore,
  readEpochs,
  type Chunk,
  type Database,
  type EngineError,
  type StreamIndex
} from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';

export interface ComparedMember {
  database: Database;
  index: StreamIndex;
}

const PIECE_BYTES = 1024 * 1024;
/** Number of the newest chunks of which every byte is compared. */
const HASHED_CHUNKS = 2;

/** Throws InvalidRequest naming two members and the difference. `end`: end of the shortest log. */
export async function refuseDifferentLogs(
  members: readonly ComparedMember[],
  end: number,
  context: OperationContext
): Promise<void> {
  const [first, ...others] = members;
  if (!first) return;
  const sizeOf = ({ database }: ComparedMember): number => database.chunkSet.chunkSizeBytes;
  for (const other of others) {
    if (sizeOf(other) !== sizeOf(first)) throw logsDiffer(first, other, 'their chunks differ in size');
    if (epochsOf(other, end) !== epochsOf(first, end)) throw logsDiffer(first, other, 'their epochs differ');
    if (newestPoint(other, end) !== newestPoint(first, end)) {
      throw logsDiffer(first, other, 'their newest scavenge points differ');
    }
  }
  const chunkCount = Math.ceil(end / sizeOf(first));
  for (let number = 0; number < chunkCount; number++) {
    await refuseDifferentChunk(members, number, {
      end,
      isHashed: number >= chunkCount - HASHED_CHUNKS,
      context
    });
  }
}

async function refuseDifferentChunk(
  members: readonly ComparedMember[],
  number: number,
  { end, isHashed, context }: { end: number; isHashed: boolean; context: OperationContext }
): Promise<void> {
  let known: { member: ComparedMember; chunk: Chunk; hash: string } | undefined;
  for (const member of members) {
    await context.control.breathe();
    const { log, chunkSet } = member.database;
    const start = number * chunkSet.chunkSizeBytes;
    const chunk = log.chunkAt(start);
    if (!chunk || chunk.isScavenged) continue;
    const place = `at position ${start}, in chunk ${number}`;
    const length = Math.min(chunk.dataSize, end - start);
    const hash = isHashed ? await hashOf(member, chunk, length, context) : '';
    if (!known) {
      known = { member, chunk, hash };
      continue;
    }
    if (length !== Math.min(known.chunk.dataSize, end - start)) {
      throw logsDiffer(known.member, member, `they hold different amounts of data ${place}`);
    }
    if (hash !== known.hash || !agreeByFooter(known.chunk, chunk)) {
      throw logsDiffer(known.member, member, `their bytes differ ${place}`);
    }
  }
}

/** The hash in a footer covers the header too: if the headers differ it says nothing about the data. */
function agreeByFooter(one: Chunk, other: Chunk): boolean {
  if (!one.footer || !other.footer) return true;
  if (JSON.stringify(one.header) !== JSON.stringify(other.header)) return true;
  return one.footer.md5 === other.footer.md5;
}

async function hashOf(
  { database }: ComparedMember,
  chunk: Chunk,
  length: number,
  { control }: OperationContext
): Promise<string> {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const file = database.fileSystem.open(chunk.path, 'read');
  try {
    for (let at = 0; at < length;) {
      const count = file.read(piece, 0, Math.min(PIECE_BYTES, length - at), CHUNK_HEADER_LENGTH + at);
      if (count === 0) break; // a file that is too short has a different hash
      hash.update(piece.subarray(0, count));
      at += count;
      await control.breathe();
    }
  } finally {
    file.close();
  }
  return hash.digest('hex');
}

function epochsOf({ database }: ComparedMember, end: number): string {
  const epochs = readEpochs(database.log, database.checkpoints.epoch);
  return JSON.stringify(epochs.filter(({ position }) => position < end));
}

/** Before `end`; one after it may come from an interrupted call. */
function newestPoint({ database, index }: ComparedMember, end: number): string {
  const point = newestPointBefore(database.log, index, end);
  return point ? `${point.number} at ${point.position}, ${point.effectiveNow}` : 'none';
}

export function logsDiffer(one: ComparedMember, other: ComparedMember, what: string): EngineError {
  return invalidRequest(
    `The logs of ${one.database.dataDirectory} and ${other.database.dataDirectory} are not the same: ${what}. ` +
      'Nothing was written.',
    'NAME',
    'Start the cluster, let its members catch up, and stop it in order; or scavenge with "--scavenge-point detached".'
  );
}

/**
 * What the server's start does with a truncate.chk that is set, worked out beforehand: which chunk files go, from
 * which byte on the last one is zero, what the checkpoints say afterwards. Only reads. What the server would refuse
 * is refused here in the same way; a position within a record, at which the server deletes chunks and then dies, is
 * refused as well. Rules and their order: docs/operations/restore.md, "What truncation does".
 */
import { ChunkReader } from '../chunks/chunk-reader.ts';
import type { Chunk } from '../chunks/chunk.ts';
import { CHUNK_FOOTER_LENGTH } from '../chunks/chunk-footer.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { CHUNK_HEADER_LENGTH, transformName } from '../chunks/chunk-header.ts';
import { EngineError, logCorrupt } from '../errors.ts';
import { readCheckpoints } from './checkpoint-file.ts';
import { readChunkSet, type ChunkSet } from './chunk-set.ts';
import { problemAsError } from './log-problem.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { chunkNumberOf, chunkStartPosition } from '../units/log-position.ts';

/** The server's own limit for a cut that nobody allowed expressly. */
export const DEFAULT_MAX_TRUNCATION_BYTES = 268435456;
/** The first chunk format whose files the server aligns when it truncates; it wrote older ones as they came. */
const FIRST_ALIGNED_TRUNCATION_VERSION = 4;
const PAGE_BYTES = 4096;

/** What a long look needs of whoever runs it; an OperationControl has it. */
export interface LookControl {
  readonly isDue: boolean;
  breathe: () => Promise<void>;
}

export interface TruncationQuestion {
  fileSystem: FileSystem;
  dataDirectory: string;
  /** Where to cut; what truncate.chk says otherwise. */
  at?: number | undefined;
  /** The most that may be cut off; -1 for any amount. Default: the server's 256 MiB. */
  maxTruncationBytes?: number | undefined;
  /** Take the position for good where the chunk is encrypted and cannot be looked at: for plans only. */
  trustsEncrypted?: boolean;
  control: LookControl;
}

export interface TruncationPlan {
  /** What truncate.chk says. */
  requested: number;
  /** Where the log ends afterwards. Less than `requested` when that lies in a scavenged chunk. */
  end: number;
  /** Bytes of the log that go. */
  cutBytes: number;
  /** Chunk files that go, in the order in which they go: the highest first. */
  removed: string[];
  /** The file that becomes the active chunk again; null when the log ends between chunks. */
  reopened: { file: string; zeroFrom: number; length: number } | null;
  /** Afterwards. */
  checkpoints: { writer: number; chaser: number; epoch: number };
}

/** undefined when nothing is to be cut: truncate.chk is missing or -1. */
export async function planTruncation(question: TruncationQuestion): Promise<TruncationPlan | undefined> {
  const { fileSystem, dataDirectory } = question;
  const { writer, chaser, epoch, truncate } = readCheckpoints(fileSystem, dataDirectory);
  const requested = question.at ?? truncate;
  if (requested === null || requested === -1) return undefined;
  const place = { file: 'truncate.chk', offset: 0, position: requested };
  if (requested < 0) {
    throw logCorrupt(
      `truncate.chk holds ${requested}, which is no position of a log.`,
      { ...place, reason: 'negative' },
      'Write -1 into it ("winnow repair" does), or restore the checkpoints from one backup.'
    );
  }
  if (writer === null || writer < 0) {
    throw logCorrupt(
      `The log cannot be cut at ${requested}: writer.chk ${writer === null ? 'is missing' : `holds ${writer}`}.`,
      { file: 'writer.chk', reason: 'writerMissing' }
    );
  }
  refuseTooMuch(requested, writer, question.maxTruncationBytes ?? DEFAULT_MAX_TRUNCATION_BYTES);
  const set = readChunkSet({ fileSystem, directory: dataDirectory, writer: requested });
  refuseExcessive(fileSystem, dataDirectory, chunkNumberOf(writer, set.chunkSizeBytes) + 1, writer);
  const cut = cutOf(set, requested);
  const { found } = cut;
  let end = requested;
  let reopened: TruncationPlan['reopened'] = null;
  if (found && cut.keepsFound) {
    if (requested < writer) await refuseWithinRecord(found, requested, question);
    reopened = reopenedChunk(found, requested);
  } else if (found) end = Math.min(requested, found.startPosition);
  const after = (value: number): number => Math.min(value, end);
  return {
    requested,
    end: Math.min(writer, end),
    cutBytes: Math.max(0, writer - end),
    removed: chunkFilesFrom(fileSystem, dataDirectory, cut.removedFrom),
    reopened,
    checkpoints: {
      writer: after(writer),
      chaser: after(chaser ?? 0),
      epoch: (epoch ?? -1) >= end ? -1 : (epoch ?? -1)
    }
  };
}

interface Cut {
  /** The chunk that holds the position or the first behind it; undefined when the log ends before. */
  found: Chunk | undefined;
  /** The found chunk stays and is cut within; it goes as a whole otherwise. */
  keepsFound: boolean;
  /** Files of this chunk number and of higher ones go. */
  removedFrom: number;
}

function cutOf(set: ChunkSet, requested: number): Cut {
  const number = chunkNumberOf(requested, set.chunkSizeBytes);
  let expected = 0;
  for (const chunk of set.chunks) {
    if (chunk.startNumber > expected && expected < number) throw missingChunk(set, expected);
    expected = chunk.endNumber + 1;
    if (chunk.endNumber < number) continue;
    if (requested === chunkStartPosition(number, set.chunkSizeBytes) && chunk.startNumber >= number) {
      return { found: chunk, keepsFound: false, removedFrom: number };
    }
    if (chunk.startNumber > number) throw missingChunk(set, number);
    return chunk.isScavenged
      ? { found: chunk, keepsFound: false, removedFrom: chunk.startNumber }
      : { found: chunk, keepsFound: true, removedFrom: number + 1 };
  }
  // Chunks behind the position without the one that holds it: a cut between two chunks that was ended half-way.
  const isOnBoundary = requested === chunkStartPosition(number, set.chunkSizeBytes);
  if (set.surplus.length > 0 && !isOnBoundary) throw missingChunk(set, number);
  return { found: undefined, keepsFound: false, removedFrom: number };
}

/** A file of this number that is there but cannot be read says why; otherwise it is simply not there. */
function missingChunk(set: ChunkSet, chunkNumber: number): EngineError {
  const problem = set.problems.find(
    ({ file, severity }) =>
      severity === 'damage' && decodeChunkFileName(file ?? '')?.chunkNumber === chunkNumber
  );
  if (problem) return problemAsError(problem);
  return logCorrupt(
    `The log cannot be cut: chunk ${chunkNumber} is missing.`,
    { reason: 'chunkMissing', position: chunkStartPosition(chunkNumber, set.chunkSizeBytes) },
    'Restore the missing chunk files from a backup of this node.'
  );
}

function refuseTooMuch(requested: number, writer: number, maxTruncationBytes: number): void {
  const cut = writer - requested;
  if (maxTruncationBytes < 0 || cut <= maxTruncationBytes) return;
  throw new EngineError({
    code: 'InvalidRequest',
    message:
      `truncate.chk asks for the last ${cut} bytes of the log to be cut off, from ${writer} back to ${requested}; ` +
      `the limit is ${maxTruncationBytes}. The server's start would fail for the same reason.`,
    remedy:
      `If that is meant, give --max-truncation -1 or a limit above ${cut} (to the server: MaxTruncation). ` +
      'Otherwise write -1 into truncate.chk. Nothing was changed.',
    details: {
      file: 'truncate.chk',
      position: requested,
      reason: 'exceedsMaxTruncation',
      neededBytes: cut,
      limitBytes: maxTruncationBytes
    }
  });
}

function refuseExcessive(
  fileSystem: FileSystem,
  dataDirectory: string,
  chunkNumber: number,
  writer: number
): void {
  const names = (fileSystem.list(dataDirectory) ?? []).map(({ name }) => name);
  const file = names.find((name) => decodeChunkFileName(name)?.chunkNumber === chunkNumber);
  if (file === undefined) return;
  throw logCorrupt(
    `${file} lies behind the end of the log, position ${writer}: the server's start would fail with ` +
      '"excessive TFChunks" before it cuts anything.',
    { file, position: writer, reason: 'excessiveChunks' },
    `Move ${file} out of the directory: it was begun after writer.chk was copied. Nothing was changed.`
  );
}

/** Walks the chunk: only that tells a position between two records from one within. */
async function refuseWithinRecord(
  chunk: Chunk,
  requested: number,
  { fileSystem, control, trustsEncrypted }: TruncationQuestion
): Promise<void> {
  if (trustsEncrypted === true && transformName(chunk.header) !== undefined) return;
  const reader = new ChunkReader(fileSystem, chunk);
  let isWithin = false;
  try {
    const cursor = reader.cursor();
    while (cursor.next()) if (control.isDue) await control.breathe();
  } catch (error) {
    // The walk ends at the position asked for, so a record that reaches beyond it shows as cut.
    if (!(error instanceof EngineError) || error.code !== 'LogCorrupt') throw error;
    if (error.details['reason'] !== 'beyondData') throw error;
    isWithin = true;
  } finally {
    reader.close();
  }
  if (!isWithin) return;
  throw logCorrupt(
    `truncate.chk is set to ${requested}, within a record of ${chunk.fileName}: the server's start would delete ` +
      'the chunks behind it and then fail.',
    { file: 'truncate.chk', position: requested, reason: 'truncateInsideRecord' },
    'Write the position of a record, or -1 for "nothing to cut", into truncate.chk. Nothing was changed.'
  );
}

function reopenedChunk(chunk: Chunk, requested: number): TruncationPlan['reopened'] {
  const { version, chunkSizeBytes } = chunk.header;
  const length = CHUNK_HEADER_LENGTH + chunkSizeBytes + CHUNK_FOOTER_LENGTH;
  return {
    file: chunk.fileName,
    zeroFrom: CHUNK_HEADER_LENGTH + requested - chunk.startPosition,
    length: version < FIRST_ALIGNED_TRUNCATION_VERSION ? length : Math.ceil(length / PAGE_BYTES) * PAGE_BYTES
  };
}

/** Names of all chunk files, old versions too, that start at or behind a chunk number; the highest first. */
function chunkFilesFrom(fileSystem: FileSystem, dataDirectory: string, chunkNumber: number): string[] {
  return (fileSystem.list(dataDirectory) ?? [])
    .filter(({ name, isDirectory }) => {
      const decoded = isDirectory ? undefined : decodeChunkFileName(name);
      return decoded !== undefined && decoded.chunkNumber >= chunkNumber;
    })
    .map(({ name }) => name)
    .sort()
    .reverse();
}

/**
 * What the server's start does with a truncate.chk that is set, worked out beforehand over the files: which chunk
 * files go, from which byte on the last one is zero, what the checkpoints say afterwards. Only reads. What the server
 * would refuse is refused here in the same way; a position within a record, at which the server deletes chunks and
 * then dies, is refused as well. The rule itself: truncation-rule.ts.
 */
import { ChunkReader } from '../chunks/chunk-reader.ts';
import { CHUNK_FOOTER_LENGTH } from '../chunks/chunk-footer.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { CHUNK_HEADER_LENGTH, transformName } from '../chunks/chunk-header.ts';
import { EngineError, logCorrupt, requireFault } from '../errors.ts';
import { readCheckpoints } from './checkpoint-file.ts';
import { readChunkSet, readNewestHeads, type NewestHeads } from './chunk-set.ts';
import { problemAsError } from './log-problem.ts';
import { decideTruncation, type LogFile, type Ruling, type TruncationDecision } from './truncation-rule.ts';
import { entriesIn, namesIn } from '../storage/directory-entries.ts';
import { sizeOf } from '../storage/file-size.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { chunkNumberOf, chunkStartPosition } from '../units/log-position.ts';

/** The server's own limit for a truncation without an explicit setting. */
export const DEFAULT_MAX_TRUNCATION_BYTES = 268435456;
/** The first chunk format whose files the server aligns when it truncates; it wrote older ones as they came. */
const FIRST_ALIGNED_TRUNCATION_VERSION = 4;
const PAGE_BYTES = 4096;

/** What a long check needs from its caller; an OperationControl has it. */
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
  /** Accept the position if the chunk is encrypted and cannot be read: for plans only. */
  trustsEncrypted?: boolean;
  control: LookControl;
}

export interface TruncationPlan extends TruncationDecision {
  /** The file that becomes the active chunk again; null when the log ends between chunks. */
  reopened: { file: string; zeroFrom: number; length: number } | null;
  /** Afterwards. */
  checkpoints: { writer: number; chaser: number; epoch: number };
}

/** What truncate.chk requests; undefined: nothing. LogCorrupt where that is no position: nobody cuts there. */
export function requestedTruncation(truncate: number | null): number | undefined {
  if (truncate === null || truncate === -1) return undefined;
  if (truncate >= 0) return truncate;
  throw logCorrupt(
    `truncate.chk holds ${truncate}, which is not a position in a log.`,
    { file: 'truncate.chk', offset: 0, position: truncate, reason: 'negative' },
    'Write -1 into it ("winnow repair" does), or restore the checkpoints from one backup.'
  );
}

/** undefined when truncate.chk is missing or -1; with any other value the server goes through all of it. */
export async function planTruncation(question: TruncationQuestion): Promise<TruncationPlan | undefined> {
  const { fileSystem, dataDirectory } = question;
  const { writer, chaser, epoch, truncate } = readCheckpoints(fileSystem, dataDirectory);
  const requested = requestedTruncation(question.at ?? truncate);
  if (requested === undefined) return undefined;
  if (writer === null || writer < 0) {
    throw logCorrupt(
      `The log cannot be truncated at ${requested}: writer.chk ${writer === null ? 'is missing' : `holds ${writer}`}.`,
      { file: 'writer.chk', reason: 'writerMissing' }
    );
  }
  refuseTooMuch(requested, writer, question.maxTruncationBytes ?? DEFAULT_MAX_TRUNCATION_BYTES);
  const newest = readNewestHeads(fileSystem, dataDirectory);
  const { chunkSizeBytes, heads } = newest;
  refuseExcessive(fileSystem, dataDirectory, chunkNumberOf(writer, chunkSizeBytes) + 1, writer);
  const decision = decideOver(newest, { fileSystem, dataDirectory, writer, requested });
  if ('missing' in decision) throw missingChunk(newest, decision.missing);
  const head = heads.find(({ file }) => file === decision.reopened);
  if (head && requested < writer) await refuseNoBoundary(head.file, requested, question);
  const after = (value: number): number => Math.min(value, decision.end);
  return {
    ...decision,
    reopened: head ? reopenedChunk(head, requested) : null,
    checkpoints: {
      writer: after(writer),
      chaser: after(chaser ?? 0),
      epoch: (epoch ?? -1) >= decision.cutAt ? -1 : (epoch ?? -1)
    }
  };
}

export interface ReadTruncation {
  fileSystem: FileSystem;
  dataDirectory: string;
  /** What writer.chk and truncate.chk say; the latter not -1. */
  writer: number;
  requested: number;
}

/** The rule alone, for the files of a directory: without the server's refusals and without reading records. */
export function readTruncation(question: ReadTruncation): Ruling {
  return decideOver(readNewestHeads(question.fileSystem, question.dataDirectory), question);
}

function decideOver(
  { chunkSizeBytes, heads }: NewestHeads,
  { fileSystem, dataDirectory, writer, requested }: ReadTruncation
): Ruling {
  const newest = heads.map(({ file, header: { startNumber, endNumber, isScavenged } }) => {
    return { file, startNumber, endNumber, isScavenged };
  });
  return decideTruncation({
    chunkSizeBytes,
    writer,
    requested,
    newest,
    files: readLogFiles(fileSystem, dataDirectory)
  });
}

/** A file of this number that is there but cannot be read says why; otherwise it is simply not there. */
function missingChunk({ problems, chunkSizeBytes }: NewestHeads, chunkNumber: number): EngineError {
  const problem = problems.find(
    ({ file, severity }) =>
      severity === 'damage' && decodeChunkFileName(file ?? '')?.chunkNumber === chunkNumber
  );
  if (problem) return problemAsError(problem);
  return logCorrupt(
    `The log cannot be truncated: chunk ${chunkNumber} is missing.`,
    { reason: 'chunkMissing', position: chunkStartPosition(chunkNumber, chunkSizeBytes) },
    'Restore the missing chunk files from a backup of this node.'
  );
}

function refuseTooMuch(requested: number, writer: number, maxTruncationBytes: number): void {
  const cut = writer - requested;
  if (maxTruncationBytes < 0 || cut <= maxTruncationBytes) return;
  throw new EngineError({
    code: 'InvalidRequest',
    message:
      `truncate.chk requests cutting off the last ${cut} bytes of the log, from ${writer} back to ${requested}; ` +
      `the limit is ${maxTruncationBytes}. The server's start would fail for the same reason.`,
    remedy:
      `If that is intended, give --max-truncation -1 or a limit above ${cut} (to the server: MaxTruncation). ` +
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
  const names = namesIn(fileSystem, dataDirectory);
  const file = names.find((name) => decodeChunkFileName(name)?.chunkNumber === chunkNumber);
  if (file === undefined) return;
  throw logCorrupt(
    `${file} is after the end of the log, position ${writer}: the server's start would fail with ` +
      '"excessive TFChunks" before it truncates anything.',
    { file, position: writer, reason: 'excessiveChunks' },
    `Move ${file} out of the directory: it was created after writer.chk was copied. Nothing was changed.`
  );
}

/** What the reader says where records do not end on the position. */
const NO_BOUNDARY: Record<string, string> = {
  beyondData: 'within a record',
  noRecord: 'after the last record'
};

/** Walks the chunk: only that tells a position between two records from one within, or behind the last one. */
async function refuseNoBoundary(
  file: string,
  requested: number,
  { fileSystem, dataDirectory, control, trustsEncrypted }: TruncationQuestion
): Promise<void> {
  // Read as it will be: the chunk of the position is the one being written, and ends there.
  const set = readChunkSet({ fileSystem, directory: dataDirectory, writer: requested });
  const chunk = set.chunks.find(({ fileName }) => fileName === file);
  if (!chunk) {
    const problem = set.problems.find((candidate) => candidate.file === file);
    throw problem ? problemAsError(problem) : logCorrupt(`${file} cannot be read.`, { file });
  }
  if (trustsEncrypted === true && transformName(chunk.header) !== undefined) return;
  const reader = new ChunkReader(fileSystem, chunk);
  let where: string | undefined;
  try {
    const cursor = reader.cursor();
    while (cursor.next()) if (control.isDue) await control.breathe();
  } catch (error) {
    // The walk ends at the position asked for, so a record that reaches beyond it shows as cut.
    requireFault(error, 'LogCorrupt');
    where = NO_BOUNDARY[String(error.details['reason'])];
    if (where === undefined) throw error;
  } finally {
    reader.close();
  }
  if (where === undefined) return;
  throw logCorrupt(
    `truncate.chk is set to ${requested}, ${where} of ${chunk.fileName}: the server's start would delete ` +
      'the chunks after it and then fail.',
    { file: 'truncate.chk', position: requested, reason: 'truncateInsideRecord' },
    'Write the position of a record, or -1 for "nothing to cut", into truncate.chk. Nothing was changed.'
  );
}

function reopenedChunk(
  { file, header }: NewestHeads['heads'][number],
  requested: number
): TruncationPlan['reopened'] {
  const { version, chunkSizeBytes, startNumber } = header;
  const length = CHUNK_HEADER_LENGTH + chunkSizeBytes + CHUNK_FOOTER_LENGTH;
  return {
    file,
    zeroFrom: CHUNK_HEADER_LENGTH + requested - chunkStartPosition(startNumber, chunkSizeBytes),
    length: version < FIRST_ALIGNED_TRUNCATION_VERSION ? length : Math.ceil(length / PAGE_BYTES) * PAGE_BYTES
  };
}

/** All chunk files, old versions too. */
export function readLogFiles(fileSystem: FileSystem, dataDirectory: string): LogFile[] {
  const files: LogFile[] = [];
  for (const { name, isDirectory } of entriesIn(fileSystem, dataDirectory)) {
    const decoded = isDirectory ? undefined : decodeChunkFileName(name);
    if (!decoded) continue;
    const path = fileSystem.join(dataDirectory, name);
    const bytes = sizeOf(fileSystem, path);
    files.push({
      file: name,
      bytes,
      startNumber: decoded.chunkNumber,
      holdsRecords: holdsRecords(fileSystem, path)
    });
  }
  return files;
}

/** A chunk that was only made ready has zeros where the first record goes. */
function holdsRecords(fileSystem: FileSystem, path: string): boolean {
  const length = new Uint8Array(4);
  const file = fileSystem.open(path, 'read');
  try {
    file.read(length, 0, length.length, CHUNK_HEADER_LENGTH);
  } finally {
    file.close();
  }
  return length.some((byte) => byte !== 0);
}

/**
 * The chunks that the server reads at its start: their hashes in the background, newest first, and the records that
 * its index does not hold yet. What stands in records that it does not read now is no reason against the start.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import type { Database } from '../../database/database.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { EngineError, requireFault, isFileGone } from '../../errors.ts';
import { isWithoutMap } from '../../log/missing-map.ts';
import type { Finding } from '../../verify/finding.ts';
import { verifyChunk, type ChunkVerified } from '../../verify/verify-chunk.ts';
import type { CheckBudget } from './check-budget.ts';
import type { ServerSettings } from './server-settings.ts';
import { HASH_BYTES_PER_SECOND, RECORDS_PER_SECOND, TYPICAL_RECORD_BYTES } from './start-estimate.ts';
import { asStartFinding, REFUSES, startDamage, TAKEN_FOR_EMPTY, type StartFinding } from './start-finding.ts';

export interface LookAtChunks {
  view: Database;
  settings: ServerSettings;
  /** Where the server begins to read the log for its index. */
  readFrom: number;
  budget: CheckBudget;
  control: OperationControl;
}

export interface ChunkReasons {
  findings: StartFinding[];
  notChecked: string[];
  files: number;
  hashedBytes: number;
  records: number;
  /** Bytes of the chunks that `records` were counted in. */
  recordBytes: number;
  /** There was no room for some of what the server reads. */
  isPartial: boolean;
  /** Bytes that the server hashes in the background. */
  backgroundBytes: number;
}

export async function chunkReasons(options: LookAtChunks): Promise<ChunkReasons> {
  const { view, settings, readFrom, budget, control } = options;
  const { chunks } = view.chunkSet;
  const result: ChunkReasons = {
    findings: [],
    notChecked: [],
    files: 0,
    hashedBytes: 0,
    records: 0,
    recordBytes: 0,
    isPartial: false,
    backgroundBytes: 0
  };
  const unread = { hashed: 0, walked: 0 };
  const total = chunks.reduce((sum, { fileSize }) => sum + fileSize, 0);
  let done = 0;
  for (const chunk of chunks.toReversed()) {
    const isHashed = !settings.skipDbVerify && chunk.footer !== null && !chunk.isActive;
    const isRead = chunk.endPosition > readFrom || chunk.isActive;
    control.report({ phase: 'chunks', done, total, unit: 'bytes' });
    done += chunk.fileSize;
    if (isHashed) result.backgroundBytes += chunk.fileSize;
    if (!isHashed && !isRead) continue;
    // The chunk being written is always read: its end decides most starts.
    if (!chunk.isActive && !budget.take(chunk.fileSize)) {
      if (isHashed) unread.hashed += chunk.fileSize;
      if (isRead) unread.walked += chunk.dataSize;
      continue;
    }
    await lookAt(chunk, { isHashed, isRead }, options, result);
  }
  result.isPartial = unread.hashed + unread.walked > 0;
  if (unread.hashed > 0) result.notChecked.push(`hashes of chunks: ${unread.hashed} bytes`);
  if (unread.walked > 0) {
    result.notChecked.push(`records that the index does not hold yet: ${unread.walked} bytes`);
  }
  if (settings.skipDbVerify) result.notChecked.push('hashes of chunks: the server skips them too');
  return result;
}

async function lookAt(
  chunk: Chunk,
  { isHashed, isRead }: { isHashed: boolean; isRead: boolean },
  options: LookAtChunks,
  result: ChunkReasons
): Promise<void> {
  const { view, control } = options;
  let verified: ChunkVerified;
  try {
    verified = await verifyChunk({
      chunk,
      quick: !isHashed,
      fileSystem: view.fileSystem,
      control,
      onBytes: () => undefined
    });
  } catch (error) {
    // A running server has replaced it since the directory was read.
    if (isFileGone(error)) {
      result.notChecked.push(`${chunk.fileName}: it was replaced meanwhile`);
      return;
    }
    requireFault(error, 'UnsupportedFormat');
    result.findings.push(unknownRecord(error, chunk));
    return;
  }
  result.files++;
  result.hashedBytes += verified.bytes;
  result.records += verified.records;
  result.recordBytes += chunk.dataSize;
  const isHashWrong = verified.findings.some(({ code }) => code === 'chunkHashMismatch');
  for (const finding of verified.findings) {
    const reason = await reasonOf(finding, chunk, isRead, options);
    const isTooLate = isHashWrong && isHashedFirst(chunk, options, result.backgroundBytes);
    if (isTooLate && reason.effect === 'refuses') result.findings.push({ ...reason, ...ENDED_BEFORE });
    else result.findings.push(reason);
  }
}

/** After the check of hashes; 0.14 seconds lie between both in the logs of the recorded starts. */
const INDEX_BEGINS_AFTER_SECONDS = 0.1;

const ENDED_BEFORE = {
  effect: 'diesLater' as const,
  wouldDo: 'It would end when it reads the log for its index; the check of hashes reaches this chunk first.'
};

/** Hashes begin with the newest chunk; the index, a moment later, with the first record that it does not hold. */
function isHashedFirst(chunk: Chunk, { view, readFrom }: LookAtChunks, hashBytes: number): boolean {
  const readBytes = view.chunkSet.chunks
    .filter(
      ({ endPosition, startPosition }) => endPosition > readFrom && startPosition <= chunk.startPosition
    )
    .reduce((sum, { dataSize }) => sum + dataSize, 0);
  const readSeconds = INDEX_BEGINS_AFTER_SECONDS + readBytes / TYPICAL_RECORD_BYTES / RECORDS_PER_SECOND;
  return hashBytes / HASH_BYTES_PER_SECOND <= readSeconds;
}

async function reasonOf(
  finding: Finding,
  chunk: Chunk,
  isRead: boolean,
  { view, readFrom, control }: LookAtChunks
): Promise<StartFinding> {
  const number = `${chunk.startNumber}-${chunk.endNumber}`;
  if (finding.code === 'chunkHashMismatch') {
    return asStartFinding(finding, {
      effect: 'diesLater',
      wouldDo:
        'It ends with exit code 1 when its background check reaches this chunk: after moments or hours, newest chunks first.',
      serverSays: `Verification of chunk "#${number} (${chunk.fileName})" failed, terminating server...`
    });
  }
  if (isWithoutMap(chunk)) return asStartFinding(finding, TAKEN_FOR_EMPTY);
  const isMet =
    isRead && (chunk.startPosition >= readFrom || (await failsFrom(readFrom, chunk, view, control)));
  if (!isMet) {
    return asStartFinding(finding, {
      effect: 'none',
      wouldDo: 'It does not read this place when it starts; later reads of it fail.'
    });
  }
  return asStartFinding(finding, {
    effect: 'refuses',
    wouldDo: 'It ends with exit code 1 when it reads the log for its index.',
    serverSays: `Error in StorageChaser. Terminating...${CHASER_WORDS[finding.code] ?? ''}`
  });
}

const CHASER_WORDS: Record<string, string> = {
  writerCheckpointBeyondEnd: ' Log record at actual pos',
  writerCheckpointInsideRecord: ' There is not enough space to read full record'
};

/** Whether the server, which begins in the middle of the chunk, meets the fault. */
async function failsFrom(
  readFrom: number,
  chunk: Chunk,
  { log }: Database,
  control: OperationControl
): Promise<boolean> {
  const records = log.cursor(readFrom, chunk.endPosition);
  try {
    while (records.next()) if (control.isDue) await control.breathe();
    return false;
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    return true;
  } finally {
    records.close();
  }
}

function unknownRecord({ message, remedy, details }: EngineError, chunk: Chunk): StartFinding {
  return startDamage('recordUnsupported', {
    file: chunk.fileName,
    offset: details.offset ?? null,
    message,
    remedy,
    effect: 'refuses',
    wouldDo: REFUSES
  });
}

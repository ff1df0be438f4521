/**
 * Decides where the log ends when the writer checkpoint is missing, contradicts the others, or leads to bytes that
 * are no records. The records decide; a cut that would take something which a checkpoint, the index or a readable
 * record proves is made only with `acceptLoss`, and what would be lost is named in any case.
 */
import type { Chunk } from '../chunks/chunk.ts';
import type { Database } from '../database/database.ts';
import { CHUNK_FOOTER_LENGTH } from '../chunks/chunk-footer.ts';
import { CHUNK_HEADER_LENGTH } from '../chunks/chunk-header.ts';
import { CHUNK_ALIGNMENT } from '../chunks/chunk-writer.ts';
import { readEpochs } from '../database/epochs.ts';
import { openDatabase } from '../database/database.ts';
import { requireFaultBut } from '../errors.ts';
import { readChunkSet } from '../log/chunk-set.ts';
import type { Finding } from '../verify/finding.ts';
import { checkpointChange, type FileChange } from './file-change.ts';
import { isHeaderOfLastFile, makeWritable, planBrokenHeader } from './broken-header.ts';
import { indexReach } from './index-reach.ts';
import { findLogEnd, type LogEnd } from './log-end.ts';
import { planActiveFromDonor } from './plan-chunks.ts';
import { describeLoss, lossInWords } from './loss.ts';
import {
  unrepaired,
  type PlanRepair,
  type RepairAction,
  type RepairWork,
  type Unrepaired
} from './repair-plan.ts';
import { setCheckpoint } from './set-checkpoint.ts';
import { namesIn } from '../storage/directory-entries.ts';

export interface LogEndPlan {
  /** The planned position of the writer. */
  writer: number;
  actions: RepairAction[];
  unrepaired: Unrepaired[];
  /** Findings that are answered here, one way or the other. */
  answered: Finding[];
}

const WRITER_CODES = new Set([
  'writerCheckpointBeyondEnd',
  'writerCheckpointInsideRecord',
  'chaserBeyondWriter'
]);

export async function planLogEnd(options: PlanRepair): Promise<LogEndPlan> {
  const { database, findings, acceptLoss, control } = options;
  const current = database.log.end;
  const header = findings.find((finding) => isHeaderOfLastFile(finding, database));
  const ofEnd = findings.filter((finding) => concernsLogEnd(finding, database));
  if (!header && ofEnd.length === 0) return { writer: current, actions: [], unrepaired: [], answered: [] };

  const { writer, chaser } = database.checkpoints;
  const proven = provenEnd(database);
  const wrongAt = ofEnd.find(({ code }) => code === 'recordInvalid')?.position ?? undefined;
  const end = await findLogEnd({ database, proven, wrongAt, control });
  const broken = header && planBrokenHeader(header, database, end);
  const answered = broken && header ? [...ofEnd, header] : ofEnd;
  const first = answered[0];
  if (!first) return { writer: current, actions: [], unrepaired: [], answered: [] };
  const believable = Math.max(
    0,
    ...proofs(database, endOfActive(database, end)),
    isFileCut(database, end) ? writer! : 0
  );
  const promised = Math.max(believable, writer ?? 0);
  const lost =
    end.position < promised
      ? await describeLoss({ database, from: end.position, to: promised, control })
      : null;
  const isLoss = lost !== null && (end.position < believable || lost.readableRecords > 0);
  // A writer that only another checkpoint contradicts may be right: a backup that reaches it says so. Where the choice is a cut,
  // one that leaves more than the cut is better, wherever it ends.
  const isInReach = writer !== null && writer < endOfActive(database, end);
  if ((isLoss || (isInReach && end.position < writer)) && end.position !== writer) {
    const reach = isInReach ? promised : Math.max(believable, end.position);
    const beyond = acceptLoss ? end.position : undefined;
    const fromDonor = planActiveFromDonor(options, first, { logEnd: reach, beyond });
    if (fromDonor) return { writer: reach, actions: [fromDonor], unrepaired: [], answered };
  }
  if (isLoss && !acceptLoss) {
    const why =
      `the records end at ${end.position}. After that are ${lossInWords(lost)}. Take the chunk from a backup with ` +
      '--from-backup, or give --accept-loss to truncate the log there';
    return {
      writer: current,
      actions: [],
      unrepaired: answered.map((one) => unrepaired(one, why, lost)),
      answered
    };
  }
  const isSettled = end.position === writer && !isLoss && chaser !== null && chaser <= writer;
  if (broken && isSettled)
    return { writer: end.position, actions: [broken.action], unrepaired: [], answered };
  const changes = changesOf(database, end, isLoss);
  // The checkpoints say so already: what contradicts them is not theirs, unless a file is too short for its number.
  const isFileDamaged = answered.some(({ code }) => code.startsWith('checkpoint'));
  if (!broken && changes.length === 0 && !isFileDamaged)
    return { writer: current, actions: [], unrepaired: [], answered: [] };
  const lostWords = isLoss ? `; this loses what follows, ${lossInWords(lost)}` : '';
  const why =
    end.position === writer
      ? `the records end at the writer checkpoint, ${end.position}: the other checkpoints follow it${lostWords}`
      : `the unbroken chain of records ends at ${end.position}; writer.chk was ${writer ?? 'missing'}${lostWords}`;
  const action: RepairAction = {
    code: first.code,
    file: 'writer.chk',
    why,
    changes,
    run: (work) => Promise.resolve(endLogAt(work, end, { isLoss, why }))
  };
  // A header is needed to write behind it; a file is moved away when no checkpoint leads into it any more.
  const actions = !broken ? [action] : broken.isRebuilt ? [broken.action, action] : [action, broken.action];
  return { writer: end.position, actions, unrepaired: [], answered };
}

/** Up to here the log reached, as files other than writer.chk know. */
export function provenEnd(database: Database): number {
  return Math.max(0, ...proofs(database, Infinity));
}

/**
 * Positions that the log reached, as other files know. One that the writer does not confirm and that lies behind
 * `limit`, where not even the chunk being written could reach, is itself what is damaged, unless a second one reaches
 * its chunk too. Where that is chaser.chk, the writer is all that tells what came after the last index table.
 */
function proofs(database: Database, limit: number): number[] {
  const { writer, chaser, epoch } = database.checkpoints;
  const { chunkSizeBytes } = database.chunkSet;
  const positions = [chaser ?? 0, epoch ?? -1, indexReach(database)];
  const behind = positions.filter((position) => position >= limit).sort((a, b) => b - a);
  const confirmed = Math.max(
    writer ?? -1,
    behind[1] === undefined ? -1 : endOfChunk(behind[1], chunkSizeBytes)
  );
  const isBelievable = (position: number) => position <= confirmed || position < limit;
  const isWriterAlone = chaser !== null && !isBelievable(chaser);
  const believed = positions.filter(isBelievable);
  return isWriterAlone && writer !== null && writer < limit ? [...believed, writer] : believed;
}

/** The file of the last chunk ends before the writer: servers make it in its full size, so that more of it was there. */
function isFileCut(database: Database, end: LogEnd): boolean {
  const { writer } = database.checkpoints;
  if (writer === null || !end.active || writer >= endOfActive(database, end)) return false;
  const { chunk } = end.active;
  return CHUNK_HEADER_LENGTH + writer - chunk.startPosition > chunk.fileSize;
}

function endOfActive({ chunkSet: { chunkSizeBytes } }: Database, { position }: LogEnd): number {
  return endOfChunk(position, chunkSizeBytes);
}

function endOfChunk(position: number, chunkSizeBytes: number): number {
  return (Math.floor(position / chunkSizeBytes) + 1) * chunkSizeBytes;
}

/** Damage at the end of the log: of the checkpoints, or of the chunk that is being written. */
function concernsLogEnd(finding: Finding, database: Database): boolean {
  if (finding.severity !== 'damage') return false;
  const { chunkSet, checkpoints, log } = database;
  if (WRITER_CODES.has(finding.code)) return true;
  if (finding.code === 'checkpointMissing' || finding.code === 'checkpointInvalid')
    return finding.file === 'writer.chk';
  if (finding.code === 'epochCheckpointInvalid') return (checkpoints.epoch ?? -1) >= log.end;
  if (finding.code === 'chunkTruncated' || finding.code === 'recordInvalid')
    return finding.file !== null && finding.file === openChunk(database)?.fileName;
  // A failed start leaves a writer checkpoint of zero behind when the file was missing.
  if (finding.code === 'surplusChunk') return checkpoints.writer === 0;
  const isLastMissing = !chunkSet.chunks.some(({ endPosition }) => endPosition >= log.end);
  return MISSING_CODES.has(finding.code) && isLastMissing && isAtEnd(finding, database);
}

/** The chunk being written: that of the writer, or the one that is full by writer.chk and has no footer yet. */
function openChunk({ chunkSet: { chunks } }: Database): Chunk | undefined {
  const last = chunks.at(-1);
  return chunks.find((chunk) => chunk.isActive) ?? (last?.footer === null ? last : undefined);
}

/** Why the last chunk is not there; the last bytes of one that was cut may look like a footer. */
const MISSING_CODES = new Set(['chunkNotCompleted', 'chunkFooterInvalid', 'chunkMissing']);

/** No chunk file follows the one named. */
function isAtEnd({ position, file }: Finding, { chunkSet, fileSystem }: Database): boolean {
  const names = namesIn(fileSystem, chunkSet.directory).filter((name) => /^chunk-\d{6}\.\d{6}$/.test(name));
  const last = names.sort().at(-1) ?? '';
  if (position === null) return file === last;
  return Number(last.slice(6, 12)) * chunkSet.chunkSizeBytes < position;
}

/**
 * Lowered: what reads the log first, the writer last, so that no reader is ever ahead of it. Raised: the writer
 * first. After a loss the bytes
 * behind the cut, of which there is a copy, go last of all: they mean nothing by then and would mislead a later search.
 */
function endLogAt(
  work: RepairWork,
  end: LogEnd,
  { isLoss, why }: { isLoss: boolean; why: string }
): undefined {
  const { fileSystem, dataDirectory } = work.place;
  const { position, active } = end;
  if (isLoss && active) work.setAside.copy('data', active.chunk.fileName, why);
  const { checkpoints } = openDatabase(work.place);
  const epoch =
    checkpoints.epoch !== null && checkpoints.epoch >= position
      ? epochInPlaceBelow(work, position)
      : undefined;
  if (position >= (checkpoints.writer ?? 0)) setCheckpoint(work, 'writer', position, why);
  if (epoch !== undefined) setCheckpoint(work, 'epoch', epoch, why);
  setCheckpoint(work, 'chaser', position, why);
  setCheckpoint(work, 'writer', position, why);
  if (isLoss && active) wipeBehind(work, end, fileSystem.join(dataDirectory, active.chunk.fileName));
  return undefined;
}

/** Of `endLogAt`, as far as the database in its present state tells. */
function changesOf(database: Database, { position, active }: LogEnd, isLoss: boolean): FileChange[] {
  const { writer, chaser, epoch } = database.checkpoints;
  const isEpochCut = epoch !== null && epoch >= position;
  const wiped: FileChange[] =
    isLoss && active
      ? [
          {
            file: active.chunk.fileName,
            kind: 'zeros',
            offset: CHUNK_HEADER_LENGTH + active.dataSize,
            old: null,
            new: null
          }
        ]
      : [];
  return [
    ...(writer === position ? [] : [checkpointChange(database, 'writer', position)]),
    ...(chaser === position ? [] : [checkpointChange(database, 'chaser', position)]),
    ...(isEpochCut ? [checkpointChange(database, 'epoch', epochBelow(database, position))] : []),
    ...wiped
  ];
}

/** What opening still says of the end of the log while it is being settled. */
const CODES_OF_THE_END = new Set([
  'chunkTruncated',
  'chunkMissing',
  'chunkNotCompleted',
  'surplusChunk',
  'writerCheckpointBeyondEnd'
]);

function epochInPlaceBelow(work: RepairWork, position: number): number {
  const database = openDatabase(work.place);
  try {
    return epochBelow(database, position);
  } finally {
    database.close();
  }
}

function epochBelow({ log, problems }: Database, position: number): number {
  try {
    // A chunk that is left out may hold a newer one.
    if (problems.some(({ severity, code }) => severity === 'damage' && !CODES_OF_THE_END.has(code)))
      return -1;
    const record = log.findBackward(Math.min(position, log.end), ({ kind }) => kind === 'system');
    if (!record) return -1;
    return readEpochs(log, record.position)[0]?.position ?? -1;
  } catch (error) {
    // -1 is always right: the server looks for it by itself.
    requireFaultBut(error, 'StorageFailed');
    return -1;
  }
}

/** Gives the file the length that the server made it with, and zeros behind the last record. */
function wipeBehind({ place }: RepairWork, { active }: LogEnd, path: string): void {
  const { fileSystem, dataDirectory } = place;
  // As the header says that is there by now.
  const { chunkSizeBytes } = readChunkSet({ fileSystem, directory: dataDirectory, writer: null });
  if (!fileSystem.describe(path) || !active) return;
  const bare = CHUNK_HEADER_LENGTH + chunkSizeBytes + CHUNK_FOOTER_LENGTH;
  makeWritable(fileSystem, path);
  const file = fileSystem.open(path, 'readWrite');
  try {
    file.truncate(CHUNK_HEADER_LENGTH + active.dataSize);
    file.truncate(Math.ceil(bare / CHUNK_ALIGNMENT) * CHUNK_ALIGNMENT);
    file.sync();
  } finally {
    file.close();
  }
}

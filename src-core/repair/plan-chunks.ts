/**
 * What to do about chunk files that are damaged or missing. In this order: bytes that the file itself proves are put
 * right; an older version that is still there and whole takes over; a backup gives the chunk. Otherwise it stays as
 * it is, with what the server will do and what can still be read. No hash is ever written over unknown bytes.
 */
import type { Chunk } from '../chunks/chunk.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { readChunkSet, type ChunkSet } from '../log/chunk-set.ts';
import { isIndexFault, type Finding } from '../verify/finding.ts';
import { assumeChunk } from './assumed-chunk.ts';
import { donorChunkFor, type DonorChunk } from './chunk-donor.ts';
import { installFromDonor } from './donor-install.ts';
import { examineChunk } from './examine-chunk.ts';
import { byteChanges, nameChange } from './file-change.ts';
import { healChunk } from './heal-chunk.ts';
import { installChunk, nextChunkName } from './install-chunk.ts';
import { describeLoss, lossInWords } from './loss.ts';
import { readPatched } from './patched-file.ts';
import { lengthWithoutZeros, readStart } from './trailing-zeros.ts';
import { findUnseen } from './unseen-chunks.ts';
import {
  unrepaired,
  type PlanRepair,
  type RepairAction,
  type RepairWork,
  type Unrepaired
} from './repair-plan.ts';
import { sizeOf } from '../storage/file-size.ts';
import { namesIn } from '../storage/directory-entries.ts';

export interface ChunksPlan {
  actions: RepairAction[];
  unrepaired: Unrepaired[];
  answered: Finding[];
  /** Files that must not be moved aside as superseded: they serve, or may have to. */
  needed: Set<string>;
}

const CHUNK_CODES = new Set([
  'chunkHashMismatch',
  'chunkHeaderInvalid',
  'chunkFooterInvalid',
  'chunkNotCompleted',
  'recordInvalid'
]);

/** Plans for the log as it is when the writer's position is `writer`, and what befalls the files `settled` is known. */
export async function planChunks(
  options: PlanRepair,
  { writer, settled }: { writer: number; settled: ReadonlySet<string> }
): Promise<ChunksPlan> {
  const { database, donor } = options;
  const { fileSystem, dataDirectory } = database;
  const set = readChunkSet({ fileSystem, directory: dataDirectory, writer });
  const findings = [...options.findings, ...(await findUnseen(options, set, settled))];
  const plan: ChunksPlan = { actions: [], unrepaired: [], answered: [], needed: new Set() };
  const damaged = new Map<string, Finding>();
  for (const finding of findings) {
    if (finding.severity !== 'damage' || finding.file === null || !CHUNK_CODES.has(finding.code)) continue;
    if (!decodeChunkFileName(finding.file) || !isBeforeActive(finding.file, set)) continue;
    plan.answered.push(finding);
    if (!damaged.has(finding.file)) damaged.set(finding.file, finding);
  }
  for (const finding of damaged.values()) await planDamaged(options, set, finding, plan);
  for (const finding of findings) {
    const isMissing =
      finding.code === 'chunkMissing' || (finding.code === 'archiveGap' && donor !== undefined);
    if (isMissing && finding.position !== null && isNeeded(finding.position, set)) {
      plan.answered.push(finding);
      await planMissing(options, set, finding, plan);
    }
  }
  return plan;
}

/** A file that has to be completed: the one being written is not, and what follows it is not part of the log. */
function isBeforeActive(fileName: string, set: ChunkSet): boolean {
  const number = decodeChunkFileName(fileName)!.chunkNumber;
  if (set.chunks.some((chunk) => chunk.fileName === fileName && chunk.isActive)) return false;
  return number * set.chunkSizeBytes < set.writerPosition;
}

function isNeeded(position: number, { writerPosition }: ChunkSet): boolean {
  return position < writerPosition;
}

async function planDamaged(
  options: PlanRepair,
  set: ChunkSet,
  finding: Finding,
  plan: ChunksPlan
): Promise<void> {
  const { database, donor, control } = options;
  const { fileSystem, dataDirectory } = database;
  const fileName = finding.file!;
  const number = decodeChunkFileName(fileName)!.chunkNumber;
  const shape = { fileSystem, directory: dataDirectory, fileName, chunkSizeBytes: set.chunkSizeBytes };
  control.report(
    { phase: `searching for a remedy for ${fileName}`, done: 0, total: null, unit: 'chunks' },
    true
  );

  const healing = await healChunk({ ...shape, nextNumber: nextNumber(fileName, set), control });
  if (healing) {
    const parts = healing.corrections.join(', ');
    const why = `corrected: ${parts}. They follow from the rest of the file, and its hash proves that the original file is restored`;
    plan.actions.push({
      code: finding.code,
      file: fileName,
      why,
      changes: [
        ...byteChanges(
          fileSystem,
          { path: fileSystem.join(dataDirectory, fileName), file: fileName },
          healing.patches
        ),
        nameChange(fileName, fileName, nextChunkName(fileSystem, dataDirectory, fileName))
      ],
      run: async (work) => {
        const content = readPatched(fileSystem, fileSystem.join(dataDirectory, fileName), healing.patches);
        return replaceBy(work, fileName, { content, why });
      }
    });
    return;
  }
  const path = fileSystem.join(dataDirectory, fileName);
  const length = await lengthWithoutZeros({ fileSystem, path, control });
  if (length !== undefined) {
    const size = sizeOf(fileSystem, path);
    const zeros = size - length;
    const why = `${zeros} zeros after its end are cut off; the hash of the rest is that of the original file`;
    plan.actions.push({
      code: finding.code,
      file: fileName,
      why,
      changes: [
        { file: fileName, kind: 'length', offset: null, old: size, new: length },
        nameChange(fileName, fileName, nextChunkName(fileSystem, dataDirectory, fileName))
      ],
      run: (work) =>
        replaceBy(work, fileName, { content: readStart(fileSystem, path, length), fileSize: length, why })
    });
    return;
  }
  const chunk = assumeChunk(shape)?.chunk;
  const range = { startNumber: number, endNumber: Math.max(number, rangeEnd(fileName, set) ?? number) };
  const older = await wholeOlderVersion(options, set, { fileName, number, endNumber: range.endNumber });
  if (older !== undefined) {
    const why = `${older}, the previous version, is whole and takes its place`;
    plan.needed.add(older);
    plan.actions.push({
      code: finding.code,
      file: fileName,
      why,
      changes: [nameChange(fileName, fileName, older)],
      run: (work) => {
        work.setAside.move('data', fileName, why);
        return Promise.resolve(undefined);
      }
    });
    return;
  }
  const given = donorChunkFor(donor, range);
  if (given && donor) {
    const logEnd = set.writerPosition;
    plan.actions.push(donorAction(options, set, { finding, range, given, damaged: chunk, fileName, logEnd }));
    return;
  }
  for (const { file } of set.superseded) {
    if (decodeChunkFileName(file)?.chunkNumber === number) plan.needed.add(file);
  }
  const size = set.chunkSizeBytes;
  const place = { from: number * size, to: Math.min((range.endNumber + 1) * size, set.writerPosition) };
  const lost = await describeLoss({ database, ...place, control });
  plan.unrepaired.push(unrepaired(finding, whyNot(finding, lossInWords(lost), donor?.description), lost));
}

/**
 * The chunk that is being written, out of a backup: for damage that would otherwise cut the log. `logEnd` is where the
 * log ended; one that ends elsewhere is taken as well if it goes beyond `beyond`, where that is given.
 */
export function planActiveFromDonor(
  options: PlanRepair,
  finding: Finding,
  { logEnd = options.database.log.end, beyond }: { logEnd?: number; beyond?: number | undefined } = {}
): RepairAction | undefined {
  const { database, donor } = options;
  const { chunkSet, fileSystem, dataDirectory } = database;
  const { chunkSizeBytes } = chunkSet;
  const number = Math.floor((logEnd - 1) / chunkSizeBytes);
  const range = { startNumber: number, endNumber: number };
  const given = donorChunkFor(donor, range);
  if (!given) return undefined;
  const fileName = namesIn(fileSystem, dataDirectory)
    .filter((name) => decodeChunkFileName(name)?.chunkNumber === number)
    .sort()
    .at(-1);
  const shape = { fileSystem, directory: dataDirectory, chunkSizeBytes };
  const damaged = fileName === undefined ? undefined : assumeChunk({ ...shape, fileName })?.chunk;
  return donorAction(options, chunkSet, { finding, range, given, damaged, fileName, logEnd, beyond });
}

async function planMissing(
  options: PlanRepair,
  set: ChunkSet,
  finding: Finding,
  plan: ChunksPlan
): Promise<void> {
  const { donor, database, acceptLoss, control } = options;
  const size = set.chunkSizeBytes;
  const from = finding.position!;
  const to = Math.min(nextStart(from, set), set.writerPosition);
  const wanted = donor?.chunks
    .filter(({ startNumber, endNumber }) => startNumber * size >= from && endNumber * size < to)
    .sort((a, b) => a.startNumber - b.startNumber);
  for (const given of wanted ?? []) {
    const range = { startNumber: given.startNumber, endNumber: given.endNumber };
    plan.actions.push(
      donorAction(options, set, {
        finding,
        range,
        given,
        damaged: undefined,
        fileName: undefined,
        logEnd: set.writerPosition,
        // Whatever it has of the last chunk is more than a cut before it would leave.
        beyond: acceptLoss ? given.startNumber * size : undefined
      })
    );
  }
  const covered = (wanted ?? []).reduce((sum, one) => sum + one.endNumber - one.startNumber + 1, 0);
  if (covered * size >= to - from) return;
  const lost = await describeLoss({ database, from, to, control });
  const search = donor
    ? `${donor.description} does not have all of it`
    : 'give a backup of this node with --from-backup';
  const why = `no file holds ${lossInWords(lost)}; ${search}. The server does not start without it`;
  plan.unrepaired.push(unrepaired(finding, why, lost));
}

interface FromDonor {
  finding: Finding;
  range: { startNumber: number; endNumber: number };
  given: DonorChunk;
  damaged: Chunk | undefined;
  /** The file that it replaces. */
  fileName: string | undefined;
  logEnd: number;
  beyond?: number | undefined;
}

function donorAction(
  { donor, findings, database: { fileSystem, dataDirectory } }: PlanRepair,
  { chunkSizeBytes }: ChunkSet,
  { finding, range, given, damaged, fileName, logEnd, beyond }: FromDonor
): RepairAction {
  const why = `${donor!.description} has ${given.fileName} of this range; it is used if its bytes, its records and the index match`;
  const file = fileName ?? given.fileName;
  const now = nextChunkName(fileSystem, dataDirectory, given.fileName);
  const damagedTables = new Set(
    findings.filter(isIndexFault).flatMap((fault) => (fault.file === null ? [] : [fault.file]))
  );
  return {
    code: finding.code,
    file,
    why,
    changes: [nameChange(file, fileName ?? null, now)],
    isFromDonor: true,
    run: async (work) => {
      const installed = await installFromDonor(work, {
        donor: donor!,
        given,
        range,
        damaged,
        chunkSizeBytes,
        logEnd,
        beyond,
        damagedTables
      });
      if (typeof installed === 'string')
        return `${given.fileName} of ${donor!.description} does not match: ${installed}`;
      if (fileName !== undefined) work.setAside.move('data', fileName, why);
      return undefined;
    }
  };
}

/** Puts a corrected copy of a file in its place; the file itself is kept aside. */
async function replaceBy(
  { place, setAside, newGuid, control }: RepairWork,
  fileName: string,
  { content, fileSize, why }: { content: Iterable<Uint8Array>; fileSize?: number; why: string }
): Promise<string | undefined> {
  const { fileSystem, dataDirectory } = place;
  const likePath = fileSystem.join(dataDirectory, fileName);
  const installed = await installChunk({
    fileSystem,
    directory: dataDirectory,
    fileName,
    fileSize: fileSize ?? sizeOf(fileSystem, likePath),
    sha256: null,
    content,
    likePath,
    newGuid,
    control
  });
  if (typeof installed === 'string') return installed;
  setAside.move('data', fileName, why);
  return undefined;
}

/** Name of an older file of the same range that is sound in all its bytes. */
async function wholeOlderVersion(
  { database, control }: PlanRepair,
  set: ChunkSet,
  { fileName, number, endNumber }: { fileName: string; number: number; endNumber: number }
): Promise<string | undefined> {
  const { fileSystem, dataDirectory } = database;
  const candidates = set.superseded
    .map(({ file }) => file)
    .filter((file) => file < fileName && decodeChunkFileName(file)?.chunkNumber === number)
    .sort()
    .reverse();
  for (const file of candidates) {
    const path = fileSystem.join(dataDirectory, file);
    const chunk = await examineChunk({ fileSystem, path, fileName: file, control });
    // A merged chunk may only be given up if what it was made of is there as a whole.
    if (typeof chunk !== 'string' && chunk.endNumber === endNumber) return file;
  }
  return undefined;
}

/** Last number of the file's range, where its header can be believed. */
function rangeEnd(fileName: string, set: ChunkSet): number | undefined {
  const known = set.chunks.find((chunk) => chunk.fileName === fileName);
  if (known) return known.endNumber;
  const { fileVersion } = decodeChunkFileName(fileName)!;
  // Only a rewrite merges; what follows says how far a merged file must have reached.
  return fileVersion === 0 ? undefined : nextNumber(fileName, set) - 1;
}

/** First number behind the file that another one covers, or where the log ends. */
function nextNumber(fileName: string, set: ChunkSet): number {
  const { chunkNumber } = decodeChunkFileName(fileName)!;
  const behind = set.chunks.map(({ startNumber }) => startNumber).filter((number) => number > chunkNumber);
  return Math.min(...behind, Math.max(chunkNumber + 1, Math.ceil(set.writerPosition / set.chunkSizeBytes)));
}

function nextStart(position: number, set: ChunkSet): number {
  const behind = set.chunks
    .map(({ startPosition }) => startPosition as number)
    .filter((start) => start > position);
  return Math.min(...behind, set.writerPosition);
}

function whyNot({ code, message }: Finding, rest: string, searched: string | undefined): string {
  const donor =
    searched === undefined
      ? 'Give a backup of this node with --from-backup'
      : `${searched} has no chunk of this range`;
  const unknown =
    code === 'chunkHashMismatch'
      ? 'Which byte changed cannot be determined, and repair never writes a new hash over unproven bytes'
      : 'The file does not show what belonged there';
  const server = SERVER[code] ?? 'The server fails when it reads this place';
  return `${message} ${unknown}; ${rest}. ${server}. ${donor}`;
}

const SERVER: Record<string, string> = {
  chunkHashMismatch:
    'The server ends itself when it finds this, or continues if it is started with --skip-db-verify',
  chunkHeaderInvalid: 'The server does not start with it',
  chunkFooterInvalid: 'The server does not start with it, or fails when it reads this place',
  chunkNotCompleted: 'The server does not start with it'
};

/**
 * What a restore is going to do, before anything is written: which files come, which do not and why, what is
 * replaced and lost, whether there is room, where the log will end and whether the server's own limit allows the cut.
 * Only reads.
 */
import { openDatabase } from '../database/database.ts';
import { readEpochs, type Epoch } from '../database/epochs.ts';
import { EngineError, invalidRequest, logCorrupt, requireFault } from '../errors.ts';
import type { Manifest } from '../backup/manifest.ts';
import { readCheckpointFile } from '../log/checkpoint-file.ts';
import { DEFAULT_MAX_TRUNCATION_BYTES } from '../log/truncation.ts';
import {
  decideTruncation,
  describeTruncation,
  effectOf,
  type TruncationDecision
} from '../log/truncation-rule.ts';
import { namesIn } from '../storage/directory-entries.ts';
import type { FileSystem } from '../storage/file-system.ts';
import {
  asidePlaces,
  foreseenPlaces,
  pathWithin,
  restorePlaces,
  type RestorePlaces
} from './restore-places.ts';
import { chooseFiles, type LeftOut, type RestoreSource, type SourceFile } from './restore-source.ts';
import { oldNames } from './switch-directories.ts';

/** What a restore says of an index that is not that of its log. */
export const INDEX_MADE_AGAIN =
  'The log does not need it: the server rebuilds the index from the log at its first start after the restore; "winnow index rebuild" does so earlier.';

export interface RestoreRequest {
  source: RestoreSource;
  dataDirectory: string;
  indexDirectory: string;
  /** Cut the log here, so that the server starts once. */
  appliesTruncation: boolean;
  /** `20261121T050000Z`, for the names of directories. */
  stamp: string;
}

export interface RestoreWarning {
  code: string;
  message: string;
  remedy: string;
}

/** The database that is replaced. */
export interface ReplacedDatabase {
  writer: number;
  /** Bytes of its log behind the point to which is restored; counted only where both are of one history. */
  lostBytes: number | null;
  /** null when nothing tells. */
  isSameHistory: boolean | null;
  hasScavengeState: boolean;
}

export interface RestorePlan {
  backup: string;
  dataDirectory: string;
  indexDirectory: string;
  places: RestorePlaces;
  /** Where old files will lie; empty where there are none. */
  movesAside: string[];
  stamp: string;
  files: SourceFile[];
  leftOut: LeftOut[];
  bytes: number;
  /** Where the log will end. */
  truncatesTo: number;
  /** Bytes of the copied log behind that. */
  cutBytes: number;
  /** What the cut does to the files; undefined where the source does not tell of its chunks. */
  cut: TruncationDecision | undefined;
  appliesTruncation: boolean;
  /** null when the target is empty or missing. */
  replaces: ReplacedDatabase | null;
  /** The target is the directory the backup was taken of. */
  isSourceNode: boolean;
  space: { directory: string; neededBytes: number; freeBytes: number }[];
  warnings: RestoreWarning[];
}

export function planRestore(fileSystem: FileSystem, request: RestoreRequest): RestorePlan {
  const { source, dataDirectory, indexDirectory, appliesTruncation, stamp } = request;
  refuseOverlap(request);
  const { files, leftOut } = chooseFiles(source);
  const { writer, chaser } = source.checkpoints;
  const named = restorePlaces({ fileSystem, dataDirectory, indexDirectory, stamp });
  const places = foreseenPlaces(fileSystem, { dataDirectory, indexDirectory, places: named, stamp });
  const old = oldNames({ fileSystem, dataDirectory, journal: { places, indexDirectory } });
  const replaced = replacedDatabase(fileSystem, request);
  const cut = cutOf(source, files);
  const plan: RestorePlan = {
    backup: source.description,
    dataDirectory,
    indexDirectory,
    places,
    movesAside: asidePlaces({ places, old }),
    stamp,
    files,
    leftOut,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    truncatesTo: cut?.end ?? chaser,
    cutBytes: cut?.cutBytes ?? writer - chaser,
    cut,
    appliesTruncation,
    replaces: replaced?.database ?? null,
    isSourceNode: isSourceNode(fileSystem, request),
    space: neededSpace(fileSystem, request, files),
    warnings: []
  };
  plan.warnings.push(...warningsOf(plan, source, replaced?.problem));
  return plan;
}

/**
 * The log is cut at the chaser's position, by the server or here. Refuses a source of which nothing would be left:
 * zero is what a checkpoint is that lost its bytes.
 */
function cutOf(
  { log, chunkSizeBytes, checkpoints, description }: RestoreSource,
  files: readonly SourceFile[]
): TruncationDecision | undefined {
  if (!log) return undefined;
  const { writer, chaser } = checkpoints;
  const chosen = new Set(files.filter(({ area }) => area === 'data').map(({ name }) => name));
  const ruling = decideTruncation({
    chunkSizeBytes,
    writer,
    requested: chaser,
    newest: log.newest.filter(({ file }) => chosen.has(file)),
    files: log.files.filter(({ file }) => chosen.has(file))
  });
  if ('missing' in ruling) return undefined; // named when the gathered log is looked through
  if (effectOf(ruling) !== 'deletesLog') return ruling;
  throw logCorrupt(
    `${description} cannot be restored: chaser.chk is at ${chaser}, where a restore truncates the log, and the first start ${describeTruncation(ruling)}.`,
    { file: 'chaser.chk', offset: 0, position: chaser, reason: 'deletesLog' },
    'Use another backup. For a manual copy, "winnow doctor" says what is wrong with its checkpoints, and "winnow repair" repairs them.'
  );
}

/** What is restored from must not lie in what is moved aside, and a plain copy not around it. */
function refuseOverlap({ source, dataDirectory, indexDirectory }: RestoreRequest): void {
  const targets = [dataDirectory, indexDirectory];
  for (const place of source.places) {
    const isInside = targets.some((directory) => pathWithin(place, directory) !== undefined);
    const isAround =
      source.manifest === null && targets.some((directory) => pathWithin(directory, place) !== undefined);
    if (!isInside && !isAround) continue;
    throw invalidRequest(
      `The backup in ${place} is in the directories that it would replace (${dataDirectory}).`,
      'backup',
      'Move the backup to another place, or name another target.'
    );
  }
}

/** Throws StorageFailed with the numbers when a volume has too little room: the old files stay until the end. */
export function refuseTooLittleSpace({ space }: Pick<RestorePlan, 'space'>): void {
  for (const { directory, neededBytes, freeBytes } of space) {
    if (freeBytes >= neededBytes) continue;
    throw new EngineError({
      code: 'StorageFailed',
      message: `The restore needs ${neededBytes} bytes on the volume of ${directory} beside what is there; ${freeBytes} are free.`,
      remedy:
        'Free space on this volume: the old files stay until the new ones are complete. Nothing was changed.',
      details: { file: directory, neededBytes, freeBytes, osCode: 'ENOSPC' }
    });
  }
}

function neededSpace(
  fileSystem: FileSystem,
  { dataDirectory, indexDirectory }: RestoreRequest,
  files: readonly SourceFile[]
): RestorePlan['space'] {
  const bytesOf = (area: SourceFile['area']): number =>
    files.filter((file) => file.area === area).reduce((sum, { bytes }) => sum + bytes, 0);
  const data = existing(fileSystem, dataDirectory);
  const index = existing(fileSystem, indexDirectory);
  const volumeOf = (directory: string): number | undefined => fileSystem.describe(directory)?.device;
  if (volumeOf(data) === volumeOf(index)) {
    return [
      {
        directory: dataDirectory,
        neededBytes: bytesOf('data') + bytesOf('index'),
        freeBytes: fileSystem.freeBytes(data)
      }
    ];
  }
  return [
    { directory: dataDirectory, neededBytes: bytesOf('data'), freeBytes: fileSystem.freeBytes(data) },
    { directory: indexDirectory, neededBytes: bytesOf('index'), freeBytes: fileSystem.freeBytes(index) }
  ];
}

/** The directory, or the nearest one above it that is there. */
export function existing(fileSystem: FileSystem, directory: string): string {
  let path = directory;
  while (fileSystem.describe(path) === undefined) {
    const parent = fileSystem.join(path, '..');
    if (parent === path) break;
    path = parent;
  }
  return path;
}

interface Replaced {
  database: ReplacedDatabase;
  /** Why little is known of it. */
  problem: string | undefined;
}

function replacedDatabase(
  fileSystem: FileSystem,
  { source, dataDirectory, indexDirectory }: RestoreRequest
): Replaced | undefined {
  const names = namesIn(fileSystem, dataDirectory);
  if (!names.some((name) => /^chunk-|\.chk$/.test(name))) return undefined;
  const state = fileSystem.join(indexDirectory, 'scavenging');
  const hasScavengeState = fileSystem.describe(state) !== undefined;
  const writer = readCheckpointFile(fileSystem, fileSystem.join(dataDirectory, 'writer.chk')) ?? 0;
  let epochs: Epoch[] = [];
  let problem: string | undefined;
  try {
    const database = openDatabase({ fileSystem, dataDirectory, indexDirectory });
    try {
      epochs = readEpochs(database.log, database.checkpoints.epoch);
    } finally {
      database.close();
    }
  } catch (error) {
    // That it is damaged is a common reason to restore over it.
    requireFault(error);
    problem = error.message;
  }
  const isSameHistory = source.manifest ? haveOneHistory(source.manifest, epochs) : null;
  return {
    database: {
      writer,
      isSameHistory,
      lostBytes: isSameHistory === true ? Math.max(0, writer - source.checkpoints.chaser) : null,
      hasScavengeState
    },
    problem
  };
}

/** An epoch of one number has one id in one history; null when they have no number in common. */
function haveOneHistory({ epochs }: Manifest, others: readonly Epoch[]): boolean | null {
  for (const epoch of epochs) {
    const other = others.find(({ number }) => number === epoch.number);
    if (other) return other.id === epoch.id;
  }
  return null;
}

/** By the tag where both have one: it is copied with a backup, and no other node has it. */
function isSourceNode(fileSystem: FileSystem, { source, dataDirectory }: RestoreRequest): boolean {
  const { manifest } = source;
  if (!manifest) return false;
  const tag = readTag(fileSystem, dataDirectory);
  if (tag !== undefined && manifest.databaseTag !== null) return tag === manifest.databaseTag;
  return manifest.node.dataDirectory === dataDirectory;
}

function readTag(fileSystem: FileSystem, dataDirectory: string): string | undefined {
  const path = fileSystem.join(dataDirectory, 'tag.chk');
  if (fileSystem.describe(path) === undefined) return undefined;
  const bytes = new Uint8Array(8);
  const file = fileSystem.open(path, 'read');
  try {
    file.read(bytes, 0, bytes.length, 0);
  } finally {
    file.close();
  }
  return new DataView(bytes.buffer).getBigInt64(0, true).toString();
}

function warningsOf(plan: RestorePlan, source: RestoreSource, problem: string | undefined): RestoreWarning[] {
  const warnings: RestoreWarning[] = [];
  if (source.manifest === null) {
    warnings.push({
      code: 'noManifest',
      message: `${source.description} is a copy without a manifest: its node and its time are unknown, as is whether a file has changed since.`,
      remedy:
        'All of it is verified before the target is touched. Make sure that all its files are from one node and one time.'
    });
  }
  for (const { code, message } of source.indexProblems) {
    warnings.push({ code, message: `${source.description}: ${message}`, remedy: INDEX_MADE_AGAIN });
  }
  if (!plan.appliesTruncation && plan.cutBytes > DEFAULT_MAX_TRUNCATION_BYTES) {
    warnings.push({
      code: 'exceedsMaxTruncation',
      message: `The first start has to cut off ${plan.cutBytes} bytes; the server's limit (MaxTruncation) is ${DEFAULT_MAX_TRUNCATION_BYTES}, above which it refuses to start.`,
      remedy: `Restore with --apply-truncation, or start the server once with MaxTruncation set to -1 or above ${plan.cutBytes}.`
    });
  }
  const { truncate, chaser } = source.checkpoints;
  const { cut } = plan;
  if (cut && (cut.scavengedChunk !== null || effectOf(cut) === 'deletesBehindEnd')) {
    const where =
      cut.scavengedChunk === null ? '' : `, which is in the scavenged chunk ${cut.scavengedChunk}`;
    warnings.push({
      code: 'deletesChunks',
      message: `The log is truncated at ${chaser}${where}: the first start ${describeTruncation(cut)}.`,
      remedy:
        'Use another backup if there is one. In a cluster the node gets the removed part from its leader.'
    });
  }
  if (truncate !== null && truncate >= 0 && truncate < chaser) {
    warnings.push({
      code: 'truncatePending',
      message: `The source had a truncation to ${truncate} pending when it was copied; the restore ends at ${chaser} instead.`,
      remedy:
        'The part between them may never have belonged to the cluster. Compare with another node before clients use it.'
    });
  }
  for (const { name } of plan.leftOut.filter(({ why }) => why === 'behindTheLog')) {
    warnings.push({
      code: 'surplusChunk',
      message: `${name} was created while the backup was taken and is after the end of its log; it is not restored.`,
      remedy: 'Nothing to do: with it the server would refuse to start.'
    });
  }
  warnings.push(...warningsOfTarget(plan, problem));
  return warnings;
}

function warningsOfTarget(plan: RestorePlan, problem: string | undefined): RestoreWarning[] {
  const warnings: RestoreWarning[] = [];
  const { replaces, places } = plan;
  if (problem !== undefined) {
    warnings.push({
      code: 'targetDamaged',
      message: `The content of the target cannot be compared with the backup: ${problem}`,
      remedy: 'Nothing to do if that is the reason for the restore.'
    });
  }
  if (replaces?.isSameHistory === false) {
    warnings.push({
      code: 'otherHistory',
      message: 'The target holds a log of another history than the backup.',
      remedy: 'Make sure that this is the right target.'
    });
  }
  if (replaces?.hasScavengeState) {
    warnings.push({
      code: 'scavengeStateMovedAside',
      message:
        'The scavenge state of the target is moved aside: together with an older log it would make the next scavenge delete live events.',
      remedy: 'Nothing to do. The next scavenge starts afresh and takes longer.'
    });
  }
  if (plan.isSourceNode) {
    warnings.push({
      code: 'fullBackupAdvised',
      message: 'The target is the node from which this backup was taken.',
      remedy:
        'Differential backups cannot build on those from before it. After the restore: "winnow backup create --mode full".'
    });
  }
  if (places.isDataInside || places.isIndexInside) {
    warnings.push({
      code: 'keptInside',
      message: `The old files stay on the mount point, in ${places.isDataInside ? places.asideData : places.asideIndex}.`,
      remedy: 'Remove that directory when the new database runs.'
    });
  }
  return warnings;
}

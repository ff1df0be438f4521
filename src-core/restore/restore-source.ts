/**
 * Where a restore takes its files from: a backup of a catalogue, or a directory copied by hand. Only
 * ever read. And which of its files a server is given: log, checkpoints, index, filters. The state of the scavenger
 * is never among them (together with an older log it makes the next scavenge delete live events), nor is anything
 * that the server makes by itself.
 */
import { decodePlain, readBackupFile, type DecodeFile } from '../backup/file-encoding.ts';
import type { BackupArea } from '../backup/backup-layout.ts';
import { LocalBackupTarget } from '../backup/local-target.ts';
import type { BackupTarget } from '../backup/backup-target.ts';
import type { Manifest } from '../backup/manifest.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { logCorrupt } from '../errors.ts';
import type { IndexProblem } from '../index/index-problem.ts';
import type { LogFile, NewestFile } from '../log/truncation-rule.ts';

export interface SourceFile {
  area: BackupArea;
  /** Relative to the directory of its area, with `/`. */
  name: string;
  bytes: number;
  /** null if it was not recorded: a manual copy. */
  sha256: string | null;
}

export interface SourceCheckpoints {
  writer: number;
  chaser: number;
  /** What the source itself had pending; null where it had no such file. */
  truncate: number | null;
}

/** What the caller uses to open the same source when a restore resumes. */
export interface SourceLocation {
  target: string;
  /** null: a directory without a manifest. */
  id: string | null;
}

/** As in a RuleQuestion. */
export interface SourceLog {
  newest: readonly NewestFile[];
  files: readonly LogFile[];
}

export interface RestoreSource {
  /** For messages. */
  readonly description: string;
  readonly location: SourceLocation;
  /** Directories of this machine that are read; none for a store elsewhere. */
  readonly places: readonly string[];
  readonly files: readonly SourceFile[];
  readonly checkpoints: SourceCheckpoints;
  readonly chunkSizeBytes: number;
  /** What the rule of truncation asks of the log's files; null where a manifest does not tell. */
  readonly log: SourceLog | null;
  /** How many files at once make sense: several where the store is far away. */
  readonly parallelFiles: number;
  /** null for a copy made by hand. */
  readonly manifest: Manifest | null;
  /** What is wrong with its index, as far as a check of it shows; empty if only a restore can tell. */
  readonly indexProblems: readonly IndexProblem[];
  /** Plain bytes. */
  read(file: SourceFile): AsyncIterable<Uint8Array>;
}

/** A backup of a catalogue. */
export function backupSource(parts: {
  target: BackupTarget;
  manifest: Manifest;
  /** How the caller names the target. */
  targetName: string;
  decode?: DecodeFile | undefined;
}): RestoreSource {
  const { target, manifest, targetName, decode = decodePlain } = parts;
  const { writer, chaser, truncate } = manifest.checkpoints;
  const entries = new Map(manifest.files.map((file) => [keyOf(file), file]));
  return {
    description: `${target.description}@${manifest.id}`,
    location: { target: targetName, id: manifest.id },
    places: target instanceof LocalBackupTarget ? [target.directory] : [],
    files: manifest.files.map(({ area, name, bytes, sha256 }) => ({ area, name, bytes, sha256 })),
    checkpoints: { writer, chaser, truncate },
    chunkSizeBytes: manifest.chunkSize,
    log: logOf(manifest),
    parallelFiles: target.parallelFiles,
    manifest,
    indexProblems: [],
    read: (file) => {
      const entry = entries.get(keyOf(file));
      // The journal of a restore that is continued names files, and is a file that anybody can change.
      if (!entry) {
        throw logCorrupt(
          `The backup ${target.description}@${manifest.id} does not contain ${keyOf(file)}.`,
          { file: file.name, target: targetName },
          'Undo the restore with "winnow restore --undo" and begin it again.'
        );
      }
      return readBackupFile(target, entry, decode);
    }
  };
}

/** A backup holds no superseded chunk. One that is not completed holds records where the writer has come into it. */
function logOf({ files, chunkSize, checkpoints }: Manifest): SourceLog | null {
  const log = { newest: [] as NewestFile[], files: [] as LogFile[] };
  for (const { area, name, bytes, chunk } of files) {
    if (area !== 'data' || !decodeChunkFileName(name)) continue;
    if (!chunk) return null;
    const { start, end, isScavenged, isCompleted } = chunk;
    const holdsRecords = isCompleted || start * chunkSize < checkpoints.writer;
    log.newest.push({ file: name, startNumber: start, endNumber: end, isScavenged });
    log.files.push({ file: name, bytes, startNumber: start, holdsRecords });
  }
  log.newest.sort((a, b) => a.startNumber - b.startNumber);
  return log;
}

export function keyOf({ area, name }: { area: BackupArea; name: string }): string {
  return `${area}/${name}`;
}

export interface LeftOut {
  area: BackupArea;
  name: string;
  why: 'behindTheLog' | 'scavengeState' | 'madeByTheServer' | 'rewrittenHere';
}

export interface ChosenFiles {
  files: SourceFile[];
  leftOut: LeftOut[];
}

const DATA_NAMES = new Set(['writer.chk', 'chaser.chk', 'epoch.chk', 'proposal.chk', 'tag.chk']);
const GUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const INDEX_NAME = new RegExp(
  `^(indexmap|${GUID}|${GUID}\\.bloomfilter|stream-existence/streamExistenceFilter\\.(chk|dat))$`
);

/**
 * The files to restore. A chunk behind that of the writer was begun while the backup was taken: the server would
 * refuse to truncate with it there.
 */
export function chooseFiles(source: RestoreSource): ChosenFiles {
  const lastNumber = Math.floor(source.checkpoints.writer / source.chunkSizeBytes);
  const chosen: ChosenFiles = { files: [], leftOut: [] };
  for (const file of source.files) {
    const why = reasonToLeaveOut(file, lastNumber);
    if (why) chosen.leftOut.push({ area: file.area, name: file.name, why });
    else chosen.files.push(file);
  }
  for (const name of ['writer.chk', 'chaser.chk']) {
    const file = chosen.files.find((candidate) => candidate.area === 'data' && candidate.name === name);
    if (file?.bytes === 8) continue;
    throw logCorrupt(
      `${source.description} cannot be restored: ${name} ${file ? `has ${file.bytes} bytes instead of 8` : 'is missing'}.`,
      { file: name },
      'Use another backup.'
    );
  }
  const { writer, chaser } = source.checkpoints;
  if (chaser < 0 || chaser > writer) {
    throw logCorrupt(
      `${source.description} cannot be restored: chaser.chk (${chaser}) is ahead of writer.chk (${writer}).`,
      { file: 'chaser.chk', offset: 0, position: chaser, reason: 'chaserBeyondWriter' },
      'The checkpoints were copied in the wrong order. Use another backup.'
    );
  }
  return chosen;
}

/** A file that a restore puts in place, whatever the source. */
export function isRestorable(file: unknown): file is SourceFile {
  const { area, name, bytes, sha256 } = (file ?? {}) as Partial<SourceFile>;
  const isKnownArea = area === 'data' || area === 'index';
  const isHash = sha256 === null || typeof sha256 === 'string';
  if (!isKnownArea || typeof name !== 'string' || typeof bytes !== 'number' || !isHash) return false;
  return reasonToLeaveOut({ area, name, bytes, sha256 }, Infinity) === undefined;
}

function reasonToLeaveOut({ area, name }: SourceFile, lastNumber: number): LeftOut['why'] | undefined {
  if (area === 'index') {
    if (INDEX_NAME.test(name)) return undefined;
    return name.startsWith('scavenging/') ? 'scavengeState' : 'madeByTheServer';
  }
  if (name === 'truncate.chk') return 'rewrittenHere';
  const chunk = decodeChunkFileName(name);
  if (chunk) return chunk.chunkNumber > lastNumber ? 'behindTheLog' : undefined;
  return DATA_NAMES.has(name) ? undefined : 'madeByTheServer';
}

/**
 * A directory that an operator copied by hand, as the source of a restore: no manifest tells sizes, hashes or where
 * it comes from, so its files are listed as they lie there and everything has to be verified afterwards. Reads only.
 */
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import type { BackupArea } from '../backup/backup-layout.ts';
import { openDatabase } from '../database/database.ts';
import { EngineError, logCorrupt } from '../errors.ts';
import { IndexDirectory } from '../index/index-directory.ts';
import type { IndexProblem } from '../index/index-problem.ts';
import { readCheckpoints } from '../log/checkpoint-file.ts';
import { readNewestHeads } from '../log/chunk-set.ts';
import { readLogFiles } from '../log/truncation.ts';
import { entriesIn, namesIn } from '../storage/directory-entries.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { refuseUnfinishedRestore } from '../storage/restore-marker.ts';
import type { RestoreSource, SourceFile } from './restore-source.ts';

const BLOCK_BYTES = 1024 * 1024;
/** `stream-existence`, `scavenging`: deeper entries are not part of a database. */
const INDEX_DEPTH = 2;

interface CopyPlace {
  dataDirectory: string;
  indexDirectory: string;
}

/**
 * `directory` holds the copy of a data directory with its index inside, or the folders `data` and `index`.
 * DatabaseNotFound when it holds neither.
 */
export function plainCopySource(
  fileSystem: FileSystem,
  directory: string,
  indexDirectory?: string
): RestoreSource {
  const place = copyPlace(fileSystem, directory, indexDirectory);
  const { writer, chaser, truncate } = readCheckpoints(fileSystem, place.dataDirectory);
  if (writer === null || chaser === null) {
    const file = writer === null ? 'writer.chk' : 'chaser.chk';
    throw logCorrupt(`The copy ${directory} has no ${file}.`, { file }, 'Use another copy.');
  }
  refuseInUse(fileSystem, place.dataDirectory);
  const files = [
    ...filesIn(fileSystem, 'data', place.dataDirectory, 1),
    ...filesIn(fileSystem, 'index', place.indexDirectory, INDEX_DEPTH)
  ];
  const { chunkSizeBytes, heads } = readNewestHeads(fileSystem, place.dataDirectory);
  const newest = heads.map(({ file, header: { startNumber, endNumber, isScavenged } }) => {
    return { file, startNumber, endNumber, isScavenged };
  });
  return {
    description: directory,
    location: { target: directory, id: null },
    places: [place.dataDirectory, place.indexDirectory],
    files,
    checkpoints: { writer, chaser, truncate },
    chunkSizeBytes,
    log: { newest, files: readLogFiles(fileSystem, place.dataDirectory) },
    parallelFiles: 1,
    manifest: null,
    indexProblems: indexProblems(fileSystem, place, chaser),
    read: ({ area, name }) => {
      const root = area === 'data' ? place.dataDirectory : place.indexDirectory;
      return readFile(fileSystem, fileSystem.join(root, ...name.split('/')));
    }
  };
}

/** A directory that a server has open is not a copy: its files would be taken at different moments. */
function refuseInUse(fileSystem: FileSystem, dataDirectory: string): void {
  refuseUnfinishedRestore(fileSystem, dataDirectory);
  const holder = fileSystem.lockHolder(fileSystem.join(dataDirectory, 'writer.chk'));
  if (!holder) return;
  throw new EngineError({
    code: 'DatabaseInUse',
    message: `${dataDirectory} is the data directory of a running node (${holder.by}), not a copy.`,
    remedy: 'Take a backup of it with "winnow backup create", then restore the backup.',
    details: { file: 'writer.chk', by: holder.by }
  });
}

/** A copy may combine files of several nodes or moments: its index is compared with its log. */
function indexProblems(
  fileSystem: FileSystem,
  { dataDirectory, indexDirectory }: CopyPlace,
  logEnd: number
): IndexProblem[] {
  const database = openDatabase({ fileSystem, dataDirectory, indexDirectory });
  try {
    const index = IndexDirectory.open({ fileSystem, directory: indexDirectory, logEnd, log: database.log });
    index.close();
    return index.problems.filter(({ severity }) => severity === 'damage');
  } finally {
    database.close();
  }
}

function copyPlace(fileSystem: FileSystem, directory: string, indexDirectory: string | undefined): CopyPlace {
  for (const dataDirectory of [directory, fileSystem.join(directory, 'data')]) {
    if (!holdsLog(fileSystem, dataDirectory)) continue;
    const beside = fileSystem.join(directory, 'index');
    return { dataDirectory, indexDirectory: indexDirectory ?? beside };
  }
  throw new EngineError({
    code: 'DatabaseNotFound',
    message: `${directory} holds neither backups nor a copy of a data directory.`,
    remedy: 'Name the target of "winnow backup create", or a directory with writer.chk and chunk files.',
    details: { file: directory }
  });
}

function holdsLog(fileSystem: FileSystem, directory: string): boolean {
  const names = namesIn(fileSystem, directory);
  return names.includes('writer.chk') || names.some((name) => decodeChunkFileName(name) !== undefined);
}

function filesIn(
  fileSystem: FileSystem,
  area: BackupArea,
  root: string,
  depth: number,
  prefix = ''
): SourceFile[] {
  const files: SourceFile[] = [];
  for (const { name, isDirectory } of entriesIn(fileSystem, fileSystem.join(root, prefix))) {
    if (isDirectory) {
      if (depth > 1) files.push(...filesIn(fileSystem, area, root, depth - 1, `${prefix}${name}/`));
      continue;
    }
    const bytes = fileSystem.describe(fileSystem.join(root, prefix, name))?.size;
    if (bytes !== undefined) files.push({ area, name: prefix + name, bytes, sha256: null });
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function* readFile(fileSystem: FileSystem, path: string): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  const file = fileSystem.open(path, 'read');
  try {
    for (let at = 0; ;) {
      const block = Buffer.allocUnsafe(BLOCK_BYTES);
      const count = file.read(block, 0, block.length, at);
      if (count === 0) return;
      at += count;
      yield block.subarray(0, count);
    }
  } finally {
    file.close();
  }
}

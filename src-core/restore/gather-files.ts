/**
 * Brings the files of a backup into the staging directories: each under a temporary name, hashed on the way, flushed,
 * renamed. A file that lies there already from an earlier attempt is hashed again and kept if it is the right one.
 * Never touches the directories that a server knows.
 */
import { createHash } from 'node:crypto';
import { inParallel } from '../backup/in-parallel.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { RestorePlaces } from './restore-places.ts';
import { keyOf, type RestoreSource, type SourceFile } from './restore-source.ts';

const BLOCK_BYTES = 1024 * 1024;
const PART_SUFFIX = '.part';

export interface GatherFiles {
  fileSystem: FileSystem;
  source: RestoreSource;
  files: readonly SourceFile[];
  places: Pick<RestorePlaces, 'stagingData' | 'stagingIndex'>;
  control: OperationControl;
}

export interface Gathered {
  filesCopied: number;
  bytesCopied: number;
}

export async function gatherFiles(order: GatherFiles): Promise<Gathered> {
  const { fileSystem, files, places, control } = order;
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const gathered: Gathered = { filesCopied: 0, bytesCopied: 0 };
  const directories = new Set<string>();
  let done = 0;
  const onBytes = (count: number): void => {
    done += count;
    control.report({ phase: 'copying', done, total, unit: 'bytes' });
  };
  await inParallel(files, order.source.parallelFiles, async (file) => {
    const path = stagedPath(fileSystem, places, file);
    makeParents(fileSystem, path, directories);
    let counted = 0;
    const onOwnBytes = (count: number): void => {
      counted += count;
      onBytes(count);
    };
    if (await isThere(order, file, path, onOwnBytes)) return;
    done -= counted;
    await copyFile(order, file, path, onBytes);
    gathered.filesCopied++;
    gathered.bytesCopied += file.bytes;
  });
  // Deepest first, so that a name is on the disk before what leads to it.
  for (const directory of [...directories].sort((a, b) => b.length - a.length)) {
    fileSystem.syncDirectory(directory);
    fileSystem.syncDirectory(fileSystem.join(directory, '..'));
  }
  control.report({ phase: 'copying', done: total, total, unit: 'bytes' }, true);
  return gathered;
}

export function stagedPath(
  fileSystem: FileSystem,
  places: Pick<RestorePlaces, 'stagingData' | 'stagingIndex'>,
  { area, name }: Pick<SourceFile, 'area' | 'name'>
): string {
  return fileSystem.join(area === 'data' ? places.stagingData : places.stagingIndex, ...name.split('/'));
}

function makeParents(fileSystem: FileSystem, path: string, directories: Set<string>): void {
  const directory = fileSystem.join(path, '..');
  if (directories.has(directory)) return;
  fileSystem.makeDirectory(directory);
  directories.add(directory);
}

/** An earlier attempt left the file whole. */
async function isThere(
  { fileSystem, control }: GatherFiles,
  file: SourceFile,
  path: string,
  onBytes: (count: number) => void
): Promise<boolean> {
  // Where no hash is known a staged file proves nothing.
  if (file.sha256 === null || fileSystem.describe(path)?.size !== file.bytes) return false;
  const hash = createHash('sha256');
  const open = fileSystem.open(path, 'read');
  try {
    const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, Math.max(file.bytes, 1)));
    for (let at = 0; at < file.bytes;) {
      const count = open.read(block, 0, block.length, at);
      if (count === 0) return false;
      hash.update(block.subarray(0, count));
      at += count;
      onBytes(count);
      if (control.isDue) await control.breathe();
    }
  } finally {
    open.close();
  }
  return hash.digest('hex') === file.sha256;
}

async function copyFile(
  { fileSystem, source, control }: GatherFiles,
  file: SourceFile,
  path: string,
  onBytes: (count: number) => void
): Promise<void> {
  const part = path + PART_SUFFIX;
  fileSystem.remove(part);
  fileSystem.remove(path);
  const hash = createHash('sha256');
  const open = fileSystem.open(part, 'createNew');
  let at = 0;
  try {
    for await (const block of source.read(file)) {
      if (at + block.length > file.bytes)
        throw notAsNoted(source, file, `it continues after byte ${file.bytes}`);
      open.write(block, 0, block.length, at);
      hash.update(block);
      at += block.length;
      onBytes(block.length);
      control.throwIfStopped();
      if (control.isDue) await control.breathe();
    }
    if (at < file.bytes) throw notAsNoted(source, file, `it ends at byte ${at} of ${file.bytes}`);
    open.sync();
  } finally {
    open.close();
  }
  const sha256 = hash.digest('hex');
  if (file.sha256 !== null && sha256 !== file.sha256) {
    throw notAsNoted(source, file, `its SHA-256 is ${sha256} instead of ${file.sha256}`);
  }
  fileSystem.rename(part, path);
}

function notAsNoted(source: RestoreSource, file: SourceFile, what: string): EngineError {
  return new EngineError({
    code: 'LogCorrupt',
    message: `${keyOf(file)} of the backup ${source.description} is damaged: ${what}.`,
    remedy: 'Use another backup; "winnow backup verify" names the complete ones. The target was not changed.',
    details: { file: keyOf(file) }
  });
}

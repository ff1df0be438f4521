/**
 * A bundle as one small file: a tar archive (ustar), compressed by Zstandard. Zeros, most of a bundle with headers only,
 * take next to nothing in it. It has its name when all of it is on the disk.
 */
import path from 'node:path';
import { constants, createZstdCompress } from 'node:zlib';
import {
  ARCHIVE_BLOCK,
  ARCHIVE_FOLDER,
  BUNDLE_MANIFEST,
  EngineError,
  encodeArchiveHead,
  fitsArchiveHead,
  type FileSystem,
  entriesIn,
  requireUnchanged,
  sizeOf
} from '../../../src-core/index.ts';
import { throughTransform } from '../../backup/encodings/through-transform.ts';
import type { OperationContext } from '../operation.ts';

const READ_BYTES = 1024 * 1024;

export interface PackBundle {
  /** The bundle, whole. */
  directory: string;
  /** Does not exist. */
  file: string;
}

/** Gives the bytes of the file. */
export async function packBundle(
  { directory, file }: PackBundle,
  { fileSystem, control }: OperationContext
): Promise<number> {
  const temporary = `${file}.new`;
  fileSystem.remove(temporary);
  const out = fileSystem.open(temporary, 'createNew');
  let bytes = 0;
  let archive: AsyncGenerator<Uint8Array> | undefined;
  try {
    const files = withManifestFirst(filesBelow(fileSystem, directory, ''));
    const long = files.find(({ name }) => !fitsArchiveHead(`${ARCHIVE_FOLDER}/${name}`));
    if (long) {
      throw new EngineError({
        code: 'UnsupportedFormat',
        message: `A file of the index has a name that finds no room in the archive: ${long.name}.`,
        remedy: `Pack ${directory} with another tool.`,
        details: { file: long.name }
      });
    }
    const total = files.reduce((sum, { size }) => sum + size, 0);
    const report = (done: number): void => control.report({ phase: 'packing', done, total, unit: 'bytes' });
    archive = archiveOf(fileSystem, directory, files, report);
    const compressed = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    for await (const block of throughTransform(archive, compressed)) {
      control.throwIfStopped();
      out.write(block, 0, block.length, bytes);
      bytes += block.length;
    }
    out.sync();
    out.close();
  } catch (error) {
    out.close();
    await archive?.return(undefined); // the file that it stands in is closed when this is done
    fileSystem.remove(temporary);
    throw error;
  }
  fileSystem.rename(temporary, file);
  fileSystem.syncDirectory(path.dirname(file));
  return bytes;
}

interface PackedFile {
  /** Below the bundle, with slashes. */
  name: string;
  size: number;
}

function filesBelow(fileSystem: FileSystem, directory: string, prefix: string): PackedFile[] {
  const found: PackedFile[] = [];
  for (const { name, isDirectory } of entriesIn(fileSystem, directory)) {
    const file = fileSystem.join(directory, name);
    if (isDirectory) found.push(...filesBelow(fileSystem, file, `${prefix}${name}/`));
    else found.push({ name: prefix + name, size: sizeOf(fileSystem, file) });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Who unpacks it must know first how much there is. */
function withManifestFirst(files: readonly PackedFile[]): PackedFile[] {
  const isManifest = ({ name }: PackedFile): boolean => name === BUNDLE_MANIFEST;
  return [...files.filter(isManifest), ...files.filter((file) => !isManifest(file))];
}

async function* archiveOf(
  fileSystem: FileSystem,
  directory: string,
  files: readonly PackedFile[],
  onBytes: (done: number) => void
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for (const { name, size } of files) {
    yield encodeArchiveHead({ name: `${ARCHIVE_FOLDER}/${name}`, size });
    const file = fileSystem.open(fileSystem.join(directory, ...name.split('/')), 'read');
    try {
      for (let at = 0; at < size;) {
        const block = Buffer.alloc(Math.min(READ_BYTES, size - at));
        const count = file.read(block, 0, block.length, at);
        requireUnchanged(
          count === block.length,
          name,
          `it ends at offset ${at + count}; it had ${size} bytes`
        );
        at += count;
        done += count;
        onBytes(done);
        yield block;
      }
    } finally {
      file.close();
    }
    if (size % ARCHIVE_BLOCK > 0) yield Buffer.alloc(ARCHIVE_BLOCK - (size % ARCHIVE_BLOCK));
  }
  yield Buffer.alloc(2 * ARCHIVE_BLOCK);
}

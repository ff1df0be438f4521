/**
 * A bundle as one small file: a tar archive (ustar), compressed by Zstandard. Zeros, most of a bundle with headers only,
 * take next to nothing in it. It has its name when all of it is on the disk.
 */
import path from 'node:path';
import { constants, createZstdCompress } from 'node:zlib';
import type { FileSystem } from '../../../src-core/index.ts';
import { throughTransform } from '../../backup/encodings/through-transform.ts';
import type { OperationContext } from '../operation.ts';

const BLOCK = 512;
const READ_BYTES = 1024 * 1024;
const LARGEST_OCTAL_SIZE = 8 ** 11;
/** Of everything in the archive: the name that a person chose for the bundle is nobody's business. */
const FOLDER = 'bundle';

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
  try {
    const files = filesBelow(fileSystem, directory, '');
    const total = files.reduce((sum, { size }) => sum + size, 0);
    const report = (done: number): void => control.report({ phase: 'packing', done, total, unit: 'bytes' });
    const archive = archiveOf(fileSystem, directory, files, report);
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
  for (const { name, isDirectory } of fileSystem.list(directory) ?? []) {
    const file = fileSystem.join(directory, name);
    if (isDirectory) found.push(...filesBelow(fileSystem, file, `${prefix}${name}/`));
    else found.push({ name: prefix + name, size: fileSystem.describe(file)?.size ?? 0 });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function* archiveOf(
  fileSystem: FileSystem,
  directory: string,
  files: readonly PackedFile[],
  onBytes: (done: number) => void
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for (const { name, size } of files) {
    yield headOf(`${FOLDER}/${name}`, size);
    const file = fileSystem.open(fileSystem.join(directory, ...name.split('/')), 'read');
    try {
      for (let at = 0; at < size;) {
        const block = Buffer.alloc(Math.min(READ_BYTES, size - at));
        at += file.read(block, 0, block.length, at) || size;
        done += block.length;
        onBytes(done);
        yield block;
      }
    } finally {
      file.close();
    }
    if (size % BLOCK > 0) yield Buffer.alloc(BLOCK - (size % BLOCK));
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** A header of ustar: owner, group and time say nothing. */
function headOf(name: string, size: number): Buffer {
  const head = Buffer.alloc(BLOCK);
  head.write(name, 0, 100);
  head.write('0000644\0', 100);
  head.write('0000000\0', 108);
  head.write('0000000\0', 116);
  if (size < LARGEST_OCTAL_SIZE) head.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  else {
    head[124] = 0x80;
    head.writeBigUInt64BE(BigInt(size), 128);
  }
  head.write('00000000000\0', 136);
  head.write('        ', 148);
  head.write('0', 156);
  head.write('ustar\0', 257);
  head.write('00', 263);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

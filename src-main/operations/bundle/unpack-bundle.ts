/** A packed bundle, looked into or unpacked: decompressed here, taken apart and checked by the engine. */
import path from 'node:path';
import { createZstdDecompress } from 'node:zlib';
import {
  EngineError,
  OperationStopped,
  invalidRequest,
  requireFreeTarget,
  unpackBundle as unpackArchive,
  type FileSystem
} from '../../../src-core/index.ts';
import type { UnpackedBundleReport } from '../../contract/operations/bundle/bundle-reports.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { throughTransform } from '../../backup/encodings/through-transform.ts';
import type { OperationContext } from '../operation.ts';

type Request = CheckedRequestOf<'unpackBundle'>;

const BLOCK_BYTES = 1024 * 1024;
/** How a frame of Zstandard begins. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Reads it to its end, and writes nothing. */
export function planUnpackBundle(request: Request, context: OperationContext): Promise<UnpackedBundleReport> {
  return readPacked(request, context, { isWritten: false });
}

export function unpackBundle(request: Request, context: OperationContext): Promise<UnpackedBundleReport> {
  return readPacked(request, context, { isWritten: true });
}

async function readPacked(
  { packFile, to }: Request,
  { fileSystem, control }: OperationContext,
  { isWritten }: { isWritten: boolean }
): Promise<UnpackedBundleReport> {
  const target = path.resolve(to);
  const file = path.resolve(packFile);
  requireFreeTarget(fileSystem, target);
  const facts = fileSystem.describe(file);
  if (!facts || facts.isDirectory) {
    throw invalidRequest(
      facts ? `${file} is a directory, and not packed.` : `There is no file ${file}.`,
      'unpack',
      'Name a bundle that was packed into one file.'
    );
  }
  const { files, bytes, headersOnly, madeAt, chunks, records } = await unpackArchive({
    fileSystem,
    file,
    blocks: decompressed(fileSystem, file),
    target: isWritten ? target : undefined,
    control
  });
  return {
    packFile: file,
    packedBytes: facts.size,
    target,
    files: files + 1,
    bytes,
    headersOnly,
    madeAt,
    chunks,
    records
  };
}

async function* decompressed(fileSystem: FileSystem, file: string): AsyncIterable<Uint8Array> {
  let read = 0;
  const stored = readStored(fileSystem, file, (count) => (read += count));
  try {
    yield* throughTransform(stored, createZstdDecompress({ chunkSize: BLOCK_BYTES }));
  } catch (error) {
    if (error instanceof EngineError || error instanceof OperationStopped) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError({
      code: 'LogCorrupt',
      message: `The packed bundle ${file} is damaged or cut: it cannot be decompressed before offset ${read} (${reason}).`,
      remedy: 'Ask for the file once more; nothing was unpacked.',
      details: { file, offset: read },
      cause: error
    });
  }
}

async function* readStored(
  fileSystem: FileSystem,
  file: string,
  onRead: (count: number) => void
): AsyncIterable<Uint8Array> {
  const open = fileSystem.open(file, 'read');
  try {
    for (let at = 0; ;) {
      const block = Buffer.allocUnsafe(BLOCK_BYTES);
      const count = open.read(block, 0, BLOCK_BYTES, at);
      if (at === 0 && !block.subarray(0, Math.min(count, MAGIC.length)).equals(MAGIC)) {
        throw invalidRequest(
          `${file} is no packed bundle: it is not compressed by Zstandard.`,
          'unpack',
          'Name a bundle that was packed into one file.'
        );
      }
      if (count === 0) return;
      at += count;
      onRead(count);
      yield block.subarray(0, count);
      // Others who wait get a turn: the reads are synchronous.
      await Promise.resolve();
    }
  } finally {
    open.close();
  }
}

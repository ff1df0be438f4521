/** Files stored as Zstandard frames with a checksum, in the format of the tool `zstd`. */
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { EngineError, OperationStopped, type FileEncoding } from '../../../src-core/index.ts';
import { damagedObject } from './damaged-object.ts';
import { throughTransform } from './through-transform.ts';

export const ZSTD = 'zstd';

const BLOCK_BYTES = 256 * 1024;

export const zstdEncoding: FileEncoding = {
  names: [ZSTD],
  suffix: '.zst',
  encode: (plain) =>
    throughTransform(
      plain,
      createZstdCompress({ chunkSize: BLOCK_BYTES, params: { [constants.ZSTD_c_checksumFlag]: 1 } })
    )
};

export async function* decodeZstd(
  stored: AsyncIterable<Uint8Array>,
  object: string
): AsyncIterable<Uint8Array> {
  try {
    yield* throughTransform(stored, createZstdDecompress({ chunkSize: BLOCK_BYTES }));
  } catch (error) {
    if (error instanceof EngineError || error instanceof OperationStopped) throw error;
    throw damagedObject(object, 'it cannot be decompressed', error);
  }
}

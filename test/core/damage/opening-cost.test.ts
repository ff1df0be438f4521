/** Opening a database must cost a look at each file, however large the files are. */
import { expect, test } from 'vitest';
import { encodeChunkFileName } from '../../../src-core/chunks/chunk-file-name.ts';
import { encodeChunkFooterHead } from '../../../src-core/chunks/chunk-footer.ts';
import { encodeChunkHeader } from '../../../src-core/chunks/chunk-header.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { mountFiles, type Files } from '../../fuzz/database-image.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';

const CHUNK_SIZE = 8192;
const CHUNKS = 1000;
const FILE_SIZE = 12_288;
const DIRECTORY = '/database';

function checkpoint(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value), true);
  return bytes;
}

function completedChunk(number: number): Uint8Array {
  const bytes = new Uint8Array(FILE_SIZE);
  bytes.set(
    encodeChunkHeader({
      version: 4,
      minCompatibleVersion: 3,
      chunkSizeBytes: CHUNK_SIZE,
      startNumber: number,
      endNumber: number,
      isScavenged: false,
      chunkId: '11111111-2222-3333-4444-555555555555',
      transformType: 0
    })
  );
  const footer = encodeChunkFooterHead({ physicalDataSize: 8000, logicalDataSize: 8000, mapSize: 0 });
  bytes.set(footer, FILE_SIZE - 128);
  return bytes;
}

test('opening 1,000 chunks reads header and footer of each and the checkpoints, nothing else', () => {
  const files: Files = new Map();
  for (let number = 0; number < CHUNKS; number++) {
    files.set(encodeChunkFileName({ chunkNumber: number, fileVersion: 0 }), completedChunk(number));
  }
  for (const name of ['writer', 'chaser']) files.set(`${name}.chk`, checkpoint(CHUNKS * CHUNK_SIZE));
  for (const name of ['epoch', 'proposal', 'truncate']) files.set(`${name}.chk`, checkpoint(-1));
  const fileSystem = new CountingFileSystem(mountFiles(files, DIRECTORY));

  const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  expect(database.chunkSet.chunks).toHaveLength(CHUNKS);
  expect(database.problems).toEqual([]);
  for (const [path, bytes] of fileSystem.bytesByPath) {
    expect(bytes, path).toBeLessThanOrEqual(path.endsWith('.chk') ? 8 : 256);
  }
  expect(fileSystem.bytesRead).toBeLessThanOrEqual(CHUNKS * 256 + 5 * 8);
  expect(fileSystem.openFiles).toBe(0);
  database.close();
});

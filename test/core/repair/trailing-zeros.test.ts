/** Zeros behind a completed chunk: found only where what is left without them is whole, to the byte. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { OperationControl, uncontrolled } from '../../../src-core/database/operation-control.ts';
import { lengthWithoutZeros, readStart } from '../../../src-core/repair/trailing-zeros.ts';
import { readWholeFile, type FileSystem } from '../../../src-core/storage/file-system.ts';
import { writeCrashDatabase } from '../../support/crash-database.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const HASH_BYTES = 16;
const MANY = 3 * 1024 * 1024;
const FILE = '/chunk';
let chunk: Buffer;

beforeAll(async () => {
  const memory = await writeCrashDatabase({ dataDirectory: '/db' });
  chunk = Buffer.from(readWholeFile(memory, '/db/chunk-000000.000000')!);
});

function fileOf(...parts: Uint8Array[]): MemoryFileSystem {
  const memory = new MemoryFileSystem();
  const bytes = Buffer.concat(parts);
  const file = memory.open(FILE, 'createNew');
  file.write(bytes, 0, bytes.length, 0);
  file.close();
  return memory;
}

const lengthIn = (fileSystem: FileSystem): Promise<number | undefined> =>
  lengthWithoutZeros({ fileSystem, path: FILE, control: uncontrolled() });

/** With other first bytes of data, and the hash of it. */
function variant(nonce: number): Buffer {
  const bytes = Buffer.from(chunk);
  bytes.writeUInt32LE(nonce, 128);
  return hashed(bytes);
}

/** Its last bytes become the hash of the others. */
function hashed(bytes: Buffer): Buffer {
  const hash = createHash('md5').update(bytes.subarray(0, -HASH_BYTES)).digest();
  hash.copy(bytes, bytes.length - HASH_BYTES);
  return bytes;
}

describe('zeros behind a chunk', () => {
  it.each([1, 511, 4096, MANY])('are told from it: %i of them', async (count) => {
    expect(await lengthIn(fileOf(chunk, Buffer.alloc(count)))).toBe(chunk.length);
  });

  it('are told from a hash that ends with zeros itself', async () => {
    let nonce = 0;
    while (variant(nonce).at(-1) !== 0) nonce++;
    expect(await lengthIn(fileOf(variant(nonce), Buffer.alloc(100)))).toBe(chunk.length);
  });

  it('are not there', async () => {
    expect(await lengthIn(fileOf(chunk))).toBeUndefined();
  });

  it('are all there is, or all but too little for a chunk', async () => {
    expect(await lengthIn(fileOf(Buffer.alloc(MANY)))).toBeUndefined();
    expect(await lengthIn(fileOf(Buffer.from([1]), Buffer.alloc(MANY)))).toBeUndefined();
    expect(await lengthIn(fileOf())).toBeUndefined();
  });

  it('are no reason to cut a file that is not there', async () => {
    expect(await lengthIn(new MemoryFileSystem())).toBeUndefined();
  });

  it.each([
    ['one bit of its data is another', 500, 1, false],
    ['its footer does not say that it is complete, under a hash that fits', -128, 1, true],
    ['its footer contradicts itself, under a hash that fits', -126, 0x40, true],
    ['its footer tells of a larger map than there is, under a hash that fits', -114, 0x30, true]
  ])('are left where the rest is no whole chunk: %s', async (_, at, bits, isHashed) => {
    const bytes = Buffer.from(chunk);
    const place = at < 0 ? bytes.length + at : at;
    bytes[place] = bytes[place]! ^ bits;
    if (isHashed) hashed(bytes);
    expect(await lengthIn(fileOf(bytes, Buffer.alloc(64)))).toBeUndefined();
  });

  it('are left where the file becomes shorter while it is read', async () => {
    const memory = fileOf(chunk, Buffer.alloc(64));
    const open = memory.open.bind(memory);
    memory.open = (path, mode) => {
      const file = open(path, mode);
      const read = file.read.bind(file);
      let isFooterSeen = false;
      file.read = (target, offset, length, position) => {
        if (isFooterSeen) return 0;
        isFooterSeen = length === 128;
        return read(target, offset, length, position);
      };
      return file;
    };
    expect(await lengthIn(memory)).toBeUndefined();
  });

  it('are looked for in steps between which others have their turn', async () => {
    let turns = 0;
    let nowMs = 0;
    const control = new OperationControl({
      elapsedMs: () => (nowMs += 1000),
      yieldTurn: () => Promise.resolve(void turns++)
    });
    const fileSystem = fileOf(chunk, Buffer.alloc(MANY));
    expect(await lengthWithoutZeros({ fileSystem, path: FILE, control })).toBe(chunk.length);
    expect(turns).toBeGreaterThan(2);
  });
});

it('the first bytes of a file end where it ends, however many are asked for', () => {
  const read = (length: number): Buffer => Buffer.concat([...readStart(fileOf(chunk), FILE, length)]);
  expect(read(chunk.length + 5)).toEqual(chunk);
  expect(read(7)).toEqual(chunk.subarray(0, 7));
});

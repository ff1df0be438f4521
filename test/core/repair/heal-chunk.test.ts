/** A chunk is put right where its hash proves it, and never otherwise. */
import { beforeAll, describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { healChunk } from '../../../src-core/repair/heal-chunk.ts';
import { readPatched } from '../../../src-core/repair/patched-file.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { bytesOf, CHUNK_SIZE, DATABASE, overwrite, sampleInMemory } from './repair-sample.ts';

const CHUNK = 'chunk-000001.000000';
const HASH_BYTES = 16;
const ID_OFFSETS = new Set(Array.from({ length: 16 }, (_, i) => 18 + i));

let fileSystem: MemoryFileSystem;
let original: Buffer;
/** File offset behind the last record. */
let dataEnd: number;
beforeAll(async () => {
  fileSystem = await sampleInMemory();
  original = bytesOf(fileSystem, CHUNK);
  dataEnd = 128 + original.readInt32LE(original.length - 128 + 1);
});

/** The file as healing would make it; undefined when nothing is proposed. */
async function healed(damaged: Uint8Array): Promise<Buffer | undefined> {
  overwrite(fileSystem, CHUNK, damaged);
  const healing = await healChunk({
    fileSystem,
    directory: DATABASE,
    fileName: CHUNK,
    chunkSizeBytes: CHUNK_SIZE,
    nextNumber: 2,
    control: uncontrolled()
  });
  if (!healing) return undefined;
  expect(healing.corrections.length).toBe(healing.patches.length);
  const blocks = [...readPatched(fileSystem, `${DATABASE}/${CHUNK}`, healing.patches)];
  return Buffer.concat(blocks.map((block) => Buffer.from(block)));
}

function withFlip(offset: number, mask = 0xff): Buffer {
  const bytes = Buffer.from(original);
  bytes[offset]! ^= mask;
  return bytes;
}

describe('a chunk with one wrong byte', () => {
  it('comes back from any byte of header, padding and footer that its structure tells', async () => {
    const end = original.length;
    const offsets = [
      ...Array.from({ length: 128 }, (_, i) => i).filter((offset) => !ID_OFFSETS.has(offset)),
      ...Array.from({ length: Math.min(64, end - 128 - dataEnd) }, (_, i) => dataEnd + i),
      ...Array.from({ length: 128 }, (_, i) => end - 128 + i)
    ];
    for (const offset of offsets) {
      expect((await healed(withFlip(offset)))?.equals(original), `byte ${offset}`).toBe(true);
    }
  });

  it('is never made into another file, wherever the byte lies', async () => {
    let healedCount = 0;
    for (let offset = 0; offset < dataEnd; offset += 41) {
      const result = await healed(withFlip(offset, 0x04));
      if (result) {
        healedCount++;
        expect(result.equals(original), `byte ${offset}`).toBe(true);
      }
    }
    expect(healedCount).toBeGreaterThan(3);
  });

  it('stays as it is when the byte is in a payload or the id of the chunk', async () => {
    expect(await healed(withFlip(18))).toBeUndefined();
    const length = original.readInt32LE(128);
    expect(await healed(withFlip(128 + 4 + length - 1))).toBeUndefined();
  });
});

describe('a chunk', () => {
  it('without damage needs nothing', async () => {
    expect(await healed(original)).toBeUndefined();
  });

  it('comes back from several faults at once', async () => {
    const bytes = Buffer.from(original);
    bytes[0] = 0x55;
    bytes[bytes.length - 128] = 0;
    bytes.writeInt32LE(7, 128);
    bytes[bytes.length - 3]! ^= 1;
    expect((await healed(bytes))?.equals(original)).toBe(true);
  });

  it('is not believed when more of its hash is wrong than could vouch for it', async () => {
    const bytes = Buffer.from(original);
    bytes.fill(0, bytes.length - HASH_BYTES, bytes.length - HASH_BYTES + 6);
    expect(await healed(bytes)).toBeUndefined();
  });

  it('that is not there is left alone', async () => {
    const missing = { directory: DATABASE, fileName: 'chunk-000900.000000', nextNumber: 901 };
    expect(
      await healChunk({ fileSystem, chunkSizeBytes: CHUNK_SIZE, control: uncontrolled(), ...missing })
    ).toBeUndefined();
  });

  it('larger than a block is read with each wrong byte put right, wherever it lies', () => {
    const bytes = Buffer.alloc(2_500_000, 1);
    overwrite(fileSystem, 'large', bytes);
    const patches = [0, 1_048_574, 2_499_996].map((offset) => ({ offset, bytes: Buffer.alloc(4, 2) }));
    const blocks: Buffer[] = [];
    for (const block of readPatched(fileSystem, `${DATABASE}/large`, patches))
      blocks.push(Buffer.from(block));
    expect(blocks.length).toBeGreaterThan(1);
    for (const { offset } of patches) bytes.fill(2, offset, offset + 4);
    expect(Buffer.concat(blocks).equals(bytes)).toBe(true);
  });

  it('that is cut short, empty or of zeros is left alone', async () => {
    for (const bytes of [
      original.subarray(0, 100),
      original.subarray(0, 9000),
      Buffer.alloc(original.length)
    ]) {
      expect(await healed(bytes)).toBeUndefined();
    }
  });
});

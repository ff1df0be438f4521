/** Scavenged chunks that are damaged, or that a backup offers: their position map against their records. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Chunk } from '../../../src-core/chunks/chunk.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { openDirectoryDonor } from '../../../src-core/repair/directory-donor.ts';
import { misfitOf } from '../../../src-core/repair/donor-fit.ts';
import { examineChunk } from '../../../src-core/repair/examine-chunk.ts';
import { healChunk } from '../../../src-core/repair/heal-chunk.ts';
import { readPatched } from '../../../src-core/repair/patched-file.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import {
  CHUNK_SIZE,
  copyOf,
  DATABASE,
  flip,
  overwrite,
  recordOffsets,
  rehashed,
  repair,
  sampleInMemory,
  scavengedOf
} from './repair-sample.ts';

const PLAIN = 'chunk-000001.000000';
const SCAVENGED = 'chunk-000001.000001';
const FOOTER_BYTES = 128;
const MAP_ENTRY_BYTES = 12;
/** In the footer. */
const MAP_SIZE_AT = 13;
const isEven = (index: number): boolean => index % 2 === 0;

let whole: MemoryFileSystem;
let fileSystem: MemoryFileSystem;
let sound: Buffer;
beforeAll(async () => {
  whole = await sampleInMemory();
  sound = scavengedOf(whole, PLAIN, isEven);
});
beforeEach(() => {
  fileSystem = copyOf(whole);
});

const sizeAt = (bytes: Buffer, offset: number): number =>
  bytes.readInt32LE(bytes.length - FOOTER_BYTES + offset);
/** File offset of the position map. */
const mapStart = (bytes: Buffer): number => 128 + sizeAt(bytes, 1);
const changed = (change: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.from(sound);
  change(bytes);
  return bytes;
};

describe('a scavenged chunk that is examined', () => {
  const examine = async (bytes: Buffer): Promise<string | undefined> => {
    overwrite(fileSystem, SCAVENGED, bytes);
    const path = `${DATABASE}/${SCAVENGED}`;
    const found = await examineChunk({ fileSystem, path, fileName: SCAVENGED, control: uncontrolled() });
    return typeof found === 'string' ? found : undefined;
  };

  it('is sound as it was written', async () => {
    expect(await examine(sound)).toBeUndefined();
  });

  it('is refused where its map leads elsewhere than its records lie', async () => {
    const bytes = changed((own) => {
      const entry = mapStart(own) + MAP_ENTRY_BYTES;
      own.writeInt32LE(own.readInt32LE(entry) + 1, entry);
    });
    expect(await examine(rehashed(bytes))).toBe(
      `the position map of ${SCAVENGED} does not match its records`
    );
  });

  it('is refused where its map has more entries than it has records', async () => {
    const count = recordOffsets(sound).length;
    const bytes = changed((own) => {
      const start = mapStart(own);
      const map = Buffer.from(own.subarray(start, start + count * MAP_ENTRY_BYTES));
      // One more entry, behind the first: a place within its record.
      own.set(map.subarray(MAP_ENTRY_BYTES), start + 2 * MAP_ENTRY_BYTES);
      own.writeInt32LE(map.readInt32LE(0) + 1, start + MAP_ENTRY_BYTES);
      own.writeBigInt64LE(map.readBigInt64LE(4) + 1n, start + MAP_ENTRY_BYTES + 4);
      own.writeInt32LE((count + 1) * MAP_ENTRY_BYTES, own.length - FOOTER_BYTES + MAP_SIZE_AT);
    });
    expect(await examine(rehashed(bytes))).toBe(
      `the position map of ${SCAVENGED} has ${count + 1} entries for ${count} records`
    );
  });
});

describe('a scavenged chunk that is damaged', () => {
  const healed = async (bytes: Buffer): Promise<Buffer | undefined> => {
    overwrite(fileSystem, SCAVENGED, bytes);
    const healing = await healChunk({
      fileSystem,
      directory: DATABASE,
      fileName: SCAVENGED,
      chunkSizeBytes: CHUNK_SIZE,
      nextNumber: 2,
      control: uncontrolled()
    });
    if (!healing) return undefined;
    const blocks = [...readPatched(fileSystem, `${DATABASE}/${SCAVENGED}`, healing.patches)];
    return Buffer.concat(blocks.map((block) => Buffer.from(block)));
  };
  const record = (index: number): { offset: number; length: number } => recordOffsets(sound)[index]!;

  it.each([
    ['the length before a record', (bytes: Buffer) => bytes.writeInt32LE(7, record(2).offset)],
    [
      'the length behind a record',
      (bytes: Buffer) => bytes.writeInt32LE(7, record(2).offset + record(2).length - 4)
    ],
    ['its map', (bytes: Buffer) => bytes.fill(0xff, mapStart(bytes), mapStart(bytes) + 30)],
    [
      'its map and a length',
      (bytes: Buffer) => bytes.fill(0, mapStart(bytes), mapStart(bytes) + 9).writeInt32LE(1, record(3).offset)
    ]
  ])('comes back from its structure: %s', async (_, change) => {
    expect((await healed(changed((bytes) => void change(bytes))))?.equals(sound)).toBe(true);
  });

  it.each([
    ['also says another type', (bytes: Buffer) => bytes.writeUInt8(99, record(2).offset + 4)],
    [
      'also says a position before its place',
      (bytes: Buffer) => bytes.writeBigInt64LE(0n, record(2).offset + 6)
    ]
  ])('stays as it is where the record whose length is wrong %s', async (_, change) => {
    const bytes = changed((own) => void own.writeInt32LE(7, record(2).offset));
    change(bytes);
    expect(await healed(bytes)).toBeUndefined();
  });
});

describe('a scavenged chunk of a backup', () => {
  /** The chunk under a temporary name, as it is asked about before it is taken. */
  const candidate = (): Chunk => {
    const other = copyOf(whole);
    overwrite(other, SCAVENGED, sound);
    overwrite(fileSystem, 'candidate', sound);
    const database = openDatabase({ fileSystem: other, dataDirectory: DATABASE });
    const chunk = database.chunkSet.chunks.find(({ fileName }) => fileName === SCAVENGED)!;
    database.close();
    return Object.assign(Object.create(chunk) as Chunk, { path: `${DATABASE}/candidate` });
  };

  it('fits although entries of the index lead to what it removed', async () => {
    const database = openDatabase({ fileSystem, dataDirectory: DATABASE });
    const [left, damaged, right] = database.chunkSet.chunks;
    expect(
      await misfitOf({ database, candidate: candidate(), damaged, left, right, control: uncontrolled() })
    ).toBeUndefined();
    database.close();
  });

  const refused = async (given: Buffer, damaged = PLAIN): Promise<string> => {
    flip(fileSystem, damaged, recordOffsets(sound)[0]!.offset + 150);
    const donor = openDirectoryDonor(copyOf(whole), DATABASE);
    const chunks = donor.chunks.map((chunk) =>
      chunk.fileName === damaged
        ? { ...chunk, fileName: damaged.replace(/0$/, '1'), fileSize: given.length }
        : chunk
    );
    const read = async function* () {
      await Promise.resolve();
      yield given;
    };
    const { ok, actions } = await repair(fileSystem, { donor: { ...donor, chunks, read } });
    expect([ok, actions.map(({ done }) => done)]).toEqual([false, [false]]);
    return actions[0]!.why;
  };

  it('is not taken where it covers more chunks than the one that is damaged', async () => {
    const merged = scavengedOf(whole, PLAIN, isEven, { endNumber: 2 });
    expect(await refused(merged)).toContain('it covers the chunks 1 to 2');
  });

  it('is not taken where its header names another chunk size', async () => {
    const first = 'chunk-000000.000000';
    const larger = scavengedOf(whole, first, isEven, { chunkSizeBytes: 2 * CHUNK_SIZE });
    expect(await refused(larger, first)).toContain('its header names another chunk size');
  });
});

/** What a backup offers in place of a damaged chunk, and why it is not taken. Whatever it is, nothing is left of it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { OperationControl } from '../../../src-core/database/operation-control.ts';
import type { ChunkDonor } from '../../../src-core/repair/chunk-donor.ts';
import { openDirectoryDonor } from '../../../src-core/repair/directory-donor.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import {
  bytesOf,
  checkpointOf,
  CHUNK_SIZE,
  copyOf,
  DATABASE,
  flip,
  int64,
  namesIn,
  overwrite,
  repair,
  sampleInMemory
} from './repair-sample.ts';

const HEADER_LENGTH = 128;
const CHUNK = 'chunk-000001.000000';
/** In the payload of the first record of a chunk. */
const PAYLOAD_OFFSET = HEADER_LENGTH + 4 + 150;

let whole: MemoryFileSystem;
beforeAll(async () => {
  whole = await sampleInMemory();
});

/** The sample as a backup that gives these bytes for every chunk it is asked for. */
function giving(bytes: Uint8Array, change: Partial<ChunkDonor> = {}): ChunkDonor {
  return {
    ...openDirectoryDonor(copyOf(whole), DATABASE),
    async *read() {
      await Promise.resolve();
      yield bytes;
    },
    ...change
  };
}

async function expectRefused(fileSystem: MemoryFileSystem, donor: ChunkDonor, why: string): Promise<void> {
  const before = namesIn(fileSystem, DATABASE);
  const { ok, actions } = await repair(fileSystem, { donor });
  expect(ok).toBe(false);
  expect(actions).toMatchObject([{ done: false, why: expect.stringContaining(why) as string }]);
  expect(namesIn(fileSystem, DATABASE)).toEqual(before);
}

describe('in place of a completed chunk', () => {
  const damaged = () => {
    const fileSystem = copyOf(whole);
    flip(fileSystem, CHUNK, PAYLOAD_OFFSET);
    return fileSystem;
  };

  it('one of a database with larger chunks is not taken', () =>
    expectRefused(
      damaged(),
      giving(bytesOf(whole, CHUNK), { chunkSizeBytes: CHUNK_SIZE * 2 }),
      `its chunk size is ${CHUNK_SIZE * 2}`
    ));

  it('one that comes in many blocks is taken, to the byte, and says how much of it is there', async () => {
    const fileSystem = damaged();
    const bytes = bytesOf(whole, CHUNK);
    const donor = giving(bytes, {
      async *read() {
        await Promise.resolve();
        for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
      }
    });
    const done: number[] = [];
    let nowMs = 0;
    const control = new OperationControl({
      elapsedMs: () => (nowMs += 1000),
      yieldTurn: () => Promise.resolve(),
      onProgress: (progress) => {
        if (progress.phase === 'copying a chunk') done.push(progress.done);
      }
    });
    const { ok } = await repair(fileSystem, { donor, control });
    expect(ok).toBe(true);
    expect(done.slice(0, 2)).toEqual([10_000, 20_000]);
    expect(done.at(-1)).toBe(bytes.length);
    expect(bytesOf(fileSystem, CHUNK.replace(/0$/, '1')).equals(bytes)).toBe(true);
  });

  it('another one under its name is not taken', async () => {
    const other = bytesOf(whole, 'chunk-000002.000000');
    const donor = giving(other);
    const chunks = donor.chunks.map((chunk) => ({ ...chunk, fileSize: other.length }));
    await expectRefused(damaged(), { ...donor, chunks }, `${CHUNK} is chunk 2 according to its header`);
  });
});

describe('in place of the chunk that is being written', () => {
  it('one that is nothing but a header is not taken', async () => {
    const fileSystem = copyOf(whole);
    const chunk = namesIn(fileSystem, DATABASE).findLast((name) => name.startsWith('chunk-'))!;
    const bytes = bytesOf(whole, chunk);
    flip(fileSystem, chunk, HEADER_LENGTH + 8 + bytes.readInt32LE(HEADER_LENGTH) + 4);
    const donor = giving(bytes.subarray(0, HEADER_LENGTH));
    const chunks = donor.chunks.map((one) => ({ ...one, fileSize: HEADER_LENGTH }));
    await expectRefused(fileSystem, { ...donor, chunks }, `${chunk} holds no records`);
  });

  it.each<[string, (bytes: Buffer) => void, string]>([
    [
      'one whose records are gone',
      (bytes) => bytes.fill(0, HEADER_LENGTH),
      `its records end at position ${3 * CHUNK_SIZE}`
    ],
    ['one with a header that is none', (bytes) => bytes.writeUInt8(9, 0), 'its header is invalid'],
    [
      'one that is the next by its header',
      (bytes) => {
        for (const at of [6, 10]) bytes.writeInt32LE(bytes.readInt32LE(at) + 1, at);
      },
      'it holds chunk 4'
    ]
  ])('%s is not taken', async (_, change, why) => {
    const fileSystem = copyOf(whole);
    const chunk = namesIn(fileSystem, DATABASE).findLast((name) => name.startsWith('chunk-'))!;
    const bytes = bytesOf(whole, chunk);
    flip(fileSystem, chunk, HEADER_LENGTH + 8 + bytes.readInt32LE(HEADER_LENGTH) + 4);
    change(bytes);
    await expectRefused(fileSystem, giving(bytes), why);
  });

  it('one that has records after the end of the log is taken, and the log ends where it did', async () => {
    const fileSystem = copyOf(whole);
    const chunk = namesIn(fileSystem, DATABASE).findLast((name) => name.startsWith('chunk-'))!;
    const bytes = bytesOf(fileSystem, chunk);
    const start = 3 * CHUNK_SIZE;
    const writer = checkpointOf(fileSystem, 'writer');
    let last = HEADER_LENGTH;
    for (let next = last; next - HEADER_LENGTH < writer - start; next += bytes.readInt32LE(next) + 8)
      last = next;
    const end = start + last - HEADER_LENGTH;
    for (const name of ['writer', 'chaser']) overwrite(fileSystem, `${name}.chk`, int64(end));
    overwrite(fileSystem, chunk, bytesOf(fileSystem, chunk).fill(0, last));
    flip(fileSystem, chunk, HEADER_LENGTH + 8 + bytes.readInt32LE(HEADER_LENGTH) + 4);
    const { ok } = await repair(fileSystem, { donor: giving(bytes) });
    expect(ok).toBe(true);
    expect(['writer', 'chaser'].map((name) => checkpointOf(fileSystem, name))).toEqual([end, end]);
    const serving = namesIn(fileSystem, DATABASE).find((name) => name.startsWith('chunk-000003'))!;
    expect(bytesOf(fileSystem, serving).subarray(0, last).equals(bytes.subarray(0, last))).toBe(true);
  });
});

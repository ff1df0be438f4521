/** Chunks are hashed some at a time and ahead, and each is judged by itself. */
import { describe, expect, it } from 'vitest';
import { Chunk, partsOf, type ChunkParts } from '../../../src-core/chunks/chunk.ts';
import type { ChunkChecksum } from '../../../src-core/chunks/chunk-checksum.ts';
import { EngineError } from '../../../src-core/errors.ts';
import type { RewriteWorkers } from '../../../src-core/scavenge/output/rewrite-workers.ts';
import { SourceChecks } from '../../../src-core/scavenge/output/source-checks.ts';

const GIB = 1024 * 1024 * 1024;

function chunkOf(number: number, fileSize = 1000): Chunk {
  return new Chunk({
    path: `/data/chunk-${number}`,
    fileName: `chunk-${number}`,
    fileVersion: 0,
    fileSize,
    isActive: false,
    dataSize: 0,
    footer: null,
    header: {
      version: 3,
      minCompatibleVersion: 3,
      chunkSizeBytes: 1000,
      startNumber: number,
      endNumber: number,
      isScavenged: false,
      chunkId: '00000000-0000-0000-0000-000000000000',
      transformType: 0
    }
  });
}

/** Which chunks were asked for together, and what is answered. */
function checksWith(answer: (file: string, together: number) => ChunkChecksum, memoryBytes = Infinity) {
  const asked: string[][] = [];
  const workers: RewriteWorkers = {
    memoryBytes,
    prepare: () => Promise.reject(new Error('nothing is prepared here')),
    checksums: (chunks: readonly ChunkParts[]) => {
      const names = chunks.map(({ fileName }) => fileName);
      asked.push(names);
      return new Promise((resolve) => resolve(names.map((name) => answer(name, names.length))));
    },
    close: () => Promise.resolve()
  };
  return { asked, checks: new SourceChecks(workers) };
}

const right = (): ChunkChecksum => ({ computed: 'a', stored: 'a', offset: 0 });
const names = (...numbers: number[]): string[] => numbers.map((number) => `chunk-${number}`);

describe('sources of a scavenge', () => {
  it('are hashed eight at a time, the next eight while the last of these is copied', async () => {
    const { asked, checks } = checksWith(right);
    const chunks = Array.from({ length: 12 }, (_, i) => chunkOf(i));
    checks.expect(chunks);
    expect(asked).toEqual([names(0, 1, 2, 3, 4, 5, 6, 7)]);
    for (const chunk of chunks.slice(0, 7)) await checks.require(chunk);
    expect(asked).toHaveLength(1);
    await checks.require(chunks[7]!);
    expect(asked[1]).toEqual(names(8, 9, 10, 11));
    for (const chunk of chunks.slice(8)) await checks.require(chunk);
    expect(asked).toHaveLength(2);
  });

  it('that turn out to stay as they are hold up none of the next ones', async () => {
    const { asked, checks } = checksWith(right);
    const chunks = Array.from({ length: 12 }, (_, i) => chunkOf(i));
    checks.expect(chunks);
    // The third one stays: nobody asks about it.
    for (const chunk of chunks.slice(0, 8).filter((_, i) => i !== 2)) await checks.require(chunk);
    expect(asked[1]).toEqual(names(8, 9, 10, 11));
  });

  it('that are named again are not hashed again', async () => {
    const { asked, checks } = checksWith(right);
    const chunks = [chunkOf(0), chunkOf(1), chunkOf(2)];
    checks.expect(chunks.slice(1));
    checks.expect(chunks);
    for (const chunk of chunks) await checks.require(chunk);
    expect(asked).toEqual([names(1, 2), names(0)]);
  });

  it('that were not expected are hashed by themselves', async () => {
    const { asked, checks } = checksWith(right);
    await checks.require(chunkOf(5));
    expect(asked).toEqual([names(5)]);
  });

  it('are no more than an eighth of the memory at once', () => {
    const { asked, checks } = checksWith(right, 8 * GIB);
    checks.expect(Array.from({ length: 8 }, (_, i) => chunkOf(i, GIB / 3)));
    expect(asked).toEqual([names(0, 1, 2)]);
  });

  it('with a wrong hash are refused, those beside them are not', async () => {
    const { checks } = checksWith((file) => ({
      computed: file === 'chunk-1' ? 'b' : 'a',
      stored: 'a',
      offset: 984
    }));
    const chunks = [chunkOf(0), chunkOf(1), chunkOf(2)];
    checks.expect(chunks);
    await checks.require(chunks[0]!);
    await expect(checks.require(chunks[1]!)).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { file: 'chunk-1', offset: 984 }
    });
    await checks.require(chunks[2]!);
  });

  it('that cannot be read fail when their turn comes, those beside them are hashed again', async () => {
    const broken = new EngineError({
      code: 'StorageFailed',
      message: 'Bad sector.',
      remedy: 'Check the disk.'
    });
    const { asked, checks } = checksWith((file, together) => {
      if (file === 'chunk-1' || together > 1) throw broken;
      return right();
    });
    const chunks = [chunkOf(0), chunkOf(1), chunkOf(2)];
    checks.expect(chunks);
    await checks.require(chunks[0]!);
    await expect(checks.require(chunks[1]!)).rejects.toBe(broken);
    await checks.require(chunks[2]!);
    expect(asked[0]).toEqual(names(0, 1, 2));
    expect(asked.slice(1)).toEqual([names(0), names(1), names(2)]);
    expect(partsOf(chunks[0]!).fileName).toBe('chunk-0');
  });
});

/** A chunk that is hashed once it is written is the same file as one that is hashed meanwhile. */
import { describe, expect, it } from 'vitest';
import { ChunkWriter } from '../../../src-core/chunks/chunk-writer.ts';
import { hashUnsealed, sealChunk, type UnsealedChunk } from '../../../src-core/chunks/unsealed-chunk.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const noPause = (): void => undefined;

function writerOf(
  fileSystem: MemoryFileSystem,
  path: string,
  { isHashedLater, records }: { isHashedLater: boolean; records: number }
): ChunkWriter {
  const writer = ChunkWriter.create({
    fileSystem,
    path,
    withMap: true,
    isHashedLater,
    header: {
      version: 3,
      minCompatibleVersion: 3,
      chunkSizeBytes: 8 * 1024 * 1024,
      startNumber: 0,
      endNumber: 0,
      isScavenged: true,
      chunkId: '11111111-2222-3333-4444-555555555555',
      transformType: 0
    }
  });
  const record = Buffer.alloc(1000, 7);
  for (let i = 0; i < records; i++) writer.append(record, 0, 900 + (i % 100), i * 1100);
  return writer;
}

function unsealedOf(fileSystem: MemoryFileSystem, path: string, records: number): UnsealedChunk {
  return writerOf(fileSystem, path, { isHashedLater: true, records }).leaveUnsealed();
}

describe('chunks that are hashed once they are written', () => {
  it.each([1, 2, 5, 8])('are what they would be otherwise, %i at once', async (count) => {
    const fileSystem = new MemoryFileSystem();
    const unsealed = Array.from({ length: count }, (_, i) =>
      unsealedOf(fileSystem, `/later-${i}`, 40 * i * i)
    );
    const hashes = await hashUnsealed(fileSystem, unsealed, noPause);
    for (const [i, file] of unsealed.entries()) {
      sealChunk(fileSystem, file, hashes[i]!);
      const completed = writerOf(fileSystem, `/at-once-${i}`, {
        isHashedLater: false,
        records: 40 * i * i
      }).complete();
      expect(completed.md5).toBe(hashes[i]);
      const later = Buffer.from(readWholeFile(fileSystem, `/later-${i}`)!);
      expect(later.equals(readWholeFile(fileSystem, `/at-once-${i}`)!)).toBe(true);
      expect(fileSystem.describe(`/later-${i}`)?.mode).toBe(fileSystem.describe(`/at-once-${i}`)?.mode);
    }
  });

  it.each([1, 3])('are not sealed when another program cuts one of them, %i at once', async (count) => {
    const fileSystem = new MemoryFileSystem();
    const unsealed = Array.from({ length: count }, (_, i) => unsealedOf(fileSystem, `/later-${i}`, 20));
    const file = fileSystem.open('/later-0', 'readWrite');
    file.truncate(5000);
    file.close();
    await expect(hashUnsealed(fileSystem, unsealed, noPause)).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { file: '/later-0', offset: 5000 }
    });
  });

  it('name the file when one cannot be read', async () => {
    const fileSystem = new MemoryFileSystem();
    const unsealed = [0, 1].map((i) => unsealedOf(fileSystem, `/later-${i}`, 20));
    fileSystem.remove('/later-1');
    await expect(hashUnsealed(fileSystem, unsealed, noPause)).rejects.toMatchObject({
      code: 'DatabaseNotFound',
      details: { file: '/later-1' }
    });
  });

  it('are not put in place when what lies on the disk is not what was written', async () => {
    const fileSystem = new MemoryFileSystem();
    const unsealed = unsealedOf(fileSystem, '/later', 20);
    const [md5] = await hashUnsealed(fileSystem, [unsealed], noPause);
    const refusal = (meant: Partial<UnsealedChunk>): unknown => {
      try {
        sealChunk(fileSystem, { ...unsealed, ...meant }, md5!);
      } catch (error) {
        return error;
      }
      return undefined;
    };
    expect(refusal({ physicalDataSize: unsealed.physicalDataSize + 1 })).toMatchObject({
      code: 'StorageFailed',
      message: expect.stringContaining('its footer is not the one that was written') as string,
      details: { file: '/later', reason: 'changedMeanwhile' }
    });
    expect(fileSystem.describe('/later')?.mode).not.toBe(0o444);
    expect(refusal({})).toBeUndefined();
  });
});

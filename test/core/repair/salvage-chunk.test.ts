/** What a salvage takes for a record, and what not; and how it gets along with a disk that refuses to read. */
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { SalvageLog } from '../../../src-core/repair/salvage-log.ts';
import type { SkippedRange } from '../../../src-core/repair/salvage-chunk.ts';
import { Random } from '../../../src-core/sample/random.ts';
import type { FileSystem, OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import { bytesOf, CHUNK_SIZE, copyOf, DATABASE, flip, overwrite, sampleInMemory } from './repair-sample.ts';

const CHUNK = 'chunk-000001.000000';

let whole: MemoryFileSystem;
let all: number[];
beforeAll(async () => {
  whole = await sampleInMemory();
  all = salvage(whole).positions;
});

function salvage(
  fileSystem: FileSystem,
  dataDirectory = DATABASE
): { positions: number[]; skipped: SkippedRange[] } {
  const database = openDatabase({ fileSystem, dataDirectory });
  const log = new SalvageLog(database);
  const found: { positions: number[]; skipped: SkippedRange[] } = { positions: [], skipped: [] };
  for (let what = log.next(); what !== 'end'; what = log.next()) {
    if (what === 'record') found.positions.push(log.record.position);
    else found.skipped.push(log.skipped!);
  }
  log.close();
  database.close();
  return found;
}

/** Reads of a chunk that touch the bad range fail as a dying disk fails. */
class DyingDisk extends MemoryFileSystem {
  bad: readonly [number, number] = [0, 0];

  override open(path: string, mode: OpenMode): OpenFile {
    const file = super.open(path, mode);
    if (!path.endsWith(CHUNK)) return file;
    const [from, to] = this.bad;
    const read: OpenFile['read'] = (target, targetOffset, length, position) => {
      if (position < to && position + length > from) throw storageError('EIO', path);
      return file.read(target, targetOffset, length, position);
    };
    return {
      path: file.path,
      size: () => file.size(),
      read,
      write: (source, sourceOffset, length, position) => file.write(source, sourceOffset, length, position),
      truncate: (size) => file.truncate(size),
      sync: () => file.sync(),
      close: () => file.close()
    };
  }
}

describe('on a disk that refuses to read', () => {
  it.each([
    [8192, 12288],
    [12288, 12800]
  ])('only what lies around the bytes from %i to %i is lost', async (from, to) => {
    const disk = new DyingDisk();
    const { copyTree } = await import('../../support/copy-tree.ts');
    copyTree({ fileSystem: whole, path: '/node' }, { fileSystem: disk, path: '/node' });
    disk.bad = [from, to];
    const { positions, skipped } = salvage(disk);
    const start = CHUNK_SIZE - 128;
    expect(all).toEqual(expect.arrayContaining(positions));
    const lost = all.filter((position) => !positions.includes(position));
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.every((position) => position > start + from - 8192 && position < start + to + 4096)).toBe(
      true
    );
    expect(skipped.every(({ file, why }) => file === CHUNK && why.includes('EIO'))).toBe(true);
  });
});

describe('behind a damaged record', () => {
  it('the next one is found, and the hole between is told with its positions', () => {
    const fileSystem = copyOf(whole);
    const inChunk = all.filter((position) => position >= CHUNK_SIZE && position < 2 * CHUNK_SIZE);
    flip(fileSystem, CHUNK, 128 + inChunk[3]! - CHUNK_SIZE + 4);
    const { positions, skipped } = salvage(fileSystem);
    expect(positions).toEqual(all.filter((position) => position !== inChunk[3]));
    expect(skipped).toMatchObject([{ file: CHUNK, from: inChunk[3], to: inChunk[4] }]);
  });

  it('the image of a record in the data of another one is not taken for a record', () => {
    const fileSystem = new MemoryFileSystem();
    fileSystem.makeDirectory(DATABASE);
    const random = new Random(9);
    const newGuid = () => random.guid();
    const now = () => ticksFromIso('2026-01-01T00:00:00Z')!;
    const writer = LogWriter.create({ fileSystem, directory: DATABASE, chunkSizeBytes: 65536, newGuid });
    const appender = new EventAppender({ writer, lastEventNumber: () => -1, now, newGuid });
    const event = (data: Uint8Array) => ({ eventType: 'e', data });
    const first = appender.append('a', [event(Buffer.alloc(50))]).position;
    const second = appender.append('b', [event(Buffer.alloc(300))]).position;
    writer.flush();
    // A backup of a log, kept as an event: whole records, but of other places.
    const image = bytesOf(fileSystem, 'chunk-000000.000000').subarray(128 + first, 128 + second);
    const carrier = appender.append('c', [event(Buffer.concat([image, image, image]))]).position;
    const last = appender.append('d', [event(Buffer.alloc(10))]).position;
    writer.close();
    flip(fileSystem, 'chunk-000000.000000', 128 + carrier + 4);
    expect(salvage(fileSystem).positions).toEqual([first, second, last]);
  });

  it('zeros and noise give no records', () => {
    const fileSystem = copyOf(whole);
    const random = new Random(4);
    const bytes = bytesOf(fileSystem, CHUNK);
    for (let i = 128; i < bytes.length - 128; i++) bytes[i] = random.below(256);
    overwrite(fileSystem, CHUNK, bytes);
    const { positions, skipped } = salvage(fileSystem);
    expect(positions).toEqual(all.filter((position) => position < CHUNK_SIZE || position >= 2 * CHUNK_SIZE));
    expect(skipped).toHaveLength(1);
  });
});

/** What a salvage takes for a record, and what not; and how it gets along with a disk that refuses to read. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import type { Chunk } from '../../../src-core/chunks/chunk.ts';
import { SalvageLog } from '../../../src-core/repair/salvage-log.ts';
import { SalvageChunk, type SkippedRange } from '../../../src-core/repair/salvage-chunk.ts';
import { Random } from '../../../src-core/sample/random.ts';
import type { FileSystem, OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import {
  bytesOf,
  CHUNK_SIZE,
  copyOf,
  DATABASE,
  flip,
  int64,
  overwrite,
  sampleInMemory
} from './repair-sample.ts';

const CHUNK = 'chunk-000001.000000';

let whole: MemoryFileSystem;
let all: number[];
beforeAll(async () => {
  whole = await sampleInMemory();
  all = salvage(whole).positions;
});

function salvage(
  fileSystem: FileSystem,
  dataDirectory = DATABASE,
  range: { from?: number; to?: number } = {}
): { positions: number[]; skipped: SkippedRange[] } {
  const database = openDatabase({ fileSystem, dataDirectory });
  const log = new SalvageLog(database, range);
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
  osCode = 'EIO';

  override open(path: string, mode: OpenMode): OpenFile {
    const file = super.open(path, mode);
    if (!path.endsWith(CHUNK)) return file;
    const read: OpenFile['read'] = (target, targetOffset, length, position) => {
      const [from, to] = this.bad;
      if (position < to && position + length > from) throw storageError(this.osCode, path);
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
  ])('only what lies around the bytes from %i to %i is lost', (from, to) => {
    const disk = new DyingDisk();
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

describe('a walk over a log', () => {
  const lastOf = (positions: readonly number[], before: number): number =>
    positions.findLast((position) => position < before)!;

  it.each([
    ['where a record begins, whatever follows it', 0],
    ['where the chain of records ends if it stands within a record', 5]
  ])('ends at writer.chk %s', (_, more) => {
    const fileSystem = copyOf(whole);
    const writer = lastOf(all, lastOf(all, Infinity));
    for (const name of ['writer', 'chaser']) overwrite(fileSystem, `${name}.chk`, int64(writer + more));
    expect(salvage(fileSystem)).toEqual({
      positions: more > 0 ? all : all.filter((position) => position < writer),
      skipped: []
    });
  });

  it.each([
    ['from a chunk to the next', CHUNK_SIZE, 2 * CHUNK_SIZE],
    ['to a place within a record', 0, CHUNK_SIZE + 5],
    ['from a place within a record', CHUNK_SIZE + 5, 3 * CHUNK_SIZE],
    ['of nothing', CHUNK_SIZE, CHUNK_SIZE]
  ])('gives the records that begin in the range that was asked for: %s', (_, from, to) => {
    expect(salvage(whole, DATABASE, { from, to })).toEqual({
      positions: all.filter((position) => position >= from && position < to),
      skipped: []
    });
  });

  it('tells of damage only what lies in the range that was asked for', () => {
    const fileSystem = copyOf(whole);
    fileSystem.remove(`${DATABASE}/${CHUNK}`);
    const skipped = (from: number, to: number): number[][] =>
      salvage(fileSystem, DATABASE, { from, to }).skipped.map((hole) => [hole.from, hole.to]);
    const [start, end] = [CHUNK_SIZE, 2 * CHUNK_SIZE];
    expect(skipped(0, 3 * CHUNK_SIZE)).toEqual([[start, end]]);
    expect(skipped(start + 10, end - 10)).toEqual([[start + 10, end - 10]]);
    expect([skipped(0, start), skipped(end, 3 * CHUNK_SIZE)]).toEqual([[], []]);
  });

  it('reads nothing of a chunk that ends where the range begins', () => {
    const counting = new CountingFileSystem(whole);
    const database = openDatabase({ fileSystem: counting, dataDirectory: DATABASE });
    const log = new SalvageLog(database, { from: 2 * CHUNK_SIZE });
    counting.reset();
    expect(log.next()).toBe('record');
    expect(log.record.position).toBe(2 * CHUNK_SIZE);
    expect([...counting.bytesByPath.keys()]).toEqual([`${DATABASE}/chunk-000002.000000`]);
    log.close();
    database.close();
    expect(counting.openFiles).toBe(0);
  });
});

describe('a walk over one chunk', () => {
  let disk: DyingDisk;
  let chunk: Chunk;
  let inChunk: number[];
  beforeEach(() => {
    disk = new DyingDisk();
    copyTree({ fileSystem: whole, path: '/node' }, { fileSystem: disk, path: '/node' });
    inChunk = all.filter((position) => position >= CHUNK_SIZE && position < 2 * CHUNK_SIZE);
    open();
  });
  const open = (): void => {
    const database = openDatabase({ fileSystem: disk, dataDirectory: DATABASE });
    chunk = database.chunkSet.chunks.find(({ fileName }) => fileName === CHUNK)!;
    database.close();
  };
  const offsetOf = (position: number): number => 128 + position - CHUNK_SIZE;
  /** `onRecord`: called at each record, with its number. */
  const walked = (onRecord: (count: number) => void = () => undefined) => {
    const walk = new SalvageChunk({ fileSystem: disk, chunk });
    const found: { positions: number[]; skipped: SkippedRange[] } = { positions: [], skipped: [] };
    try {
      for (let what = walk.next(); what !== 'end'; what = walk.next()) {
        if (what === 'skipped') found.skipped.push(walk.skipped!);
        else {
          expect(walk.fileOffset).toBe(offsetOf(walk.record.position));
          found.positions.push(walk.record.position);
          onRecord(found.positions.length);
        }
      }
    } finally {
      walk.close();
    }
    return found;
  };

  it('that the disk slowed down comes to the last record, and knows where each lies', () => {
    disk.bad = [8192, 12288];
    const { positions, skipped } = walked();
    expect(positions.at(-1)).toBe(inChunk.at(-1));
    expect(positions.length).toBeGreaterThan(inChunk.length / 4);
    expect(skipped.length).toBeGreaterThan(0);
  });

  it('that the disk slowed down takes no record for one that belongs elsewhere', () => {
    const foreign = inChunk.find((position) => offsetOf(position) > 22_000)!;
    const bytes = bytesOf(disk, CHUNK);
    bytes.writeBigInt64LE(BigInt(foreign + 1), offsetOf(foreign) + 6);
    overwrite(disk, CHUNK, bytes);
    disk.bad = [8192, 12288];
    const { positions, skipped } = walked();
    expect(positions).not.toContain(foreign);
    expect(positions.at(-1)).toBe(inChunk.at(-1));
    expect(skipped.find(({ from }) => from === foreign)?.to).toBe(inChunk[inChunk.indexOf(foreign) + 1]);
  });

  it('whose search meets a place that the disk refuses searches on behind it', () => {
    flip(disk, CHUNK, offsetOf(inChunk[5]!) + 4);
    const { positions, skipped } = walked((count) => {
      if (count === 5) disk.bad = [20_480, 24_576];
    });
    expect(positions.slice(0, 6)).toEqual([...inChunk.slice(0, 5), inChunk[6]]);
    expect(positions.at(-1)).toBe(inChunk.at(-1));
    expect(skipped.length).toBeGreaterThan(1);
  });

  it('whose search meets another failure of the disk tells that one', () => {
    flip(disk, CHUNK, offsetOf(inChunk[5]!) + 4);
    const walk = (): unknown =>
      walked((count) => {
        if (count !== 5) return;
        disk.bad = [0, 1_000_000];
        disk.osCode = 'EACCES';
      });
    expect(walk).toThrow(expect.objectContaining({ code: 'StorageFailed' }));
  });
});

it('a footer that claims too little ends no search for records behind it', () => {
  const fileSystem = copyOf(whole);
  const inChunk = all.filter((position) => position >= CHUNK_SIZE && position < 2 * CHUNK_SIZE);
  const [damaged, last] = inChunk.slice(-2) as [number, number];
  const bytes = bytesOf(fileSystem, CHUNK);
  const claimed = inChunk.at(-5)! - CHUNK_SIZE;
  bytes.writeInt32LE(claimed, bytes.length - 127);
  overwrite(fileSystem, CHUNK, bytes);
  flip(fileSystem, CHUNK, 128 + damaged - CHUNK_SIZE + 4);
  const { positions, skipped } = salvage(fileSystem);
  expect(positions).toEqual(all.filter((position) => position !== damaged));
  expect(skipped).toContainEqual(expect.objectContaining({ file: CHUNK, from: damaged, to: last }));
});

it('a salvage tells only of holes in the range that was asked for, and stands on no record before the first', () => {
  const fileSystem = copyOf(whole);
  const inChunk = all.filter((position) => position >= CHUNK_SIZE && position < 2 * CHUNK_SIZE);
  flip(fileSystem, CHUNK, 128 + inChunk[3]! - CHUNK_SIZE + 4);
  const database = openDatabase({ fileSystem, dataDirectory: DATABASE });
  const log = new SalvageLog(database, { from: inChunk[6]!, to: inChunk[8]! });
  expect(() => log.record).toThrow(RangeError);
  expect([log.next(), log.record.position, log.next(), log.next()]).toEqual([
    ...['record', inChunk[6], 'record', 'end']
  ]);
  log.close();
  database.close();
});

it('a chunk that is missing where no checkpoint says how far the log goes is no hole', () => {
  const fileSystem = copyOf(whole);
  for (const name of ['writer', 'chaser']) overwrite(fileSystem, `${name}.chk`, new Uint8Array(8));
  fileSystem.remove(`${DATABASE}/chunk-000002.000000`);
  const { positions, skipped } = salvage(fileSystem);
  expect(positions).toEqual(
    all.filter((position) => position < 2 * CHUNK_SIZE || position >= 3 * CHUNK_SIZE)
  );
  expect(skipped).toEqual([]);
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

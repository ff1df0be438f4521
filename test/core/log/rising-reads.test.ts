/**
 * Many records at once, against the same records one by one: random logs, scavenged, merged, damaged, asked in any order, at positions where a record is and where none is.
 */
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { LogReader } from '../../../src-core/log/log-reader.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { LogSide, randomLog, type SideFile } from '../../support/log-side.ts';
import { Prng } from '../../support/prng.ts';
import { seedList } from '../../support/seeds.ts';

const CHUNK_SIZE = 64 * 1024;
const SEEDS = seedList(40);

function randomFiles(random: Prng, end: number): SideFile[] {
  const files: SideFile[] = [];
  const active = Math.floor(end / CHUNK_SIZE);
  for (let number = 0; number < active;) {
    const isScavenged = random.chance(0.5);
    const length = isScavenged ? Math.min(1 + random.below(2), active - number) : 1;
    files.push({ startNumber: number, endNumber: number + length - 1, isScavenged });
    number += length;
  }
  return [...files, { startNumber: active, endNumber: active, isScavenged: false }];
}

function outcome(
  action: () => { position: number; bytes: Buffer; start: number; length: number } | undefined
) {
  try {
    const record = action();
    if (!record) return 'none';
    const { position, bytes, start, length } = record;
    return `${position}: ${bytes.subarray(start, start + length).toString('hex')}`;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.code; // of a damaged length the words depend on how much was read
  }
}

function readMany(log: LogReader, positions: readonly number[]): string[] {
  const read: string[] = [];
  log.readMany(
    positions,
    (index, record) => (read[index] = outcome(() => record)),
    (index, error) => {
      read[index] = outcome(() => {
        throw error;
      });
    }
  );
  return read;
}

describe('many records at once', () => {
  it.each(SEEDS)('are those that are read one by one (seed %i)', (seed) => {
    const random = new Prng(seed);
    const log = randomLog(random, {
      chunks: 1 + random.below(6),
      chunkSizeBytes: CHUNK_SIZE,
      mostData: random.pick([60, 400, 9000])
    });
    const files = randomFiles(random, log.end);
    for (const position of [...log.records.keys()]) {
      const number = Math.floor(position / CHUNK_SIZE);
      const isScavenged = files.some(
        (file) => file.isScavenged && file.startNumber <= number && file.endNumber >= number
      );
      if (isScavenged && random.chance(0.8)) log.records.delete(position);
    }
    const side = new LogSide(log, files, random);
    if (random.chance(0.5)) {
      const file = random.pick(files);
      const places = side.placesOf(file);
      if (places.length > 0) side.patch(file, random.pick(places).offset + random.below(12), random.bytes(2));
    }
    const database = side.open();
    const there = [...log.records.keys()].filter(() => random.chance(0.6));
    const elsewhere = Array.from({ length: 20 }, () => random.below(log.end + 1000) - 100);
    const positions = random.shuffled([...there, ...elsewhere, ...there.slice(0, 3)]);
    const oneByOne = positions.map((position) => outcome(() => database.log.readAt(position)));
    expect(readMany(database.log, positions)).toEqual(oneByOne);
    const { fileSystem } = side;
    const { chunks, chunkSizeBytes } = database.log;
    const shorter = new LogReader({ fileSystem, chunks, chunkSizeBytes, end: random.below(log.end) });
    const before = positions.map((position) => outcome(() => shorter.readAt(position)));
    expect(readMany(shorter, positions)).toEqual(before);
    shorter.close();
    database.close();
  });
});

describe('reads of a chunk', () => {
  const KIB = 1024;
  const random = new Prng(5);
  const side = new LogSide(
    randomLog(random, { chunks: 2, chunkSizeBytes: 1024 * KIB, mostData: 200 }),
    [0, 1].map((number) => ({ startNumber: number, endNumber: number, isScavenged: false })),
    random
  );
  const records = [...side.parts.records.keys()].filter((position) => position < 1000 * KIB);

  /** The first record of each so many bytes, up to an end. */
  function spaced(bytes: number, end: number): number[] {
    const positions: number[] = [];
    for (let at = 0; at < end; at += bytes) positions.push(records.find((position) => position >= at)!);
    return [...new Set(positions)];
  }

  it.each([
    ['are one for neighbours', spaced(1, 200 * KIB), 1],
    ['are one for those that lie close enough', spaced(15 * KIB, 200 * KIB), 1],
    ['are one each for those that lie apart', spaced(18 * KIB, 200 * KIB), 12],
    ['are one for so many bytes', spaced(4 * KIB, 1000 * KIB), 4],
    ['are one for a record alone', [records[5]!], 1],
    ['are none for places before and behind the log', [-1, -100, side.parts.end, side.parts.end + 1], 0]
  ])('%s', (_which, positions, calls) => {
    const fileSystem = new CountingFileSystem(side.fileSystem);
    const database = side.open();
    const { chunks, chunkSizeBytes, end } = database.log;
    const log = new LogReader({ fileSystem, chunks, chunkSizeBytes, end });
    const found = readMany(log, random.shuffled([...positions]));
    expect(fileSystem.readCalls).toBe(calls);
    expect(found.filter((record) => record !== 'none')).toHaveLength(calls === 0 ? 0 : positions.length);
    log.close();
    database.close();
  });
});

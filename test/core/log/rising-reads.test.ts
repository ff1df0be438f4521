/**
 * Many records at once, against the same records one by one: random logs, scavenged, merged, damaged, asked in any order, at positions where a record is and where none is.
 */
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import type { LogReader } from '../../../src-core/log/log-reader.ts';
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
    database.close();
  });
});

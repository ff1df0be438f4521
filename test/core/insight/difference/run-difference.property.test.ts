/**
 * Comparisons of random logs against a naive model: two maps from position to bytes. The sides are scavenged, merged, cut
 * short, damaged, or have a record changed, each by itself; what the model finds by looking up every position, the comparison
 * has to find in files that lie differently on each side.
 */
import { describe, expect, it } from 'vitest';
import { CHUNK_HEADER_LENGTH } from '../../../../src-core/chunks/chunk-header.ts';
import { uncontrolled } from '../../../../src-core/database/operation-control.ts';
import { databaseSide } from '../../../../src-core/insight/difference/database-side.ts';
import { compareLogs } from '../../../../src-core/insight/difference/run-difference.ts';
import type { LogDifference } from '../../../../src-core/insight/difference/difference.ts';
import type { Ruling } from '../../../../src-core/insight/difference/removal-judge.ts';
import { LogRecord } from '../../../../src-core/records/log-record.ts';
import {
  encodeEvent,
  framed,
  LogSide,
  randomLog,
  type LogParts,
  type Records,
  type SideFile
} from '../../../support/log-side.ts';
import { Prng } from '../../../support/prng.ts';
import { seedList } from '../../../support/seeds.ts';

const SEEDS = seedList(200);
const CHUNK_SIZE = 2048;
const MOST_CHUNKS = 7;

/** What a side's file system holds, and what of it can be read. */
interface ModelSide {
  side: LogSide;
  /** As written, with changed bytes. */
  readable: Records;
  /** Where it cannot be read: `[from, to)`. */
  holes: { from: number; to: number }[];
  /** Where a record may be missing since a scavenge wrote the file. */
  isScavengedAt: (position: number) => boolean;
}

function randomFiles(random: Prng, { end }: LogParts): SideFile[] {
  const files: SideFile[] = [];
  const active = Math.floor(end / CHUNK_SIZE);
  for (let number = 0; number < active;) {
    const isScavenged = random.chance(0.5);
    const length = isScavenged ? Math.min(1 + random.below(3), active - number) : 1;
    files.push({ startNumber: number, endNumber: number + length - 1, isScavenged });
    number += length;
  }
  files.push({ startNumber: active, endNumber: active, isScavenged: false });
  return files;
}

/** A side of the log with records removed where its files are scavenged, one changed, one damaged, a file missing. */
function randomSide(random: Prng, log: LogParts): ModelSide {
  const files = randomFiles(random, log);
  const isScavengedAt = (position: number): boolean => {
    const number = Math.floor(position / CHUNK_SIZE);
    return files.some((file) => file.isScavenged && file.startNumber <= number && file.endNumber >= number);
  };
  const records: Records = new Map();
  const keeps = random.pick([1, 0.9, 0.5]);
  for (const [position, frame] of log.records) {
    if (!isScavengedAt(position) || random.chance(keeps)) records.set(position, Buffer.from(frame));
  }
  // Merged files have to fit one chunk, as the server's do.
  for (const { startNumber, endNumber } of files) {
    let size = 0;
    for (const [position, frame] of records) {
      const number = Math.floor(position / CHUNK_SIZE);
      if (number < startNumber || number > endNumber) continue;
      if (size + frame.length > CHUNK_SIZE) records.delete(position);
      else size += frame.length;
    }
  }
  const holes: ModelSide['holes'] = [];
  if (random.chance(0.4) && records.size > 0) {
    // One bit of the payload after its position; it may become a record that cannot be decoded.
    const frame = records.get(random.pick([...records.keys()]))!;
    const at = 14 + random.below(frame.length - 4 - 14);
    frame[at] = frame[at]! ^ (1 << random.below(8));
  }
  const side = new LogSide({ ...log, records }, files, random);
  const readable = new Map(records);
  if (random.chance(0.3)) damageFrame(random, side, readable, holes);
  if (random.chance(0.15)) removeFile(random, side, readable, holes);
  return { side, readable, holes, isScavengedAt };
}

/** Makes one record unfindable: its length, the one after it, or its position. */
function damageFrame(random: Prng, side: LogSide, readable: Records, holes: ModelSide['holes']): void {
  const file = random.pick(side.files);
  const places = side.placesOf(file);
  if (places.length === 0) return;
  const i = random.below(places.length);
  const { position, offset } = places[i]!;
  const frame = readable.get(position)!;
  const at = random.pick([0, 1, frame.length - 4, 6, 7, 13]);
  const wrong = frame[at]! ^ 0x80;
  // A scavenged file knows a position only by its order: one that is wrong and still in order is another record.
  if (file.isScavenged && at >= 6 && at <= 7) return;
  side.patch(file, offset + at, Uint8Array.of(wrong));
  readable.delete(position);
  const start = file.startNumber * CHUNK_SIZE;
  const before = places[i - 1]?.position ?? -1;
  const expected = start + offset - CHUNK_HEADER_LENGTH;
  const from = file.isScavenged ? Math.max(before + 1, expected) : expected;
  // The walk continues at the next bytes that are a record.
  let next = i + 1;
  for (; next < places.length && !isRecord(readable.get(places[next]!.position)!); next++) {
    readable.delete(places[next]!.position);
  }
  const to = places[next]?.position ?? (file.endNumber + 1) * CHUNK_SIZE;
  holes.push({ from, to });
}

function removeFile(random: Prng, side: LogSide, readable: Records, holes: ModelSide['holes']): void {
  // Not the last: without it and without writer.chk nobody would know where the log ends.
  const files = side.files.slice(0, -2);
  if (files.length === 0) return;
  const file = random.pick(files);
  side.fileSystem.remove(side.pathOf(file));
  const from = file.startNumber * CHUNK_SIZE;
  const to = (file.endNumber + 1) * CHUNK_SIZE;
  for (const position of [...readable.keys()]) {
    if (position >= from && position < to) readable.delete(position);
  }
  for (let i = holes.length - 1; i >= 0; i--) {
    if (holes[i]!.from >= from && holes[i]!.from < to) holes.splice(i, 1);
  }
  holes.push({ from, to });
}

/** By the position alone, so that the model and the comparison say the same. */
const VERDICTS = ['explained', 'notKnown', 'unexplained'] as const;
const verdictAt = (position: number) => VERDICTS[(position >> 3) % 3]!;

interface Expected {
  equal: number;
  equalBytes: number;
  differing: number[];
  onlyOne: Record<string, number>;
  onlyOther: Record<string, number>;
}

function expectedOf(one: ModelSide, other: ModelSide, to: number): Expected {
  const expected: Expected = { equal: 0, equalBytes: 0, differing: [], onlyOne: {}, onlyOther: {} };
  const positions = [...new Set([...one.readable.keys(), ...other.readable.keys()])].sort((a, b) => a - b);
  for (const position of positions) {
    if (position >= to) continue;
    const first = one.readable.get(position);
    const second = other.readable.get(position);
    if (first && second) {
      if (first.equals(second)) {
        expected.equal++;
        expected.equalBytes += first.length;
      } else expected.differing.push(position);
      continue;
    }
    const lacking = first ? other : one;
    const counts = first ? expected.onlyOne : expected.onlyOther;
    const isInHole = lacking.holes.some((hole) => position >= hole.from && position < hole.to);
    const isDecodable = isRecord((first ?? second)!);
    const verdict = isInHole
      ? 'unreadable'
      : !isDecodable
        ? 'notKnown'
        : lacking.isScavengedAt(position)
          ? verdictAt(position)
          : 'unexplained';
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  return expected;
}

function foundIn({ total, differences }: LogDifference<number>): Expected {
  const counts = (here: typeof total.one) => {
    const found: Record<string, number> = {};
    for (const name of [...VERDICTS, 'unreadable'] as const) {
      if (here[name].records > 0) found[name] = here[name].records;
    }
    return found;
  };
  return {
    equal: total.equal.records,
    equalBytes: total.equal.bytes,
    differing: differences.filter(({ kind }) => kind === 'bytes').map(({ position }) => position),
    onlyOne: counts(total.one),
    onlyOther: counts(total.other)
  };
}

function isRecord(frame: Buffer): boolean {
  const record = new LogRecord();
  return record.parse(frame, new DataView(frame.buffer, frame.byteOffset), 4, frame.length - 8) === undefined;
}

async function compare(one: LogSide, other: LogSide, readsAll = false): Promise<LogDifference<number>> {
  const databases = [one.open(), other.open()] as const;
  try {
    return await compareLogs<number>({
      one: databaseSide(databases[0]),
      other: databaseSide(databases[1]),
      readsAll,
      judge: (_lackedBy, record): Ruling => {
        const verdict = verdictAt(record.position);
        return { verdict, rule: verdict === 'explained' ? 'maxCount' : null, because: 'The test says so.' };
      },
      describe: (record) => record.position,
      mostDifferences: 10_000,
      control: uncontrolled()
    });
  } finally {
    for (const database of databases) database.close();
  }
}

describe('a comparison of two logs', () => {
  it.each(SEEDS)('finds what a look at every position finds (seed %i)', async (seed) => {
    const random = new Prng(seed);
    const chunks = 1 + random.below(MOST_CHUNKS);
    const log = randomLog(random, { chunks, chunkSizeBytes: CHUNK_SIZE });
    const one = randomSide(random, log);
    const other = randomSide(
      random,
      random.pick([log, log, log, cutShort(random, log), otherHistory(random, log)])
    );
    const found = await compare(one.side, other.side);
    const comparedTo = Math.min(one.side.parts.end, other.side.parts.end);
    expect(found.comparedTo).toBe(comparedTo);
    expect(found.behind?.bytes ?? 0).toBe(Math.max(one.side.parts.end, other.side.parts.end) - comparedTo);
    const expected = expectedOf(one, other, comparedTo);
    expect(foundIn(found)).toEqual(expected);
    expectWhole(found);
    const holesOf = ({ holes }: ModelSide) => holes.filter(({ from }) => from < comparedTo);
    // What neither side has a file for can only be compared by somebody who has one.
    const isSame = JSON.stringify(holesOf(one)) === JSON.stringify(holesOf(other));
    const hasHoles = holesOf(one).length + holesOf(other).length > 0;
    const lacksFile =
      isSame && hasHoles && found.ranges.some(({ how, verdict }) => how === 'none' && verdict === 'notKnown');
    const { differing, onlyOne, onlyOther } = expected;
    const sum = (name: string) => (onlyOne[name] ?? 0) + (onlyOther[name] ?? 0);
    const isBad = differing.length + sum('unexplained') > 0 || (hasHoles && !lacksFile);
    const lacks = sum('explained') > 0 ? 'explained' : 'equal';
    const isShort = found.behind !== null;
    const isNotKnown = sum('notKnown') > 0 || lacksFile;
    const worst = isBad ? 'differs' : isNotKnown ? 'notKnown' : isShort ? 'behind' : lacks;
    expect(found.verdict).toBe(worst);
  });

  it.each(SEEDS.slice(0, 40))('says the same of the two in the other order (seed %i)', async (seed) => {
    const random = new Prng(seed + 1000);
    const log = randomLog(random, { chunks: 4, chunkSizeBytes: CHUNK_SIZE });
    const one = randomSide(random, log);
    const other = randomSide(random, log);
    const forward = foundIn(await compare(one.side, other.side));
    const backward = foundIn(await compare(other.side, one.side));
    expect(backward).toEqual({ ...forward, onlyOne: forward.onlyOther, onlyOther: forward.onlyOne });
  });

  it.each(SEEDS.slice(0, 20))(
    'does not read a copy, and finds it equal when it is read (seed %i)',
    async (seed) => {
      const log = randomLog(new Prng(seed), { chunks: 4, chunkSizeBytes: CHUNK_SIZE });
      const files = randomFiles(new Prng(seed), log);
      const one = new LogSide(log, onlyPlain(files), new Prng(seed));
      const copy = new LogSide(log, onlyPlain(files), new Prng(seed));
      const trusted = await compare(one, copy);
      expect(trusted.verdict).toBe('equal');
      expect(trusted.trustedFiles).toBe(one.files.length - 1);
      const read = await compare(one, copy, true);
      expect(read).toMatchObject({ verdict: 'equal', trustedFiles: 0 });
      expect(read.total.equal.records).toBe(log.records.size);
    }
  );
});

function onlyPlain(files: readonly SideFile[]): SideFile[] {
  const last = files.at(-1)!.endNumber;
  return Array.from({ length: last + 1 }, (_, i) => ({ startNumber: i, endNumber: i, isScavenged: false }));
}

/** As a node that is behind has it. */
function cutShort(random: Prng, log: LogParts): LogParts {
  const positions = [...log.records.keys()];
  const end = positions[random.below(positions.length)] ?? log.end;
  return { ...log, records: new Map([...log.records].filter(([position]) => position < end)), end };
}

/** As a node has it that followed another leader: from some record on everything is another. */
function otherHistory(random: Prng, log: LogParts): LogParts {
  const positions = [...log.records.keys()];
  const from = positions[random.below(positions.length)] ?? 0;
  const records: Records = new Map([...log.records].filter(([position]) => position < from));
  let end = from;
  while (end < log.end) {
    const frame = framed(encodeEvent(random, end, 1_000_000));
    const left = CHUNK_SIZE - (end % CHUNK_SIZE);
    if (frame.length > left) {
      end += left;
      continue;
    }
    records.set(end, frame);
    end += frame.length;
  }
  return { ...log, records, end };
}

/** Ranges cover what was compared and what one side lacks at its end, once, in order, with the sums of the whole. */
function expectWhole({ ranges, comparedTo, behind, total }: LogDifference<number>): void {
  let at = 0;
  for (const range of ranges) {
    expect(range.from).toBe(at);
    expect(range.to).toBeGreaterThan(range.from);
    at = range.to;
  }
  expect(at).toBe(comparedTo + (behind?.bytes ?? 0));
  expect(ranges.reduce((sum, { equal }) => sum + equal.records, 0)).toBe(total.equal.records);
  expect(ranges.reduce((sum, { differing }) => sum + differing, 0)).toBe(total.differing);
}

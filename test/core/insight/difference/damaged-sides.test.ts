/** Comparisons with a side of which some place cannot be read: a hole with its reason, and all around it compared. */
import { describe, expect, test } from 'vitest';
import { uncontrolled } from '../../../../src-core/database/operation-control.ts';
import { EngineError, logCorrupt } from '../../../../src-core/errors.ts';
import { databaseSide } from '../../../../src-core/insight/difference/database-side.ts';
import type { LogDifference } from '../../../../src-core/insight/difference/difference.ts';
import type { DifferenceSide } from '../../../../src-core/insight/difference/difference-side.ts';
import { compareLogs } from '../../../../src-core/insight/difference/run-difference.ts';
import { frameRecord } from '../../../../src-core/records/encode-record.ts';
import { LogSide, randomLog, type LogParts, type SideFile } from '../../../support/log-side.ts';
import { eventPayload } from './event-payload.ts';
import { Prng } from '../../../support/prng.ts';

const CHUNK_SIZE = 2048;

const log = randomLog(new Prng(7), { chunks: 4, chunkSizeBytes: CHUNK_SIZE });
const active = Math.floor(log.end / CHUNK_SIZE);
const plainFiles = (scavenged: readonly number[] = []): SideFile[] =>
  Array.from({ length: active + 1 }, (_, number) => ({
    startNumber: number,
    endNumber: number,
    isScavenged: scavenged.includes(number)
  }));
const sideOf = (parts: LogParts = log, files = plainFiles()): LogSide =>
  new LogSide(parts, files, new Prng(1));

async function compare(
  one: LogSide,
  other: LogSide,
  change: (side: DifferenceSide) => DifferenceSide = (side) => side,
  mostDifferences = 100
): Promise<LogDifference<number>> {
  const databases = [one.open(), other.open()] as const;
  try {
    return await compareLogs<number>({
      one: change(databaseSide(databases[0])),
      other: databaseSide(databases[1]),
      readsAll: true,
      judge: () => ({ verdict: 'unexplained', rule: null, because: 'The test says so.' }),
      describe: ({ position }) => position,
      mostDifferences,
      control: uncontrolled()
    });
  } finally {
    for (const database of databases) database.close();
  }
}

const holesOf = ({ differences }: LogDifference<number>) =>
  differences.flatMap(({ lackedBy, hole }) => (hole ? [{ lackedBy, ...hole }] : []));
const [first, second] = plainFiles();

describe('a chunk that cannot be opened', () => {
  test('since it is encrypted makes the range not known', async () => {
    const one = sideOf();
    one.patch(second!, 34, Uint8Array.of(4, 1));
    const found = await compare(one, sideOf());
    expect(holesOf(found)).toMatchObject([
      {
        lackedBy: 'one',
        kind: 'encrypted',
        from: CHUNK_SIZE,
        to: 2 * CHUNK_SIZE,
        fileName: 'chunk-000001.000000'
      }
    ]);
    expect(found.ranges.map(({ verdict }) => verdict)).toEqual(['equal', 'notKnown', 'equal']);
    expect(found.total.other.unreadable.records).toBeGreaterThan(0);
  });

  const failing =
    (error: Error) =>
    (side: DifferenceSide): DifferenceSide => ({
      ...side,
      open: (chunk) => (chunk.startNumber === 1 ? Promise.reject(error) : side.open(chunk))
    });

  test('since it is damaged is a hole with the words of the error', async () => {
    const error = logCorrupt('The object cannot be decoded.', { file: 'chunk-000001.000000' });
    const found = await compare(sideOf(), sideOf(), failing(error));
    expect(holesOf(found)).toMatchObject([{ kind: 'damaged', fileOffset: null, because: error.message }]);
    expect(found.verdict).toBe('differs');
  });

  test.each([
    new EngineError({ code: 'StorageFailed', message: 'The disk says no.', remedy: 'Check it.' }),
    new Error('A fault of ours.')
  ])('for another reason ends the comparison: %s', async (error) => {
    await expect(compare(sideOf(), sideOf(), failing(error))).rejects.toBe(error);
  });
});

describe('the end of a side', () => {
  test.each([3, 20])('that lies %i bytes behind its last record is a hole there', async (more) => {
    const one = sideOf({ ...log, end: log.end + more });
    const found = await compare(one, sideOf({ ...log, end: log.end + more }));
    expect(holesOf(found)).toMatchObject([
      { lackedBy: 'one', kind: 'damaged', from: log.end, to: log.end + more },
      { lackedBy: 'other', kind: 'damaged', from: log.end, to: log.end + more }
    ]);
    expect(found.total.equal.records).toBe(log.records.size);
  });

  test('that its file does not reach is told as such', async () => {
    const one = sideOf();
    const places = one.placesOf(plainFiles().at(-1)!);
    const { offset, position } = places.at(-1)!;
    const path = one.pathOf(plainFiles().at(-1)!);
    const file = one.fileSystem.open(path, 'readWrite');
    file.truncate(offset);
    file.close();
    const found = await compare(one, sideOf());
    expect(holesOf(found)).toMatchObject([
      {
        kind: 'damaged',
        from: position,
        to: log.end,
        because: expect.stringMatching(/ends before its data does\.$/) as string
      }
    ]);
  });

  test('after which the longer side is damaged is no hole: nothing there is compared', async () => {
    const positions = [...log.records.keys()];
    const end = positions.at(-2)!;
    const shorter = {
      ...log,
      records: new Map([...log.records].filter(([position]) => position < end)),
      end
    };
    const one = sideOf();
    const { offset } = one.placesOf(plainFiles().at(-1)!).at(-2)!;
    one.patch(plainFiles().at(-1)!, offset, Uint8Array.of(1));
    const found = await compare(one, sideOf(shorter));
    expect(found.verdict).toBe('behind');
    expect(holesOf(found)).toEqual([]);
  });
});

describe('what lies after damage', () => {
  /** Breaks the frame of the second record of the second chunk, then changes what follows it. */
  function broken(change: (one: LogSide, file: SideFile, at: number) => void): LogSide {
    const files = plainFiles();
    const one = sideOf(log, files);
    const places = one.placesOf(files[1]!);
    one.patch(files[1]!, places[1]!.offset, Uint8Array.of(1, 0, 0, 0));
    change(one, files[1]!, places[2]!.offset);
    return one;
  }
  const places = sideOf().placesOf(second!);

  test.each<[string, (one: LogSide, file: SideFile, at: number) => void]>([
    [
      'with another length after it',
      (one, file, at) => {
        const length = log.records.get(places[2]!.position)!.length;
        one.patch(file, at + length - 4, Uint8Array.of(0xff));
      }
    ],
    ['whose content is none', (one, file, at) => one.patch(file, at + 4 + 24, Buffer.alloc(12, 0xff))]
  ])('is a record %s, which is no record: the walk goes on to the next', async (_name, change) => {
    const found = await compare(broken(change), sideOf());
    const [hole, ...more] = holesOf(found);
    expect(more).toEqual([]);
    expect(hole).toMatchObject({
      lackedBy: 'one',
      kind: 'damaged',
      fileName: expect.stringMatching(/^chunk-000001/) as string
    });
    expect(hole?.from).toBeLessThanOrEqual(places[1]!.position);
    expect(hole?.to).toBe(places[3]!.position);
    expect(found.total.equal.records).toBe(log.records.size - 2);
    expect(found.total.other.unreadable.records).toBe(2);
  });

  test('is a record of an earlier place, as no scavenge leaves one: the walk goes on to the next', async () => {
    const { records } = log;
    const of = places.map(({ position }) => position);
    // Without the first ones, a record may be of a place before the last one and after its place in the file.
    const kept = new Map([...records].filter(([position]) => position < of[0]! || position >= of[4]!));
    const files = plainFiles([1]);
    const one = sideOf({ ...log, records: kept }, files);
    const [, damaged, moved] = one.placesOf(files[1]!);
    one.patch(files[1]!, damaged!.offset, Uint8Array.of(1, 0, 0, 0));
    const earlier = Buffer.alloc(8);
    earlier.writeBigInt64LE(BigInt(of[4]!));
    one.patch(files[1]!, moved!.offset + 6, earlier);
    const found = await compare(one, sideOf());
    expect(holesOf(found)).toMatchObject([{ lackedBy: 'one', from: of[4]! + 1, to: of[7]! }]);
    expect(found.total.other.unreadable.records).toBe(2);
    expect(found.total.other.unexplained.records).toBe(4);
    expect(found.total.equal.records).toBe(records.size - 6);
  });
});

test('a record that is larger than what is read at once is compared like all others', async () => {
  const records: LogParts['records'] = new Map();
  let end = 0;
  for (const bytes of [20, 1_500_000, 20, 1_100_000]) {
    const frame = frameRecord(eventPayload({ position: end, data: Buffer.alloc(bytes, 'x') }));
    records.set(end, frame);
    end += frame.length;
  }
  const large: LogParts = { chunkSizeBytes: 4 * 2 ** 20, records, end };
  const files = [{ startNumber: 0, endNumber: 0, isScavenged: false }];
  const found = await compare(sideOf(large, files), sideOf(large, files));
  expect(found.verdict).toBe('equal');
  expect(found.total.equal).toEqual({ records: 4, bytes: end });
});

test('only so many places are described; all are counted', async () => {
  const one = sideOf();
  for (const { offset } of one.placesOf(first!)) one.patch(first!, offset + 14, Uint8Array.of(0x55));
  const all = await compare(one, sideOf());
  const few = await compare(one, sideOf(), undefined, 2);
  expect(all.differences.length).toBe(all.differenceCount);
  expect(all.differenceCount).toBeGreaterThan(2);
  expect(few).toEqual({ ...all, differences: all.differences.slice(0, 2) });
});

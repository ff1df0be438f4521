/** What is said of chunk files whose footer or length is wrong, byte by byte, and which of them still serve the log. */
import { beforeEach, describe, expect, it } from 'vitest';
import { readChunkSet, type ChunkSet } from '../../../src-core/log/chunk-set.ts';
import { LogSide, randomLog, type SideFile } from '../../support/log-side.ts';
import { Prng } from '../../support/prng.ts';

const CHUNK_BYTES = 4096;
const FOOTER_BYTES = 128;
const VERSION_OFFSET = 34;
/** Of what lies where a footer has to be. */
const STALE = Buffer.alloc(20, 0xfe);

const PLAIN: SideFile = { startNumber: 0, endNumber: 0, isScavenged: false };
const SCAVENGED: SideFile = { startNumber: 1, endNumber: 1, isScavenged: true };
const ACTIVE: SideFile = { startNumber: 2, endNumber: 2, isScavenged: false };
const NAMES = ['chunk-000000.000000', 'chunk-000001.000001', 'chunk-000002.000000'] as const;
const [PLAIN_NAME, SCAVENGED_NAME, ACTIVE_NAME] = NAMES;

let side: LogSide;
beforeEach(() => {
  const random = new Prng(11);
  const log = randomLog(random, { chunks: 3, chunkSizeBytes: CHUNK_BYTES });
  side = new LogSide(log, [PLAIN, SCAVENGED, ACTIVE], random);
});

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}

const sizeOf = (file: SideFile): number => side.fileSystem.describe(side.pathOf(file))!.size;
const footerOf = (file: SideFile): number => sizeOf(file) - FOOTER_BYTES;
const setFooter = (file: SideFile, at: number, bytes: Uint8Array): void =>
  side.patch(file, footerOf(file) + at, bytes);

function cut(file: SideFile, size: number): void {
  side.fileSystem.changeMode(side.pathOf(file), 0o644);
  const open = side.fileSystem.open(side.pathOf(file), 'readWrite');
  open.truncate(size);
  open.close();
}

const read = (writer = side.parts.end): ChunkSet =>
  readChunkSet({ fileSystem: side.fileSystem, directory: '/db', writer });
const namesOf = ({ chunks }: ChunkSet): string[] => chunks.map(({ fileName }) => fileName);

it('a log whose footers fit has no problem', () => {
  expect(read()).toMatchObject({ problems: [], gaps: [] });
  expect(namesOf(read())).toEqual(NAMES);
});

describe('a footer', () => {
  it.each<[string, number, Buffer, string]>([
    ['a negative data size', 1, int32(-1), 'a physical data size of -1 is impossible'],
    [
      'less logical than physical data',
      5,
      int64(5n),
      'the logical data size 5 does not fit the physical one'
    ],
    ['data to beyond every log', 5, int64(2n ** 53n), 'the logical data size 9007199254740992 does not fit'],
    ['a part of an entry as map', 13, int32(13), 'a map of 13 bytes is not a whole number of entries of 12'],
    ['a negative map', 13, int32(-12), 'a map of -12 bytes is not a whole number of entries of 12']
  ])('with %s is damage with its place, and the file serves nothing', (_what, at, bytes, words) => {
    setFooter(PLAIN, at, bytes);
    const set = read();
    expect(set.problems).toEqual([
      {
        code: 'chunkFooterInvalid',
        severity: 'damage',
        file: PLAIN_NAME,
        offset: footerOf(PLAIN),
        position: null,
        message: expect.stringContaining(`The footer of ${PLAIN_NAME} is invalid: ${words}`) as string,
        remedy: `Restore ${PLAIN_NAME} from a backup.`
      }
    ]);
    expect(namesOf(set)).toEqual([SCAVENGED_NAME, ACTIVE_NAME]);
    expect(set.gaps).toMatchObject([{ startNumber: 0, endNumber: 0, state: 'unreadable' }]);
  });

  it('of the 1.0 line has entries of eight bytes in its map', () => {
    setFooter(PLAIN, 0, Buffer.concat([Uint8Array.of(1), Buffer.alloc(12)]));
    setFooter(PLAIN, 9, int32(12));
    expect(read().problems[0]?.message).toContain('a map of 12 bytes is not a whole number of entries of 8.');
  });

  it('that claims one byte more than the file has is damage, and one that claims all is none', () => {
    const room = sizeOf(PLAIN) - 128 - FOOTER_BYTES;
    setFooter(PLAIN, 5, int64(BigInt(room + 1)));
    setFooter(PLAIN, 1, int32(room));
    expect(read().problems).toEqual([]);
    setFooter(PLAIN, 1, int32(room + 1));
    const set = read();
    expect(set.problems).toMatchObject([
      {
        code: 'chunkFooterInvalid',
        severity: 'damage',
        offset: footerOf(PLAIN) + 1,
        message: `The footer of ${PLAIN_NAME} claims ${sizeOf(PLAIN) + 1} bytes, the file has ${sizeOf(PLAIN)}.`
      }
    ]);
    expect(namesOf(set)).not.toContain(PLAIN_NAME);
  });

  it.each<[string, (file: SideFile) => void]>([
    ['zeros', (file) => setFooter(file, 0, Buffer.alloc(FOOTER_BYTES))],
    ['bytes of records', (file) => setFooter(file, 0, STALE)]
  ])('that is not there, %s in its place, says nothing else than that', (_what, change) => {
    change(PLAIN);
    const set = read();
    expect(set.problems).toMatchObject([
      {
        code: 'chunkNotCompleted',
        severity: 'damage',
        file: PLAIN_NAME,
        offset: footerOf(PLAIN),
        message: `${PLAIN_NAME} is before the end of the log but not marked as completed.`
      }
    ]);
    expect(namesOf(set)).not.toContain(PLAIN_NAME);
    // Nor does it matter where the chunk is being written.
    change(ACTIVE);
    expect(read().problems).toHaveLength(1);
    expect(namesOf(read())).toContain(ACTIVE_NAME);
  });
});

describe('a chunk that is full to its last byte and has no footer yet', () => {
  it.each<[string, Uint8Array]>([
    ['zeros', Buffer.alloc(FOOTER_BYTES)],
    ['bytes of records', STALE]
  ])('is a hint while the server has not started again: %s in its place', (_what, bytes) => {
    cut(ACTIVE, 128 + CHUNK_BYTES + FOOTER_BYTES);
    setFooter(ACTIVE, 0, bytes);
    const set = read(3 * CHUNK_BYTES);
    expect(set.problems).toMatchObject([
      {
        code: 'chunkNotCompleted',
        severity: 'hint',
        file: ACTIVE_NAME,
        offset: null,
        remedy: 'Nothing to do.'
      }
    ]);
    expect(set.chunks.at(-1)).toMatchObject({
      fileName: ACTIVE_NAME,
      dataSize: CHUNK_BYTES,
      isActive: false
    });
  });

  it('is damage where the log has continued, or where the file is too short to be full', () => {
    const isDamage = (writer: number): boolean =>
      read(writer).problems.some(
        ({ code, severity, file }) =>
          code === 'chunkNotCompleted' && severity === 'damage' && file === ACTIVE_NAME
      );
    expect(isDamage(3 * CHUNK_BYTES)).toBe(false);
    expect(isDamage(3 * CHUNK_BYTES + 1)).toBe(true);
    cut(ACTIVE, 128 + CHUNK_BYTES);
    expect(isDamage(3 * CHUNK_BYTES)).toBe(false);
    cut(ACTIVE, 128 + CHUNK_BYTES - 1);
    expect(isDamage(3 * CHUNK_BYTES)).toBe(true);
  });
});

describe('a scavenged chunk without a position map', () => {
  beforeEach(() => setFooter(SCAVENGED, 13, int32(0)));

  it('is damage where it has records, and is read for those who look for what is left', () => {
    const set = read();
    expect(set.problems).toMatchObject([
      {
        code: 'chunkFooterInvalid',
        severity: 'damage',
        file: SCAVENGED_NAME,
        offset: footerOf(SCAVENGED) + 1,
        message: expect.stringContaining('it has records and no position map') as string
      }
    ]);
    expect(namesOf(set)).toEqual(NAMES);
  });

  it('is sound where it has no records', () => {
    setFooter(SCAVENGED, 1, int32(0));
    expect(read().problems).toEqual([]);
  });

  it('is not judged where it is encrypted: sizes are those of another file', () => {
    // Version 4, transform 1.
    side.patch(SCAVENGED, VERSION_OFFSET, Uint8Array.of(4, 1));
    setFooter(SCAVENGED, 1, int32(1_000_000));
    setFooter(SCAVENGED, 5, int64(1_000_000n));
    expect(read().problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual(['hint encrypted']);
    expect(namesOf(read())).toEqual(NAMES);
  });
});

it.each([
  [127, 'header', ''],
  [128, 'footer', 'the file has only 128 bytes'],
  [255, 'footer', 'the file has only 255 bytes']
])('a file of %i bytes has no %s', (size, what, words) => {
  cut(PLAIN, size);
  expect(read().problems[0]?.message).toContain(`The ${what} of ${PLAIN_NAME} is invalid: ${words}`);
  expect(namesOf(read())).toEqual([SCAVENGED_NAME, ACTIVE_NAME]);
});

it('the chunk being written is damaged where it ends before what writer.chk says, and not where it ends there', () => {
  const { end } = side.parts;
  const used = 128 + end - 2 * CHUNK_BYTES;
  cut(ACTIVE, used);
  expect(read().problems).toEqual([]);
  cut(ACTIVE, used - 1);
  expect(read().problems).toMatchObject([
    {
      code: 'chunkTruncated',
      severity: 'damage',
      file: ACTIVE_NAME,
      offset: used - 1,
      position: end,
      message: `${ACTIVE_NAME} ends at byte ${used - 1}, but the writer checkpoint says its data reaches byte ${used}.`
    }
  ]);
});

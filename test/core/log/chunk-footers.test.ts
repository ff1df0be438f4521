/** What is said of chunk files whose footer or length is wrong, byte by byte, and which of them still serve the log. */
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { verifyCheckpoints } from '../../../src-core/verify/verify-checkpoints.ts';
import type { SideFile } from '../../support/log-side.ts';
import {
  ACTIVE,
  ACTIVE_NAME,
  CHUNK_BYTES,
  DIRECTORY,
  FOOTER_BYTES,
  int32,
  int64,
  NAMES,
  namesOf,
  PLAIN,
  PLAIN_NAME,
  SCAVENGED,
  SCAVENGED_NAME,
  ThreeChunks
} from './three-chunks.ts';

const VERSION_OFFSET = 34;
/** Of what lies where a footer has to be. */
const STALE = Buffer.alloc(20, 0xfe);

let log: ThreeChunks;
beforeEach(() => (log = new ThreeChunks()));

it('a log whose footers fit has no problem', () => {
  expect(log.read()).toMatchObject({ problems: [], gaps: [] });
  expect(namesOf(log.read())).toEqual(NAMES);
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
    log.setFooter(PLAIN, at, bytes);
    const set = log.read();
    expect(set.problems).toEqual([
      {
        code: 'chunkFooterInvalid',
        severity: 'damage',
        file: PLAIN_NAME,
        offset: log.footerOf(PLAIN),
        position: null,
        message: expect.stringContaining(`The footer of ${PLAIN_NAME} is invalid: ${words}`) as string,
        remedy: `Restore ${PLAIN_NAME} from a backup.`
      }
    ]);
    expect(namesOf(set)).toEqual([SCAVENGED_NAME, ACTIVE_NAME]);
    expect(set.gaps).toMatchObject([{ startNumber: 0, endNumber: 0, state: 'unreadable' }]);
  });

  it('of the 1.0 line has entries of eight bytes in its map', () => {
    log.setFooter(PLAIN, 0, Buffer.concat([Uint8Array.of(1), Buffer.alloc(12)]));
    log.setFooter(PLAIN, 9, int32(12));
    expect(log.read().problems[0]?.message).toContain(
      'a map of 12 bytes is not a whole number of entries of 8.'
    );
  });

  it('that claims one byte more than the file has is damage, and one that claims all is none', () => {
    const room = log.sizeOf(PLAIN) - 128 - FOOTER_BYTES;
    log.setFooter(PLAIN, 5, int64(BigInt(room + 1)));
    log.setFooter(PLAIN, 1, int32(room));
    expect(log.read().problems).toEqual([]);
    log.setFooter(PLAIN, 1, int32(room + 1));
    const set = log.read();
    expect(set.problems).toMatchObject([
      {
        code: 'chunkFooterInvalid',
        severity: 'damage',
        offset: log.footerOf(PLAIN) + 1,
        message: `The footer of ${PLAIN_NAME} claims ${log.sizeOf(PLAIN) + 1} bytes, the file has ${log.sizeOf(PLAIN)}.`
      }
    ]);
    expect(namesOf(set)).not.toContain(PLAIN_NAME);
  });

  it.each<[string, (file: SideFile) => void]>([
    ['zeros', (file) => log.setFooter(file, 0, Buffer.alloc(FOOTER_BYTES))],
    ['bytes of records', (file) => log.setFooter(file, 0, STALE)]
  ])('that is not there, %s in its place, says nothing else than that', (_what, change) => {
    change(PLAIN);
    const set = log.read();
    expect(set.problems).toMatchObject([
      {
        code: 'chunkNotCompleted',
        severity: 'damage',
        file: PLAIN_NAME,
        offset: log.footerOf(PLAIN),
        message: `${PLAIN_NAME} is before the end of the log but not marked as completed.`
      }
    ]);
    expect(namesOf(set)).not.toContain(PLAIN_NAME);
    // Nor does it matter where the chunk is being written.
    change(ACTIVE);
    expect(log.read().problems).toHaveLength(1);
    expect(namesOf(log.read())).toContain(ACTIVE_NAME);
  });
});

describe('a chunk that is full to its last byte and has no footer yet', () => {
  it.each<[string, Uint8Array]>([
    ['zeros', Buffer.alloc(FOOTER_BYTES)],
    ['bytes of records', STALE]
  ])('is a hint while the server has not started again: %s in its place', (_what, bytes) => {
    log.cut(ACTIVE, 128 + CHUNK_BYTES + FOOTER_BYTES);
    log.setFooter(ACTIVE, 0, bytes);
    const set = log.read(3 * CHUNK_BYTES);
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
      log
        .read(writer)
        .problems.some(
          ({ code, severity, file }) =>
            code === 'chunkNotCompleted' && severity === 'damage' && file === ACTIVE_NAME
        );
    expect(isDamage(3 * CHUNK_BYTES)).toBe(false);
    expect(isDamage(3 * CHUNK_BYTES + 1)).toBe(true);
    log.cut(ACTIVE, 128 + CHUNK_BYTES);
    expect(isDamage(3 * CHUNK_BYTES)).toBe(false);
    log.cut(ACTIVE, 128 + CHUNK_BYTES - 1);
    expect(isDamage(3 * CHUNK_BYTES)).toBe(true);
  });
});

describe('a scavenged chunk without a position map', () => {
  beforeEach(() => log.setFooter(SCAVENGED, 13, int32(0)));

  it('is damage where it has records, and is read for those who look for what is left', () => {
    const set = log.read();
    expect(set.problems).toMatchObject([
      {
        code: 'chunkFooterInvalid',
        severity: 'damage',
        file: SCAVENGED_NAME,
        offset: log.footerOf(SCAVENGED) + 1,
        message: expect.stringContaining('it has records and no position map') as string
      }
    ]);
    expect(namesOf(set)).toEqual(NAMES);
  });

  it('is sound where it has no records', () => {
    log.setFooter(SCAVENGED, 1, int32(0));
    expect(log.read().problems).toEqual([]);
  });

  it('is not judged where it is encrypted: sizes are those of another file', () => {
    // Version 4, transform 1.
    log.setHeader(SCAVENGED, VERSION_OFFSET, Uint8Array.of(4, 1));
    log.setFooter(SCAVENGED, 1, int32(1_000_000));
    log.setFooter(SCAVENGED, 5, int64(1_000_000n));
    expect(log.read().problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      'hint encrypted'
    ]);
    expect(namesOf(log.read())).toEqual(NAMES);
  });
});

it.each([
  [127, 'header', ''],
  [128, 'footer', 'the file has only 128 bytes'],
  [255, 'footer', 'the file has only 255 bytes']
])('a file of %i bytes has no %s', (size, what, words) => {
  log.cut(PLAIN, size);
  expect(log.read().problems[0]?.message).toContain(`The ${what} of ${PLAIN_NAME} is invalid: ${words}`);
  expect(namesOf(log.read())).toEqual([SCAVENGED_NAME, ACTIVE_NAME]);
});

it('a file of a header and a footer alone is one of a chunk', () => {
  log.cut(PLAIN, 128 + FOOTER_BYTES);
  log.setFooter(PLAIN, 0, Buffer.alloc(FOOTER_BYTES));
  expect(log.read().problems.map(({ code }) => code)).toEqual(['chunkNotCompleted']);
  log.setFooter(PLAIN, 0, Buffer.of(3));
  expect(log.read().problems).toEqual([]);
});

it('the chunk being written is damaged where it ends before what writer.chk says, and not where it ends there', () => {
  const { end } = log;
  const used = 128 + end - 2 * CHUNK_BYTES;
  log.cut(ACTIVE, used);
  expect(log.read().problems).toEqual([]);
  log.cut(ACTIVE, used - 1);
  expect(log.read().problems).toMatchObject([
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

it('that is not there is told of the last chunk, a scavenged one, without a word on where the log ends, where no checkpoint says so', () => {
  log.setFooter(SCAVENGED, 0, Buffer.alloc(FOOTER_BYTES));
  log.fileSystem.remove(`${DIRECTORY}/${ACTIVE_NAME}`);
  log.fileSystem.remove(`${DIRECTORY}/writer.chk`);
  expect(log.read(null).problems).toMatchObject([
    {
      code: 'chunkNotCompleted',
      severity: 'damage',
      file: SCAVENGED_NAME,
      message: `${SCAVENGED_NAME} is a scavenged chunk but not marked as completed.`
    }
  ]);
  const database = openDatabase({ fileSystem: log.fileSystem, dataDirectory: DIRECTORY });
  try {
    expect(verifyCheckpoints(database).find(({ file }) => file === 'writer.chk')?.remedy).toContain(
      `The completed chunks end at position ${CHUNK_BYTES}.`
    );
  } finally {
    database.close();
  }
});

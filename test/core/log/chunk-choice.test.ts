/** Which files of a directory are the log, which are not, and what is said of headers and of a writer.chk that do not fit. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { SideFile } from '../../support/log-side.ts';
import {
  ACTIVE,
  ACTIVE_NAME,
  CHUNK_BYTES,
  DIRECTORY,
  int32,
  NAMES,
  namesOf,
  PLAIN,
  PLAIN_NAME,
  SCAVENGED,
  SCAVENGED_NAME,
  ThreeChunks
} from './three-chunks.ts';

let log: ThreeChunks;
beforeEach(() => (log = new ThreeChunks()));

const remove = (name: string): void => log.fileSystem.remove(`${DIRECTORY}/${name}`);
const makeFile = (name: string): void => log.fileSystem.open(`${DIRECTORY}/${name}`, 'createNew').close();
const rename = (from: string, to: string): void =>
  log.fileSystem.rename(`${DIRECTORY}/${from}`, `${DIRECTORY}/${to}`);

describe('a header', () => {
  const MIXED = 'Files of two databases are mixed here. Restore the directory from one backup.';
  const OTHER = 'This file belongs to another chunk. Move it out of the directory or restore the right one.';
  const NEWER =
    'If a newer server wrote it, use a newer workbench; otherwise restore the file from a backup.';
  const RESTORE = `Restore ${PLAIN_NAME} from a backup.`;
  const invalid = (words: string): string => `The header of ${PLAIN_NAME} is invalid: ${words}.`;

  it.each<[string, number, number, Buffer, string, string]>([
    ['of another kind of file', 0, 0, Buffer.of(3), invalid('byte 0 is 3, a chunk file has 2'), RESTORE],
    [
      'of a format that is not known',
      1,
      1,
      Buffer.of(5),
      invalid('it needs a reader of format version 5, this one knows 4'),
      NEWER
    ],
    [
      'of another database',
      2,
      2,
      int32(2 * CHUNK_BYTES),
      `${PLAIN_NAME} has a chunk size of ${2 * CHUNK_BYTES}, the others ${CHUNK_BYTES}.`,
      MIXED
    ],
    [
      'of another chunk',
      6,
      6,
      Buffer.concat([int32(1), int32(1)]),
      invalid('it says chunk 1, the name says 0'),
      OTHER
    ],
    [
      'of several chunks that no scavenge merged',
      10,
      10,
      int32(1),
      invalid('it says chunks 0 to 1, but only a scavenge merges'),
      RESTORE
    ],
    [
      'of several chunks in a file of version 0',
      10,
      10,
      Buffer.concat([int32(1), int32(1)]),
      invalid('it says chunks 0 to 1, but a file of version 0 holds one chunk'),
      RESTORE
    ]
  ])('%s is damage, and the file serves nothing', (_which, offset, at, bytes, message, remedy) => {
    log.setHeader(PLAIN, at, bytes);
    const set = log.read();
    const found = {
      code: 'chunkHeaderInvalid',
      severity: 'damage',
      file: PLAIN_NAME,
      offset,
      position: null
    };
    expect(set.problems).toEqual([{ ...found, message, remedy }]);
    expect(namesOf(set)).toEqual([SCAVENGED_NAME, ACTIVE_NAME]);
    expect(set.gaps).toEqual([
      { startNumber: 0, endNumber: 0, state: 'unreadable', problem: set.problems[0] }
    ]);
  });

  it('of the newest format that is known is none', () => {
    log.setHeader(PLAIN, 1, Buffer.of(4));
    expect(log.read().problems).toEqual([]);
  });
});

describe('a writer.chk', () => {
  const surplus = (writer: number): string[] =>
    log.read(writer).problems.map(({ severity, code, file }) => `${severity} ${code} ${file}`);

  it('that is missing leaves the log at the end of its completed chunks', () => {
    const set = log.read(null);
    expect(set).toMatchObject({ writerPosition: 2 * CHUNK_BYTES, problems: [] });
    expect(set.chunks.at(-1)).toMatchObject({ fileName: ACTIVE_NAME, isActive: true, dataSize: 0 });
    log.setFooter(PLAIN, 0, Buffer.of(0));
    expect(log.read(null).writerPosition).toBe(0);
    log.setFooter(PLAIN, 0, Buffer.of(3));
    log.setFooter(PLAIN, 13, int32(-1));
    expect(log.read(null).writerPosition).toBe(0);
  });

  it('at the start of a scavenged chunk means its end: the writer had not moved on', () => {
    const set = log.read(CHUNK_BYTES);
    expect(set).toMatchObject({ writerPosition: 2 * CHUNK_BYTES, problems: [], surplus: [] });
    expect(namesOf(set)).toEqual(NAMES);
  });

  it('within a scavenged chunk is damage with its position', () => {
    const position = CHUNK_BYTES + 1;
    expect(log.read(position).problems[0]).toEqual({
      code: 'writerCheckpointBeyondEnd',
      severity: 'damage',
      file: 'writer.chk',
      offset: null,
      position,
      message: `The writer checkpoint ${position} is within the scavenged chunk ${SCAVENGED_NAME}.`,
      remedy: 'Restore the checkpoints and the chunks from the same backup.'
    });
  });

  it.each([-1, 2 ** 53])('that holds %i is no position of a log', (writer) => {
    expect(log.read(writer).problems[0]).toMatchObject({
      code: 'writerCheckpointBeyondEnd',
      severity: 'damage',
      file: 'writer.chk',
      offset: 0,
      message: `writer.chk holds ${writer}, which is not a position in a log.`
    });
  });

  it('before a chunk makes it surplus, which is a hint only for one that was made ready', () => {
    const set = log.read(CHUNK_BYTES + 1);
    expect(set.surplus).toEqual([{ file: ACTIVE_NAME, fileSize: log.sizeOf(ACTIVE) }]);
    expect(set.problems.at(-1)).toMatchObject({
      code: 'surplusChunk',
      severity: 'hint',
      message: `${ACTIVE_NAME} was created before the writer reached it; the server removes it when it starts.`,
      remedy: 'Nothing to do.'
    });
    expect(surplus(100)).toEqual([
      `damage surplusChunk ${SCAVENGED_NAME}`,
      `damage surplusChunk ${ACTIVE_NAME}`
    ]);
  });
});

describe('a chunk that is not there', () => {
  it('is damage with its name and where it begins, and a gap', () => {
    remove(SCAVENGED_NAME);
    const set = log.read();
    expect(set.problems).toEqual([
      {
        code: 'chunkMissing',
        severity: 'damage',
        file: 'chunk-000001.000000',
        offset: null,
        position: CHUNK_BYTES,
        message: `Chunk 1 is missing, but the log continues to position ${log.end}.`,
        remedy: 'Restore the missing chunk files from a backup of this node.'
      }
    ]);
    expect(set.gaps).toEqual([{ startNumber: 1, endNumber: 1, state: 'missing', problem: set.problems[0] }]);
  });

  it('may be archived where it is of the first, and is not where all are gone', () => {
    remove(PLAIN_NAME);
    expect(log.read().problems).toMatchObject([
      {
        code: 'archiveGap',
        severity: 'damage',
        file: null,
        position: 0,
        message: 'Chunk 0 is not in this directory; they may be archived.'
      }
    ]);
    remove(SCAVENGED_NAME);
    expect(log.read().problems[0]?.message).toBe(
      'Chunks 0 to 1 are not in this directory; they may be archived.'
    );
    remove(ACTIVE_NAME);
    const [found, ...others] = log.read(2 * CHUNK_BYTES + 1).problems;
    expect(found?.code).toBe('chunkMissing');
    expect(others).toEqual([]);
  });

  it('is none where the log ends before it', () => {
    remove(ACTIVE_NAME);
    expect(log.read(2 * CHUNK_BYTES).problems).toEqual([]);
    expect(log.read(2 * CHUNK_BYTES + 1).problems).toMatchObject([{ code: 'chunkMissing' }]);
  });
});

it('older versions, files that a merged chunk hides, and those of a rewrite that was cut are beside the log', () => {
  const hidden = ['chunk-000000.000000', 'chunk-000001.000001'];
  rename(PLAIN_NAME, 'chunk-000000.000002');
  const merged: SideFile = { startNumber: 0, endNumber: 1, isScavenged: true };
  makeFile(PLAIN_NAME);
  for (const name of ['b.scavenge.tmp', 'a.tmp', 'notes.txt']) makeFile(name);
  log.fileSystem.makeDirectory(`${DIRECTORY}/chunk-000000.000009`);
  log.fileSystem.makeDirectory(`${DIRECTORY}/c.tmp`);
  const path = `${DIRECTORY}/chunk-000000.000002`;
  log.fileSystem.changeMode(path, 0o644);
  const file = log.fileSystem.open(path, 'readWrite');
  file.write(Buffer.concat([int32(merged.startNumber), int32(merged.endNumber), int32(1)]), 0, 12, 6);
  file.close();
  const set = log.read();
  expect(namesOf(set)).toEqual(['chunk-000000.000002', ACTIVE_NAME]);
  expect(set.superseded.map((found) => found.file)).toEqual(hidden);
  expect(set.superseded.map(({ fileSize }) => fileSize)).toEqual([0, log.sizeOf(SCAVENGED)]);
  expect(set.leftovers).toEqual([
    { file: 'a.tmp', fileSize: 0 },
    { file: 'b.scavenge.tmp', fileSize: 0 }
  ]);
});

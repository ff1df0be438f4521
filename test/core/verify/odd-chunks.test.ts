/** Scavenged chunks whose position map or commit is wrong, in both widths of a map, and a verification of them. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encodeChunkHeader } from '../../../src-core/chunks/chunk-header.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { writeCheckpointFile } from '../../../src-core/log/checkpoint-file.ts';
import { encodeCommit, encodePrepare, frameRecord } from '../../../src-core/records/encode-record.ts';
import { PrepareFlag } from '../../../src-core/records/log-record.ts';
import type { Finding } from '../../../src-core/verify/finding.ts';
import { readingOn } from '../../../src-core/verify/follow-replaced-chunks.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const DIRECTORY = '/db';
const FILE = 'chunk-000000.000001';
const CHUNK_BYTES = 65_536;
const GUID = '01020304-0506-0708-090a-0b0c0d0e0f10';
const MISMATCH = 'damage chunkFooterInvalid';

const event = (position: number): Buffer =>
  frameRecord(
    encodePrepare({
      position,
      flags:
        PrepareFlag.data |
        PrepareFlag.isCommitted |
        PrepareFlag.transactionBegin |
        PrepareFlag.transactionEnd,
      transactionPosition: position,
      transactionOffset: 0,
      expectedVersion: position / 1000 - 1,
      stream: 's',
      eventId: GUID,
      correlationId: GUID,
      ticks: 5n,
      eventType: 'e',
      data: Buffer.alloc(20),
      metadata: Buffer.alloc(0)
    })
  );

const commit = (position: number, transactionPosition: number): Buffer =>
  frameRecord(
    encodeCommit({ position, transactionPosition, firstEventNumber: 0, correlationId: GUID, ticks: 5n })
  );

interface Map {
  is12Bytes: boolean;
  change?: (entries: [physical: number, logical: number][]) => void;
}

/** A database of one scavenged chunk, with the map that belongs to its records but for the change. */
function database(
  records: [position: number, bytes: Buffer][],
  { is12Bytes, change }: Map
): MemoryFileSystem {
  const data = Buffer.concat(records.map(([, bytes]) => bytes));
  let physical = 0;
  const entries = records.map(([position, bytes]): [number, number] => {
    physical += bytes.length;
    return [physical - bytes.length, position];
  });
  change?.(entries);
  const map = Buffer.concat(
    entries.map(([at, logical]) => {
      const entry = Buffer.alloc(is12Bytes ? 12 : 8);
      entry.writeInt32LE(at, 0);
      if (is12Bytes) entry.writeBigInt64LE(BigInt(logical), 4);
      else entry.writeInt32LE(logical, 4);
      return entry;
    })
  );
  const header = encodeChunkHeader({
    version: 3,
    minCompatibleVersion: 3,
    chunkSizeBytes: CHUNK_BYTES,
    startNumber: 0,
    endNumber: 0,
    isScavenged: true,
    chunkId: GUID,
    transformType: 0
  });
  const footer = Buffer.alloc(112);
  footer[0] = is12Bytes ? 3 : 1;
  footer.writeInt32LE(data.length, 1);
  const logicalSize = records.at(-1)![0] + records.at(-1)![1].length;
  if (is12Bytes) footer.writeBigInt64LE(BigInt(logicalSize), 5);
  else footer.writeInt32LE(logicalSize, 5);
  footer.writeInt32LE(map.length, is12Bytes ? 13 : 9);
  const bytes = Buffer.concat([header, data, map, footer]);
  const whole = Buffer.concat([bytes, createHash('md5').update(bytes).digest()]);
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory(DIRECTORY);
  const file = fileSystem.open(`${DIRECTORY}/${FILE}`, 'createNew');
  file.write(whole, 0, whole.length, 0);
  file.close();
  for (const name of ['writer', 'chaser'])
    writeCheckpointFile(fileSystem, `${DIRECTORY}/${name}.chk`, CHUNK_BYTES);
  return fileSystem;
}

async function damagesOf(fileSystem: MemoryFileSystem): Promise<Finding[]> {
  const opened = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  try {
    const { findings } = await verifyDatabase({ database: opened, quick: false, control: uncontrolled() });
    return findings.filter(({ severity }) => severity === 'damage');
  } finally {
    opened.close();
  }
}

const EVENTS = [0, 1000, 2000].map((position): [number, Buffer] => [position, event(position)]);
const SIZE = EVENTS.reduce((sum, [, { length }]) => sum + length, 0);

describe.each([true, false])('a position map with entries of 12 bytes: %s', (is12Bytes) => {
  const width = is12Bytes ? 12 : 8;

  it('is sound as a scavenge writes it', async () => {
    const fileSystem = database(EVENTS, { is12Bytes });
    expect(await damagesOf(fileSystem)).toEqual([]);
    const opened = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
    expect([0, 1000, 1500, 2000].map((position) => opened.log.readAt(position)?.position)).toEqual([
      0,
      1000,
      undefined,
      2000
    ]);
    opened.close();
  });

  it('is told with the entry that leads to another place', async () => {
    const change = (entries: [number, number][]) => void (entries[1]![1] = 999);
    const [found] = await damagesOf(database(EVENTS, { is12Bytes, change }));
    expect(found).toMatchObject({
      code: 'chunkFooterInvalid',
      file: FILE,
      offset: 128 + SIZE + width,
      position: 1000,
      message: `Entry 1 of the position map of ${FILE} does not lead to the record at that place.`
    });
  });

  it('is told with the entry that is out of order', async () => {
    const change = (entries: [number, number][]) => void (entries[2]![1] = 5);
    const [found] = await damagesOf(database(EVENTS, { is12Bytes, change }));
    expect(found).toMatchObject({ file: FILE, offset: 128 + SIZE + 2 * width });
  });

  it('is told where it has more entries than there are records', async () => {
    const change = (entries: [number, number][]) => void entries.push([entries[2]![0] + 1, 2001]);
    const found = await damagesOf(database(EVENTS, { is12Bytes, change }));
    expect(found.map(({ severity, code }) => `${severity} ${code}`)).toEqual([MISMATCH]);
    expect(found[0]?.message).toBe(`The position map of ${FILE} has 4 entries for 3 records.`);
  });
});

it('a commit in a scavenged chunk that leads to itself has no place in the file', async () => {
  const records: [number, Buffer][] = [...EVENTS, [3000, commit(3000, 3000)]];
  const found = await damagesOf(database(records, { is12Bytes: true }));
  expect(found).toMatchObject([
    { code: 'recordInvalid', file: FILE, offset: null, position: 3000, command: 'winnow repair' }
  ]);
  expect(found[0]?.message).toMatch(
    /^The commit at position 3000 names 3000 as the beginning of its transaction: a transaction begins before its commit\.$/
  );
});

describe('reading on while chunks are replaced', () => {
  const gone = new EngineError({
    code: 'DatabaseNotFound',
    message: 'It is gone.',
    remedy: 'None.',
    details: { file: FILE, osCode: 'ENOENT' }
  });

  it('ends with a file that is gone however often one looks', async () => {
    const opened = openDatabase({
      fileSystem: database(EVENTS, { is12Bytes: true }),
      dataDirectory: DIRECTORY
    });
    let tries = 0;
    const read = (): Promise<never> => {
      tries++;
      return Promise.reject(gone);
    };
    await expect(readingOn(opened, read)).rejects.toBe(gone);
    expect(tries).toBe(5);
    const broken = new TypeError('ours');
    await expect(readingOn(opened, () => Promise.reject(broken))).rejects.toBe(broken);
    let isThere = false;
    const later = (): Promise<string> => {
      if (isThere) return Promise.resolve('read');
      isThere = true;
      return Promise.reject(gone);
    };
    expect(await readingOn(opened, later)).toBe('read');
    opened.close();
  });
});

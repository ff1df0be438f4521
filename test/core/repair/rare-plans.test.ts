/** Plans of repairs for faults that seldom come: two versions of a chunk, files behind the end, a log without epochs, an index beside a bad chunk. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OperationControl } from '../../../src-core/database/operation-control.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { openDirectoryDonor } from '../../../src-core/repair/directory-donor.ts';
import { lockForRepair } from '../../../src-core/repair/repair-lock.ts';
import type { ChunkDonor } from '../../../src-core/repair/chunk-donor.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { readEpochs } from '../../../src-core/database/epochs.ts';
import type { RepairOutcome } from '../../../src-core/repair/run-repair.ts';
import { SetAside } from '../../../src-core/repair/set-aside.ts';
import { Random } from '../../../src-core/sample/random.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { damage, type Finding } from '../../../src-core/verify/finding.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import { differenceOf, streamContentOf } from '../../support/stream-content.ts';
import {
  bytesOf,
  checkpointOf,
  CHUNK_SIZE,
  copyOf,
  DATABASE,
  flip,
  int64,
  namesIn,
  overwrite,
  recordOffsets,
  rehashed,
  repair,
  sampleInMemory
} from './repair-sample.ts';

const ASIDE = `${DATABASE}-set-aside-20261121T050000Z`;
const CHUNK = 'chunk-000001.000000';
const ACTIVE = 'chunk-000003.000000';
const HEADER_BYTES = 128;
const FOOTER_BYTES = 128;
const PAYLOAD_OFFSET = HEADER_BYTES + 4 + 150;

let whole: MemoryFileSystem;
let fileSystem: MemoryFileSystem;
let writer: number;
beforeAll(async () => {
  whole = await sampleInMemory();
  writer = checkpointOf(whole, 'writer');
});
beforeEach(() => {
  fileSystem = copyOf(whole);
});

const chunksIn = (directory = DATABASE): string[] =>
  namesIn(fileSystem, directory).filter((name) => name.startsWith('chunk-'));

async function expectWhole(): Promise<void> {
  const content = await streamContentOf(whole, DATABASE);
  expect(differenceOf(content, await streamContentOf(fileSystem, DATABASE))).toEqual({
    missing: 0,
    surplus: 0
  });
}

describe('two versions of a chunk', () => {
  /** A newer version of a chunk beside it, with the same bytes. */
  const newer = (name: string): string => {
    const to = name.replace(/0$/, '1');
    overwrite(fileSystem, to, bytesOf(fileSystem, name));
    return to;
  };

  it('that are both damaged stay where they are; that of another chunk goes aside', async () => {
    const newest = newer(CHUNK);
    newer('chunk-000000.000000');
    flip(fileSystem, newest, PAYLOAD_OFFSET);
    flip(fileSystem, CHUNK, PAYLOAD_OFFSET + 1);
    const { ok, unrepaired, actions } = await repair(fileSystem);
    expect(ok).toBe(false);
    expect(unrepaired).toMatchObject([{ code: 'chunkHashMismatch', file: newest }]);
    expect(actions).toMatchObject([{ code: 'supersededChunk', file: 'chunk-000000.000000', done: true }]);
    expect(chunksIn()).toEqual(expect.arrayContaining([CHUNK, newest]));
    expect(chunksIn(ASIDE)).toEqual(['chunk-000000.000000']);
  });

  it('of which the older one is whole: that one serves again', async () => {
    const newest = newer(CHUNK);
    flip(fileSystem, newest, PAYLOAD_OFFSET);
    const { ok, actions } = await repair(fileSystem);
    expect(ok).toBe(true);
    expect(actions).toMatchObject([{ file: newest, done: true }]);
    expect(chunksIn(ASIDE)).toEqual([newest]);
    await expectWhole();
  });
});

it('a completed chunk whose hash vouches for a record that is none is named, with what the server does', async () => {
  const bytes = bytesOf(fileSystem, CHUNK);
  bytes.writeUInt8(99, recordOffsets(bytes)[3]!.offset + 4);
  overwrite(fileSystem, CHUNK, rehashed(bytes));
  const { ok, unrepaired } = await repair(fileSystem);
  expect(ok).toBe(false);
  const own = unrepaired.find(({ file }) => file === CHUNK);
  expect(own).toMatchObject({ code: 'recordInvalid' });
  expect(own?.why).toContain('The server fails when it reads this place. Give a backup of this node');
  expect(own?.why).toContain('The file does not show what belonged there');
});

it('an index is not rebuilt over a log whose chunk the backup could not mend', async () => {
  flip(fileSystem, CHUNK, PAYLOAD_OFFSET);
  overwrite(fileSystem, 'index/indexmap', Buffer.from('no map'));
  const other = copyOf(whole);
  flip(other, CHUNK, PAYLOAD_OFFSET);
  const donor = openDirectoryDonor(other, DATABASE);
  const { ok, actions } = await repair(fileSystem, { donor });
  expect(ok).toBe(false);
  expect(actions[0]).toMatchObject({ file: CHUNK, done: false });
  expect(actions.filter(({ file, done }) => file.startsWith('index') && done)).toEqual([]);
  expect(bytesOf(fileSystem, 'index/indexmap').toString()).toBe('no map');
});

describe('a writer.chk that lies too early', () => {
  it.each([
    ['a wrong byte', (name: string) => flip(fileSystem, name, PAYLOAD_OFFSET), 'chunkHashMismatch'],
    [
      'no footer',
      (name: string) => {
        const bytes = bytesOf(fileSystem, name);
        overwrite(fileSystem, name, bytes.fill(0, bytes.length - FOOTER_BYTES));
      },
      'chunkFooterInvalid'
    ]
  ])('hides a chunk with %s from the verification, not from the plan', async (_, spoil) => {
    const name = 'chunk-000002.000000';
    spoil(name);
    overwrite(fileSystem, 'writer.chk', int64(CHUNK_SIZE));
    const { unrepaired, actions } = await repair(fileSystem, { dryRun: true });
    expect([...unrepaired, ...actions].map(({ file }) => file)).toContain(name);
  });
});

describe('a chaser.chk', () => {
  it('behind the last record of a chunk, from which the next chunk follows, is left alone', async () => {
    const bytes = bytesOf(fileSystem, CHUNK);
    const { offset, length } = recordOffsets(bytes).at(-1)!;
    const behind = CHUNK_SIZE + offset + length - HEADER_BYTES;
    expect(behind).toBeLessThan(2 * CHUNK_SIZE);
    overwrite(fileSystem, 'chaser.chk', int64(behind));
    fileSystem.remove(`${DATABASE}/index/indexmap`);
    const { actions } = await repair(fileSystem, { dryRun: true });
    expect(actions.filter(({ file }) => file === 'chaser.chk')).toEqual([]);
  });

  it('that is short gets the end of the completed chunks where writer.chk is missing and not to be repaired', async () => {
    overwrite(fileSystem, 'chaser.chk', new Uint8Array(3));
    fileSystem.remove(`${DATABASE}/writer.chk`);
    await repair(fileSystem, { only: ['checkpointInvalid'] });
    expect(namesIn(fileSystem, DATABASE)).not.toContain('writer.chk');
    expect(checkpointOf(fileSystem, 'chaser')).toBe(3 * CHUNK_SIZE);
    expect((await repair(fileSystem)).ok).toBe(true);
    expect(checkpointOf(fileSystem, 'writer')).toBe(writer);
  });
});

it('a log without a chunk is no log that a repair could end somewhere', async () => {
  for (const name of chunksIn()) fileSystem.remove(`${DATABASE}/${name}`);
  const { ok, actions, unrepaired } = await repair(fileSystem);
  expect({ ok, actions }).toEqual({ ok: false, actions: [] });
  expect(unrepaired.length).toBeGreaterThan(0);
  expect(checkpointOf(fileSystem, 'writer')).toBe(writer);
});

describe('a log without epochs', () => {
  let second: number;
  beforeEach(() => {
    fileSystem = new MemoryFileSystem();
    fileSystem.makeDirectory(DATABASE);
    const random = new Random(5);
    const newGuid = () => random.guid();
    const log = LogWriter.create({ fileSystem, directory: DATABASE, chunkSizeBytes: CHUNK_SIZE, newGuid });
    const now = () => ticksFromIso('2026-01-02T00:00:00Z')!;
    const appender = new EventAppender({ writer: log, lastEventNumber: () => -1, now, newGuid });
    const append = () => appender.append('s', [{ eventType: 'e', data: Buffer.alloc(20) }]).position;
    append();
    second = append();
    append();
    log.close();
  });

  it('gets an epoch.chk of -1 where it is missing', async () => {
    if (fileSystem.describe(`${DATABASE}/epoch.chk`)) fileSystem.remove(`${DATABASE}/epoch.chk`);
    const { actions } = await repair(fileSystem);
    expect(actions.find(({ file }) => file === 'epoch.chk')).toMatchObject({
      code: 'checkpointMissing',
      done: true
    });
    expect(checkpointOf(fileSystem, 'epoch')).toBe(-1);
  });

  it('gets it where its end, and epoch.chk with it, are cut off', async () => {
    overwrite(fileSystem, 'epoch.chk', int64(second));
    flip(fileSystem, 'chunk-000000.000000', HEADER_BYTES + second + 4);
    const { ok } = await repair(fileSystem, { acceptLoss: true });
    expect(ok).toBe(true);
    expect([checkpointOf(fileSystem, 'writer'), checkpointOf(fileSystem, 'epoch')]).toEqual([second, -1]);
  });
});

it('a chunk that changes again before it is put right stays, and the plan says why it could not be done', async () => {
  const bytes = bytesOf(fileSystem, CHUNK);
  bytes.writeInt32LE(7, HEADER_BYTES);
  overwrite(fileSystem, CHUNK, bytes);
  const control = new OperationControl({
    elapsedMs: () => 0,
    yieldTurn: () => Promise.resolve(),
    onProgress: ({ phase }) => {
      if (phase === `repairing ${CHUNK}`) flip(fileSystem, CHUNK, PAYLOAD_OFFSET);
    }
  });
  const { ok, actions } = await repair(fileSystem, { control });
  expect(ok).toBe(false);
  expect(actions).toMatchObject([
    { file: CHUNK, done: false, why: expect.stringContaining('hash') as string }
  ]);
  expect(chunksIn().filter((name) => name.startsWith('chunk-000001'))).toEqual([CHUNK]);
});

it('a header that is broken before a prepared chunk is mended where writer.chk is missing too', async () => {
  const next = bytesOf(fileSystem, ACTIVE).fill(0, HEADER_BYTES);
  for (const at of [6, 10]) next.writeInt32LE(4, at);
  overwrite(fileSystem, 'chunk-000004.000000', next);
  flip(fileSystem, ACTIVE, 0);
  fileSystem.remove(`${DATABASE}/writer.chk`);
  const { ok, actions } = await repair(fileSystem);
  expect(ok).toBe(true);
  expect(actions.map(({ code, file }) => [code, file])).toEqual([
    ['checkpointMissing', 'writer.chk'],
    ['chunkHeaderInvalid', ACTIVE]
  ]);
  expect(checkpointOf(fileSystem, 'writer')).toBe(writer);
  await expectWhole();
});

it('chunks that are damaged are named where writer.chk is missing too', async () => {
  fileSystem.remove(`${DATABASE}/writer.chk`);
  flip(fileSystem, CHUNK, PAYLOAD_OFFSET);
  const { ok, unrepaired } = await repair(fileSystem);
  expect(ok).toBe(false);
  expect(unrepaired).toMatchObject([{ code: 'chunkHashMismatch', file: CHUNK }]);
  expect(checkpointOf(fileSystem, 'writer')).toBe(writer);
});

describe('files that are no part of the log', () => {
  it('and have nothing but a header go aside, without a loss', async () => {
    const name = 'chunk-000009.000000';
    const bytes = bytesOf(fileSystem, ACTIVE).subarray(0, HEADER_BYTES);
    for (const at of [6, 10]) bytes.writeInt32LE(9, at);
    overwrite(fileSystem, name, bytes);
    const { ok, actions, unrepaired } = await repair(fileSystem);
    expect({ ok, unrepaired }).toEqual({ ok: true, unrepaired: [] });
    expect(actions).toMatchObject([{ code: 'surplusChunk', file: name, done: true }]);
    expect(namesIn(fileSystem, ASIDE)).toContain(name);
  });

  it('and are gone by the time that they are to be moved need no move', async () => {
    overwrite(fileSystem, 'left.tmp', Buffer.from('x'));
    const control = new OperationControl({
      elapsedMs: () => 0,
      yieldTurn: () => Promise.resolve(),
      onProgress: ({ phase }) => {
        if (phase === 'repairing left.tmp') fileSystem.remove(`${DATABASE}/left.tmp`);
      }
    });
    const { ok, actions, setAside } = await repair(fileSystem, { control });
    expect({ ok, setAside }).toEqual({ ok: true, setAside: null });
    expect(actions).toMatchObject([{ file: 'left.tmp', done: true }]);
  });
});

describe('a finding', () => {
  let donor: ChunkDonor | undefined;
  beforeEach(() => {
    donor = undefined;
  });
  /** A repair to which a verification tells this once, and nothing afterwards. */
  const repairOf = (...findings: Finding[]): Promise<RepairOutcome> => {
    let left = findings;
    return repair(fileSystem, {
      donor,
      verify: () => {
        const told = left;
        left = [];
        return Promise.resolve({ findings: told, ok: told.length === 0 });
      }
    });
  };
  const of = (code: string, file: string | null): Finding =>
    damage(code, { file, message: `${code}.`, remedy: 'None.' });

  it('about an epoch.chk that is gone by now has it made again', async () => {
    const epoch = checkpointOf(fileSystem, 'epoch');
    fileSystem.remove(`${DATABASE}/epoch.chk`);
    const { actions } = await repairOf(of('epochCheckpointInvalid', 'epoch.chk'));
    expect(actions).toMatchObject([{ file: 'epoch.chk', done: true }]);
    expect(checkpointOf(fileSystem, 'epoch')).toBe(epoch);
  });

  it('about an epoch record of a completed chunk, which a hash protects, is not taken from a backup', async () => {
    const database = openDatabase({ fileSystem, dataDirectory: DATABASE });
    const [newest, older] = readEpochs(database.log, null).map(({ position }) => position);
    database.close();
    expect(older).toBeLessThan(3 * CHUNK_SIZE);
    expect(newest).toBeGreaterThan(3 * CHUNK_SIZE);
    for (const name of ['writer', 'chaser']) overwrite(fileSystem, `${name}.chk`, int64(newest!));
    overwrite(fileSystem, 'epoch.chk', int64(older!));
    donor = openDirectoryDonor(whole, DATABASE);
    const { actions, unrepaired } = await repairOf(of('epochCheckpointInvalid', 'epoch.chk'));
    expect(actions).toEqual([]);
    expect(unrepaired).toMatchObject([
      { file: 'epoch.chk', why: expect.stringContaining('the newest epoch record of the log') as string }
    ]);
    expect(checkpointOf(fileSystem, 'epoch')).toBe(older);
  });

  it('about the index that names no file has it rebuilt', async () => {
    const before = bytesOf(fileSystem, 'index/indexmap');
    const { actions } = await repairOf(of('tableMissing', null));
    expect(actions).toMatchObject([{ code: 'tableMissing', file: 'indexmap', done: true }]);
    expect(bytesOf(fileSystem, 'index/indexmap').equals(before)).toBe(false);
    expect((await repair(fileSystem)).ok).toBe(true);
  });

  it('about the filter of existing streams has both of its files moved, the check point first', async () => {
    const folder = `${DATABASE}/index/stream-existence`;
    fileSystem.makeDirectory(folder);
    for (const name of ['dat', 'chk'])
      overwrite(fileSystem, `index/stream-existence/streamExistenceFilter.${name}`, int64(1));
    const { actions } = await repairOf(
      of('filterInvalid', 'index/stream-existence/streamExistenceFilter.dat')
    );
    expect(actions).toMatchObject([{ code: 'filterInvalid', done: true }]);
    expect(namesIn(fileSystem, folder)).toEqual([]);
    const moved = bytesOf(fileSystem, '../db-set-aside-20261121T050000Z/moved.ndjson').toString().trim();
    expect(moved.split('\n').map((line) => (JSON.parse(line) as { moved: string }).moved)).toEqual([
      'stream-existence/streamExistenceFilter.chk',
      'stream-existence/streamExistenceFilter.dat'
    ]);
  });

  it.each(['index/other', null])(
    'of which the filter has the name %s, as none has, changes nothing',
    async (file) => {
      expect(await repairOf(of('filterInvalid', file))).toMatchObject({ actions: [], setAside: null });
    }
  );

  it.each(['orphanFile', 'temporaryFile', 'stateInvalid', 'stateAheadOfLog'])(
    'that is %s and names no file moves nothing away, the index directory least of all',
    async (code) => {
      expect(await repairOf(of(code, null))).toMatchObject({ actions: [], setAside: null });
      expect(fileSystem.describe(`${DATABASE}/index/indexmap`)).toBeDefined();
    }
  );

  it('that names no file does not keep a chunk of the backup from being taken', async () => {
    flip(fileSystem, CHUNK, PAYLOAD_OFFSET);
    const { actions } = await repairOf(of('chunkHashMismatch', CHUNK), of('tableMissing', null));
    expect(actions).toEqual([]);
    fileSystem = copyOf(whole);
    flip(fileSystem, CHUNK, PAYLOAD_OFFSET);
    donor = openDirectoryDonor(whole, DATABASE);
    const helped = await repairOf(of('chunkHashMismatch', CHUNK), of('tableMissing', null));
    expect(helped.actions.map(({ file, done }) => [file, done])).toEqual([
      [CHUNK, true],
      ['indexmap', true]
    ]);
    await expectWhole();
  });
});

describe('the dated folder', () => {
  it('lies in the data directory where nothing may be created beside it', async () => {
    class Closed extends MemoryFileSystem {
      override makeDirectory(directory: string): void {
        if (directory === ASIDE) throw storageError('EACCES', directory);
        super.makeDirectory(directory);
      }
    }
    fileSystem = new Closed();
    copyTree({ fileSystem: whole, path: '/node' }, { fileSystem, path: '/node' });
    overwrite(fileSystem, 'left.tmp', Buffer.from('x'));
    const { setAside } = await repair(fileSystem);
    expect(setAside).toBe(`${DATABASE}/set-aside-20261121T050000Z`);
    expect(namesIn(fileSystem, setAside!)).toEqual(['left.tmp', 'moved.ndjson']);
  });

  it('of a volume that is a data directory has a name of its own', () => {
    const volume = new MemoryFileSystem();
    copyTree({ fileSystem: whole, path: DATABASE }, { fileSystem: volume, path: '/' });
    const aside = new SetAside({
      fileSystem: volume,
      dataDirectory: '/',
      indexDirectory: '/index',
      stamp: '20261121T050000Z'
    });
    expect(aside.move('data', CHUNK, 'why')).toBe(`/database-set-aside-20261121T050000Z/${CHUNK}`);
    expect(namesIn(volume, '/')).not.toContain(CHUNK);
  });
});

it('a directory without files has none to lock', () => {
  const empty = new MemoryFileSystem();
  empty.makeDirectory(DATABASE);
  const unlock = lockForRepair({
    place: { fileSystem: empty, dataDirectory: DATABASE },
    assumeStopped: false
  });
  unlock();
  expect(namesIn(empty, DATABASE)).toEqual([]);
});

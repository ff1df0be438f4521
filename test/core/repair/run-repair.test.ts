/** Repairs of damage that no golden database has, on a sample in memory. */
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { openDirectoryDonor } from '../../../src-core/repair/directory-donor.ts';
import type { ChunkDonor } from '../../../src-core/repair/chunk-donor.ts';
import { Random } from '../../../src-core/sample/random.ts';
import type { FileFacts } from '../../../src-core/storage/file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { differenceOf, streamContentOf, type StreamContent } from '../../support/stream-content.ts';
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
  repair,
  sampleInMemory
} from './repair-sample.ts';

const ASIDE = `${DATABASE}-set-aside-20261121T050000Z`;
const CHUNK = 'chunk-000001.000000';
/** In the payload of the first record of a chunk: nothing but the hash knows what it was. */
const PAYLOAD_OFFSET = 128 + 4 + 150;

let whole: MemoryFileSystem;
let content: StreamContent;
let writer: number;
beforeAll(async () => {
  whole = await sampleInMemory();
  content = await streamContentOf(whole, DATABASE);
  writer = checkpointOf(whole, 'writer');
});

async function expectWhole(fileSystem: MemoryFileSystem): Promise<void> {
  expect(differenceOf(content, await streamContentOf(fileSystem, DATABASE))).toEqual({
    missing: 0,
    surplus: 0
  });
}

describe('zeros behind the end of a completed chunk', () => {
  it.each([1, 4096, 100_000])('are cut off without a backup: %i of them', async (count) => {
    const fileSystem = copyOf(whole);
    overwrite(fileSystem, CHUNK, Buffer.concat([bytesOf(fileSystem, CHUNK), Buffer.alloc(count)]));
    const { ok, unrepaired, actions } = await repair(fileSystem);
    expect({ ok, unrepaired }).toEqual({ ok: true, unrepaired: [] });
    expect(actions[0]?.why).toContain(`${count} zeros`);
    await expectWhole(fileSystem);
  });

  it('stay where the hash does not hold without them', async () => {
    const fileSystem = copyOf(whole);
    flip(fileSystem, CHUNK, PAYLOAD_OFFSET);
    overwrite(fileSystem, CHUNK, Buffer.concat([bytesOf(fileSystem, CHUNK), Buffer.alloc(4096)]));
    expect((await repair(fileSystem)).ok).toBe(false);
  });
});

describe('checkpoints', () => {
  it('an empty truncate.chk, which the server takes for "cut everything", is set to -1', async () => {
    const fileSystem = copyOf(whole);
    overwrite(fileSystem, 'truncate.chk', new Uint8Array(0));
    await repair(fileSystem);
    expect(checkpointOf(fileSystem, 'truncate')).toBe(-1);
    await expectWhole(fileSystem);
  });

  it('a truncation to a place within a record is cleared', async () => {
    const fileSystem = copyOf(whole);
    overwrite(fileSystem, 'truncate.chk', int64(CHUNK_SIZE + 3));
    const { actions } = await repair(fileSystem);
    expect(actions).toMatchObject([{ code: 'truncateInsideRecord', file: 'truncate.chk', done: true }]);
    expect(checkpointOf(fileSystem, 'truncate')).toBe(-1);
  });

  it.each([0, -7])('a truncation to %i, which nobody can mean, is cleared', async (to) => {
    const fileSystem = copyOf(whole);
    overwrite(fileSystem, 'truncate.chk', int64(to));
    const { actions, ok } = await repair(fileSystem);
    expect(actions).toMatchObject([{ code: 'truncatePending', file: 'truncate.chk', done: true }]);
    expect(ok).toBe(true);
    expect(checkpointOf(fileSystem, 'truncate')).toBe(-1);
  });

  it('a chaser within a record follows the writer', async () => {
    const fileSystem = copyOf(whole);
    overwrite(fileSystem, 'chaser.chk', int64(writer - 5));
    await repair(fileSystem);
    expect(checkpointOf(fileSystem, 'chaser')).toBe(writer);
  });

  it('a chaser behind the index goes forward, and the index stays', async () => {
    const fileSystem = copyOf(whole);
    const map = bytesOf(fileSystem, 'index/indexmap');
    overwrite(fileSystem, 'chaser.chk', int64(0));
    const { actions, ok } = await repair(fileSystem);
    expect(actions).toMatchObject([{ code: 'indexAheadOfLog', file: 'chaser.chk', done: true }]);
    expect(ok).toBe(true);
    expect(bytesOf(fileSystem, 'index/indexmap')).toEqual(map);
    expect(checkpointOf(fileSystem, 'chaser')).toBe(writer);
  });

  it('a writer of zero, which a failed start leaves, is found again', async () => {
    const fileSystem = copyOf(whole);
    for (const name of ['writer', 'chaser']) overwrite(fileSystem, `${name}.chk`, int64(0));
    overwrite(fileSystem, 'epoch.chk', int64(-1));
    const { ok } = await repair(fileSystem);
    expect(ok).toBe(true);
    expect(checkpointOf(fileSystem, 'writer')).toBe(writer);
    await expectWhole(fileSystem);
  });

  it('an epoch checkpoint that leads to no epoch is set to the newest one', async () => {
    const fileSystem = copyOf(whole);
    const epoch = checkpointOf(fileSystem, 'epoch');
    overwrite(fileSystem, 'epoch.chk', int64(CHUNK_SIZE));
    const { actions } = await repair(fileSystem);
    expect(actions).toMatchObject([{ code: 'epochCheckpointInvalid', done: true }]);
    expect(checkpointOf(fileSystem, 'epoch')).toBe(epoch);
  });

  it('an epoch record that says something else stays, and the backup has its chunk', async () => {
    const fileSystem = copyOf(whole);
    const epoch = checkpointOf(fileSystem, 'epoch');
    const file = 'chunk-000003.000000';
    const bytes = bytesOf(fileSystem, file);
    const number = '"epochNumber": ';
    bytes.write('0', bytes.indexOf(number) + number.length);
    overwrite(fileSystem, file, bytes);
    const { ok, actions, unrepaired } = await repair(fileSystem);
    expect({ ok, actions }).toEqual({ ok: false, actions: [] });
    expect(unrepaired).toMatchObject([{ code: 'epochCheckpointInvalid', file: 'epoch.chk' }]);
    expect(checkpointOf(fileSystem, 'epoch')).toBe(epoch);
    expect((await repair(fileSystem, { donor: openDirectoryDonor(copyOf(whole), DATABASE) })).ok).toBe(true);
  });

  it('an epoch checkpoint stays when only a damaged chunk keeps its epoch from being read', async () => {
    const fileSystem = copyOf(whole);
    const epoch = checkpointOf(fileSystem, 'epoch');
    for (let number = 0; number < 3; number++) flip(fileSystem, `chunk-00000${number}.000000`, 129);
    expect((await repair(fileSystem, { only: ['epochCheckpointInvalid'] })).ok).toBe(false);
    expect(checkpointOf(fileSystem, 'epoch')).toBe(epoch);
    expect((await repair(fileSystem)).ok).toBe(true);
    expect(checkpointOf(fileSystem, 'epoch')).toBe(epoch);
    await expectWhole(fileSystem);
  });

  it('an epoch checkpoint stays where the epoch before it lies in a chunk that is not here, and so may be archived', async () => {
    const fileSystem = copyOf(whole);
    const epoch = checkpointOf(fileSystem, 'epoch');
    fileSystem.remove(`${DATABASE}/chunk-000000.000000`);
    const { actions, ok } = await repair(fileSystem);
    expect(actions.filter(({ file }) => file === 'epoch.chk')).toEqual([]);
    expect(ok).toBe(false);
    expect(checkpointOf(fileSystem, 'epoch')).toBe(epoch);
  });

  it('old values are kept in the list of what was moved', async () => {
    const fileSystem = copyOf(whole);
    overwrite(fileSystem, 'writer.chk', int64(writer + 100));
    await repair(fileSystem);
    const list = bytesOf(fileSystem, '../db-set-aside-20261121T050000Z/moved.ndjson').toString();
    expect(JSON.parse(list.split('\n')[0]!)).toMatchObject({
      changed: 'writer.chk',
      was: writer + 100,
      now: writer
    });
  });
});

describe('a write of several events that was cut in its middle', () => {
  /** The end of its first record, with no checkpoint that tells. */
  async function cutWrite(): Promise<{ fileSystem: MemoryFileSystem; begin: number; second: number }> {
    const fileSystem = copyOf(whole);
    const random = new Random(5);
    const newGuid = () => random.guid();
    const database = openDatabase({ fileSystem, dataDirectory: DATABASE });
    const log = LogWriter.open({ fileSystem, directory: DATABASE, newGuid }, database.chunkSet);
    const now = () => ticksFromIso('2026-01-02T00:00:00Z')!;
    const appender = new EventAppender({ writer: log, lastEventNumber: () => -1, now, newGuid });
    const written = appender.append(
      'cut-write',
      [1, 2, 3].map(() => ({ eventType: 'e', data: Buffer.alloc(20) }))
    );
    log.close();
    database.close();
    const begin = written.position;
    const chunk = namesIn(fileSystem, DATABASE).findLast((name) => name.startsWith('chunk-'))!;
    const bytes = bytesOf(fileSystem, chunk);
    const second = begin + 8 + bytes.readInt32LE(128 + (begin % CHUNK_SIZE));
    bytes.fill(0, 128 + (second % CHUNK_SIZE));
    overwrite(fileSystem, chunk, bytes);
    fileSystem.remove(`${DATABASE}/writer.chk`);
    return { fileSystem, begin, second };
  }

  it('does not count where no checkpoint says so', async () => {
    const { fileSystem, begin } = await cutWrite();
    overwrite(fileSystem, 'chaser.chk', int64(writer));
    const { ok } = await repair(fileSystem);
    expect(ok).toBe(true);
    expect(checkpointOf(fileSystem, 'writer')).toBe(begin);
  });

  it('counts as far as it goes where the chaser has seen it', async () => {
    const { fileSystem, second } = await cutWrite();
    overwrite(fileSystem, 'chaser.chk', int64(second));
    await repair(fileSystem);
    expect(checkpointOf(fileSystem, 'writer')).toBe(second);
  });
});

describe('damage in the middle of the chunk being written', () => {
  it('is cut off only when loss is accepted, and what is lost is named and kept', async () => {
    const fileSystem = copyOf(whole);
    const chunk = namesIn(fileSystem, DATABASE).findLast((name) => name.startsWith('chunk-'))!;
    const second = 128 + 8 + bytesOf(fileSystem, chunk).readInt32LE(128);
    flip(fileSystem, chunk, second + 4);
    const refused = await repair(fileSystem);
    expect(refused.ok).toBe(false);
    expect(refused.unrepaired[0]).toMatchObject({ code: 'recordInvalid' });
    expect(refused.unrepaired[0]!.lost!.readableRecords).toBeGreaterThan(3);
    expect(refused.unrepaired[0]!.why).toMatch(/--accept-loss/);
    const damaged = bytesOf(fileSystem, chunk);

    const { ok } = await repair(fileSystem, { acceptLoss: true });
    expect(ok).toBe(true);
    const start = Number(chunk.slice(6, 12)) * CHUNK_SIZE;
    expect(checkpointOf(fileSystem, 'writer')).toBe(start + second - 128);
    expect(bytesOf(fileSystem, `../db-set-aside-20261121T050000Z/${chunk}`)).toEqual(damaged);
    expect(
      bytesOf(fileSystem, chunk)
        .subarray(second)
        .every((byte) => byte === 0)
    ).toBe(true);
    expect(checkpointOf(fileSystem, 'chaser')).toBe(start + second - 128);
  });

  it.each([
    ['a type that nobody knows', 4],
    ['a length beyond the checkpoint', 1]
  ])('is healed by a backup that reaches as far: %s', async (_what, byte) => {
    const fileSystem = copyOf(whole);
    const chunk = namesIn(fileSystem, DATABASE).findLast((name) => name.startsWith('chunk-'))!;
    const second = 128 + 8 + bytesOf(fileSystem, chunk).readInt32LE(128);
    flip(fileSystem, chunk, second + byte);
    expect(await repair(fileSystem)).toMatchObject({ ok: false, actions: [] });
    const donor = openDirectoryDonor(copyOf(whole), DATABASE);
    const { ok, actions } = await repair(fileSystem, { donor });
    expect(actions).toMatchObject([{ file: chunk, done: true }]);
    expect(ok).toBe(true);
    await expectWhole(fileSystem);
  });

  it('is not healed by a backup that ends before the log does', async () => {
    const older = copyOf(whole);
    const fileSystem = copyOf(whole);
    const chunk = namesIn(fileSystem, DATABASE).findLast((name) => name.startsWith('chunk-'))!;
    const second = 128 + 8 + bytesOf(fileSystem, chunk).readInt32LE(128);
    flip(fileSystem, chunk, second + 4);
    const bytes = bytesOf(older, chunk);
    bytes.fill(0, second);
    overwrite(older, chunk, bytes);
    const donor = openDirectoryDonor(older, DATABASE);
    const { ok, actions } = await repair(fileSystem, { donor });
    expect(ok).toBe(false);
    expect(actions).toMatchObject([
      { done: false, why: expect.stringContaining('its records end at') as string }
    ]);
  });
});

describe('a record of the chunk being written that the index knows otherwise', () => {
  /** A letter of a stream name: the record reads, no hash covers it, but the index has another stream there. */
  function damaged(): MemoryFileSystem {
    const fileSystem = copyOf(whole);
    const chunk = namesIn(fileSystem, DATABASE).findLast((name) => name.startsWith('chunk-'))!;
    const bytes = bytesOf(fileSystem, chunk);
    bytes[128 + 4 + 33]! ^= 1;
    overwrite(fileSystem, chunk, bytes);
    return fileSystem;
  }

  it('is not hidden by a new index', async () => {
    const fileSystem = damaged();
    const map = bytesOf(fileSystem, 'index/indexmap');
    const { ok, actions, unrepaired } = await repair(fileSystem);
    expect(ok).toBe(false);
    expect(actions).toEqual([]);
    expect(unrepaired).toMatchObject([{ why: expect.stringContaining('names another event') as string }]);
    expect(bytesOf(fileSystem, 'index/indexmap')).toEqual(map);
  });

  it('comes back from a backup', async () => {
    const fileSystem = damaged();
    const donor = openDirectoryDonor(copyOf(whole), DATABASE);
    expect(await repair(fileSystem, { donor })).toMatchObject({ ok: true, unrepaired: [] });
    await expectWhole(fileSystem);
  });

  it('is believed when loss is accepted', async () => {
    expect(await repair(damaged(), { acceptLoss: true })).toMatchObject({ ok: true });
  });
});

describe('a chunk from a backup', () => {
  const damaged = () => {
    const fileSystem = copyOf(whole);
    flip(fileSystem, CHUNK, PAYLOAD_OFFSET);
    return fileSystem;
  };
  const donorOf = (fileSystem: MemoryFileSystem, change: Partial<ChunkDonor> = {}): ChunkDonor => {
    const donor = openDirectoryDonor(fileSystem, DATABASE);
    return { ...donor, read: (chunk) => donor.read(chunk), ...change };
  };

  it('takes the place of the damaged one, which is kept', async () => {
    const fileSystem = damaged();
    const before = bytesOf(fileSystem, CHUNK);
    const { ok } = await repair(fileSystem, { donor: donorOf(copyOf(whole)) });
    expect(ok).toBe(true);
    await expectWhole(fileSystem);
    expect(bytesOf(fileSystem, `../db-set-aside-20261121T050000Z/${CHUNK}`)).toEqual(before);
    expect(bytesOf(fileSystem, 'chunk-000001.000001')).toEqual(bytesOf(whole, CHUNK));
  });

  it('is refused when its bytes are not those of the manifest', async () => {
    const donor = donorOf(copyOf(whole));
    const chunks = donor.chunks.map((chunk) => ({ ...chunk, sha256: '00'.repeat(32) }));
    const { ok, actions } = await repair(damaged(), { donor: { ...donor, chunks } });
    expect(ok).toBe(false);
    expect(actions).toMatchObject([{ done: false, why: expect.stringContaining('SHA-256') as string }]);
  });

  it('is refused when it is damaged as well', async () => {
    const { ok, actions } = await repair(damaged(), { donor: donorOf(damaged()) });
    expect(ok).toBe(false);
    expect(actions).toMatchObject([{ done: false, why: expect.stringContaining('hash') as string }]);
  });

  it('is refused when the index leads to other events in it', async () => {
    const fileSystem = damaged();
    // All of the damaged file is gone, so that only the index and the neighbours can tell.
    fileSystem.remove(`${DATABASE}/${CHUNK}`);
    const other = new MemoryFileSystem();
    other.makeDirectory('/node');
    const foreign = await foreignSample();
    const { ok, actions } = await repair(fileSystem, { donor: donorOf(foreign) });
    expect(ok).toBe(false);
    expect(actions).toMatchObject([
      { done: false, why: expect.stringContaining('does not match') as string }
    ]);
    expect(namesIn(fileSystem, DATABASE).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

async function foreignSample(): Promise<MemoryFileSystem> {
  const { writeSampleDatabase } = await import('../../../src-core/sample/write-sample-database.ts');
  const { uncontrolled } = await import('../../../src-core/database/operation-control.ts');
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/node');
  await writeSampleDatabase({
    fileSystem,
    dataDirectory: DATABASE,
    sizeBytes: 130_000,
    chunkSizeBytes: CHUNK_SIZE,
    seed: 4,
    now: ticksFromIso('2026-01-01T00:00:00Z')!,
    control: uncontrolled()
  });
  return fileSystem;
}

describe('files behind the end of the log', () => {
  it('that hold records are moved away only when loss is accepted', async () => {
    const fileSystem = copyOf(whole);
    for (const name of ['writer', 'chaser']) overwrite(fileSystem, `${name}.chk`, int64(2 * CHUNK_SIZE));
    overwrite(fileSystem, 'epoch.chk', int64(-1));
    fileSystem.remove(`${DATABASE}/index/indexmap`);
    const refused = await repair(fileSystem, { only: ['surplusChunk'] });
    expect(refused.ok).toBe(false);
    expect(refused.unrepaired.map(({ code }) => code)).toContain('surplusChunk');
    expect(refused.actions).toEqual([]);
    const { actions } = await repair(fileSystem, { only: ['surplusChunk'], acceptLoss: true });
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.every(({ done, code }) => done && code === 'surplusChunk')).toBe(true);
    for (const { file } of actions) expect(namesIn(fileSystem, ASIDE)).toContain(file);
  });
});

describe('the dated folder', () => {
  it('lies in the data directory when the place beside it is another volume', async () => {
    class TwoVolumes extends MemoryFileSystem {
      override describe(path: string): FileFacts | undefined {
        const facts = super.describe(path);
        return facts && { ...facts, device: path.startsWith(DATABASE) ? 1 : 2 };
      }
    }
    const fileSystem = new TwoVolumes();
    const { copyTree } = await import('../../support/copy-tree.ts');
    copyTree({ fileSystem: whole, path: '/node' }, { fileSystem, path: '/node' });
    overwrite(fileSystem, 'left.tmp', Buffer.from('x'));
    const { setAside } = await repair(fileSystem);
    expect(setAside).toBe(`${DATABASE}/set-aside-20261121T050000Z`);
    expect(namesIn(fileSystem, setAside!)).toEqual(['left.tmp', 'moved.ndjson']);
  });

  it('lies beside the index directory for its files when that is elsewhere', async () => {
    const fileSystem = await sampleInMemory('/elsewhere/index');
    const orphan = fileSystem.open('/elsewhere/index/11111111-2222-3333-4444-555555555555', 'createNew');
    orphan.close();
    const place = { fileSystem, dataDirectory: DATABASE, indexDirectory: '/elsewhere/index' };
    const { actions, ok } = await repair(fileSystem, { place });
    expect(actions).toMatchObject([{ code: 'orphanFile', done: true }]);
    expect(ok).toBe(true);
    expect(namesIn(fileSystem, '/elsewhere/index-set-aside-20261121T050000Z')).toEqual([
      'index',
      'moved.ndjson'
    ]);
  });
});

describe('a repair', () => {
  it('is refused while somebody holds the lock', async () => {
    const fileSystem = copyOf(whole);
    const release = fileSystem.tryLock(`${DATABASE}/writer.chk`)!;
    await expect(repair(fileSystem)).rejects.toMatchObject({ code: 'DatabaseInUse' });
    release();
    await expect(repair(fileSystem)).resolves.toMatchObject({ ok: true, actions: [], setAside: null });
  });

  it('is refused while a restore has not ended', async () => {
    const fileSystem = copyOf(whole);
    overwrite(fileSystem, 'winnow-restore.json', Buffer.from('{"phase":"gathering","backup":"b"}'));
    await expect(repair(fileSystem)).rejects.toMatchObject({ details: { reason: 'restoreUnfinished' } });
  });

  it('moves a state that the next scavenge would delete live events by, and keeps it', async () => {
    const fileSystem = copyOf(whole);
    fileSystem.makeDirectory(`${DATABASE}/index/scavenging`);
    overwrite(fileSystem, 'index/scavenging/scavenging.db', Buffer.from('state'));
    let isFirst = true;
    const finding = {
      severity: 'damage' as const,
      code: 'stateAheadOfLog',
      file: 'scavenging/scavenging.db',
      offset: null,
      position: null,
      message: 'm',
      remedy: 'r',
      command: null
    };
    const verify = () => {
      const findings = isFirst ? [finding] : [];
      isFirst = false;
      return Promise.resolve({ findings, ok: findings.length === 0 });
    };
    const { ok } = await repair(fileSystem, { verify });
    expect(ok).toBe(true);
    expect(namesIn(fileSystem, `${DATABASE}/index`)).not.toContain('scavenging');
    expect(namesIn(fileSystem, `${ASIDE}/index/scavenging`)).toEqual(['scavenging.db']);
  });
});

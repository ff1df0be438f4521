/** Which backup is meant, what was noted of checks, what a source says of itself, and how a scavenge shows in it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { manifestObject, progressObject, resultsObject } from '../../../src-core/backup/backup-layout.ts';
import { contentOf } from '../../../src-core/backup/backup-target.ts';
import { chooseBackup, readCatalogue } from '../../../src-core/backup/catalogue.ts';
import { readCheckResults, writeCheckResult } from '../../../src-core/backup/check-results.ts';
import { LocalBackupTarget } from '../../../src-core/backup/local-target.ts';
import { encodeManifest, filesOfArea, plainBytes, type Manifest } from '../../../src-core/backup/manifest.ts';
import { planBackup } from '../../../src-core/backup/plan-backup.ts';
import { encodeProgress } from '../../../src-core/backup/progress-file.ts';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import { readSourceIdentity, readTag } from '../../../src-core/backup/source-identity.ts';
import {
  asRemovedMeanwhile,
  requireNoScavenge,
  requireSameChunks,
  scavengeTrace
} from '../../../src-core/backup/source-watch.ts';
import { writeCheckpointFile } from '../../../src-core/log/checkpoint-file.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import { writeText } from '../../support/restore-fixture.ts';
import { DATA, TARGET, testBackups, writeDatabase } from './backup-environment.ts';

const UNFINISHED = '20260301T000000Z-0009';
let fileSystem: MemoryFileSystem;
let target: LocalBackupTarget;
beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  await writeDatabase(fileSystem, { sizeBytes: 70 * 1024 });
  target = new LocalBackupTarget({ fileSystem, directory: TARGET });
});

/** A backup of some day. */
async function take(day: number, change: Parameters<typeof testBackups>[1] = {}): Promise<Manifest> {
  const { request, environment } = testBackups(fileSystem, change);
  const later = BigInt(day) * 864_000_000_000n;
  return runBackup(request, { ...environment, now: () => environment.now() + later });
}
const put = (name: string, text: string | Uint8Array): Promise<void> =>
  target.write(name, contentOf(Buffer.from(text)));
const begin = (id: string, generation: number | null): Promise<void> =>
  put(
    progressObject(id),
    encodeProgress({
      ...{ id, mode: 'full', basedOn: null, generation, databaseTag: null, address: null },
      // Of another node, so that no backup resumes it.
      ...{ dataDirectory: '/other', indexDirectory: '/other/index', encodings: [], files: [] }
    })
  );

describe('the backup that is meant', () => {
  it('is that of the id, or the newest', async () => {
    const [one, two] = [await take(1), await take(2)];
    expect((await chooseBackup(target, one.id)).id).toBe(one.id);
    expect((await chooseBackup(target, undefined)).id).toBe(two.id);
  });

  it.each(['20260101T000000Z-ffff', 'no id', '../other'])('is none of the id %s', async (id) => {
    await take(1);
    await expect(chooseBackup(target, id)).rejects.toMatchObject({ code: 'InvalidRequest' });
  });

  it('is none in an empty target', async () => {
    fileSystem.makeDirectory(TARGET);
    await expect(chooseBackup(target, undefined)).rejects.toMatchObject({
      message: `${TARGET} has no finished backup.`
    });
  });

  it('is not an older one where a later manifest is damaged; a damaged older one does not matter', async () => {
    const [one, two] = [await take(1), await take(2)];
    await put(manifestObject(one.id), 'no JSON');
    expect((await chooseBackup(target, undefined)).id).toBe(two.id);
    const three = await take(3);
    await put(manifestObject(three.id), 'no JSON');
    await expect(chooseBackup(target, undefined)).rejects.toMatchObject({ code: 'LogCorrupt' });
  });

  it('is not in a folder that was renamed', async () => {
    const one = await take(1);
    await put(manifestObject('20260401T000000Z-0001'), encodeManifest(one));
    await expect(chooseBackup(target, '20260401T000000Z-0001')).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { found: one.id }
    });
  });
});

describe('an unfinished backup', () => {
  const superseded = async (): Promise<boolean[]> =>
    (await readCatalogue(target)).unfinished.map(({ isSuperseded }) => isSuperseded);

  it('is superseded by a backup of its generation or a later one', async () => {
    const { generation } = await take(1);
    await begin(UNFINISHED, generation! + 1);
    expect(await superseded()).toEqual([false]);
    await begin(UNFINISHED, generation);
    expect(await superseded()).toEqual([true]);
  });

  it('without a generation is superseded by the clock', async () => {
    await begin(UNFINISHED, null);
    expect(await superseded()).toEqual([false]);
    await take(1);
    expect(await superseded()).toEqual([false]);
    await take(60);
    expect(await superseded()).toEqual([true]);
  });

  it('comes in the order of generations, then of ids; a folder with nothing is remains', async () => {
    await begin('20260301T000000Z-0003', 1);
    await begin('20260301T000000Z-0001', 2);
    await begin('20260301T000000Z-0002', 1);
    await put('20260301T000000Z-0004/data/x', 'x');
    await put('no-id/data/x', 'x');
    const { unfinished, remains } = await readCatalogue(target);
    expect(unfinished.map(({ id }) => id.at(-1))).toEqual(['2', '3', '1']);
    expect(remains).toEqual(['20260301T000000Z-0004']);
  });
});

it('a target that cannot be read has no catalogue: an error of the disk is no damaged backup', async () => {
  await take(1);
  const open = fileSystem.open.bind(fileSystem);
  for (const osCode of ['EIO', 'EACCES']) {
    fileSystem.open = (file, mode) => {
      if (file.endsWith('/manifest.json')) throw storageError(osCode, file);
      return open(file, mode);
    };
    await expect(readCatalogue(target)).rejects.toMatchObject({ code: 'StorageFailed' });
  }
});

describe('what checks of a backup found', () => {
  const ok = { at: '2026-01-01T00:00:00Z', ok: true, damage: 0 };
  const none = { verified: null, rehearsed: null };

  it('is kept beside the manifest, each kind by itself', async () => {
    expect(await readCheckResults(target, UNFINISHED)).toEqual(none);
    await writeCheckResult(target, UNFINISHED, 'verified', ok);
    await writeCheckResult(target, UNFINISHED, 'rehearsed', { ...ok, ok: false, damage: 2 });
    expect(await readCheckResults(target, UNFINISHED)).toEqual({
      verified: ok,
      rehearsed: { ...ok, ok: false, damage: 2 }
    });
  });

  it.each(['no JSON', '[]', '{}', '{"verified":{"at":1},"rehearsed":null}'])(
    'is none where it is damaged: %s',
    async (text) => {
      await put(resultsObject(UNFINISHED), text);
      expect(await readCheckResults(target, UNFINISHED)).toEqual(none);
    }
  );

  it('is not read beyond its bound: 64 KiB', async () => {
    const text = JSON.stringify({ verified: ok, rehearsed: null });
    await put(resultsObject(UNFINISHED), text + ' '.repeat(64 * 1024 - text.length));
    expect((await readCheckResults(target, UNFINISHED)).verified).toEqual(ok);
    await put(resultsObject(UNFINISHED), text + ' '.repeat(64 * 1024 - text.length + 1));
    await expect(readCheckResults(target, UNFINISHED)).rejects.toMatchObject({ code: 'StorageFailed' });
  });
});

it('a manifest gives the files of an area in the order of their names, and the sum of their bytes', async () => {
  const manifest = await take(1);
  const turned = { files: [...manifest.files].reverse() };
  const names = filesOfArea(turned, 'data').map(({ name }) => name);
  expect(names).toEqual([...names].sort());
  expect(names).toContain('writer.chk');
  expect(names).not.toContain('indexmap');
  expect(plainBytes(turned)).toBe(manifest.files.reduce((sum, { bytes }) => sum + bytes, 0));
});

describe('a source', () => {
  const place = {
    fileSystem: undefined as unknown as MemoryFileSystem,
    dataDirectory: DATA,
    indexDirectory: `${DATA}/index`
  };
  const source = () => ({ ...place, fileSystem });
  const holder = { by: 'KurrentDB', pid: 7 };

  it('has a tag of decimal digits, or none', () => {
    fileSystem.remove(`${DATA}/tag.chk`);
    expect(readTag(source())).toBeNull();
    writeText(fileSystem, `${DATA}/tag.chk`, '1234567');
    expect(readTag(source())).toBeNull();
    writeCheckpointFile(fileSystem, `${DATA}/tag2.chk`, 2 ** 52);
    fileSystem.rename(`${DATA}/tag2.chk`, `${DATA}/tag.chk`);
    expect(readTag(source())).toBe(String(2 ** 52));
  });

  it('says which files its checkpoints are', () => {
    const before = readSourceIdentity(source(), 'http://node');
    expect(before).toMatchObject({ address: 'http://node', dataDirectory: DATA });
    expect(before.checkpointFiles).toMatch(/^writer \d+, epoch \d+(, proposal \d+)?$/);
    expect(before.epochs.length).toBeGreaterThan(0);
    const bytes = fileSystem.open(`${DATA}/writer.chk`, 'read');
    bytes.close();
    fileSystem.rename(`${DATA}/writer.chk`, `${DATA}/writer.old`);
    writeCheckpointFile(fileSystem, `${DATA}/writer.chk`, before.writer);
    expect(readSourceIdentity(source(), null).checkpointFiles).not.toBe(before.checkpointFiles);
  });

  it.each([
    ['writer.chk', -1],
    ['chaser.chk', -1]
  ])('is refused where %s holds %i, or is missing', (name, value) => {
    writeCheckpointFile(fileSystem, `${DATA}/${name}`, value);
    expect(() => readSourceIdentity(source(), null)).toThrow(expect.objectContaining({ code: 'LogCorrupt' }));
    fileSystem.remove(`${DATA}/${name}`);
    expect(() => readSourceIdentity(source(), null)).toThrow(`${name} is missing.`);
  });

  it('is refused where the next start would cut it, and not where that would change nothing', () => {
    const { writer } = readSourceIdentity(source(), null);
    writeCheckpointFile(fileSystem, `${DATA}/truncate.chk`, writer - 1);
    expect(() => readSourceIdentity(source(), null)).toThrow(
      expect.objectContaining({ code: 'InvalidRequest' })
    );
    for (const value of [-1, writer]) {
      writeCheckpointFile(fileSystem, `${DATA}/truncate.chk`, value);
      expect(readSourceIdentity(source(), null).writer).toBe(writer);
    }
  });

  it('shows a scavenge by its state or by the chunk it writes, and only while a process has it open', () => {
    expect(scavengeTrace(source())).toBeUndefined();
    writeText(fileSystem, `${DATA}/chunk-000000.000001.0000.scavenge.tmp`, 'x');
    expect(scavengeTrace(source())).toBe('chunk-000000.000001.0000.scavenge.tmp');
    writeText(fileSystem, `${DATA}/index/scavenging/scavenging.db`, 'x');
    expect(scavengeTrace(source())).toContain('scavenge.tmp');
    writeText(fileSystem, `${DATA}/index/scavenging/scavenging.db-shm`, 'x');
    expect(scavengeTrace(source())).toBe('scavenging/scavenging.db-shm');
    expect(scavengeTrace({ ...source(), indexDirectory: '/none' })).toContain('scavenge.tmp');
    expect(() => requireNoScavenge(source(), undefined)).not.toThrow();
    expect(() => requireNoScavenge(source(), holder)).toThrow('a scavenge by KurrentDB (process 7), seen by');
    expect(() => requireNoScavenge(source(), { by: 'unknown', pid: null })).toThrow(
      'a scavenge by unknown, seen by'
    );
  });

  it('whose chunks were replaced while they were copied is refused; other files do not matter', async () => {
    const { files } = await take(1);
    const copied = files
      .filter(({ area }) => area === 'data')
      .map(({ name }) => ({ name }) as Parameters<typeof requireSameChunks>[1][number]);
    expect(() => requireSameChunks(source(), copied)).not.toThrow();
    writeText(fileSystem, `${DATA}/chunk-000900.000001`, 'x');
    writeText(fileSystem, `${DATA}/other`, 'x');
    expect(() => requireSameChunks(source(), copied)).not.toThrow();
    writeText(fileSystem, `${DATA}/chunk-000000.000001`, 'x');
    expect(() => requireSameChunks(source(), copied)).toThrow(
      'wrote chunk-000000.000001 while chunk-000000.000000 was copied'
    );
    fileSystem.remove(`${DATA}/chunk-000000.000000`);
    expect(() => requireSameChunks(source(), copied)).toThrow(
      'removed chunk-000000.000000 while it was copied'
    );
  });

  it('of which a chunk went while it was looked at is being scavenged; any other failure stays what it is', () => {
    const gone = (file: string, osCode = 'ENOENT') => storageError(osCode, file);
    const asked = (error: unknown): unknown => asRemovedMeanwhile(source(), error);
    expect(asked(gone(`${DATA}/chunk-000900.000000`))).toMatchObject({ code: 'DatabaseInUse' });
    for (const error of [
      gone(`${DATA}/chunk-000000.000000`),
      gone(`${DATA}/chunk-000900.000000`, 'EIO'),
      gone('/elsewhere/chunk-000900.000000'),
      gone(`${DATA}/other`),
      new Error('other')
    ]) {
      expect(asked(error)).toBe(error);
    }
    fileSystem.remove(`${DATA}/writer.chk`);
    const error = gone(`${DATA}/chunk-000900.000000`);
    expect(asked(error)).toBe(error);
  });
});

describe('a plan of a backup', () => {
  const planned = (change: Parameters<typeof testBackups>[1] = {}) => {
    const { request, environment } = testBackups(fileSystem, change);
    return planBackup(request, environment);
  };
  const codes = async (change: Parameters<typeof testBackups>[1] = {}): Promise<string[]> =>
    (await planned(change)).notes.map(({ code }) => code);

  it('says what was not asked, and what a backup of files cannot hold', async () => {
    expect(await codes()).toEqual([]);
    writeText(fileSystem, `${DATA}/kurrent.ddb`, 'x');
    fileSystem.lockAs(`${DATA}/writer.chk`, { by: 'KurrentDB', pid: 7 });
    expect(await codes()).toEqual(['nodeNotAsked', 'secondaryIndexLeftOut']);
  });

  it('names the program that has the directory open, and its process where that is known', async () => {
    const said = async (): Promise<string[]> =>
      (await planned()).notes.map(({ message }) => message.split(';')[0]!);
    const release = fileSystem.lockAs(`${DATA}/writer.chk`, { by: 'KurrentDB', pid: null })!;
    expect(await said()).toEqual(['The directory is open in KurrentDB']);
    release();
    fileSystem.lockAs(`${DATA}/writer.chk`, { by: 'KurrentDB', pid: 7 });
    expect(await said()).toEqual(['The directory is open in KurrentDB, process 7']);
  });

  it('says that the history of the node is another than that of its last backup', async () => {
    writeCheckpointFile(fileSystem, `${DATA}/tag.chk`, 11);
    const { id } = await take(1);
    fileSystem.removeDirectory(DATA);
    await writeDatabase(fileSystem, { sizeBytes: 70 * 1024, seed: 2 });
    writeCheckpointFile(fileSystem, `${DATA}/tag.chk`, 11);
    const { notes, mode } = await planned({ mode: 'full' });
    expect(mode).toBe('full');
    expect(notes.find(({ code }) => code === 'historyParted')?.message).toContain(id);
  });

  it('that signs builds on no backup that no given key proves: it is full, or refused', async () => {
    const { id } = await take(1);
    const own = { fingerprint: 'SHA256:A', sign: () => Uint8Array.of(1), verify: () => true };
    const signed = (mode: 'auto' | 'differential') => {
      const { request, environment } = testBackups(fileSystem, { mode });
      Object.assign(environment.target, { trust: { signer: own, verifiers: [own], isRequired: false } });
      return planBackup(request, environment);
    };
    const { mode, base, notes } = await signed('auto');
    expect([mode, base]).toEqual(['full', undefined]);
    expect(notes.find(({ code }) => code === 'notDifferential')?.message).toContain(id);
    await expect(signed('differential')).rejects.toMatchObject({
      code: 'InvalidRequest',
      message: expect.stringContaining(`${id} is not signed with a key that was given`) as string,
      remedy: 'Take a full backup first: --mode full.'
    });
  });

  it('is full where there is nothing to build on, and differential onto a backup of this node', async () => {
    expect(await planned({ mode: 'auto' })).toMatchObject({ mode: 'full', base: undefined, generation: 1 });
    const one = await take(1);
    const plan = await planned({ mode: 'auto' });
    expect(plan).toMatchObject({ mode: 'differential', base: { id: one.id } });
    expect(plan.bytesToCopy).toBeLessThan(plan.bytes);
    expect((await planned({ mode: 'full' })).base).toBeUndefined();
  });

  it('resumes only an attempt at this very backup', async () => {
    const own = readSourceIdentity(
      { fileSystem, dataDirectory: DATA, indexDirectory: `${DATA}/index` },
      null
    );
    const progress = {
      ...{ id: UNFINISHED, mode: 'full' as const, basedOn: null, generation: 1, address: null },
      ...{ databaseTag: own.databaseTag, checkpointFiles: own.checkpointFiles ?? null },
      ...{ dataDirectory: DATA, indexDirectory: `${DATA}/index`, encodings: [], files: [] }
    };
    const resumed = async (change: object): Promise<string | undefined> => {
      await put(progressObject(UNFINISHED), encodeProgress({ ...progress, ...change }));
      return (await planned()).unfinished?.id;
    };
    expect(await resumed({})).toBe(UNFINISHED);
    expect(await resumed({ checkpointFiles: null })).toBe(UNFINISHED);
    for (const change of [
      { mode: 'differential' },
      { basedOn: '20260101T000000Z-0001' },
      { databaseTag: '99' },
      { address: 'http://other' },
      { dataDirectory: '/other' },
      { indexDirectory: '/other' },
      { checkpointFiles: 'writer 1' },
      { encodings: ['zstd'] }
    ]) {
      expect(await resumed(change), JSON.stringify(change)).toBeUndefined();
    }
  });
});

/** What a prune removes, in which order, what it gets back, and what becomes of a generation that was replaced. */
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { manifestObject, progressObject } from '../../../src-core/backup/backup-layout.ts';
import { registerFaults } from '../../../src-core/backup/backup-register.ts';
import { contentOf } from '../../../src-core/backup/backup-target.ts';
import { readCatalogue } from '../../../src-core/backup/catalogue.ts';
import { LocalBackupTarget } from '../../../src-core/backup/local-target.ts';
import { writeManifest } from '../../../src-core/backup/manifest-signature.ts';
import { encodeManifest, type Manifest, type ManifestFile } from '../../../src-core/backup/manifest.ts';
import { encodeProgress, type BackupProgress } from '../../../src-core/backup/progress-file.ts';
import { planPrune, removeFolder, runPrune } from '../../../src-core/backup/prune-backups.ts';
import {
  holdersOf,
  removeOldGeneration,
  replacedFiles,
  unfinishedRewrite
} from '../../../src-core/backup/store-rewritten.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { control, TARGET } from './backup-environment.ts';

const ONE = '20260101T000000Z-0001';
const TWO = '20260102T000000Z-0002';
const THREE = '20260103T000000Z-0003';
const NOW = '2026-02-01T00:00:00.0000000Z';
const LAST = { last: 1, daily: 0, weekly: 0, monthly: 0 };

/** Says in which order objects were removed, and may refuse one. */
class Told extends LocalBackupTarget {
  readonly removed: string[] = [];
  locked = 0;
  override async remove(name: string): Promise<void> {
    this.removed.push(name);
    await super.remove(name);
  }
  override async lock(): Promise<() => Promise<void>> {
    const unlock = await super.lock();
    this.locked++;
    return async () => {
      this.locked--;
      await unlock();
    };
  }
}

let fileSystem: MemoryFileSystem;
let target: Told;
beforeEach(() => {
  fileSystem = new MemoryFileSystem();
  target = new Told({ fileSystem, directory: TARGET });
});

/** A file of `storedBytes`, whose bytes were copied for the backup `since` and lie in its folder. */
function fileOf(since: string, name: string, storedBytes = 10): ManifestFile {
  const isTable = !name.startsWith('chunk-');
  const number = Number(name.slice('chunk-'.length, 'chunk-000000'.length));
  return {
    area: isTable ? 'index' : 'data',
    name,
    bytes: storedBytes,
    sha256: 'a'.repeat(64),
    object: `${since}/${isTable ? 'index' : 'data'}/${name}`,
    encodings: [],
    storedBytes,
    storedSha256: 'a'.repeat(64),
    chunk: isTable
      ? null
      : {
          start: number,
          end: number,
          id: '00000000-0000-4000-8000-000000000001',
          fileVersion: 3,
          formatVersion: 0,
          isScavenged: false,
          isCompleted: true,
          md5: null
        },
    tableMd5: isTable ? 'b'.repeat(32) : null,
    since
  };
}

function manifestOf(id: string, files: ManifestFile[], change: Partial<Manifest> = {}): Manifest {
  const day = id.slice(6, 8);
  return {
    id,
    mode: 'full',
    basedOn: null,
    generation: Number(day),
    toolVersion: '1.0.0',
    startedAt: `2026-01-${day}T00:00:00.0000000Z`,
    endedAt: `2026-01-${day}T00:00:01.0000000Z`,
    node: {
      address: null,
      dataDirectory: '/node/data',
      indexDirectory: '/node/data/index',
      serverVersion: null,
      role: null,
      cluster: null,
      wasInUse: false
    },
    databaseTag: '7',
    checkpoints: {
      writer: 1000 * Number(day),
      chaser: 1000 * Number(day),
      epoch: null,
      proposal: null,
      truncate: null,
      index: null,
      filter: null
    },
    epochs: [],
    chunkSize: 65536,
    indexMap: null,
    files,
    bytesCopied: 0,
    notes: [],
    ...change
  };
}

async function put(name: string, bytes: Uint8Array | number): Promise<void> {
  await target.write(name, contentOf(typeof bytes === 'number' ? new Uint8Array(bytes) : bytes));
}

/** A whole backup: its manifest, and the objects that lie in its own folder. */
async function store(manifest: Manifest): Promise<Manifest> {
  for (const { object, storedBytes } of manifest.files) {
    if (object.startsWith(manifest.id)) await put(object, storedBytes);
  }
  await put(manifestObject(manifest.id), encodeManifest(manifest));
  return manifest;
}

const progressOf = (id: string, change: Partial<BackupProgress> = {}): BackupProgress => ({
  ...{ id, mode: 'full', basedOn: null, generation: 9, databaseTag: null, address: null },
  ...{ dataDirectory: '/node/data', indexDirectory: '/node/data/index', encodings: [], files: [] },
  ...change
});

async function begin(id: string, change: Partial<BackupProgress> = {}): Promise<void> {
  await put(`${id}/data/chunk-000000.000000`, 5);
  await put(progressObject(id), encodeProgress(progressOf(id, change)));
}

const namesIn = async (prefix = ''): Promise<string[]> => (await target.list(prefix)).map(({ name }) => name);
const A = 'chunk-000000.000000';
const B = 'chunk-000001.000000';
const REQUEST = { retention: LAST, includeUnfinished: false, now: NOW };

describe('a plan to prune', () => {
  it('removes what no rule keeps, and counts what no kept backup shares, each object once', async () => {
    await store(manifestOf(ONE, [fileOf(ONE, A, 100), fileOf(ONE, B, 30)]));
    await store(
      manifestOf(TWO, [fileOf(ONE, A, 100), fileOf(ONE, B, 30), fileOf(TWO, 'chunk-000002.000000', 7)])
    );
    await store(manifestOf(THREE, [fileOf(ONE, A, 100)]));
    const plan = await planPrune(target, REQUEST);
    expect(plan.removed.map(({ id }) => id)).toEqual([ONE, TWO]);
    expect(plan.kept.map(({ manifest, rules }) => [manifest.id, rules])).toEqual([[THREE, ['last']]]);
    expect(plan.staying.map(({ id }) => id)).toEqual([THREE]);
    expect(plan.bytesFreed).toBe(30 + 7);
    expect(plan.leftovers).toEqual([]);
  });

  it('leaves the newest unfinished backup to the next run, unless it is asked for', async () => {
    await store(manifestOf(ONE, [fileOf(ONE, A)]));
    await begin(TWO);
    const leftovers = async (includeUnfinished: boolean): Promise<string[]> =>
      (await planPrune(target, { ...REQUEST, includeUnfinished })).leftovers;
    expect(await leftovers(false)).toEqual([]);
    expect(await leftovers(true)).toEqual([TWO]);
  });

  it('removes an unfinished backup that a later one has superseded', async () => {
    await begin(ONE, { generation: 1 });
    await store(manifestOf(TWO, [fileOf(TWO, A)]));
    expect((await planPrune(target, REQUEST)).leftovers).toEqual([ONE]);
  });

  it('removes the remains of a cut removal, and none whose objects a kept backup names', async () => {
    await put(`${ONE}/data/${A}`, 5);
    await put(`${TWO}/data/${B}`, 5);
    await store(manifestOf(THREE, [fileOf(ONE, A)]));
    expect((await planPrune(target, REQUEST)).leftovers).toEqual([TWO]);
  });

  it('is refused where a manifest cannot be read: what it needs is not known', async () => {
    await store(manifestOf(TWO, [fileOf(TWO, A)]));
    await put(manifestObject(ONE), new TextEncoder().encode('no JSON'));
    await expect(planPrune(target, REQUEST)).rejects.toMatchObject({
      code: 'LogCorrupt',
      message: expect.stringContaining(`which files the backup ${ONE} needs cannot be known`) as string
    });
  });
});

describe('a prune', () => {
  const work = { control: control() };

  it('removes exactly that, oldest first, each manifest before its files, and keeps what others name', async () => {
    await store(manifestOf(ONE, [fileOf(ONE, A), fileOf(ONE, B)]));
    await store(manifestOf(TWO, [fileOf(ONE, A), fileOf(TWO, B)]));
    await store(manifestOf(THREE, [fileOf(ONE, A)]));
    await runPrune(target, REQUEST, work);
    expect(target.removed).toEqual([
      manifestObject(ONE),
      `${ONE}/data/${B}`,
      manifestObject(TWO),
      `${TWO}/data/${B}`
    ]);
    expect(await namesIn()).toEqual([`.winnow-backup.lock`, `${ONE}/data/${A}`, manifestObject(THREE)]);
    expect((await readCatalogue(target)).backups.map(({ id }) => id)).toEqual([THREE]);
    expect(target.locked).toBe(0);
  });

  it('tells its plan under the lock, and removes nothing where that throws', async () => {
    await store(manifestOf(ONE, [fileOf(ONE, A)]));
    await store(manifestOf(TWO, [fileOf(TWO, A)]));
    const underLock = (plan: { removed: Manifest[] }): void => {
      expect(target.locked).toBe(1);
      expect(plan.removed).toHaveLength(1);
      throw new Error('another plan');
    };
    await expect(runPrune(target, REQUEST, { ...work, underLock })).rejects.toThrow('another plan');
    expect(target.removed).toEqual([]);
    expect(target.locked).toBe(0);
  });

  it('that is stopped begins no other backup', async () => {
    await store(manifestOf(ONE, [fileOf(ONE, A)]));
    await store(manifestOf(TWO, [fileOf(TWO, A)]));
    await store(manifestOf(THREE, [fileOf(THREE, A)]));
    const abort = new AbortController();
    const remove = target.remove.bind(target);
    target.remove = async (name) => {
      abort.abort();
      await remove(name);
    };
    await expect(runPrune(target, REQUEST, { control: control(abort.signal) })).rejects.toThrow();
    expect((await readCatalogue(target)).backups.map(({ id }) => id)).toEqual([TWO, THREE]);
  });

  it('of signed backups takes them off the register, and needs the key for it', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const own = {
      fingerprint: `SHA256:${'A'.repeat(43)}`,
      sign: (bytes: Uint8Array): Uint8Array => sign(null, bytes, privateKey),
      verify: (bytes: Uint8Array, signature: Uint8Array): boolean => verify(null, bytes, publicKey, signature)
    };
    const reading = { verifiers: [own], isRequired: true };
    Object.assign(target, { trust: { ...reading, signer: own } });
    for (const id of [ONE, TWO]) {
      const manifest = manifestOf(id, [fileOf(id, A)]);
      await put(`${id}/data/${A}`, 10);
      await writeManifest(target, id, encodeManifest(manifest));
    }
    Object.assign(target, { trust: reading });
    await expect(runPrune(target, REQUEST, work)).rejects.toMatchObject({ code: 'InvalidRequest' });
    expect(target.removed).toEqual([]);
    Object.assign(target, { trust: { ...reading, signer: own } });
    await runPrune(target, REQUEST, work);
    expect(await registerFaults(target, [TWO])).toEqual([]);
    expect((await readCatalogue(target)).backups.map(({ id }) => id)).toEqual([TWO]);
    // A backup that somebody removed is accepted as gone only when that is said.
    await removeFolder(target, TWO, new Set());
    await writeManifest(target, THREE, encodeManifest(manifestOf(THREE, [fileOf(THREE, A)])));
    await expect(runPrune(target, REQUEST, work)).rejects.toMatchObject({
      details: { reason: 'backupRemoved' }
    });
    await runPrune(target, { ...REQUEST, acceptsMissing: true }, work);
    expect(await registerFaults(target, [THREE])).toEqual([]);
  });

  it('takes what says that a backup is unfinished last, so that a cut is noticed', async () => {
    await begin(ONE);
    await put(manifestObject(ONE), 1);
    await removeFolder(target, ONE, new Set());
    expect(target.removed).toEqual([manifestObject(ONE), `${ONE}/data/${A}`, progressObject(ONE)]);
  });
});

describe('a target over a network', () => {
  /** Tells how many removals were on their way at once, and may refuse one. */
  class Remote extends Told {
    readonly parallelRemovals = 4;
    refused = '';
    most = 0;
    #onTheirWay = 0;
    override async remove(name: string): Promise<void> {
      this.most = Math.max(this.most, ++this.#onTheirWay);
      await new Promise((resolve) => setImmediate(resolve));
      this.#onTheirWay--;
      if (name === this.refused) throw new Error('refused');
      await super.remove(name);
    }
    get isQuiet(): boolean {
      return this.#onTheirWay === 0;
    }
  }
  const names = Array.from({ length: 10 }, (_, i) => `${ONE}/data/chunk-00000${i}.000000`);
  let remote: Remote;
  beforeEach(async () => {
    remote = new Remote({ fileSystem, directory: TARGET });
    target = remote;
    await begin(ONE);
    await put(manifestObject(ONE), 1);
    for (const name of names) await put(name, 1);
  });

  it('is asked to remove several objects at once: what makes them a backup before them, what tells of them after', async () => {
    await removeFolder(remote, ONE, new Set([names[3]!]));
    expect(remote.most).toBe(4);
    expect(remote.removed[0]).toBe(manifestObject(ONE));
    expect(remote.removed.at(-1)).toBe(progressObject(ONE));
    expect(new Set(remote.removed.slice(1, -1))).toEqual(new Set(names.filter((name) => name !== names[3])));
  });

  it('that refuses one keeps what tells of them, and nothing is on its way any more', async () => {
    remote.refused = names[5]!;
    await expect(removeFolder(remote, ONE, new Set())).rejects.toThrow('refused');
    expect(remote.isQuiet).toBe(true);
    expect(await remote.describe(progressObject(ONE))).toBeDefined();
    remote.refused = '';
    await removeFolder(remote, ONE, new Set());
    expect(await remote.list('')).toEqual([]);
  });
});

describe('another generation of a backup', () => {
  const QUESTION = 'what was asked';
  const asOf = '2026-01-05T00:00:00.0000000Z';
  const unfinished = async () =>
    unfinishedRewrite(target, await readCatalogue(target), { of: ONE, question: QUESTION });

  it('is continued where the same was begun; attempts at something else are removed', async () => {
    await store(manifestOf(ONE, [fileOf(ONE, A)]));
    const rewrites = { rewrites: ONE, asOf };
    await begin(TWO, { ...rewrites, question: 'another' });
    await begin(THREE, { ...rewrites, question: QUESTION });
    await begin('20260104T000000Z-0004', { ...rewrites, question: QUESTION });
    await begin('20260105T000000Z-0005', { ...rewrites, question: QUESTION, asOf: 'no time' });
    await begin('20260106T000000Z-0006', { rewrites: TWO, question: QUESTION, asOf });
    await begin('20260107T000000Z-0007');
    expect((await unfinished())?.id).toBe(THREE);
    expect((await target.folders()).map((id) => id.slice(-1))).toEqual(['1', '3', '6', '7']);
  });

  it('is not looked for, and nothing is removed, where a manifest cannot be read', async () => {
    await begin(TWO, { rewrites: ONE, question: 'another', asOf });
    await put(manifestObject(ONE), new TextEncoder().encode('no JSON'));
    expect(await unfinished()).toBeUndefined();
    expect(target.removed).toEqual([]);
  });

  it('replaces completed chunks and tables that it does not share', () => {
    const table = '0b1b7a2e-0000-4000-8000-000000000001';
    const active = { ...fileOf(ONE, B), chunk: { ...fileOf(ONE, B).chunk!, isCompleted: false } };
    const filter = { ...fileOf(ONE, `${table}.bloomfilter`), tableMd5: null };
    const of = manifestOf(ONE, [fileOf(ONE, A), active, fileOf(ONE, table), filter]);
    const names = (by: Manifest): string[] => replacedFiles(of, by).map(({ name }) => name);
    expect(names(manifestOf(TWO, []))).toEqual([A, table]);
    expect(names(manifestOf(TWO, [fileOf(ONE, A)]))).toEqual([table]);
    expect(names(manifestOf(TWO, [fileOf(TWO, A)]))).toEqual([A, table]);
  });

  it('leaves files that other backups hold, each with how many', () => {
    const files = [fileOf(ONE, A), fileOf(ONE, B)];
    const backups = [
      manifestOf(ONE, files),
      manifestOf(TWO, [...files, fileOf(TWO, 'chunk-000002.000000')]),
      manifestOf(THREE, [fileOf(THREE, A)])
    ];
    expect(holdersOf(files, backups, [ONE])).toEqual([{ id: TWO, files: 2 }]);
    expect(holdersOf(files, backups, [ONE, TWO])).toEqual([]);
  });

  it('that replaced an old one gives back what no other backup names', async () => {
    await store(manifestOf(ONE, [fileOf(ONE, A, 100), fileOf(ONE, B, 30)]));
    await store(manifestOf(TWO, [fileOf(ONE, A, 100)]));
    expect(await removeOldGeneration(target, ONE)).toBe(30);
    expect(await namesIn(ONE)).toEqual([`${ONE}/data/${A}`]);
    expect(await removeOldGeneration(target, ONE)).toBe(0);
  });

  it('does not remove the old one where a manifest cannot be read', async () => {
    await store(manifestOf(ONE, [fileOf(ONE, A)]));
    await put(manifestObject(TWO), new TextEncoder().encode('no JSON'));
    await expect(removeOldGeneration(target, ONE)).rejects.toMatchObject({ code: 'LogCorrupt' });
    expect(target.removed).toEqual([]);
  });
});

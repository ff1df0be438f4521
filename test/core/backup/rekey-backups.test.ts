/** Backups encrypted for other keys, where nothing is cut: what is due, shared, kept and refused. The cipher is a mask of one byte. */
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { manifestObject, progressObject } from '../../../src-core/backup/backup-layout.ts';
import { contentOf, readWholeObject } from '../../../src-core/backup/backup-target.ts';
import { readCatalogue } from '../../../src-core/backup/catalogue.ts';
import type { DecodeFile, FileEncoding } from '../../../src-core/backup/file-encoding.ts';
import { decodeManifest } from '../../../src-core/backup/decode-manifest.ts';
import { encodeManifest, type Manifest, type ManifestFile } from '../../../src-core/backup/manifest.ts';
import { encodeProgress, readProgress, type BackupProgress } from '../../../src-core/backup/progress-file.ts';
import { planRekey, runRekey, type Recoding, type Rekeyed } from '../../../src-core/backup/rekey-backups.ts';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import { verifyBackup } from '../../../src-core/backup/verify-backup.ts';
import { OperationStopped } from '../../../src-core/errors.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import {
  control,
  memoryLinks,
  TARGET,
  testBackups,
  writeDatabase,
  type TestBackups
} from './backup-environment.ts';

const MASKS: Readonly<Record<string, number>> = { 'mask:old': 1, 'mask:new': 2 };
async function* masked(bytes: AsyncIterable<Uint8Array>, mask: number): AsyncIterable<Uint8Array> {
  for await (const block of bytes) yield block.map((byte) => byte ^ mask);
}
const decode: DecodeFile = (stored, { encodings }) => masked(stored, MASKS[encodings[0] ?? ''] ?? 0);
const old: FileEncoding = {
  names: ['mask:old'],
  suffix: '.mask',
  encode: (plain) => masked(plain, MASKS['mask:old']!)
};
const recoding: Recoding = {
  wanted: 'mask:new',
  isEncrypted: (file) => file.encodings.length > 0,
  encodingsOf: () => ['mask:new'],
  suffixOf: (file) => (file.encodings.length > 0 ? '.mask' : ''),
  encode: (stored, file) => masked(decode(stored, file), MASKS['mask:new']!)
};

/** Of an unfinished backup of another node. */
const PROGRESS: Omit<BackupProgress, 'id'> = {
  ...{ mode: 'full', basedOn: null, generation: 9, databaseTag: null, address: null },
  ...{ dataDirectory: '/d', indexDirectory: '/d/index', encodings: [], files: [] }
};

let fileSystem: MemoryFileSystem;
let count: number;
beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  count = 0;
  await writeDatabase(fileSystem, { sizeBytes: 70 * 1024 });
  fileSystem.makeDirectory(TARGET);
});

/** `of`: which files are encrypted. Each call is a day later than the one before. */
function backups(of: 'all' | 'chunks' | 'none', links = true): TestBackups {
  const encodings =
    of === 'none' ? undefined : { completedChunks: old, others: of === 'all' ? old : undefined };
  const made = testBackups(fileSystem, {
    mode: 'auto',
    ...(links ? { links: memoryLinks(fileSystem) } : {}),
    environment: { encodings }
  });
  const day = BigInt(++count) * 864_000_000_000n;
  return { ...made, environment: { ...made.environment, now: () => made.environment.now() + day } };
}

async function take(of: 'all' | 'chunks' | 'none', links = true): Promise<Manifest> {
  const { request, environment } = backups(of, links);
  return runBackup(request, environment);
}

async function rekey(links = true, signal?: AbortSignal): Promise<Rekeyed[]> {
  const { environment } = backups('none', links);
  const plan = await planRekey(environment.target, recoding);
  return runRekey(plan, recoding, { ...environment, operation: control(signal) });
}

const target = (links = true) => backups('none', links).target;
const catalogue = async (): Promise<Manifest[]> => (await readCatalogue(target())).backups;

async function expectWhole(): Promise<void> {
  for (const manifest of await catalogue()) {
    const { findings } = await verifyBackup({ manifest, target: target(), control: control(), decode });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
  }
}

describe('a plan', () => {
  it('has what other keys open, in the order of the catalogue, each shared byte once', async () => {
    const one = await take('all');
    const two = await take('all');
    const plan = await planRekey(target(), recoding);
    expect(plan.due.map(({ id }) => id)).toEqual([one.id, two.id]);
    const own = [...one.files, ...two.files.filter(({ since }) => since === two.id)];
    expect(plan.bytes).toBe(own.reduce((sum, { storedBytes }) => sum + storedBytes, 0));
    expect([plan.done, plan.plain, plan.unfinished]).toEqual([[], [], []]);
  });

  it('leaves plain backups plain, and tells of those that are done', async () => {
    await take('chunks');
    await rekey();
    const plain = await take('none');
    const plan = await planRekey(target(), recoding);
    expect([plan.due.length, plan.done.length, plan.plain.map(({ id }) => id)]).toEqual([0, 1, [plain.id]]);
    expect(plan.bytes).toBe(0);
  });

  it('names unfinished backups, but not those that it resumes itself', async () => {
    const { id } = await take('all');
    const begin = (own: string, change: object): Promise<void> =>
      target().write(progressObject(own), contentOf(encodeProgress({ ...PROGRESS, id: own, ...change })));
    await begin('20260301T000000Z-0001', {});
    await begin('20260301T000000Z-0002', { rewrites: id });
    expect((await planRekey(target(), recoding)).unfinished).toEqual(['20260301T000000Z-0001']);
  });

  it('is refused where a manifest cannot be read', async () => {
    const { id } = await take('all');
    await target().write(`${id}/manifest.json`, contentOf(Buffer.from('no JSON')));
    await expect(planRekey(target(), recoding)).rejects.toMatchObject({ code: 'LogCorrupt' });
  });
});

describe.each([
  ['with links', true],
  ['without links', false]
])('a run, %s', (_, links) => {
  it('encrypts what is shared once, and leaves nothing that the old key opens', async () => {
    const one = await take('all', links);
    await take('all', links);
    const rekeyed = await rekey(links);
    expect(rekeyed.map(({ of }) => of)[0]).toBe(one.id);
    expect(rekeyed[0]).toMatchObject({ stored: one.files.length, shared: 0 });
    expect(rekeyed[1]!.shared).toBeGreaterThan(0);
    const [first, second] = await catalogue();
    expect(first).toMatchObject({
      id: rekeyed[0]!.id,
      generation: one.generation,
      rewrite: { of: one.id, work: 'rekey' }
    });
    expect(second).toMatchObject({ id: rekeyed[1]!.id, basedOn: first!.id });
    for (const { files } of [first!, second!]) {
      expect(files.every(({ encodings }) => encodings.join() === 'mask:new')).toBe(true);
    }
    const named = new Set([first!, second!].flatMap(({ files }) => files.map(({ object }) => object)));
    const objects = (await target().list('')).map(({ name }) => name);
    expect(objects.filter((name) => name.endsWith('.mask') && !named.has(name))).toEqual([]);
    await expectWhole();
    expect(await rekey(links)).toEqual([]);
  });

  it('leaves what is not encrypted as it is', async () => {
    const one = await take('chunks', links);
    const [rekeyed] = await rekey(links);
    const encrypted = one.files.filter(({ encodings }) => encodings.length > 0).length;
    expect(encrypted).toBeGreaterThan(0);
    expect(rekeyed).toMatchObject({ stored: encrypted, shared: one.files.length - encrypted });
    await expectWhole();
  });
});

describe('a run', () => {
  it('that is stopped has whole backups, and the next one ends it', async () => {
    await take('all');
    await take('all');
    const abort = new AbortController();
    const isAborted = rekey(true, abort.signal);
    abort.abort();
    await expect(isAborted).rejects.toBeInstanceOf(OperationStopped);
    await expectWhole();
    expect(await rekey()).toHaveLength(2);
    await expectWhole();
  });

  it('resumes what it noted, and removes what was begun for other keys', async () => {
    const { id } = await take('all');
    const copied: string[] = [];
    const { environment } = backups('none');
    const write = environment.target.write.bind(environment.target);
    const abort = new AbortController();
    environment.target.write = async (name, content) => {
      await write(name, content);
      copied.push(name);
      if (copied.length === 4) abort.abort();
    };
    const plan = await planRekey(environment.target, recoding);
    const stopped = runRekey(plan, recoding, { ...environment, operation: control(abort.signal) });
    await expect(stopped).rejects.toBeInstanceOf(OperationStopped);
    const other = { ...recoding, wanted: 'mask:third', encodingsOf: () => ['mask:third'] };
    const third = backups('none').environment;
    const [rekeyed] = await runRekey(await planRekey(third.target, other), other, third);
    expect(rekeyed?.of).toBe(id);
    expect((await target().folders()).filter((name) => name !== rekeyed?.id)).toEqual([]);
  });

  it('removes nothing of an attempt at another backup', async () => {
    const { id } = await take('all');
    const other = '20260301T000000Z-0001';
    await target().write(progressObject(other), contentOf(encodeProgress({ ...PROGRESS, id: other })));
    await target().write(`${other}/data/x`, contentOf(Buffer.from('x')));
    expect((await rekey())[0]?.of).toBe(id);
    expect((await target().list(`${other}/`)).map(({ name }) => name)).toEqual([
      `${other}/data/x`,
      progressObject(other)
    ]);
  });

  it('removes no remains where a manifest is damaged: what it names is not known', async () => {
    const { environment } = backups('none');
    const plan = await planRekey(environment.target, recoding);
    const stray = '20260201T000000Z-0001/data/stray.mask';
    await target().write(stray, contentOf(Buffer.from('x')));
    await target().write('20260202T000000Z-0001/manifest.json', contentOf(Buffer.from('no JSON')));
    expect(await runRekey(plan, recoding, environment)).toEqual([]);
    expect(await target().describe(stray)).toBeDefined();
  });

  it('keeps a plain backup as the base of one that was encrypted', async () => {
    const plain = await take('none');
    const { basedOn, id } = await take('all');
    expect(basedOn).toBe(plain.id);
    const [rekeyed] = await rekey();
    expect(rekeyed?.of).toBe(id);
    expect((await catalogue()).map((manifest) => [manifest.id, manifest.basedOn])).toEqual([
      [plain.id, null],
      [rekeyed?.id, plain.id]
    ]);
    await expectWhole();
  });

  describe('that was cut before its manifest, and noted what it had stored', () => {
    /** `spoil`: changes a stored chunk before the next run. Gives what that run encrypted, and what the first had noted. */
    const resume = async (
      spoil: (file: ManifestFile) => Promise<void>,
      change: (old: Manifest) => Manifest = (same) => same
    ) => {
      const old = change(await take('all'));
      await target().write(manifestObject(old.id), contentOf(encodeManifest(old)));
      const { environment } = backups('none');
      const write = environment.target.write.bind(environment.target);
      let files: ManifestFile[] = [];
      environment.target.write = async (name, content) => {
        if (!name.endsWith('/manifest.json')) return write(name, content);
        const parts: Uint8Array[] = [];
        for await (const part of content) parts.push(part);
        files = [...decodeManifest(Buffer.concat(parts), { target: TARGET, object: name }).files];
        throw storageError('EIO', name);
      };
      const cut = runRekey(await planRekey(environment.target, recoding), recoding, environment);
      await expect(cut).rejects.toMatchObject({ code: 'StorageFailed' });
      const { id } = (await readCatalogue(target())).unfinished[0]!;
      const progress = (await readProgress(target(), id))!;
      await target().write(progressObject(id), contentOf(encodeProgress({ ...progress, files })));
      const chunk = files.find((file) => file.chunk !== null)!;
      await spoil(chunk);
      const again = backups('none').environment;
      const encrypted: string[] = [];
      const writeAgain = again.target.write.bind(again.target);
      again.target.write = (name, content) => {
        if (name.endsWith('.mask')) encrypted.push(name);
        return writeAgain(name, content);
      };
      await runRekey(await planRekey(again.target, recoding), recoding, again);
      await expectWhole();
      return { id, encrypted, chunk, progress };
    };

    it('encrypts nothing of it again', async () => {
      const { id, encrypted } = await resume(() => Promise.resolve());
      expect(encrypted).toEqual([]);
      expect((await catalogue()).map((manifest) => manifest.id)).toEqual([id]);
    });

    it.each([
      ['is gone', (file: ManifestFile) => target().remove(file.object)],
      ['was cut', (file: ManifestFile) => target().write(file.object, contentOf(Buffer.from('x')))]
    ])('encrypts a file again that %s', async (_, spoil) => {
      const { encrypted, chunk } = await resume(spoil);
      expect(encrypted).toEqual([chunk.object]);
    });

    it('notes no checkpoint files of a backup by an older program', async () => {
      const { progress } = await resume(
        () => Promise.resolve(),
        ({ node: { checkpointFiles: _, ...node }, ...rest }) => ({ ...rest, node })
      );
      expect(progress.checkpointFiles).toBeNull();
      expect((await catalogue())[0]!.node.checkpointFiles).toBeNull();
    });
  });

  it('notes what it has stored after 64 MiB', async () => {
    await take('all');
    const { environment } = backups('none');
    const noted: number[] = [];
    const write = environment.target.write.bind(environment.target);
    environment.target.write = async (name, content) => {
      await write(name, content);
      if (!name.endsWith('/progress.json')) return;
      noted.push((await readProgress(environment.target, name.split('/')[0]!))!.files.length);
    };
    let encoded = 0;
    const longer: Recoding = {
      ...recoding,
      encode: async function* (stored, file) {
        yield* recoding.encode(stored, file);
        if (encoded++ === 1) yield Buffer.alloc(64 * 1024 * 1024);
      }
    };
    await runRekey(await planRekey(environment.target, longer), longer, environment);
    expect(noted).toEqual([0, 2]);
  });

  it('refuses bytes that are not those of the manifest, and removes nothing', async () => {
    const { id, files } = await take('all');
    const { object } = files.find(({ chunk }) => chunk !== null)!;
    const bytes = (await readWholeObject(target(), object, 10 ** 7))!;
    bytes[300]! ^= 1;
    await target().write(object, contentOf(bytes));
    await expect(rekey()).rejects.toMatchObject({ code: 'LogCorrupt', details: { file: object } });
    expect((await catalogue()).map((manifest) => manifest.id)).toEqual([id]);
  });

  it('keeps the old generation where the new one is not what was stored', async () => {
    const one = await take('all');
    const { environment } = backups('none');
    const write = environment.target.write.bind(environment.target);
    environment.target.write = async (name, content) => {
      await write(name, content);
      if (!name.endsWith('/manifest.json')) return;
      const chunk = (await environment.target.list(name.split('/')[0]!)).find((object) =>
        object.name.includes('/chunk-')
      )!;
      await write(chunk.name, contentOf(Buffer.alloc(chunk.size)));
    };
    const plan = await planRekey(environment.target, recoding);
    await expect(runRekey(plan, recoding, environment)).rejects.toMatchObject({
      code: 'StorageFailed',
      message: expect.stringContaining('The old one was not removed') as string
    });
    expect((await catalogue()).map(({ id }) => id)).toContain(one.id);
  });

  it('removes the remains of a removal that was cut, though nothing is due', async () => {
    await target().write('20260201T000000Z-0001/data/stray.mask', contentOf(Buffer.from('x')));
    expect(await rekey()).toEqual([]);
    expect(await target().folders()).toEqual([]);
  });
});

describe('a signed backup', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const own = {
    fingerprint: `SHA256:${'A'.repeat(43)}`,
    sign: (bytes: Uint8Array): Uint8Array => sign(null, bytes, privateKey),
    verify: (bytes: Uint8Array, signature: Uint8Array): boolean => verify(null, bytes, publicKey, signature)
  };
  const SIGNING = { signer: own, verifiers: [own], isRequired: true };
  const rekeyWith = async (trust: object | undefined): Promise<Rekeyed[]> => {
    const { environment } = backups('none');
    if (trust) Object.assign(environment.target, { trust });
    return runRekey(await planRekey(environment.target, recoding), recoding, environment);
  };

  it('stays a signed one, and is not made without the key', async () => {
    const { request, environment } = backups('all');
    Object.assign(environment.target, { trust: SIGNING });
    await runBackup(request, environment);
    await expect(rekeyWith(undefined)).rejects.toMatchObject({ code: 'InvalidRequest' });
    expect(await rekeyWith(SIGNING)).toHaveLength(1);
    const [manifest] = await catalogue();
    expect(await target().describe(`${manifest!.id}/signature.json`)).toBeDefined();
  });

  it('is not made of one that no given key proves', async () => {
    await take('all');
    await expect(rekeyWith({ ...SIGNING, isRequired: false })).rejects.toMatchObject({
      details: { reason: 'notSigned' }
    });
  });
});

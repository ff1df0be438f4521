/** Another generation of a backup, stored from a database that was changed in a scratch directory. */
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { manifestObject, progressObject } from '../../../src-core/backup/backup-layout.ts';
import { contentOf, readWholeObject } from '../../../src-core/backup/backup-target.ts';
import type { BackupTrust } from '../../../src-core/backup/backup-trust.ts';
import { readCatalogue, readManifest } from '../../../src-core/backup/catalogue.ts';
import type { Manifest } from '../../../src-core/backup/manifest.ts';
import { encodeProgress, type BackupProgress } from '../../../src-core/backup/progress-file.ts';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import {
  storeRewritten,
  unfinishedRewrite,
  type StoreRewritten
} from '../../../src-core/backup/store-rewritten.ts';
import { verifyBackup } from '../../../src-core/backup/verify-backup.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { OperationStopped } from '../../../src-core/errors.ts';
import { writeCheckpointFile } from '../../../src-core/log/checkpoint-file.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import {
  control,
  DATA,
  memoryLinks,
  testBackups,
  writeDatabase,
  type TestBackups
} from './backup-environment.ts';

const SCRATCH = '/scratch/data';
const QUESTION = 'what was asked';
const AS_OF = '2026-02-01T00:00:00.0000000Z';

let fileSystem: MemoryFileSystem;
let backups: TestBackups;
let of: Manifest;
beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  await writeDatabase(fileSystem, { sizeBytes: 150 * 1024 });
  backups = testBackups(fileSystem, { links: memoryLinks(fileSystem) });
  of = await runBackup(backups.request, backups.environment);
  copyTree({ fileSystem, path: DATA }, { fileSystem, path: SCRATCH });
  append(80);
});

/** Changes what is gathered: the last chunk of the backup is completed, others follow. */
function append(count: number): void {
  const { chunkSet, checkpoints, close } = openedScratch();
  let id = 0;
  const newGuid = (): string => `00000000-0000-0000-0000-${(++id).toString(16).padStart(12, '0')}`;
  const writer = LogWriter.open({ fileSystem, directory: SCRATCH, newGuid }, chunkSet);
  const appender = new EventAppender({
    writer,
    lastEventNumber: () => -1,
    now: () => 638_000_000_000_000_000n,
    newGuid,
    lastEpochPosition: checkpoints.epoch ?? -1
  });
  for (let i = 0; i < count; i++) {
    appender.append(`added-${i}`, [{ eventType: 'added', data: Buffer.alloc(2000, i) }]);
  }
  writer.flush();
  writer.close();
  close();
}

function openedScratch() {
  const database = openDatabase({ fileSystem, dataDirectory: SCRATCH });
  const { chunkSet, checkpoints } = database;
  return { chunkSet, checkpoints, close: () => database.close() };
}

function store(change: Partial<StoreRewritten> = {}, signal?: AbortSignal): Promise<Manifest> {
  return storeRewritten(
    {
      of,
      place: { fileSystem, dataDirectory: SCRATCH, indexDirectory: `${SCRATCH}/index` },
      work: { work: 'scavenge', question: QUESTION, scavengePoint: 3 },
      asOf: AS_OF,
      threads: 1,
      ...change
    },
    { ...backups.environment, operation: control(signal) }
  );
}

const begun = async () =>
  unfinishedRewrite(backups.target, await readCatalogue(backups.target), { of: of.id, question: QUESTION });

/** The chunks that are copied from now on, in their order. */
function copies(onCopy: (count: number) => void = () => undefined): string[] {
  const copied: string[] = [];
  const copyFile = backups.target.copyFile.bind(backups.target);
  backups.target.copyFile = async (order, callbacks) => {
    const done = await copyFile(order, callbacks);
    if (order.name.includes('/chunk-')) copied.push(order.name.slice(-19));
    onCopy(copied.length);
    return done;
  };
  return copied;
}

describe('another generation', () => {
  it('is a backup of the same node, time and order, of other files, that says of what it was made', async () => {
    const manifest = await store();
    expect(manifest.id).not.toBe(of.id);
    const { mode, generation, startedAt, endedAt, node, databaseTag } = of;
    expect(manifest).toMatchObject({ mode, generation, startedAt, endedAt, node, databaseTag });
    expect(manifest.rewrite).toMatchObject({
      of: of.id,
      work: 'scavenge',
      question: QUESTION,
      scavengePoint: 3
    });
    expect(manifest.checkpoints.writer).toBeGreaterThan(of.checkpoints.writer);
    const objects = manifest.files.map(({ object }) => object);
    expect(objects).toEqual([...objects].sort());
    const { findings } = await verifyBackup({ manifest, target: backups.target, control: control() });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
    expect(await backups.target.describe(progressObject(manifest.id))).toBeUndefined();
    expect(await readManifest(backups.target, manifest.id)).toEqual(manifest);
    expect((await readCatalogue(backups.target)).backups.map(({ id }) => id)).toEqual([of.id, manifest.id]);
  });

  it('shares what did not change, and copies the rest', async () => {
    const copied = copies();
    const manifest = await store();
    const shared = manifest.files.filter(({ chunk, since }) => chunk !== null && since === of.id);
    expect(shared.map(({ name }) => name)).toEqual(
      of.files.filter(({ chunk }) => chunk?.isCompleted === true).map(({ name }) => name)
    );
    expect(copied).toEqual(
      manifest.files
        .filter(({ chunk, since }) => chunk !== null && since === manifest.id)
        .map(({ name }) => name)
    );
  });

  it('has the epochs that its log has, and the notes that still hold', async () => {
    const last = of.checkpoints.writer * 10;
    const note = (code: string) => ({ code, message: 'm', remedy: 'r' });
    of = {
      ...of,
      epochs: [{ number: 99, position: last, id: 'later' }, ...of.epochs],
      notes: [note('chaserBehindWriter'), note('beyondMaxTruncation'), note('kept')]
    };
    const manifest = await store();
    expect(manifest.epochs).toEqual(of.epochs.slice(1));
    expect(manifest.notes.map(({ code }) => code)).toEqual(['kept']);
  });

  it('that was stopped is continued: of what is there whole nothing is copied again', async () => {
    const abort = new AbortController();
    const first = copies((count) => {
      if (count === 2) abort.abort();
    });
    await expect(store({}, abort.signal)).rejects.toBeInstanceOf(OperationStopped);
    const there = [...first];
    expect(there).toHaveLength(2);
    const unfinished = await begun();
    expect(unfinished).toMatchObject({ rewrites: of.id, question: QUESTION, asOf: AS_OF });
    const again = copies();
    const manifest = await store({ begun: unfinished });
    expect(manifest.id).toBe(unfinished?.id);
    expect(again.filter((name) => there.includes(name))).toEqual([]);
    const { findings } = await verifyBackup({ manifest, target: backups.target, control: control() });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
  });

  it('hears a stop within an object that is read again', async () => {
    const abort = new AbortController();
    copies((count) => {
      if (count === 1) abort.abort();
    });
    await expect(store({}, abort.signal)).rejects.toBeInstanceOf(OperationStopped);
    const unfinished = (await begun())!;
    const stop = new AbortController();
    let blocks = 0;
    backups.target.read = async function* () {
      for (; blocks < 1000; blocks++) {
        if (blocks === 3) stop.abort();
        yield Buffer.alloc(10);
      }
    };
    await expect(store({ begun: unfinished }, stop.signal)).rejects.toBeInstanceOf(OperationStopped);
    expect(blocks).toBe(3);
  });

  it.each([
    ['whose object is gone', (object: string) => backups.target.remove(object)],
    [
      'whose object has other bytes',
      async (object: string) => {
        const bytes = (await readWholeObject(backups.target, object, 10 ** 7))!;
        bytes[200]! ^= 1;
        await backups.target.write(object, contentOf(bytes));
      }
    ]
  ])('copies a file again %s', async (_, spoil) => {
    const abort = new AbortController();
    const first = copies((count) => {
      if (count === 1) abort.abort();
    });
    await expect(store({}, abort.signal)).rejects.toBeInstanceOf(OperationStopped);
    const unfinished = (await begun())!;
    await spoil(unfinished.files.find(({ name }) => name === first[0])!.object);
    const again = copies();
    const manifest = await store({ begun: unfinished });
    expect(again).toContain(first[0]);
    const { findings } = await verifyBackup({ manifest, target: backups.target, control: control() });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
  });

  it('copies a file again that is another in the scratch directory now', async () => {
    const abort = new AbortController();
    const first = copies((count) => {
      if (count === 1) abort.abort();
    });
    await expect(store({}, abort.signal)).rejects.toBeInstanceOf(OperationStopped);
    const unfinished = (await begun())!;
    const files = unfinished.files.map((file) =>
      file.name === first[0] ? { ...file, sha256: '0'.repeat(64) } : file
    );
    const again = copies();
    await store({ begun: { ...unfinished, files } });
    expect(again).toContain(first[0]);
  });

  it.each<[string, (progress: BackupProgress) => BackupProgress]>([
    ['noted no time', ({ asOf: _, ...rest }) => rest],
    ['was asked another question', (progress) => ({ ...progress, question: 'another' })]
  ])('begun by an attempt that %s is begun again, and the attempt removed', async (_, change) => {
    const abort = new AbortController();
    copies((count) => {
      if (count === 1) abort.abort();
    });
    await expect(store({}, abort.signal)).rejects.toBeInstanceOf(OperationStopped);
    const unfinished = (await begun())!;
    await backups.target.write(progressObject(unfinished.id), contentOf(encodeProgress(change(unfinished))));
    expect(await begun()).toBeUndefined();
    expect(await backups.target.folders()).toEqual([of.id]);
  });

  it('copies a file again that has another size in the scratch directory now', async () => {
    const abort = new AbortController();
    const first = copies((count) => {
      if (count === 1) abort.abort();
    });
    await expect(store({}, abort.signal)).rejects.toBeInstanceOf(OperationStopped);
    const unfinished = (await begun())!;
    const files = unfinished.files.map((file) =>
      file.name === first[0] ? { ...file, bytes: file.bytes + 1 } : file
    );
    const again = copies();
    const manifest = await store({ begun: { ...unfinished, files } });
    expect(again).toContain(first[0]);
    const { findings } = await verifyBackup({ manifest, target: backups.target, control: control() });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
  });

  it('of a database without an index, from a backup of an older program, has neither map nor checkpoint files', async () => {
    const { checkpointFiles: _, ...node } = of.node;
    of = { ...of, node };
    fileSystem.removeDirectory(`${SCRATCH}/index`);
    const manifest = await store();
    expect(manifest).toMatchObject({ indexMap: null, checkpoints: { index: null, filter: null } });
    expect(manifest.node).not.toHaveProperty('checkpointFiles');
    expect(manifest.files.filter(({ area }) => area === 'index')).toEqual([]);
  });

  it('that no server would start is not stored: the old one stays', async () => {
    const { checkpoints, close } = openedScratch();
    close();
    writeCheckpointFile(fileSystem, `${SCRATCH}/chaser.chk`, checkpoints.writer! + 100);
    await expect(store()).rejects.toMatchObject({
      code: 'LogCorrupt',
      message: expect.stringContaining('The rewritten backup cannot be restored') as string,
      remedy: expect.stringContaining(of.id) as string
    });
    expect((await readCatalogue(backups.target)).backups.map(({ id }) => id)).toEqual([of.id]);
  });

  it('that fills its target says so, with what is missing', async () => {
    fileSystem.capacityBytes = 2 ** 40 - 1;
    fileSystem.capacityBytes = 2 ** 40 - 1 - fileSystem.freeBytes('/') + 70_000;
    await expect(store()).rejects.toMatchObject({
      code: 'StorageFailed',
      message: expect.stringContaining('became full') as string
    });
  });

  it('of a backup that no given key proves is not made by a run that signs', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const own = {
      fingerprint: `SHA256:${'A'.repeat(43)}`,
      sign: (bytes: Uint8Array): Uint8Array => sign(null, bytes, privateKey),
      verify: (bytes: Uint8Array, signature: Uint8Array): boolean => verify(null, bytes, publicKey, signature)
    };
    const trust: BackupTrust = { signer: own, verifiers: [own], isRequired: true };
    Object.assign(backups.target, { trust });
    await expect(store()).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { backup: of.id, reason: 'notSigned' }
    });
    expect(await backups.target.folders()).toEqual([of.id]);
    expect(await backups.target.describe(manifestObject(of.id))).toBeDefined();
  });
});

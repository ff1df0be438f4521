import { describe, expect, test } from 'vitest';
import { readCatalogue } from '../../../src-core/backup/catalogue.ts';
import { contentOf, type BackupTarget } from '../../../src-core/backup/backup-target.ts';
import type { FileEncoding } from '../../../src-core/backup/file-encoding.ts';
import { planBackup } from '../../../src-core/backup/plan-backup.ts';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import { verifyBackup } from '../../../src-core/backup/verify-backup.ts';
import type { Manifest } from '../../../src-core/backup/manifest.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { OperationStopped } from '../../../src-core/errors.ts';
import { readCheckpointFile, writeCheckpointFile } from '../../../src-core/log/checkpoint-file.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { control, DATA, memoryLinks, TARGET, testBackups, writeDatabase } from './backup-environment.ts';

async function database(options: { sizeBytes?: number } = {}): Promise<MemoryFileSystem> {
  const fileSystem = new MemoryFileSystem();
  await writeDatabase(fileSystem, options);
  return fileSystem;
}

/** Appends events behind the end of the log, as a server would go on. */
function append(fileSystem: MemoryFileSystem, count: number, dataDirectory = DATA): void {
  const { chunkSet, checkpoints, close } = opened(fileSystem, dataDirectory);
  let id = 0;
  const newGuid = (): string => `00000000-0000-0000-0000-${(++id).toString(16).padStart(12, '0')}`;
  const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid }, chunkSet);
  const appender = new EventAppender({
    writer,
    lastEventNumber: () => -1,
    now: () => 638_000_000_000_000_000n,
    newGuid,
    lastEpochPosition: checkpoints.epoch ?? -1
  });
  for (let i = 0; i < count; i++) {
    appender.append(`added-${i}`, [{ eventType: 'added', data: Buffer.alloc(500, i) }]);
  }
  writer.flush();
  writer.close();
  close();
}

function opened(fileSystem: MemoryFileSystem, dataDirectory: string) {
  const database = openDatabase({ fileSystem, dataDirectory });
  return { chunkSet: database.chunkSet, checkpoints: database.checkpoints, close: () => database.close() };
}

async function damageOf(manifest: Manifest, target: BackupTarget): Promise<string[]> {
  const { findings } = await verifyBackup({ manifest, target, control: control() });
  return findings.filter(({ severity }) => severity === 'damage').map(({ message }) => message);
}

/** Names in the folder of a backup, without results. */
async function objectsIn(target: BackupTarget, id: string): Promise<string[]> {
  return (await target.list(`${id}/`)).map(({ name }) => name.slice(id.length + 1));
}

describe('a full backup', () => {
  test('says of a chunk that goes while the source is looked at that a scavenge runs', async () => {
    const fileSystem = await database();
    const { request, environment } = testBackups(fileSystem);
    const chunk = `${DATA}/chunk-000000.000000`;
    const open = fileSystem.open.bind(fileSystem);
    fileSystem.open = (file, mode) => {
      if (file === chunk) fileSystem.remove(chunk);
      return open(file, mode);
    };
    const message = `${DATA} is being changed by a scavenge or merge that removed chunk-000000.000000 while it was looked at.`;
    await expect(runBackup(request, environment)).rejects.toMatchObject({ code: 'DatabaseInUse', message });
  });

  test('copies log and index under their own names, and verifies', async () => {
    const fileSystem = await database();
    const { request, environment, target } = testBackups(fileSystem);
    const manifest = await runBackup(request, environment);

    expect(manifest.mode).toBe('full');
    expect(await damageOf(manifest, target)).toEqual([]);
    const names = manifest.files.map(({ object }) => object.slice(manifest.id.length + 1));
    expect(names).toEqual(
      expect.arrayContaining(['data/writer.chk', 'data/chunk-000000.000000', 'index/indexmap'])
    );
    expect(await objectsIn(target, manifest.id)).toEqual([...names, 'manifest.json'].sort());
    for (const { area, name, bytes, chunk } of manifest.files) {
      if (chunk && !chunk.isCompleted) continue;
      const source = readWholeFile(fileSystem, `${DATA}/${area === 'index' ? 'index/' : ''}${name}`);
      const copy = readWholeFile(fileSystem, `${TARGET}/${manifest.id}/${area}/${name}`);
      expect(copy?.length).toBe(bytes);
      expect(Buffer.compare(copy!, source!)).toBe(0);
    }
  });

  test('holds the bytes of the active chunk up to the writer, and zeros behind it', async () => {
    const fileSystem = await database();
    const { request, environment } = testBackups(fileSystem);
    const { files, checkpoints, chunkSize, id } = await runBackup(request, environment);
    const active = files.find(({ chunk }) => chunk?.isCompleted === false)!;
    const copy = readWholeFile(fileSystem, `${TARGET}/${id}/data/${active.name}`)!;
    const source = readWholeFile(fileSystem, `${DATA}/${active.name}`)!;
    const end = 128 + (checkpoints.writer % chunkSize);
    expect(copy.length).toBe(source.length);
    expect(Buffer.compare(copy.subarray(0, end), source.subarray(0, end))).toBe(0);
    expect(copy.subarray(end).every((byte) => byte === 0)).toBe(true);
  });

  test('changes nothing in the source', async () => {
    const fileSystem = await database();
    const before = snapshot(fileSystem, DATA);
    const { request, environment } = testBackups(fileSystem);
    await runBackup(request, environment);
    expect(snapshot(fileSystem, DATA)).toEqual(before);
  });

  test('keeps to an index directory elsewhere', async () => {
    const fileSystem = await database();
    fileSystem.makeDirectory('/elsewhere');
    fileSystem.rename(`${DATA}/index`, '/elsewhere/ix');
    const { request, environment, target } = testBackups(fileSystem, { indexDirectory: '/elsewhere/ix' });
    const manifest = await runBackup(request, environment);
    expect(manifest.indexMap).not.toBeNull();
    expect(await damageOf(manifest, target)).toEqual([]);
  });

  test('stores what an encoding makes of the bytes, and reads it back with the same encoding', async () => {
    const fileSystem = await database();
    const flip = async function* (content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
      for await (const block of content) yield block.map((byte) => byte ^ 0x5a);
    };
    const encoding: FileEncoding = { names: ['flipped'], suffix: '.flip', encode: (plain) => flip(plain) };
    const encodings = { completedChunks: encoding, others: encoding };
    const { request, environment, target } = testBackups(fileSystem, { environment: { encodings } });
    const manifest = await runBackup(request, environment);
    expect(manifest.files.every(({ object }) => object.endsWith('.flip'))).toBe(true);
    const question = { manifest, target, control: control() };
    expect((await verifyBackup({ ...question, decode: flip })).findings).toEqual([]);
    await expect(verifyBackup(question)).rejects.toMatchObject({ code: 'UnsupportedFormat' });
  });

  test('is not read on where stored bytes stand for more than the manifest says', async () => {
    const fileSystem = await database();
    const { request, environment, target } = testBackups(fileSystem);
    const manifest = await runBackup(request, environment);
    let taken = 0;
    const decode = async function* (content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
      for (yield* content; ; taken++) yield new Uint8Array(1024 * 1024);
    };
    const { findings } = await verifyBackup({ manifest, target, control: control(), decode });
    expect(findings.filter(({ code }) => code === 'backupFileChanged')).toHaveLength(manifest.files.length);
    expect(taken).toBeLessThanOrEqual(manifest.files.length);
  });

  test('is refused when the target has too little room, before anything is written', async () => {
    const fileSystem = await database();
    const { request, environment, target } = testBackups(fileSystem);
    fileSystem.capacityBytes = 600 * 1024;
    const refusal = runBackup(request, environment);
    await expect(refusal).rejects.toMatchObject({ code: 'StorageFailed' });
    await expect(refusal).rejects.toThrow(
      /^\/backups has (\d+) free bytes; this backup needs (\d+): (\d+) are missing\.$/
    );
    expect(await target.folders()).toEqual([]);
  });

  test('that fills its target says which one, what is missing and what to do, and the next run resumes it', async () => {
    const fileSystem = await database();
    const { request, environment, target } = testBackups(fileSystem);
    const copyFile = target.copyFile.bind(target);
    let copies = 0;
    target.copyFile = (order, callbacks) => {
      // Something else takes the rest of the volume.
      if (++copies === 3) fileSystem.capacityBytes = 1;
      return copyFile(order, callbacks);
    };
    const failure = runBackup(request, environment);
    await expect(failure).rejects.toMatchObject({
      code: 'StorageFailed',
      details: { target: TARGET, osCode: 'ENOSPC' },
      remedy: expect.stringContaining('backup prune') as string
    });
    await expect(failure).rejects.toThrow(/The backup target \/backups became full\. .*\d+ are missing\./);
    const half = await readCatalogue(target);
    expect([half.backups.length, half.unfinished.length]).toEqual([0, 1]);

    fileSystem.capacityBytes = Infinity;
    const manifest = await runBackup(request, environment);
    expect(manifest.id).toBe(half.unfinished[0]?.id);
    expect(await damageOf(manifest, target)).toEqual([]);
  });

  test('is refused while the log waits to be cut', async () => {
    const fileSystem = await database();
    writeCheckpointFile(fileSystem, `${DATA}/truncate.chk`, 1000);
    const { request, environment } = testBackups(fileSystem);
    await expect(runBackup(request, environment)).rejects.toThrow(/back to position 1000/);
  });

  test('is refused while another one writes to the target', async () => {
    const fileSystem = await database();
    const { request, environment, target } = testBackups(fileSystem);
    const release = await target.lock();
    await expect(runBackup(request, environment)).rejects.toMatchObject({ code: 'DatabaseInUse' });
    await release();
    await runBackup(request, environment);
  });
});

describe('a differential backup', () => {
  test.each([
    ['by hard links', true],
    ['by naming the earlier objects', false]
  ])('copies only what is new, and shares the rest %s', async (_, hasLinks) => {
    const fileSystem = await database();
    const links = hasLinks ? { links: memoryLinks(fileSystem) } : {};
    const { request, environment, target } = testBackups(fileSystem, { mode: 'auto', ...links });
    const first = await runBackup(request, environment);
    append(fileSystem, 200);
    const second = await runBackup(request, environment);

    expect([first.mode, second.mode]).toEqual(['full', 'differential']);
    expect(second.basedOn).toBe(first.id);
    expect(await damageOf(second, target)).toEqual([]);
    const shared = second.files.filter(({ since }) => since === first.id).map(({ name }) => name);
    const completed = first.files.filter(({ chunk }) => chunk?.isCompleted).map(({ name }) => name);
    expect(shared).toEqual(expect.arrayContaining(completed));
    expect(second.bytesCopied).toBeLessThan(first.bytesCopied);
    const inFolder = await objectsIn(target, second.id);
    for (const { name } of second.files.filter(({ since }) => since === first.id)) {
      expect(inFolder.some((object) => object.endsWith(`/${name}`))).toBe(hasLinks);
    }
    expect(inFolder.filter((name) => name.endsWith('.old'))).toEqual([]);
    expect(await damageOf(first, target)).toEqual([]);
  });

  test.each([
    [
      'with the whole directory',
      (fileSystem: MemoryFileSystem) => fileSystem.removeDirectory(`${DATA}/index`)
    ],
    ['with its map', (fileSystem: MemoryFileSystem) => fileSystem.remove(`${DATA}/index/indexmap`)]
  ])('of a node whose index was removed, %s, has no tables of the earlier backup', async (_, remove) => {
    const fileSystem = await database();
    const { request, environment, target } = testBackups(fileSystem, { mode: 'auto' });
    const first = await runBackup(request, environment);
    expect(first.files.some(({ tableMd5 }) => tableMd5 !== null)).toBe(true);
    remove(fileSystem);
    const second = await runBackup(request, environment);
    expect(second).toMatchObject({ mode: 'differential', indexMap: null });
    expect(second.files.filter(({ tableMd5 }) => tableMd5 !== null)).toEqual([]);
    expect(await damageOf(second, target)).toEqual([]);
    expect(await damageOf(first, target)).toEqual([]);
  });

  test('stands alone where links are: the earlier backup may go', async () => {
    const fileSystem = await database();
    const { request, environment, target } = testBackups(fileSystem, {
      mode: 'auto',
      links: memoryLinks(fileSystem)
    });
    const first = await runBackup(request, environment);
    append(fileSystem, 50);
    const second = await runBackup(request, environment);
    fileSystem.removeDirectory(`${TARGET}/${first.id}`);
    expect(await damageOf(second, target)).toEqual([]);
  });

  test('is refused without a backup of this node to build on', async () => {
    const fileSystem = await database();
    const { request, environment } = testBackups(fileSystem, { mode: 'differential' });
    await expect(runBackup(request, environment)).rejects.toThrow(/no earlier backup/);
  });

  test('is refused on the backup of another directory without --moved, naming both', async () => {
    const fileSystem = await database();
    const { request, environment } = testBackups(fileSystem);
    await runBackup(request, environment);
    fileSystem.makeDirectory('/node/other');
    for (const { name } of fileSystem.list(DATA)!)
      fileSystem.rename(`${DATA}/${name}`, `/node/other/${name}`);
    const moved = { ...request, dataDirectory: '/node/other', indexDirectory: '/node/other/index' };
    const refused = runBackup({ ...moved, mode: 'differential' }, environment);
    await expect(refused).rejects.toThrow(/\/node\/other.*\/node\/data/);
    const accepted = await runBackup({ ...moved, mode: 'differential', isMoved: true }, environment);
    expect(accepted.mode).toBe('differential');
  });

  test('is refused after the log was set back, and a full one says why it is full', async () => {
    const fileSystem = await database();
    const early = snapshot(fileSystem, DATA);
    append(fileSystem, 300);
    const { request, environment } = testBackups(fileSystem);
    await runBackup(request, environment);
    putBack(fileSystem, early);
    const refused = runBackup({ ...request, mode: 'differential' }, environment);
    await expect(refused).rejects.toThrow(/restored or truncated since/);
    const { mode, notes } = await runBackup({ ...request, mode: 'auto' }, environment);
    expect(mode).toBe('full');
    expect(notes.map(({ code }) => code)).toContain('notDifferential');
  });
});

describe('two nodes of one cluster', () => {
  test('keep their backups in one target, and each builds on its own', async () => {
    const fileSystem = await database();
    copyTree({ fileSystem, path: DATA }, { fileSystem, path: '/node/two' });
    writeCheckpointFile(fileSystem, `${DATA}/tag.chk`, 11);
    writeCheckpointFile(fileSystem, '/node/two/tag.chk', 22);
    const { request, environment, target } = testBackups(fileSystem, { mode: 'auto' });
    const second = { ...request, dataDirectory: '/node/two', indexDirectory: '/node/two/index' };
    const made: Manifest[] = [];
    for (const node of [request, second, request, second]) made.push(await runBackup(node, environment));
    expect(made.map(({ mode }) => mode)).toEqual(['full', 'full', 'differential', 'differential']);
    expect(made.map(({ basedOn }) => basedOn)).toEqual([null, null, made[0]!.id, made[1]!.id]);
    expect(made.map(({ databaseTag }) => databaseTag)).toEqual(['11', '22', '11', '22']);
    for (const manifest of made) expect(await damageOf(manifest, target)).toEqual([]);
  });

  test('are never mixed: a node without a backup of its own is named beside the other', async () => {
    const fileSystem = await database();
    copyTree({ fileSystem, path: DATA }, { fileSystem, path: '/node/two' });
    writeCheckpointFile(fileSystem, `${DATA}/tag.chk`, 11);
    writeCheckpointFile(fileSystem, '/node/two/tag.chk', 22);
    const { request, environment } = testBackups(fileSystem);
    await runBackup(request, environment);
    const second = { ...request, dataDirectory: '/node/two', indexDirectory: '/node/two/index' };
    const refused = runBackup({ ...second, mode: 'differential' }, environment);
    await expect(refused).rejects.toThrow(/\/node\/two, database tag 22 .*\/node\/data, database tag 11/);
  });
});

describe('another history', () => {
  test('is refused in the same target, naming both', async () => {
    const fileSystem = await database();
    await writeDatabase(fileSystem, { seed: 2, directory: '/node/foreign' });
    const { request, environment } = testBackups(fileSystem);
    const { id } = await runBackup(request, environment);
    const foreign = { ...request, dataDirectory: '/node/foreign', indexDirectory: '/node/foreign/index' };
    const refused = runBackup(foreign, environment);
    await expect(refused).rejects.toThrow(new RegExp(`${id} is of /node/data.*this is /node/foreign`));
  });
});

describe('a source that changes', () => {
  test('gives a backup without the chunk that was begun after the checkpoints were copied', async () => {
    const fileSystem = await database();
    const { request, environment, target } = testBackups(fileSystem);
    const before = readCheckpointFile(fileSystem, `${DATA}/writer.chk`)!;
    // The chunk is completed, and the next one begun, right when writer.chk has been written to the target.
    const write = target.write.bind(target);
    target.write = async (name, content) => {
      await write(name, content);
      if (name.endsWith('data/writer.chk')) append(fileSystem, 300);
    };
    const manifest = await runBackup(request, environment);
    expect(manifest.checkpoints.writer).toBe(before);
    const numbers = manifest.files.filter(({ chunk }) => chunk).map(({ chunk }) => chunk!.start);
    expect(Math.max(...numbers)).toBe(Math.floor(before / manifest.chunkSize));
    const source = opened(fileSystem, DATA);
    expect(source.chunkSet.chunks.length).toBeGreaterThan(numbers.length);
    source.close();
    expect(manifest.notes.map(({ code }) => code)).toContain('surplusChunk');
    expect(await damageOf(manifest, target)).toEqual([]);
    const restored = openDatabase({ fileSystem, dataDirectory: `${TARGET}/${manifest.id}/data` });
    restored.requireWhole();
    expect(restored.problems).toEqual([]);
    restored.close();
  });

  test('has its index copied again when the map changes meanwhile', async () => {
    const fileSystem = await database();
    const { request, environment, target } = testBackups(fileSystem);
    const write = target.write.bind(target);
    let changes = 0;
    target.write = async (name, content) => {
      await write(name, content);
      // Line ends are all the same to a reader of the map, and the hash of the map is not: it is another one.
      if (name.endsWith('/indexmap') && changes++ === 0) rewriteMap(fileSystem);
    };
    const manifest = await runBackup(request, environment);
    expect(changes).toBe(2);
    expect(Buffer.from(manifest.indexMap!)).toEqual(
      Buffer.from(readWholeFile(fileSystem, `${DATA}/index/indexmap`)!)
    );
  });

  test('has its map waited for while it is being replaced', async () => {
    const fileSystem = await database();
    const release = fileSystem.lockAs(`${DATA}/writer.chk`, { by: 'server', pid: 7 })!;
    fileSystem.rename(`${DATA}/index/indexmap`, `${DATA}/index/away`);
    let waits = 0;
    const wait = (): Promise<void> => {
      if (++waits === 2) fileSystem.rename(`${DATA}/index/away`, `${DATA}/index/indexmap`);
      return Promise.resolve();
    };
    const { request, environment } = testBackups(fileSystem, { environment: { wait } });
    const manifest = await runBackup(request, environment);
    release();
    expect(waits).toBe(2);
    expect(manifest.indexMap).not.toBeNull();
    expect(manifest.node.wasInUse).toBe(true);
    expect(manifest.notes.map(({ code }) => code)).toContain('nodeNotAsked');
  });

  test('is given up when a chunk is replaced meanwhile', async () => {
    const fileSystem = await database();
    const { request, environment, target } = testBackups(fileSystem);
    const write = target.write.bind(target);
    target.write = async (name, content) => {
      await write(name, content);
      if (!name.endsWith('data/writer.chk')) return;
      const bytes = readWholeFile(fileSystem, `${DATA}/chunk-000000.000000`)!;
      const file = fileSystem.open(`${DATA}/chunk-000000.000001`, 'createNew');
      file.write(bytes, 0, bytes.length, 0);
      file.close();
    };
    const copy = target.copyFile.bind(target);
    target.copyFile = async (order, callbacks) => {
      const done = await copy(order, callbacks);
      fileSystem.remove(`${DATA}/chunk-000000.000001`);
      return done;
    };
    await expect(runBackup(request, environment)).rejects.toMatchObject({ code: 'DatabaseInUse' });
    expect((await readCatalogue(target)).backups).toEqual([]);
  });

  test('is refused while a scavenge keeps its state open', async () => {
    const fileSystem = await database();
    fileSystem.lockAs(`${DATA}/writer.chk`, { by: 'KurrentDB', pid: 7 });
    fileSystem.makeDirectory(`${DATA}/index/scavenging`);
    fileSystem.open(`${DATA}/index/scavenging/scavenging.db-wal`, 'createNew').close();
    const { request, environment } = testBackups(fileSystem);
    await expect(runBackup(request, environment)).rejects.toThrow(/KurrentDB \(process 7\)/);
  });
});

describe('a backup that was stopped', () => {
  test('is not shown, and the next run resumes it', async () => {
    const fileSystem = await database({ sizeBytes: 512 * 1024 });
    const abort = new AbortController();
    const { request, environment, target } = testBackups(fileSystem);
    const copy = target.copyFile.bind(target);
    let copied = 0;
    target.copyFile = async (order, callbacks) => {
      const done = await copy(order, callbacks);
      if (order.name.includes('/chunk-') && ++copied === 3) abort.abort();
      return done;
    };
    const stopped = runBackup(request, { ...environment, operation: control(abort.signal) });
    await expect(stopped).rejects.toThrow(OperationStopped);
    const { backups, unfinished } = await readCatalogue(target);
    expect(backups).toEqual([]);
    expect(unfinished).toHaveLength(1);

    const { bytesToCopy, bytes } = await planBackup(request, environment);
    expect(bytesToCopy).toBeLessThan(bytes - 2 * 64 * 1024);
    copied = -1000;
    const stray = `${unfinished[0]!.id}/data/stray`;
    await target.write(stray, contentOf(Buffer.from('of an attempt that took another course')));
    const manifest = await runBackup(request, environment);
    expect(await target.describe(stray)).toBeUndefined();
    expect(unfinished).toEqual([{ id: manifest.id, isSuperseded: false }]);
    const chunks = manifest.files.filter(({ chunk }) => chunk).length;
    expect(copied + 1000).toBe(chunks - 3);
    expect(await damageOf(manifest, target)).toEqual([]);
    expect((await readCatalogue(target)).unfinished).toEqual([]);
  });
});

type Snapshot = Map<string, Buffer>;

function snapshot(fileSystem: MemoryFileSystem, directory: string, files: Snapshot = new Map()): Snapshot {
  for (const { name, isDirectory } of fileSystem.list(directory)!) {
    const path = `${directory}/${name}`;
    if (isDirectory) snapshot(fileSystem, path, files);
    else files.set(path, Buffer.from(readWholeFile(fileSystem, path)!));
  }
  return files;
}

function putBack(fileSystem: MemoryFileSystem, files: Snapshot): void {
  fileSystem.removeDirectory(DATA);
  fileSystem.makeDirectory(`${DATA}/index/stream-existence`);
  for (const [path, bytes] of files) {
    const file = fileSystem.open(path, 'createNew');
    file.write(bytes, 0, bytes.length, 0);
    file.close();
  }
}

/** The same map with the other line ends. */
function rewriteMap(fileSystem: MemoryFileSystem): void {
  const path = `${DATA}/index/indexmap`;
  const file = fileSystem.open(path, 'readWrite');
  const bytes = Buffer.concat([Buffer.from(readWholeFile(fileSystem, path)!), Buffer.from(' \n')]);
  file.write(bytes, 0, bytes.length, 0);
  file.close();
}

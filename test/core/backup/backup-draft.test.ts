/** A backup while it is made: what it takes over, copies, shares, notes and sweeps, and what of an index it holds. */
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  BackupDraft,
  isCopyOf,
  keyOf,
  presentFiles,
  seedsOf,
  type DraftParts
} from '../../../src-core/backup/backup-draft.ts';
import { progressObject } from '../../../src-core/backup/backup-layout.ts';
import { contentOf, readWholeObject } from '../../../src-core/backup/backup-target.ts';
import { copyIndexPart } from '../../../src-core/backup/copy-index-part.ts';
import { LocalBackupTarget } from '../../../src-core/backup/local-target.ts';
import type { ManifestChunk, ManifestFile } from '../../../src-core/backup/manifest.ts';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import type { SourceFile } from '../../../src-core/backup/source-files.ts';
import { OperationStopped } from '../../../src-core/errors.ts';
import { writeCheckpointFile } from '../../../src-core/log/checkpoint-file.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { writeText } from '../../support/restore-fixture.ts';
import { control, DATA, memoryLinks, TARGET, testBackups, writeDatabase } from './backup-environment.ts';

const ID = '20260105T000000Z-0005';
const EARLIER = '20260101T000000Z-0001';
const TABLE = '0b1b7a2e-0000-4000-8000-000000000001';

let fileSystem: MemoryFileSystem;
let target: LocalBackupTarget;
beforeEach(() => {
  fileSystem = new MemoryFileSystem();
  target = new LocalBackupTarget({ fileSystem, directory: TARGET, links: memoryLinks(fileSystem) });
});

function draftWith(change: Partial<DraftParts> = {}): BackupDraft {
  return new BackupDraft({
    target,
    fileSystem,
    encodings: undefined,
    control: control(),
    threads: 1,
    bytesPerSecond: 0,
    progress: {
      ...{ id: ID, mode: 'full', basedOn: null, generation: 1, databaseTag: null, address: null },
      ...{ dataDirectory: DATA, indexDirectory: `${DATA}/index`, checkpointFiles: null, encodings: [] }
    },
    onBytes: () => undefined,
    ...change
  });
}

const chunkOf = (start: number, change: Partial<ManifestChunk> = {}): ManifestChunk => ({
  ...{ start, end: start, id: 'id', fileVersion: 0, formatVersion: 3, isScavenged: false, isCompleted: true },
  md5: 'md5',
  ...change
});

function fileOf(name: string, change: Partial<ManifestFile> = {}): ManifestFile {
  const number = /^chunk-(\d{6})\.(\d{6})/.exec(name);
  const area = number || name.endsWith('.chk') ? 'data' : 'index';
  return {
    ...{ area, name, bytes: 5, sha256: 'a', object: `${EARLIER}/${area}/${name}`, encodings: [] },
    ...{ storedBytes: 5, storedSha256: 'a', tableMd5: name === TABLE ? 'md5' : null, since: EARLIER },
    chunk: number ? chunkOf(Number(number[1]), { fileVersion: Number(number[2]) }) : null,
    ...change
  };
}

function sourceOf(name: string, change: Partial<SourceFile> = {}): SourceFile {
  const { area, bytes, chunk, tableMd5 } = fileOf(name);
  return {
    area,
    name,
    path: `/source/${name}`,
    bytes,
    sourceBytes: bytes,
    isImmutable: true,
    chunk,
    tableMd5,
    ...change
  };
}

const CHUNK = 'chunk-000000.000000';
const write = (name: string, text = 'bytes'): Promise<void> =>
  target.write(name, contentOf(Buffer.from(text)));
const objects = async (): Promise<string[]> => (await target.list('')).map(({ name }) => name);

describe('what is there already', () => {
  it('is taken over as far as the object is there, with its size', async () => {
    await write(`${EARLIER}/data/${CHUNK}`);
    await write(`${EARLIER}/index/${TABLE}`, 'another size');
    const own = [fileOf(CHUNK), fileOf(TABLE), fileOf('chunk-000001.000000')];
    const draft = draftWith();
    await draft.goOn(own);
    expect(draft.files.map(keyOf)).toEqual([`data/${CHUNK}`]);
    expect([...(await presentFiles({ own, base: [], isDifferential: false }, { target })).keys()]).toEqual([
      `data/${CHUNK}`
    ]);
  });

  it('is shared from an earlier backup where it can be the same still, stored alike', async () => {
    for (const name of [`data/${CHUNK}`, `index/${TABLE}`]) await write(`${EARLIER}/${name}`);
    const earlier = [
      fileOf(CHUNK),
      fileOf(TABLE),
      fileOf('writer.chk'),
      fileOf('indexmap'),
      fileOf('chunk-000001.000000', { encodings: ['zstd'] })
    ];
    const draft = draftWith();
    await draft.seed(earlier);
    expect(draft.files.map(({ object }) => object)).toEqual([`${ID}/data/${CHUNK}`, `${ID}/index/${TABLE}`]);
    expect(await objects()).toEqual([
      ...[`${EARLIER}/data/${CHUNK}`, `${EARLIER}/index/${TABLE}`],
      ...[`${ID}/data/${CHUNK}`, `${ID}/index/${TABLE}`]
    ]);
    const present = await presentFiles({ own: [], base: earlier, isDifferential: false }, { target });
    expect([...present.keys()]).toEqual([`data/${CHUNK}`, `index/${TABLE}`]);
  });

  it('is named where it lies in a target without links', async () => {
    await write(`${EARLIER}/data/${CHUNK}`);
    target = new LocalBackupTarget({ fileSystem, directory: TARGET });
    const draft = draftWith();
    await draft.seed([fileOf(CHUNK), fileOf('chunk-000001.000000')]);
    expect(draft.files.map(({ object }) => object)).toEqual([
      `${EARLIER}/data/${CHUNK}`,
      `${EARLIER}/data/chunk-000001.000000`
    ]);
    // What is named elsewhere is not this backup's to remove.
    await draft.remove(fileOf(CHUNK));
    expect(await objects()).toEqual([`${EARLIER}/data/${CHUNK}`]);
  });

  it('of its own comes before that of an earlier backup', async () => {
    await write(`${ID}/data/${CHUNK}`);
    await write(`${EARLIER}/data/${CHUNK}`);
    const own = fileOf(CHUNK, { object: `${ID}/data/${CHUNK}`, since: ID });
    const draft = draftWith();
    await draft.goOn([own]);
    await draft.seed([fileOf(CHUNK)]);
    expect(draft.files).toEqual([own]);
    const present = await presentFiles(
      { own: [own], base: [fileOf(CHUNK)], isDifferential: false },
      { target }
    );
    expect([...present.values()]).toEqual([own]);
  });

  it('of a differential backup is all but the last chunk, by number and then by version', async () => {
    const names = ['chunk-000001.000002', 'chunk-000001.000003', 'chunk-000000.000009', TABLE];
    const base = names.map((name) => fileOf(name));
    const keys = async (isDifferential: boolean): Promise<string[]> =>
      [...(await presentFiles({ own: [], base, isDifferential }, { target })).keys()].sort();
    expect(await keys(false)).toHaveLength(4);
    expect(await keys(true)).toEqual([
      'data/chunk-000000.000009',
      'data/chunk-000001.000002',
      `index/${TABLE}`
    ]);
  });

  it('of another generation is only what that one shares itself', () => {
    const files = [fileOf(CHUNK), fileOf('chunk-000001.000000', { since: ID })];
    const manifest = { id: ID, files } as Parameters<typeof seedsOf>[0];
    expect(seedsOf(manifest)).toEqual(files);
    expect(seedsOf({ ...manifest, rewrite: {} as never })).toEqual([files[0]]);
  });
});

describe('a copy counts as that of a file of the source', () => {
  it.each<[string, ManifestFile, SourceFile, boolean]>([
    ['a chunk of the same id and hash', fileOf(CHUNK), sourceOf(CHUNK), true],
    ['one that may change', fileOf(CHUNK), sourceOf(CHUNK, { isImmutable: false }), false],
    ['of another size', fileOf(CHUNK), sourceOf(CHUNK, { bytes: 6 }), false],
    ['a table of the same hash', fileOf(TABLE), sourceOf(TABLE), true],
    ['a table of another hash', fileOf(TABLE), sourceOf(TABLE, { tableMd5: 'other' }), false],
    [
      'one that was not completed when it was copied',
      fileOf(CHUNK, { chunk: chunkOf(0, { isCompleted: false }) }),
      sourceOf(CHUNK),
      false
    ]
  ])('%s', (_, file, source, isSame) => {
    expect(isCopyOf(file, source)).toBe(isSame);
  });

  it.each<Partial<ManifestChunk>>([{ id: 'other' }, { md5: 'other' }])(
    'a completed chunk of its name that is another is refused: %j',
    (change) => {
      expect(() => isCopyOf(fileOf(CHUNK), sourceOf(CHUNK, { chunk: chunkOf(0, change) }))).toThrow(
        expect.objectContaining({
          code: 'InvalidRequest',
          message: expect.stringContaining('other') as string
        })
      );
    }
  );
});

describe('a draft', () => {
  it('that rests for a slow limit is stopped within the rest, also of a file that is encoded', async () => {
    const asItIs = { names: ['same'], suffix: '.same', encode: (plain: AsyncIterable<Uint8Array>) => plain };
    writeText(fileSystem, `/source/${CHUNK}`, 'bytes of a chunk');
    for (const encodings of [undefined, { completedChunks: asItIs, others: undefined }]) {
      const stopping = new AbortController();
      const copied: number[] = [];
      const draft = draftWith({
        encodings,
        bytesPerSecond: 1,
        control: control(stopping.signal),
        onBytes: (count) => void copied.push(count)
      });
      const going = draft.copyMissing([sourceOf(CHUNK, { bytes: 16, sourceBytes: 16 })]);
      await vi.waitFor(() => expect(copied).toEqual([16]));
      stopping.abort();
      await expect(going).rejects.toBeInstanceOf(OperationStopped);
      expect(await objects()).toEqual([]);
    }
  });

  it('removes what the source no longer lists, and objects that nothing names', async () => {
    const draft = draftWith();
    for (const name of ['chunk-000001.000000', CHUNK]) {
      const object = `${ID}/data/${name}`;
      await write(object);
      await draft.goOn([fileOf(name, { object, since: ID })]);
    }
    await write(`${ID}/data/stray`);
    await write(progressObject(ID));
    await draft.removeUnlisted('index', () => true, []);
    await draft.removeUnlisted('data', (name) => name !== CHUNK, []);
    expect(draft.files.map(({ name }) => name)).toEqual([CHUNK]);
    await draft.sweep();
    expect(await objects()).toEqual([`${ID}/data/${CHUNK}`, progressObject(ID)]);
  });

  it('keeps an object that another of its files names', async () => {
    const object = `${ID}/data/${CHUNK}`;
    await write(object);
    const draft = draftWith();
    const [one, other] = [fileOf(CHUNK, { object }), fileOf('chunk-000000.000001', { object })];
    await draft.goOn([one, other]);
    await draft.remove(one);
    expect(await objects()).toEqual([object]);
    await draft.remove(other);
    expect(await objects()).toEqual([]);
  });

  it('notes what can never change, and after as many bytes as were asked for', async () => {
    writeText(fileSystem, `/source/${CHUNK}`, 'bytes');
    writeText(fileSystem, '/source/chunk-000001.000000', 'bytes');
    const draft = draftWith({ bytesBetweenNotes: 10 });
    await draft.putBytes('data', 'writer.chk', Buffer.alloc(8));
    const noted = async (): Promise<string[] | undefined> => {
      const bytes = await readWholeObject(target, progressObject(ID), 10_000);
      if (!bytes) return undefined;
      const { files } = JSON.parse(Buffer.from(bytes).toString()) as { files: ManifestFile[] };
      return files.map(({ name }) => name);
    };
    await draft.copyMissing([sourceOf(CHUNK)]);
    expect(await noted()).toBeUndefined();
    await draft.copyMissing([sourceOf(CHUNK), sourceOf('chunk-000001.000000')]);
    expect(await noted()).toEqual([CHUNK, 'chunk-000001.000000']);
    expect(draft.bytesCopied).toBe(8 + 5 + 5);
  });

  it('holds zeros behind what was taken of the chunk being written, through an encoding too', async () => {
    writeText(fileSystem, `/source/${CHUNK}`, 'bytes and more');
    const source = sourceOf(CHUNK, {
      bytes: 9,
      sourceBytes: 5,
      isImmutable: false,
      chunk: chunkOf(0, { isCompleted: false })
    });
    const told: number[] = [];
    const others = { names: ['same'], suffix: '.same', encode: (plain: AsyncIterable<Uint8Array>) => plain };
    const draft = draftWith({
      encodings: { completedChunks: undefined, others },
      onBytes: (count) => told.push(count)
    });
    await draft.copyMissing([source]);
    const object = `${ID}/data/${CHUNK}.same`;
    const expected = Buffer.from('bytes\0\0\0\0');
    expect(Buffer.from((await readWholeObject(target, object, 100))!)).toEqual(expected);
    expect(draft.files).toMatchObject([
      {
        object,
        encodings: ['same'],
        storedBytes: 9,
        sha256: createHash('sha256').update(expected).digest('hex'),
        since: ID
      }
    ]);
    expect(told).toEqual([5]);
  });

  it('refuses a file that ended while it was read through an encoding', async () => {
    writeText(fileSystem, `/source/${CHUNK}`, 'byt');
    const completedChunks = {
      names: ['same'],
      suffix: '.same',
      encode: (plain: AsyncIterable<Uint8Array>) => plain
    };
    const draft = draftWith({ encodings: { completedChunks, others: undefined } });
    await expect(draft.copyMissing([sourceOf(CHUNK)])).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { file: CHUNK, offset: 3 }
    });
    expect(await objects()).toEqual([]);
  });
});

describe('the index of a source', () => {
  const FILTER = 'stream-existence/streamExistenceFilter';
  const place = () => ({ fileSystem, dataDirectory: DATA, indexDirectory: `${DATA}/index` });
  const copied = async (
    mode: 'full' | 'differential',
    change: Partial<Parameters<typeof copyIndexPart>[0]> = {}
  ) => {
    const written: string[] = [];
    const writing = target.write.bind(target);
    const copying = target.copyFile.bind(target);
    target.write = async (name, content) => {
      written.push(name.slice(`${ID}/index/`.length));
      await writing(name, content);
    };
    target.copyFile = async (order, callbacks) => {
      written.push(order.name.slice(`${ID}/index/`.length));
      return copying(order, callbacks);
    };
    const draft = draftWith();
    const rest = { isInUse: false, wait: () => Promise.resolve(), mapLimitMs: 0, control: control() };
    const part = await copyIndexPart({ place: place(), draft, mode, ...rest, ...change });
    return { ...part, written, names: draft.files.map(({ name }) => name) };
  };
  beforeEach(async () => {
    await writeDatabase(fileSystem, { sizeBytes: 150 * 1024 });
    fileSystem.makeDirectory(`${DATA}/index/stream-existence`);
    writeCheckpointFile(fileSystem, `${DATA}/index/${FILTER}.chk`, 4711);
    writeText(fileSystem, `${DATA}/index/${FILTER}.dat`, 'bits');
  });

  it('is copied with the check point of its filter before the map, or, onto an earlier backup, after the tables', async () => {
    const full = await copied('full');
    expect(full.filter).toBe(4711);
    expect(full.written[0]).toBe(`${FILTER}.chk`);
    expect(full.written.at(-1)).toBe(`${FILTER}.dat`);
    const differential = await copied('differential');
    expect(differential.filter).toBe(4711);
    expect(differential.written[0]).toBe('indexmap');
    expect(differential.written.slice(-2)).toEqual([`${FILTER}.chk`, `${FILTER}.dat`]);
  });

  it('has no value of a check point that is too short', async () => {
    fileSystem.remove(`${DATA}/index/${FILTER}.chk`);
    writeText(fileSystem, `${DATA}/index/${FILTER}.chk`, 'short');
    expect((await copied('full')).filter).toBeNull();
  });

  it('has no value of a check point that goes before it is read', async () => {
    const describe = fileSystem.describe.bind(fileSystem);
    fileSystem.describe = (path) => (path.endsWith(`${FILTER}.chk`) ? undefined : describe(path));
    const { filter, names } = await copied('full');
    expect(filter).toBeNull();
    expect(names).not.toContain(`${FILTER}.chk`);
    expect(names).toContain(`${FILTER}.dat`);
  });

  it('that is not there is nothing, without a note', async () => {
    const none = { ...place(), indexDirectory: '/none' };
    expect(await copied('full', { place: none })).toMatchObject({
      map: undefined,
      filter: null,
      notes: [],
      names: []
    });
  });

  it('without a map has its tables left out, with a note; one that has neither has none', async () => {
    fileSystem.remove(`${DATA}/index/indexmap`);
    const { map, notes, names } = await copied('full');
    expect(map).toBeUndefined();
    expect(notes.map(({ code }) => code)).toEqual(['indexMapMissing']);
    expect(names).toEqual([`${FILTER}.chk`, `${FILTER}.dat`]);
    for (const { name } of fileSystem.list(`${DATA}/index`)!) {
      if (/^[0-9a-f]{8}-/.test(name)) fileSystem.remove(`${DATA}/index/${name}`);
    }
    expect((await copied('full')).notes).toEqual([]);
  });

  it('with a damaged map, or without a table of it, has a note', async () => {
    const table = fileSystem.list(`${DATA}/index`)!.find(({ name }) => /^[0-9a-f-]{36}$/.test(name))!.name;
    fileSystem.remove(`${DATA}/index/${table}`);
    const missing = await copied('full');
    expect(missing.notes.map(({ code, message }) => [code, message.includes(table)])).toEqual([
      ['tableMissing', true]
    ]);
    fileSystem.remove(`${DATA}/index/indexmap`);
    writeText(fileSystem, `${DATA}/index/indexmap`, 'no map');
    expect((await copied('full')).notes.map(({ code }) => code)).toEqual(['indexMapInvalid']);
  });

  it('whose map never rests is given up after 50 times', async () => {
    let waits = 0;
    const wait = (): Promise<void> => {
      waits++;
      return Promise.resolve();
    };
    const copyFile = target.copyFile.bind(target);
    let turn = 0;
    const putBytes = target.write.bind(target);
    target.write = async (name, content) => {
      await putBytes(name, content);
      if (!name.endsWith('/indexmap')) return;
      fileSystem.remove(`${DATA}/index/indexmap`);
      writeText(fileSystem, `${DATA}/index/indexmap`, `no map ${turn++}`);
    };
    target.copyFile = copyFile;
    await expect(copied('full', { wait })).rejects.toMatchObject({ code: 'DatabaseInUse' });
    expect([turn, waits]).toEqual([50, 49]);
  });

  it('is waited for as long as asked while a process has the directory open', async () => {
    fileSystem.remove(`${DATA}/index/indexmap`);
    let waitedMs = 0;
    const wait = (ms: number): Promise<void> => {
      waitedMs += ms;
      return Promise.resolve();
    };
    await copied('full', { isInUse: true, wait, mapLimitMs: 1000 });
    expect(waitedMs).toBeGreaterThanOrEqual(1000);
    waitedMs = 0;
    await copied('full', { isInUse: false, wait, mapLimitMs: 1000 });
    expect(waitedMs).toBe(0);
  });
});

it('a whole backup after another copies only what changed, whatever lies in its folder', async () => {
  await writeDatabase(fileSystem, { sizeBytes: 150 * 1024 });
  const links = memoryLinks(fileSystem);
  const first = testBackups(fileSystem, { links });
  const one = await runBackup(first.request, first.environment);
  const second = testBackups(fileSystem, { links, mode: 'differential' });
  const two = await runBackup(second.request, { ...second.environment, now: () => first.environment.now() });
  expect(two.basedOn).toBe(one.id);
  const shared = two.files.filter(({ since }) => since === one.id);
  expect(shared.length).toBeGreaterThan(1);
  expect(
    shared.every(
      ({ chunk, tableMd5, name }) =>
        chunk?.isCompleted === true || tableMd5 !== null || name.endsWith('.bloomfilter')
    )
  ).toBe(true);
  expect(two.bytesCopied).toBeLessThan(one.bytesCopied);
});

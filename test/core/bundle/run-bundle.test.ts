/** What a bundle takes along of an odd directory, what it leaves out and says so, and how a run is continued. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { OperationControl } from '../../../src-core/database/operation-control.ts';
import { EngineError, OperationStopped } from '../../../src-core/errors.ts';
import { readIndexMap, writeIndexMap } from '../../../src-core/index/index-map.ts';
import { IndexTableReader } from '../../../src-core/index/index-table-reader.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { namesIn } from '../../../src-core/storage/directory-entries.ts';
import type { OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { storageError } from '../../support/memory-file-system.ts';
import {
  bundle,
  bytesOf,
  change,
  fileSystem,
  INDEX,
  put,
  SOURCE,
  tables,
  TARGET,
  writeSourceBeforeEach
} from './bundled-source.ts';

const STATE = `${INDEX}/scavenging/scavenging.db`;
const PARTIAL = `${TARGET}.partial`;
const OTHER_TABLE = '3f2504e0-4f89-11d3-9a0c-0305e82c3301';

writeSourceBeforeEach();

function checkpoint(name: string, value: bigint): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  put(`${SOURCE}/${name}.chk`, bytes);
}

/** Stops a bundle once it has done so many chunks. */
function stopAfter(chunks: number): OperationControl {
  const stop = new AbortController();
  const control = new OperationControl({
    signal: stop.signal,
    elapsedMs: () => 0,
    yieldTurn: () => Promise.resolve(),
    onTurn: () => {
      if (namesIn(fileSystem, PARTIAL).filter((name) => /^chunk.*0$/.test(name)).length >= chunks)
        stop.abort();
    }
  });
  return control;
}

/** As a server that runs has it. */
function inUse(): void {
  if (!fileSystem.lockAs(`${SOURCE}/writer.chk`, { by: 'server', pid: 7 })) throw new Error('locked already');
}

/** Every file that the description speaks of as there by name is there. */
function expectStandIns(standIns: readonly string[]): void {
  for (const name of standIns) expect(fileSystem.describe(`${TARGET}/${name}`), name).toBeDefined();
}

describe('a bundle', () => {
  test('takes the place of an empty directory', async () => {
    fileSystem.makeDirectory(TARGET);
    const { manifest } = await bundle();
    expect(manifest.leftOut).toEqual([]);
    expect(namesIn(fileSystem, TARGET)).toContain('bundle.json');
    expect(namesIn(fileSystem, '/out')).toEqual(['bundle']);
  });

  test('has a checkpoint that is no position as it is', async () => {
    checkpoint('epoch', -(2n ** 62n));
    await bundle();
    expect(bytesOf(`${TARGET}/epoch.chk`)).toEqual(bytesOf(`${SOURCE}/epoch.chk`));
  });

  test('has a table that cannot be opened by name and size, and those beside it whole', async () => {
    const [cut, ...others] = tables();
    put(`${INDEX}/${cut!}`, bytesOf(`${INDEX}/${cut!}`).subarray(0, 100));
    const { manifest } = await bundle();
    expect(manifest.standIns).toContain(`index/${cut!}`);
    expectStandIns(manifest.standIns);
    const standIn = bytesOf(`${TARGET}/index/${cut!}`);
    // Of what it is, the kind and the version of the file are there.
    expect(standIn).toHaveLength(100);
    expect(standIn.subarray(0, 2)).toEqual(bytesOf(`${INDEX}/${cut!}`).subarray(0, 2));
    expect(standIn.subarray(0, 2)).not.toEqual(Buffer.alloc(2));
    expect(standIn.subarray(2)).toEqual(Buffer.alloc(98));
    for (const name of others)
      IndexTableReader.open({ fileSystem, directory: `${TARGET}/index`, name }).close();
    expect(others.length).toBeGreaterThan(0);
  });

  test('names files that the server makes and leaves other names out', async () => {
    fileSystem.makeDirectory(`${INDEX}/scavenging`);
    put(`${INDEX}/indexmap.abc.tmp`, 'xx');
    put(`${INDEX}/scavenging/Jane Doe.txt`, 'xxx');
    put(`${SOURCE}/Jane Doe.txt`, 'xxxx');
    const { manifest } = await bundle();
    expect(manifest.leftOut).toEqual([
      { file: '(another file)', bytes: 4, why: 'not a file of the log' },
      { file: 'index/indexmap.abc.tmp', bytes: 2, why: 'not a file of the index' },
      { file: 'index/scavenging/(another file)', bytes: 3, why: 'not the state of scavenges' }
    ]);
  });

  test('has a map that names a missing table, and does not have the table', async () => {
    const [first, ...others] = tables();
    fileSystem.remove(`${INDEX}/${first!}`);
    const { manifest } = await bundle();
    expect(manifest.leftOut).toEqual([]);
    expect(readIndexMap(fileSystem, `${TARGET}/index`)!.tables.map(({ file }) => file)).toEqual(
      [first, ...others].map((name) => name)
    );
    expect(fileSystem.describe(`${TARGET}/index/${first!}`)).toBeUndefined();
    expect(others.every((name) => fileSystem.describe(`${TARGET}/index/${name}`) !== undefined)).toBe(true);
  });

  test('has tables of the first version, and such whose entries are out of order, by name and size', async () => {
    const [old, disordered] = tables();
    // The byte behind the kind of the file is the version.
    change(`${INDEX}/${old!}`, 1, Uint8Array.of(1));
    const size = fileSystem.describe(`${INDEX}/${disordered!}`)!.size;
    const entry = bytesOf(`${INDEX}/${disordered!}`).subarray(128 + 24, 128 + 48);
    change(
      `${INDEX}/${disordered!}`,
      128 + 5 * 24,
      entry.map((byte) => byte ^ 0xff)
    );
    const { manifest } = await bundle();
    expect(manifest.standIns).toContain(`index/${old!}`);
    expect(manifest.standIns).toEqual(
      expect.arrayContaining([`index/${disordered!}`, `index/${disordered!}.bloomfilter`])
    );
    expectStandIns(manifest.standIns);
    expect(fileSystem.describe(`${TARGET}/index/${disordered!}`)!.size).toBe(size);
  });

  test.each(['indexmap', 'a table'])(
    'is not made where the disk refuses to read %s, and nothing is left out',
    async (what) => {
      const refused = `${INDEX}/${what === 'indexmap' ? what : tables()[0]!}`;
      class Broken extends PassThroughFileSystem {
        override open(path: string, mode: OpenMode): OpenFile {
          if (path === refused) throw storageError('EIO', path);
          return super.open(path, mode);
        }
      }
      const database = openDatabase({ fileSystem: new Broken(fileSystem), dataDirectory: SOURCE });
      await expect(bundle({ database })).rejects.toMatchObject({
        code: 'StorageFailed',
        details: { file: refused, osCode: 'EIO' }
      });
      database.close();
      expect(fileSystem.describe(TARGET)).toBeUndefined();
    }
  );

  test('has another name for a table whose name somebody chose', async () => {
    const map = readIndexMap(fileSystem, INDEX)!;
    const [first, ...others] = map.tables;
    for (const tail of ['', '.bloomfilter'])
      fileSystem.rename(`${INDEX}/${first!.file}${tail}`, `${INDEX}/jane-doe${tail}`);
    const renamed = [{ ...first!, file: 'jane-doe' }, ...others];
    writeIndexMap(fileSystem, INDEX, { ...map, tables: renamed }, OTHER_TABLE);
    await bundle();
    const [now] = readIndexMap(fileSystem, `${TARGET}/index`)!.tables;
    expect(now!.file).toHaveLength('jane-doe'.length);
    expect(now!.file).not.toBe('jane-doe');
    expect(namesIn(fileSystem, `${TARGET}/index`)).toEqual(
      expect.arrayContaining([now!.file, `${now!.file}.bloomfilter`])
    );
  });

  test.each([
    { version: 4, midpointDepth: 2 },
    { version: 4, midpointDepth: 16 },
    { version: 3, midpointDepth: 16 },
    { version: 2, midpointDepth: 16 }
  ] as const)('has tables of the same form: %o', async ({ version, midpointDepth }) => {
    const map = readIndexMap(fileSystem, INDEX)!;
    const [first, ...others] = map.tables;
    const before = IndexTableReader.open({ fileSystem, directory: INDEX, name: first!.file });
    writeIndexTable({ fileSystem, directory: INDEX, name: OTHER_TABLE, version, midpointDepth }, before);
    before.close();
    for (const tail of ['', '.bloomfilter']) fileSystem.remove(`${INDEX}/${first!.file}${tail}`);
    const renamed = [{ ...first!, file: OTHER_TABLE }, ...others];
    writeIndexMap(fileSystem, INDEX, { ...map, tables: renamed }, first!.file);
    await bundle();
    const [source, made] = [INDEX, `${TARGET}/index`].map((directory) => {
      const reader = IndexTableReader.open({ fileSystem, directory, name: OTHER_TABLE });
      const facts = [reader.version, reader.count, reader.midpointCount, reader.sizeBytes];
      reader.close();
      return facts;
    });
    expect(made).toEqual(source);
    expect(source).toContain(version);
  });

  test.each([
    ['none', (filter: string) => fileSystem.remove(filter)],
    ['one with another header', (filter: string) => change(filter, 0, Buffer.alloc(64, 0xff))],
    ['one that is cut', (filter: string) => put(filter, bytesOf(filter).subarray(0, 40))]
  ])('has no usable filter of a table that has %s', async (_what, spoil) => {
    const [first] = tables();
    spoil(`${INDEX}/${first!}.bloomfilter`);
    const isThere = fileSystem.describe(`${INDEX}/${first!}.bloomfilter`) !== undefined;
    const { manifest } = await bundle();
    expect(manifest.leftOut).toEqual([]);
    const [before, after] = [INDEX, `${TARGET}/index`].map((directory) => {
      const reader = IndexTableReader.open({ fileSystem, directory, name: first! });
      const { hasFilterFile, count } = reader;
      const isUsable = reader.filter.problem === undefined;
      reader.close();
      return { hasFilterFile, count, isUsable };
    });
    expect(before).toMatchObject({ hasFilterFile: isThere, isUsable: false });
    expect(after).toEqual(before);
  });
});

describe('of the files that it opened', () => {
  test('a bundle leaves none open', async () => {
    const counting = new CountingFileSystem(fileSystem);
    await bundle({}, counting);
    expect(counting.openFiles).toBe(0);
  });

  test('a bundle that is stopped leaves none open, whatever it was about', async () => {
    const counting = new CountingFileSystem(fileSystem);
    const phases = new Set<string>();
    const run = (stopAt?: string): Promise<unknown> => {
      const stop = new AbortController();
      let nowMs = 0;
      const control = new OperationControl({
        signal: stop.signal,
        elapsedMs: () => (nowMs += 1000),
        yieldTurn: () => Promise.resolve(),
        onProgress: ({ phase, done }) => {
          const name = `${phase}${done > 0 ? ' under way' : ''}`;
          phases.add(name);
          if (name === stopAt) stop.abort();
        }
      });
      return bundle({ control }, counting);
    };
    await run();
    expect(phases).toContain('index under way');
    for (const phase of [...phases]) {
      fileSystem.removeDirectory(TARGET);
      if (fileSystem.describe(PARTIAL)) fileSystem.removeDirectory(PARTIAL);
      await run(phase).catch((error: unknown) => expect(error).toBeInstanceOf(OperationStopped));
      expect(counting.openFiles, phase).toBe(0);
    }
  });
});

describe('of a running server a bundle', () => {
  beforeEach(() => {
    fileSystem.makeDirectory(`${INDEX}/scavenging`);
    put(STATE, 'not looked at');
  });
  const leftOutState = (why: string) => ({ file: 'index/scavenging/scavenging.db', bytes: 13, why });

  test('leaves out the state of scavenges, which may be ahead of the log', async () => {
    inUse();
    const { manifest } = await bundle();
    expect(manifest.leftOut).toEqual([leftOutState('a server has the database open, and may write to it')]);
    expect(manifest.indexEntries).toBeGreaterThan(0);
  });

  test('leaves out a state that changes while the log is read', async () => {
    let isChanged = false;
    const onName = (): void => {
      if (!isChanged) put(STATE, 'looked at not');
      isChanged = true;
    };
    const { manifest } = await bundle({ onName });
    expect(manifest.leftOut).toEqual([leftOutState('it changed while it was read')]);
  });

  test.each([true, false])('leaves out an index that has moved on; it has a state: %s', async (hasState) => {
    if (!hasState) fileSystem.remove(STATE);
    put(`${INDEX}/${OTHER_TABLE}`, 'a table that no map names');
    checkpoint('chaser', 100n);
    inUse();
    const { manifest } = await bundle();
    expect(manifest.leftOut.map(({ file, why }) => [file, why])).toEqual([
      ['index/indexmap', 'the index moved on while it was read'],
      ...(hasState
        ? [['index/scavenging/scavenging.db', 'a server has the database open, and may write to it']]
        : [])
    ]);
    expect(manifest.indexEntries).toBe(0);
    expectStandIns(manifest.standIns);
    expect(namesIn(fileSystem, `${TARGET}/index`)).toEqual([]);
  });

  test('leaves out an index whose tables are merged while the log is read', async () => {
    inUse();
    const [merged] = tables();
    const onName = (): void => fileSystem.remove(`${INDEX}/${merged!}`);
    const { manifest } = await bundle({ onName });
    expect(manifest.leftOut.map(({ file }) => file)).toEqual([
      'index/indexmap',
      'index/scavenging/scavenging.db'
    ]);
    expectStandIns(manifest.standIns);
    expect(namesIn(fileSystem, `${TARGET}/index`)).toEqual([]);
  });
});

describe('where a file is removed while it is made, a bundle', () => {
  /** Right before it is opened for the `at`th time once the bundle has begun. */
  class Removing extends PassThroughFileSystem {
    opened = 0;
    at = 1;
    path = '';
    override open(path: string, mode: OpenMode): OpenFile {
      if (path === this.path && this.inner.describe(PARTIAL) !== undefined && ++this.opened === this.at)
        this.inner.remove(path);
      return super.open(path, mode);
    }
  }
  const removing = (path: string, at = 1) => Object.assign(new Removing(fileSystem), { path, at });
  const GONE = 'it was removed while the bundle was made';

  test.each([1, 2])('names a chunk that it could not read, opened for the time %i', async (at) => {
    const file = 'chunk-000001.000000';
    const { size } = fileSystem.describe(`${SOURCE}/${file}`)!;
    const whole = await bundle({ target: '/out/whole' });
    const { manifest, unreadable } = await bundle({}, removing(`${SOURCE}/${file}`, at));
    expect(manifest.leftOut).toContainEqual({ file, bytes: size, why: GONE });
    expect(manifest.chunks).toBe(whole.manifest.chunks - 1);
    expect(unreadable.map((range) => range.file)).toEqual([file]);
    expect(manifest.entriesWithoutRecord).toBeGreaterThan(whole.manifest.entriesWithoutRecord);
    expect(namesIn(fileSystem, TARGET).filter((name) => name.startsWith(file))).toEqual([]);
    expectStandIns(manifest.standIns);
  });

  test.each([1, 2])('names a table that it could not read, opened for the time %i', async (at) => {
    const [first] = tables();
    const { manifest } = await bundle({}, removing(`${INDEX}/${first!}`, at));
    expect(manifest.leftOut).toEqual([{ file: `index/${first!}`, bytes: 0, why: GONE }]);
    expect(manifest.standIns).toContain(`index/${first!}.bloomfilter`);
    expect(manifest.indexEntries).toBeGreaterThan(0);
    expectStandIns(manifest.standIns);
    expect(fileSystem.describe(`${TARGET}/index/${first!}`)).toBeUndefined();
  });

  test.each([1, 2])('of a running server has no index, the table opened for the time %i', async (at) => {
    inUse();
    const { manifest } = await bundle({}, removing(`${INDEX}/${tables()[1]!}`, at));
    expect(manifest.leftOut.map(({ file }) => file)).toEqual(['index/indexmap']);
    expect(manifest.indexEntries).toBe(0);
    expect(namesIn(fileSystem, `${TARGET}/index`)).toEqual([]);
  });

  test('names a file that it would have by name and size', async () => {
    put(`${INDEX}/${OTHER_TABLE}`, 'a table that no map names');
    const { manifest } = await bundle({}, removing(`${INDEX}/${OTHER_TABLE}`));
    expect(manifest.leftOut).toEqual([{ file: `index/${OTHER_TABLE}`, bytes: 0, why: GONE }]);
    expect(manifest.standIns).toEqual([]);
  });
});

describe('where a file cannot be opened while it is made, a bundle', () => {
  /** Once the bundle has begun. */
  class Refusing extends PassThroughFileSystem {
    path = '';
    error = storageError('EIO', '');
    isRemoved = false;
    override open(path: string, mode: OpenMode): OpenFile {
      if (path === this.path && this.inner.describe(PARTIAL) !== undefined) {
        if (this.isRemoved) this.inner.remove(path);
        throw this.error;
      }
      return super.open(path, mode);
    }
  }
  const refusing = (path: string, change: Partial<Refusing> = {}) =>
    Object.assign(new Refusing(fileSystem), { path, ...change });
  const irregular = new EngineError({
    code: 'StorageFailed',
    message: 'It is a pipe.',
    remedy: 'Move it away.',
    details: { reason: 'notARegularFile', found: 'a named pipe' }
  });

  test('names one that it would have by name and size, and that is no file', async () => {
    put(`${INDEX}/${OTHER_TABLE}`, 'a table that no map names');
    const { manifest } = await bundle({}, refusing(`${INDEX}/${OTHER_TABLE}`, { error: irregular }));
    const why = 'it is not a regular file';
    expect(manifest.leftOut).toEqual([{ file: `index/${OTHER_TABLE}`, bytes: 0, why }]);
  });

  test('is not made where the system refuses one that it would have by name and size', async () => {
    put(`${INDEX}/${OTHER_TABLE}`, 'a table that no map names');
    await expect(bundle({}, refusing(`${INDEX}/${OTHER_TABLE}`))).rejects.toMatchObject({
      details: { osCode: 'EIO' }
    });
  });

  test('is not made where the system refuses a table', async () => {
    await expect(bundle({}, refusing(`${INDEX}/${tables()[0]!}`))).rejects.toMatchObject({
      details: { osCode: 'EIO' }
    });
  });

  test('has no filter of a table that is gone where there was none', async () => {
    const [first] = tables();
    fileSystem.remove(`${INDEX}/${first!}.bloomfilter`);
    const { manifest } = await bundle({}, refusing(`${INDEX}/${first!}`, { isRemoved: true }));
    expect(manifest.leftOut.map(({ file }) => file)).toEqual([`index/${first!}`]);
    expect(manifest.standIns.filter((name) => name.includes(first!))).toEqual([]);
  });
});

describe('a bundle that was stopped', () => {
  test('keeps the chunks that are done, meets their names again, and is the same as one in a go', async () => {
    const names = new Map<string, string>();
    const onName = (_kind: string, name: string, replaced: string): void => void names.set(name, replaced);
    const whole = await bundle({ target: '/out/whole', onName });
    const met = new Map(names);
    names.clear();
    await expect(bundle({ control: stopAfter(2) })).rejects.toThrow(OperationStopped);
    const { manifest, resumedChunks } = await bundle({ onName });
    expect(resumedChunks).toBe(2);
    expect(names).toEqual(met);
    expect(manifest).toEqual(whole.manifest);
    for (const name of namesIn(fileSystem, TARGET).filter((file) => /chunk|chk$/.test(file)))
      expect(bytesOf(`${TARGET}/${name}`), name).toEqual(bytesOf(`/out/whole/${name}`));
    expect(namesIn(fileSystem, TARGET)).not.toContain('bundle-progress.jsonl');
  });

  test('gives way to others between the records whose names it meets again', async () => {
    await expect(bundle({ control: stopAfter(2) })).rejects.toThrow(OperationStopped);
    let now = 0;
    let turns = 0;
    const control = new OperationControl({
      elapsedMs: () => (now += 5),
      yieldTurn: () => Promise.resolve(void turns++)
    });
    const met: string[] = [];
    const turnsBefore: number[] = [];
    const onName = (_kind: string, name: string): void => {
      met.push(name);
      turnsBefore.push(turns);
    };
    await bundle({ control, onName });
    expect(met.length).toBeGreaterThan(3);
    expect(turnsBefore.at(-1)).toBeGreaterThan(turnsBefore[0]!);
  });

  test('does a chunk again that is another one now, and what no chunk is', async () => {
    await expect(bundle({ control: stopAfter(2) })).rejects.toThrow(OperationStopped);
    const [first] = namesIn(fileSystem, SOURCE).filter((name) => name.startsWith('chunk-'));
    change(`${SOURCE}/${first!}`, 0, bytesOf(`${SOURCE}/${first!}`).subarray(0, 1));
    fileSystem.makeDirectory(`${PARTIAL}/index/left`);
    put(`${PARTIAL}/writer.chk`, 'left');
    const progress = `${PARTIAL}/bundle-progress.jsonl`;
    put(progress, `${bytesOf(progress).toString()}{"file":7}\n{"file":"writer.chk"}\n{"file":"chunk-0000`);
    const { resumedChunks } = await bundle();
    expect(resumedChunks).toBe(1);
    expect(fileSystem.describe(`${TARGET}/index/left`)).toBeUndefined();
    expect(bytesOf(`${TARGET}/writer.chk`)).toEqual(bytesOf(`${SOURCE}/writer.chk`));
  });

  test('is begun again where the key is another one', async () => {
    await expect(bundle({ control: stopAfter(2) })).rejects.toThrow(OperationStopped);
    const { resumedChunks } = await bundle({ key: Buffer.alloc(32, 6) });
    expect(resumedChunks).toBe(0);
  });

  test('is not looked for in a folder of somebody else, of which nothing is removed', async () => {
    fileSystem.makeDirectory(PARTIAL);
    put(`${PARTIAL}/letters.txt`, 'mine');
    await expect(bundle()).rejects.toMatchObject({
      code: 'InvalidRequest',
      message: `${PARTIAL} exists already and was not left by a bundle.`,
      details: { field: 'to', file: PARTIAL }
    });
    expect(bytesOf(`${PARTIAL}/letters.txt`).toString()).toBe('mine');
  });
});

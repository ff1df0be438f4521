/** When no index can be made of a log, and where a rebuild ends: on a sample in memory, and nothing is changed by a refusal. */
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { ENTRIES_PER_RUN } from '../../../src-core/index/rebuild/entry-sorter.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import {
  planIndexRebuild,
  rebuildIndex,
  spaceFor,
  type RebuildReport
} from '../../../src-core/repair/rebuild-index.ts';
import { Random } from '../../../src-core/sample/random.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { treeOf } from '../../support/restore-fixture.ts';
import {
  bytesOf,
  checkpointOf,
  copyOf,
  DATABASE,
  int64,
  namesIn,
  overwrite,
  sampleInMemory
} from './repair-sample.ts';

let whole: MemoryFileSystem;
beforeAll(async () => {
  whole = await sampleInMemory();
});

function rebuild(fileSystem: MemoryFileSystem): Promise<RebuildReport> {
  const random = new Random(5);
  return rebuildIndex({
    ...{ fileSystem, dataDirectory: DATABASE },
    ...{ control: uncontrolled(), newGuid: () => random.guid() }
  });
}

async function refusalOf(fileSystem: MemoryFileSystem): Promise<EngineError> {
  const before = treeOf(fileSystem, DATABASE);
  const error: unknown = await rebuild(fileSystem).then(
    () => undefined,
    (thrown: unknown) => thrown
  );
  expect(treeOf(fileSystem, DATABASE)).toEqual(before);
  expect(error).toBeInstanceOf(EngineError);
  return error as EngineError;
}

describe('no index is made', () => {
  it.each([
    ['writer', undefined, 'writer.chk is missing'],
    ['chaser', undefined, 'chaser.chk is missing'],
    ['chaser', 0, 'chaser.chk is 0']
  ] as const)('of a log without its end: %s.chk, %s', async (name, value, words) => {
    const fileSystem = copyOf(whole);
    fileSystem.remove(`${DATABASE}/${name}.chk`);
    if (value !== undefined) overwrite(fileSystem, `${name}.chk`, int64(value));
    const { code, message } = await refusalOf(fileSystem);
    expect(code).toBe('LogCorrupt');
    expect(message).toContain(words);
  });

  it.each<[string, (fileSystem: MemoryFileSystem) => void, string]>([
    [
      'a chunk is missing',
      (fileSystem) => fileSystem.remove(`${DATABASE}/chunk-000001.000000`),
      'chunk-000001.000000'
    ],
    [
      'a chunk lies far after its end',
      (fileSystem) => {
        const bytes = bytesOf(fileSystem, 'chunk-000001.000000');
        // First and last number of the header.
        for (const at of [6, 10]) bytes.writeInt32LE(90, at);
        overwrite(fileSystem, 'chunk-000090.000000', bytes);
      },
      'chunk-000090.000000'
    ],
    [
      'the chaser is beyond the writer',
      (fileSystem) => overwrite(fileSystem, 'chaser.chk', int64(checkpointOf(fileSystem, 'writer') + 1)),
      'chaser.chk'
    ]
  ])('of a log that is not whole: %s', async (_, harm, file) => {
    const fileSystem = copyOf(whole);
    harm(fileSystem);
    const { code, details } = await refusalOf(fileSystem);
    expect([code, details['file']]).toEqual(['LogCorrupt', file]);
    const database = openDatabase({ fileSystem, dataDirectory: DATABASE });
    try {
      expect(() => planIndexRebuild(database)).toThrow(expect.objectContaining({ code: 'LogCorrupt' }));
    } finally {
      database.close();
    }
  });

  it('of a log with an encrypted chunk, which only the server can read', async () => {
    const fileSystem = copyOf(whole);
    const bytes = bytesOf(fileSystem, 'chunk-000001.000000');
    bytes[35] = 1;
    overwrite(fileSystem, 'chunk-000001.000000', bytes);
    const { code, remedy, details } = await refusalOf(fileSystem);
    expect([code, details['file']]).toEqual(['UnsupportedFormat', 'chunk-000001.000000']);
    expect(remedy).toContain('Let the server rebuild the index');
  });

  it('on a volume without room for it: the numbers are told, the old index stays', async () => {
    const fileSystem = copyOf(whole);
    fileSystem.freeBytes = () => 10;
    const { code, message, details } = await refusalOf(fileSystem);
    expect([code, details['osCode'], details['freeBytes']]).toEqual(['StorageFailed', 'ENOSPC', 10]);
    expect(message).toMatch(/needs about \d+ bytes/);
  });
});

describe('an index is made', () => {
  it('where there was no directory for it, which belongs to the owner of the database then', async () => {
    const fileSystem = copyOf(whole);
    fileSystem.removeDirectory(`${DATABASE}/index`);
    fileSystem.changeOwner(DATABASE, 71, 72);
    const { actions } = await rebuild(fileSystem);
    expect(actions.map(({ code }) => code)).toEqual(['writeTable', 'replaceIndexMap']);
    expect(fileSystem.describe(`${DATABASE}/index`)).toMatchObject({ uid: 71, gid: 72 });
    expect(namesIn(fileSystem, `${DATABASE}/index`)).toContain('indexmap');
  });

  it.each(['chaser', 'truncate'])(
    'of an empty log: a map and no table, also without %s.chk',
    async (name) => {
      const fileSystem = new MemoryFileSystem();
      fileSystem.makeDirectory(DATABASE);
      const random = new Random(5);
      const newGuid = () => random.guid();
      LogWriter.create({ fileSystem, directory: DATABASE, chunkSizeBytes: 65536, newGuid }).close();
      if (fileSystem.describe(`${DATABASE}/${name}.chk`)) fileSystem.remove(`${DATABASE}/${name}.chk`);
      const database = openDatabase({ fileSystem, dataDirectory: DATABASE });
      const plan = planIndexRebuild(database);
      database.close();
      const empty = { entries: 0, bytes: 0, scratchBytes: 0, end: 0 };
      expect(plan).toMatchObject({ ...empty, actions: [{ code: 'replaceIndexMap', done: false }] });
      expect(await rebuild(fileSystem)).toMatchObject({
        ...empty,
        actions: [{ code: 'replaceIndexMap', done: true }]
      });
      expect(namesIn(fileSystem, `${DATABASE}/index`)).toEqual(['indexmap']);
    }
  );

  it('with scratch space for runs where its entries do not fit into memory at once', () => {
    const [few, more] = [spaceFor(ENTRIES_PER_RUN), spaceFor(ENTRIES_PER_RUN + 1)];
    expect(few.scratchBytes).toBe(few.bytes);
    expect(more.scratchBytes).toBeGreaterThan(more.bytes + ENTRIES_PER_RUN);
  });

  it('up to the place at which the server will cut the log, and no further', async () => {
    const fileSystem = copyOf(whole);
    const cut = Math.floor(checkpointOf(fileSystem, 'chaser') / 2);
    overwrite(fileSystem, 'truncate.chk', int64(cut));
    const database = openDatabase({ fileSystem, dataDirectory: DATABASE });
    const plan = planIndexRebuild(database);
    database.close();
    expect(plan.end).toBe(cut);
    const { end, entries } = await rebuild(fileSystem);
    const { entries: all } = await rebuild(copyOf(whole));
    expect(end).toBe(cut);
    expect(entries).toBeLessThan(all);
  });
});

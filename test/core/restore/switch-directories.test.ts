/** The steps between the old database and the new one, each by itself and each made twice. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  BLOCKED_CHASER,
  readCheckpointFile,
  writeCheckpointFile
} from '../../../src-core/log/checkpoint-file.ts';
import { newJournal, restoreName, type RestoreJournal } from '../../../src-core/restore/restore-journal.ts';
import { RESTORE_MARK, readMark, removePlace, requirePlace } from '../../../src-core/restore/restore-mark.ts';
import { restorePlaces } from '../../../src-core/restore/restore-places.ts';
import {
  liftBlock,
  makePlace,
  moveAside,
  moveBack,
  moveIn,
  oldNames,
  syncAll,
  takeOut,
  type Switch
} from '../../../src-core/restore/switch-directories.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { writeText } from '../../support/restore-fixture.ts';

const STAMP = '20260101T000000Z';
const DB = '/node/db';
const LOST_AND_FOUND = `${DB}/lost+found`;
const TABLE = '0b1b7a2e-0000-4000-8000-000000000001';
const NEW_FILES: readonly (readonly [area: 'data' | 'index', name: string])[] = [
  ['data', 'writer.chk'],
  ['data', 'chaser.chk'],
  ['data', 'truncate.chk'],
  ['data', 'chunk-000000.000000'],
  ['index', 'indexmap'],
  ['index', TABLE],
  ['index', 'stream-existence/streamExistenceFilter.dat']
];

/** Says which directories were flushed and what was renamed, in their order. */
class Told extends MemoryFileSystem {
  readonly calls: string[] = [];
  override syncDirectory(directory: string): void {
    this.calls.push(`sync ${directory}`);
    super.syncDirectory(directory);
  }
  override rename(from: string, to: string): void {
    this.calls.push(`rename ${from} ${to}`);
    super.rename(from, to);
  }
}

let fileSystem: Told;
let parts: Switch;
let places: RestoreJournal['places'];

/** A database of `index` inside, or elsewhere; the new files are gathered. */
function story(indexDirectory = `${DB}/index`): void {
  fileSystem = new Told();
  for (const name of ['chunk-000000.000000', 'kurrent.ddb', 'lost+found/x'])
    writeText(fileSystem, `${DB}/${name}`, 'old');
  for (const name of ['indexmap', 'stream-existence/streamExistenceFilter.dat', 'scavenging/scavenging.db']) {
    writeText(fileSystem, `${indexDirectory}/${name}`, 'old');
  }
  for (const name of ['writer', 'chaser', 'truncate'])
    writeCheckpointFile(fileSystem, `${DB}/${name}.chk`, 5);
  Object.assign(fileSystem.find(`${DB}/chaser.chk`)!, { mode: 0o640, uid: 7, gid: 8 });
  Object.assign(fileSystem.find(DB)!, { mode: 0o700, uid: 7, gid: 8 });
  places = restorePlaces({ fileSystem, dataDirectory: DB, indexDirectory, stamp: STAMP });
  const journal = newJournal({
    backup: 'a backup',
    source: { target: '/backups', id: null },
    startedAt: '2026-01-01T00:00:00Z',
    stamp: STAMP,
    inode: fileSystem.describe(DB)!.inode,
    indexDirectory,
    places,
    madeDataDirectory: false,
    madeIndexDirectory: false,
    appliesTruncation: false,
    isSourceNode: false,
    files: NEW_FILES.map(([area, name]) => ({
      area,
      name,
      bytes: 3,
      sha256: null
    }))
  });
  parts = { fileSystem, dataDirectory: DB, journal };
  makePlace(parts, 'staging');
  for (const [area, name] of NEW_FILES) {
    const place = area === 'data' ? places.stagingData : places.stagingIndex;
    if (name.endsWith('.chk')) writeCheckpointFile(fileSystem, `${place}/${name}`, 9);
    else writeText(fileSystem, `${place}/${name}`, 'new');
  }
  makePlace(parts, 'aside');
  fileSystem.calls.length = 0;
}

beforeEach(() => story());

/** Each file below a directory with its text, or the position of a checkpoint. */
function tree(directory: string): Record<string, string | number> {
  const found: Record<string, string | number> = {};
  const walk = (path: string): void => {
    for (const { name, isDirectory } of fileSystem.list(path) ?? []) {
      const file = fileSystem.join(path, name);
      if (isDirectory) walk(file);
      else if (name !== RESTORE_MARK) {
        found[file.slice(directory.length + 1)] = name.endsWith('.chk')
          ? readCheckpointFile(fileSystem, file)!
          : new TextDecoder().decode(readWholeFile(fileSystem, file));
      }
    }
  };
  walk(directory);
  return found;
}

const OLD = {
  'chaser.chk': 5,
  'chunk-000000.000000': 'old',
  'index/indexmap': 'old',
  'index/scavenging/scavenging.db': 'old',
  'index/stream-existence/streamExistenceFilter.dat': 'old',
  'kurrent.ddb': 'old',
  'truncate.chk': 5,
  'writer.chk': 5
};
const NEW = {
  'chaser.chk': 9,
  'chunk-000000.000000': 'new',
  [`index/${TABLE}`]: 'new',
  'index/indexmap': 'new',
  'index/stream-existence/streamExistenceFilter.dat': 'new',
  'truncate.chk': 9,
  'writer.chk': 9
};

function forward(): void {
  moveAside(parts);
  moveIn(parts);
  liftBlock(parts);
}

describe('a place of a restore', () => {
  it('has its mark before anything else, as many rights as the directory, and is on the disk', () => {
    expect(readMark(fileSystem, places.stagingData)).toEqual({
      formatVersion: 1,
      restore: restoreName(parts.journal),
      place: 'staging',
      inode: parts.journal.inode,
      dataDirectory: DB
    });
    expect(readMark(fileSystem, places.stagingIndex)).toBeUndefined();
    expect(fileSystem.describe(places.stagingData)).toMatchObject({ mode: 0o700, uid: 7, gid: 8 });
    expect(readMark(fileSystem, places.asideData)?.place).toBe('aside');
  });

  it('is flushed with what is above it', () => {
    makePlace(parts, 'staging');
    const { stagingData, stagingIndex } = places;
    expect(fileSystem.calls.filter((call) => call.startsWith('sync'))).toEqual([
      `sync ${stagingData}`,
      'sync /node',
      `sync ${stagingIndex}`
    ]);
  });

  it('keeps the mark that it has: a second try writes none', () => {
    makePlace(parts, 'aside');
    expect(fileSystem.calls.filter((call) => call.startsWith('rename'))).toEqual([]);
  });

  it('has a mark of its own for an index elsewhere', () => {
    story('/elsewhere/ix');
    for (const place of [places.stagingIndex, places.asideIndex])
      expect(readMark(fileSystem, place)).toBeDefined();
    makePlace(parts, 'aside');
    expect(fileSystem.calls.filter((call) => call.startsWith('rename'))).toEqual([]);
  });
});

describe.each([
  ['in the data directory', undefined],
  ['elsewhere', '/elsewhere/ix']
])('with the index %s', (_, index) => {
  const indexOf = <T>(names: Record<string, T>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(names)
        .filter(([name]) => name.startsWith('index/'))
        .map(([name, value]) => [name.slice('index/'.length), value])
    );
  const dataOf = <T>(names: Record<string, T>): Record<string, T> =>
    index === undefined
      ? names
      : Object.fromEntries(Object.entries(names).filter(([name]) => !name.startsWith('index/')));
  const expectThere = (names: Record<string, string | number>, data: string, other: string): void => {
    const { 'lost+found/x': own, ...rest } = tree(data);
    expect(rest).toEqual(dataOf(names));
    if (data === DB) expect(own).toBe('old');
    if (index !== undefined) expect(tree(other)).toEqual(indexOf(names));
  };
  const indexDirectory = index ?? `${DB}/index`;
  beforeEach(() => story(index));

  it('the old names are told before anything is moved', () => {
    expect(oldNames(parts)).toEqual({
      data: ['chaser.chk', 'chunk-000000.000000', 'kurrent.ddb', 'truncate.chk', 'writer.chk'],
      index: ['indexmap', 'scavenging', 'stream-existence']
    });
  });

  it('the old files go aside, the start is blocked, and a second time changes nothing', () => {
    for (let time = 0; time < 2; time++) {
      moveAside(parts);
      expect(tree(DB)).toEqual({ 'chaser.chk': BLOCKED_CHASER, 'lost+found/x': 'old' });
      expectThere(OLD, places.asideData, places.asideIndex);
    }
    expect(fileSystem.describe(`${places.asideData}/chaser.chk`)).toMatchObject({
      mode: 0o640,
      uid: 7,
      gid: 8
    });
  });

  it('truncate.chk goes first, and is on the disk before the next', () => {
    moveAside(parts);
    const moves = fileSystem.calls.filter(
      (call) => call.includes(` ${places.asideData}/`) && !call.includes('chaser')
    );
    expect(moves[0]).toContain('truncate.chk');
    const at = fileSystem.calls.indexOf(moves[0]!);
    expect(fileSystem.calls[at + 1]).toBe(`sync ${DB}`);
    const last = new Set(fileSystem.calls.slice(-4));
    for (const directory of [DB, indexDirectory, places.asideData, places.asideIndex]) {
      expect(last).toContain(`sync ${directory}`);
    }
  });

  it('the new files come, all but chaser.chk, and then that one', () => {
    moveAside(parts);
    for (let time = 0; time < 2; time++) {
      moveIn(parts);
      expectThere({ ...NEW, 'chaser.chk': BLOCKED_CHASER }, DB, indexDirectory);
    }
    expect(fileSystem.calls).toContain(`sync ${indexDirectory}/stream-existence`);
    for (let time = 0; time < 2; time++) {
      liftBlock(parts);
      expectThere(NEW, DB, indexDirectory);
    }
  });

  it('undone from there the old files are back, and the new ones where they were gathered', () => {
    moveAside(parts);
    moveIn(parts);
    const { 'chaser.chk': __, ...gathered } = NEW;
    for (let time = 0; time < 2; time++) {
      takeOut(parts);
      expectThere({ ...gathered, 'chaser.chk': 9 }, places.stagingData, places.stagingIndex);
    }
    moveBack(parts);
    expectThere(OLD, DB, indexDirectory);
    expectThere({}, places.asideData, places.asideIndex);
  });
});

describe('what a start that failed left in between', () => {
  it('goes aside apart from the old files, and with those of its folder', () => {
    moveAside(parts);
    writeText(fileSystem, `${DB}/stray`, 'stray');
    writeText(fileSystem, `${DB}/index/stray-table`, 'stray');
    writeText(fileSystem, `${DB}/index/scavenging/scavenging.db`, 'stray');
    moveIn(parts);
    liftBlock(parts);
    const aside = tree(places.asideData);
    expect(aside).toMatchObject({
      'made-while-restoring/stray': 'stray',
      'index/made-while-restoring/stray-table': 'stray',
      'index/made-while-restoring/scavenging/scavenging.db': 'stray',
      'index/scavenging/scavenging.db': 'old'
    });
    expect(tree(DB)).toEqual({ ...NEW, 'lost+found/x': 'old' });
    expect(fileSystem.calls).toContain(`sync ${places.asideData}/made-while-restoring`);
  });

  it('joins what an earlier one left, directory by directory', () => {
    moveAside(parts);
    for (const name of ['one', 'two']) {
      writeText(fileSystem, `${DB}/log/${name}`, name);
      moveIn(parts);
    }
    expect(tree(`${places.asideData}/made-while-restoring`)).toEqual({ 'log/one': 'one', 'log/two': 'two' });
  });

  it('under the name of an old file that is aside already does not replace it', () => {
    moveAside(parts);
    writeCheckpointFile(fileSystem, `${DB}/truncate.chk`, 77);
    moveAside(parts);
    expect(tree(places.asideData)).toMatchObject({
      'truncate.chk': 5,
      'made-while-restoring/truncate.chk': 77
    });
  });

  it('does not go where the new files were gathered when they are taken out', () => {
    moveAside(parts);
    writeText(fileSystem, `${DB}/index/${TABLE}`, 'stray');
    takeOut(parts);
    expect(tree(places.stagingData)[`index/${TABLE}`]).toBe('new');
  });
});

describe('a database without', () => {
  it('truncate.chk gets none back', () => {
    fileSystem.remove(`${DB}/truncate.chk`);
    moveAside(parts);
    moveBack(parts);
    const { 'truncate.chk': _, ...rest } = OLD;
    expect(tree(DB)).toEqual({ ...rest, 'lost+found/x': 'old' });
  });

  it('chaser.chk is blocked all the same, and gets none back', () => {
    fileSystem.remove(`${DB}/chaser.chk`);
    moveAside(parts);
    expect(tree(DB)['chaser.chk']).toBe(BLOCKED_CHASER);
    expect(tree(places.asideData)).not.toHaveProperty('chaser.chk');
    moveBack(parts);
    expect(tree(DB)).not.toHaveProperty('chaser.chk');
  });

  it('a new file that was gathered and is gone is told, with the way back', () => {
    moveAside(parts);
    fileSystem.remove(`${places.stagingIndex}/${TABLE}`);
    expect(() => moveIn(parts)).toThrow(
      expect.objectContaining({
        code: 'StorageFailed',
        message: expect.stringContaining(TABLE) as string,
        remedy: expect.stringContaining('--undo') as string
      })
    );
  });
});

it('the copy of chaser.chk that a cut left half is written again', () => {
  writeText(fileSystem, `${places.asideData}/winnow-restore-chaser.new`, 'half');
  writeText(fileSystem, `${DB}/winnow-restore-chaser.new`, 'half');
  moveAside(parts);
  expect(tree(places.asideData)['chaser.chk']).toBe(5);
  moveBack(parts);
  expect(tree(DB)).toEqual({ ...OLD, 'lost+found/x': 'old' });
});

it('old and new survive each other: forward, and each directory is flushed once in a step', () => {
  forward();
  expect(tree(DB)).toEqual({ ...NEW, 'lost+found/x': 'old' });
  fileSystem.calls.length = 0;
  syncAll(fileSystem, [DB, '/none', DB]);
  expect(fileSystem.calls).toEqual([`sync ${DB}`]);
});

describe('a folder is one of this restore', () => {
  const ask = (change: Partial<Parameters<typeof requirePlace>[0]> = {}): boolean | string => {
    try {
      return requirePlace({
        fileSystem,
        dataDirectory: DB,
        directory: places.asideData,
        restore: restoreName(parts.journal),
        place: 'aside',
        isApart: false,
        ...change
      });
    } catch (error) {
      return (error as Error).message.replace(/^.*: /, '');
    }
  };
  const replaceMark = (change: object | string): void => {
    const path = `${places.asideData}/${RESTORE_MARK}`;
    const mark = readMark(fileSystem, places.asideData);
    fileSystem.remove(path);
    writeText(fileSystem, path, typeof change === 'string' ? change : JSON.stringify({ ...mark, ...change }));
  };

  it('by its mark', () => {
    expect(ask()).toBe(true);
    expect(ask({ isApart: true })).toBe(true);
    expect(ask({ directory: '/node/none' })).toBe(false);
  });

  it.each<[what: string, change: Partial<Parameters<typeof requirePlace>[0]>, why: string]>([
    ['another restore', { restore: 'x' }, 'its mark names another restore.'],
    ['another place', { place: 'staging' }, 'its mark names another restore.'],
    ['a file', { directory: `${DB}/writer.chk` }, 'it is a link or a file, not a directory.'],
    ['without a mark, holding something', { directory: LOST_AND_FOUND }, 'it has no restore mark.']
  ])('and not of %s', (_, change, why) => {
    Object.assign(fileSystem.find(LOST_AND_FOUND)!, { uid: 7 });
    expect(ask(change)).toBe(why);
  });

  it('not of another user, but of the superuser', () => {
    Object.assign(fileSystem.find(places.asideData)!, { uid: 99 });
    expect(ask()).toBe('it belongs to a different user.');
    Object.assign(fileSystem.find(places.asideData)!, { uid: 0 });
    expect(ask()).toBe(true);
  });

  it('not by a mark of another data directory, where it lies apart', () => {
    replaceMark({ inode: 99 });
    expect(ask()).toBe(true);
    expect(ask({ isApart: true })).toContain('of which this one may be a copy');
  });

  it.each(['not JSON', '{"formatVersion":2,"restore":"x"}', '{"formatVersion":1,"restore":7}'])(
    'by no mark that says %s: empty it is ours to remove, with something in it not',
    (text) => {
      replaceMark(text);
      expect(readMark(fileSystem, places.asideData)).toBeUndefined();
      fileSystem.removeDirectory(places.asideIndex);
      expect(ask()).toBe(true);
      writeText(fileSystem, `${places.asideData}/more`, 'x');
      expect(ask()).toBe('it has no restore mark.');
    }
  );

  it('by no mark that is gone when it is read', () => {
    const describe = fileSystem.describe.bind(fileSystem);
    fileSystem.describe = (path) => (path.endsWith(RESTORE_MARK) ? undefined : describe(path));
    writeText(fileSystem, `${places.asideData}/more`, 'x');
    expect(ask()).toBe('it has no restore mark.');
  });

  it('is removed with what is in it, the mark last', () => {
    const removed: string[] = [];
    const remove = fileSystem.remove.bind(fileSystem);
    fileSystem.remove = (path) => {
      removed.push(path);
      remove(path);
    };
    writeText(fileSystem, `${places.asideData}/file`, 'x');
    removePlace(fileSystem, places.asideData);
    expect(removed).toEqual([`${places.asideData}/file`]);
    expect(fileSystem.describe(places.asideData)).toBeUndefined();
    expect(fileSystem.calls).toEqual([`sync ${places.asideData}`]);
  });
});

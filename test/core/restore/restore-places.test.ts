/** Where new files are gathered and old ones go: by names, volumes and rights alone. */
import { describe, expect, it } from 'vitest';
import {
  asidePlaces,
  foreseenPlaces,
  isIndexApart,
  movableEntries,
  pathWithin,
  restorePlaces,
  writablePlaces
} from '../../../src-core/restore/restore-places.ts';
import type { FileFacts } from '../../../src-core/storage/file-system.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import { writeText } from '../../support/restore-fixture.ts';

const STAMP = '20260101T000000Z';
const DB = '/node/db';
const INDEX = '/node/db/index';

/** Directories with volumes of their own, and those in which nothing may be created. */
class Volumes extends MemoryFileSystem {
  devices = new Map<string, number>();
  closed = new Map<string, string>();
  tooLong = new Set<string>();
  override describe(file: string): FileFacts | undefined {
    if (this.tooLong.has(file)) throw storageError('ENAMETOOLONG', file);
    const facts = super.describe(file);
    const device = this.devices.get(file);
    return facts && device !== undefined ? { ...facts, device } : facts;
  }
  override makeDirectory(directory: string): void {
    const osCode = this.closed.get(this.join(directory, '..'));
    if (osCode !== undefined && this.find(directory) === undefined) throw storageError(osCode, directory);
    super.makeDirectory(directory);
  }
  mayCreateIn(directory: string): boolean {
    return !this.closed.has(directory);
  }
}

function volumes(directories: Record<string, number> = { [DB]: 1, [INDEX]: 1 }): Volumes {
  const fileSystem = new Volumes();
  for (const directory of Object.keys(directories)) fileSystem.makeDirectory(directory);
  fileSystem.devices = new Map(Object.entries(directories));
  return fileSystem;
}

const placesOf = (fileSystem: Volumes, indexDirectory = INDEX) =>
  restorePlaces({ fileSystem, dataDirectory: DB, indexDirectory, stamp: STAMP });

describe('a path', () => {
  it.each([
    ['/node/db', '/node/db', ''],
    ['/node/db/index/x', '/node/db', 'index/x'],
    ['/node/db2', '/node/db', undefined],
    ['/node', '/node/db', undefined],
    ['C:\\node\\db\\index', 'C:\\node\\db', 'index']
  ])('%s lies in %s as %s', (path, directory, within) => {
    expect(pathWithin(path, directory)).toBe(within);
  });
});

describe('the places of a restore', () => {
  it('lie beside the directory, and the index goes with it', () => {
    const places = placesOf(volumes());
    expect(places).toEqual({
      stagingData: `${DB}.restoring-${STAMP}`,
      stagingIndex: `${DB}.restoring-${STAMP}/index`,
      asideData: `${DB}.before-restore-${STAMP}`,
      asideIndex: `${DB}.before-restore-${STAMP}/index`,
      isDataInside: false,
      isIndexInside: false
    });
    expect(isIndexApart(places)).toBe(false);
  });

  it('of an index that is not there yet are those of its data directory', () => {
    expect(isIndexApart(placesOf(volumes({ [DB]: 7 })))).toBe(false);
  });

  it('of an index elsewhere lie beside that', () => {
    const places = placesOf(volumes({ [DB]: 1, '/elsewhere/ix': 1 }), '/elsewhere/ix');
    expect(places).toMatchObject({
      stagingIndex: `/elsewhere/ix.restoring-${STAMP}`,
      asideIndex: `/elsewhere/ix.before-restore-${STAMP}`,
      isIndexInside: false
    });
    expect(isIndexApart(places)).toBe(true);
  });

  it('lie inside a directory that is a mount point', () => {
    const fileSystem = volumes({ '/node': 1, [DB]: 2, [INDEX]: 2 });
    expect(placesOf(fileSystem)).toEqual({
      stagingData: `${DB}/winnow-restoring-${STAMP}`,
      stagingIndex: `${DB}/winnow-restoring-${STAMP}/index`,
      asideData: `${DB}/before-restore-${STAMP}`,
      asideIndex: `${DB}/before-restore-${STAMP}/index`,
      isDataInside: true,
      isIndexInside: true
    });
  });

  it('of an index in the data directory, on a volume of its own, lie inside it', () => {
    const places = placesOf(volumes({ '/node': 1, [DB]: 1, [INDEX]: 2 }));
    expect(places).toMatchObject({ isDataInside: false, isIndexInside: true });
    expect(places.stagingIndex).toBe(`${INDEX}/winnow-restoring-${STAMP}`);
    expect(isIndexApart(places)).toBe(true);
  });

  it.each([DB, '/node', '/'.concat('node')])('are refused to an index directory at %s', (index) => {
    expect(() => placesOf(volumes(), index)).toThrow('is not a separate directory');
  });
});

describe('where this user may create nothing beside the directory, the places', () => {
  const planOf = (fileSystem: Volumes, indexDirectory = INDEX) => ({
    dataDirectory: DB,
    indexDirectory,
    places: placesOf(fileSystem, indexDirectory),
    stamp: STAMP
  });

  it.each(['EACCES', 'EPERM', 'EROFS'])('lie inside, foreseen and tried: %s', (osCode) => {
    const fileSystem = volumes();
    fileSystem.closed.set('/node', osCode);
    for (const find of [foreseenPlaces, writablePlaces]) {
      const places = find(fileSystem, planOf(fileSystem));
      expect(places).toMatchObject({ isDataInside: true, isIndexInside: true });
      expect(isIndexApart(places)).toBe(false);
    }
  });

  it('stay beside where the try goes well, and the try leaves nothing', () => {
    const fileSystem = volumes({ [DB]: 1, '/elsewhere/ix': 1 });
    const plan = planOf(fileSystem, '/elsewhere/ix');
    expect(writablePlaces(fileSystem, plan)).toEqual(plan.places);
    expect(foreseenPlaces(fileSystem, plan)).toEqual(plan.places);
    expect(fileSystem.list('/node')?.map(({ name }) => name)).toEqual(['db']);
    expect(fileSystem.list('/elsewhere')?.map(({ name }) => name)).toEqual(['ix']);
  });

  it('of the index alone lie inside where only that one has no room beside it', () => {
    const fileSystem = volumes({ [DB]: 1, '/elsewhere/ix': 1 });
    fileSystem.closed.set('/elsewhere', 'EACCES');
    for (const find of [foreseenPlaces, writablePlaces]) {
      expect(find(fileSystem, planOf(fileSystem, '/elsewhere/ix'))).toMatchObject({
        isDataInside: false,
        isIndexInside: true
      });
    }
  });

  it('of the data alone lie inside where only that one has no room beside it', () => {
    const fileSystem = volumes({ [DB]: 1, '/elsewhere/ix': 1 });
    fileSystem.closed.set('/node', 'EACCES');
    for (const find of [foreseenPlaces, writablePlaces]) {
      expect(find(fileSystem, planOf(fileSystem, '/elsewhere/ix'))).toMatchObject({
        isDataInside: true,
        isIndexInside: false
      });
    }
  });

  it('stay beside where everything above is still to be made', () => {
    const fileSystem = new Volumes();
    fileSystem.closed.set('/node', 'EACCES');
    const plan = planOf(fileSystem);
    expect(foreseenPlaces(fileSystem, plan)).toEqual(plan.places);
    expect(writablePlaces(fileSystem, plan)).toEqual(plan.places);
    expect(fileSystem.list('/')).toEqual([]);
  });

  it('are an error of the disk where the try meets one', () => {
    const fileSystem = volumes();
    fileSystem.closed.set('/node', 'EIO');
    expect(() => writablePlaces(fileSystem, planOf(fileSystem))).toThrow('EIO');
  });

  it.each(['restoring', 'before-restore'])('lie inside where a name is too long beside: %s', (word) => {
    const fileSystem = volumes();
    const plan = planOf(fileSystem);
    fileSystem.tooLong.add(`${DB}.${word}-${STAMP}`);
    expect(foreseenPlaces(fileSystem, plan)).toMatchObject({ isDataInside: true });
  });
});

describe('of the old files', () => {
  const apart = placesOf(volumes({ [DB]: 1, '/elsewhere/ix': 1 }), '/elsewhere/ix');
  const shared = placesOf(volumes());

  it('a directory is named only where something will lie in it', () => {
    const none = { data: [], index: [] };
    expect(asidePlaces({ places: shared, old: none })).toEqual([]);
    expect(asidePlaces({ places: apart, old: none })).toEqual([]);
    expect(asidePlaces({ places: shared, old: { data: [], index: ['a'] } })).toEqual([shared.asideData]);
    expect(asidePlaces({ places: shared, old: { data: ['a'], index: ['a'] } })).toEqual([shared.asideData]);
    expect(asidePlaces({ places: apart, old: { data: [], index: ['a'] } })).toEqual([apart.asideIndex]);
    expect(asidePlaces({ places: apart, old: { data: ['a'], index: ['a'] } })).toEqual([
      apart.asideData,
      apart.asideIndex
    ]);
  });

  it('what is kept, what leads to it and what belongs to the volume is not moved', () => {
    const fileSystem = new MemoryFileSystem();
    for (const name of ['b', 'a', 'kept', 'lost+found', 'deep/inside'])
      writeText(fileSystem, `/d/${name}`, name);
    const kept = ['/d/kept', '/d/deep/inside/more', '/elsewhere/a'];
    expect(movableEntries(fileSystem, '/d', kept)).toEqual(['a', 'b']);
    expect(movableEntries(fileSystem, '/missing', kept)).toEqual([]);
  });
});

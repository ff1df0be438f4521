/** What a restore decides before it writes: which files, how much room, whose history, and of what it warns. */
import { beforeEach, describe, expect, it } from 'vitest';
import { OperationControl } from '../../../src-core/database/operation-control.ts';
import type { Manifest, ManifestChunk } from '../../../src-core/backup/manifest.ts';
import { existing, refuseTooLittleSpace, type RestorePlan } from '../../../src-core/restore/restore-plan.ts';
import { chooseFiles, isRestorable, type SourceFile } from '../../../src-core/restore/restore-source.ts';
import { undoRestore } from '../../../src-core/restore/run-restore.ts';
import type { FileFacts } from '../../../src-core/storage/file-system.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import {
  plainSource,
  restore,
  restoreEnvironment,
  restorePlanOf,
  sourceOf,
  stoppedRestore,
  writeBackup,
  writeOldDatabase,
  writeSmallDatabase,
  writeText
} from '../../support/restore-fixture.ts';

const DB = '/node/db';
const TABLE = '0b1b7a2e-0000-4000-8000-000000000001';

/** An index directory on a volume of its own, and how much is free on each. */
class TwoVolumes extends MemoryFileSystem {
  free = { data: 2 ** 40, index: 2 ** 40 };
  override describe(file: string): FileFacts | undefined {
    const facts = super.describe(file);
    return facts && file.startsWith('/ix') ? { ...facts, device: 2 } : facts;
  }
  override freeBytes(file: string): number {
    return file.startsWith('/ix') ? this.free.index : this.free.data;
  }
}

let fileSystem: TwoVolumes;
let manifest: Manifest;
beforeEach(async () => {
  fileSystem = new TwoVolumes();
  await writeSmallDatabase(fileSystem, '/source/db', { chaserBehind: 5_000 });
  manifest = writeBackup(fileSystem, '/source/db', '/backups');
});

function planOf(change: Partial<Manifest> = {}, indexDirectory = `${DB}/index`): RestorePlan {
  const source = sourceOf(fileSystem, '/backups', { ...manifest, ...change });
  return restorePlanOf({ fileSystem, source, dataDirectory: DB, indexDirectory });
}

const codesOf = ({ warnings }: RestorePlan): string[] => warnings.map(({ code }) => code);

const chunkOf = (start: number, change: Partial<ManifestChunk> = {}): ManifestChunk => ({
  start,
  end: start,
  id: '00000000-0000-4000-8000-000000000001',
  fileVersion: 3,
  formatVersion: 0,
  isScavenged: false,
  isCompleted: true,
  md5: null,
  ...change
});

describe('a file of the source', () => {
  const files = (name: string, area: 'data' | 'index') => {
    const source = sourceOf(fileSystem, '/backups', manifest);
    const other: SourceFile = { area, name, bytes: 8, sha256: null };
    return chooseFiles({ ...source, files: [...source.files, other] });
  };

  it.each([
    ['data', 'proposal.chk', undefined],
    ['data', 'tag.chk', undefined],
    ['data', 'chunk-000001.000007', undefined],
    ['data', 'chunk-000900.000000', 'behindTheLog'],
    ['data', 'truncate.chk', 'rewrittenHere'],
    ['data', 'kurrent.ddb', 'madeByTheServer'],
    ['data', 'indexmap', 'madeByTheServer'],
    ['index', TABLE, undefined],
    ['index', `${TABLE}.bloomfilter`, undefined],
    ['index', 'stream-existence/streamExistenceFilter.chk', undefined],
    ['index', 'scavenging/scavenging.db', 'scavengeState'],
    ['index', 'writer.chk', 'madeByTheServer'],
    ['index', `${TABLE}.bloomfilter.old`, 'madeByTheServer']
  ] as const)('%s/%s is left out because of: %s', (area, name, why) => {
    const { files: chosen, leftOut } = files(name, area);
    const isIt = (one: { area: string; name: string }): boolean => one.area === area && one.name === name;
    expect(chosen.some(isIt)).toBe(why === undefined);
    expect(leftOut.find(isIt)?.why).toBe(why);
  });

  it('of the last chunk that the writer has come to is taken, and the next one not', () => {
    const last = Math.floor(manifest.checkpoints.writer / manifest.chunkSize);
    const name = (number: number) => `chunk-${String(number).padStart(6, '0')}.000009`;
    const isLeftOut = (number: number) =>
      files(name(number), 'data').leftOut.some((file) => file.name === name(number));
    expect([isLeftOut(last), isLeftOut(last + 1)]).toEqual([false, true]);
  });

  it.each<[object | null, boolean]>([
    [{ area: 'data', name: 'writer.chk', bytes: 8, sha256: 'a' }, true],
    [{ area: 'index', name: TABLE, bytes: 8, sha256: null }, true],
    [{ area: 'data', name: 'chunk-099999.000000', bytes: 8, sha256: null }, true],
    [{ area: 'other', name: 'writer.chk', bytes: 8, sha256: null }, false],
    [{ area: 'data', name: 7, bytes: 8, sha256: null }, false],
    [{ area: 'data', name: 'writer.chk', bytes: '8', sha256: null }, false],
    [{ area: 'data', name: 'writer.chk', bytes: 8 }, false],
    [{ area: 'data', name: '../writer.chk', bytes: 8, sha256: null }, false],
    [{ area: 'index', name: 'scavenging/scavenging.db', bytes: 8, sha256: null }, false],
    [{}, false],
    [null, false]
  ])('in a journal is one that a restore puts in place, or the journal is refused: %j', (file, isTaken) => {
    expect(isRestorable(file)).toBe(isTaken);
  });
});

it('a copy made by hand lists its files in the order of their names, data before index', () => {
  const { files } = plainSource(fileSystem, '/source/db');
  for (const area of ['data', 'index'] as const) {
    const names = files.filter((file) => file.area === area).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(2);
    expect(names).toEqual([...names].sort());
  }
  expect(files.findLastIndex(({ area }) => area === 'data')).toBe(
    files.findIndex(({ area }) => area === 'index') - 1
  );
});

it('a restore tells of each of its steps, and so does its undo', async () => {
  const source = sourceOf(fileSystem, '/backups', manifest);
  let nowMs = 0;
  const told: string[] = [];
  const control = new OperationControl({
    signal: undefined,
    elapsedMs: () => (nowMs += 1000),
    yieldTurn: () => Promise.resolve(),
    onProgress: ({ phase }) => told.push(phase)
  });
  await restore({ fileSystem, source, dataDirectory: DB }, { control });
  expect([...new Set(told)]).toEqual(expect.arrayContaining(['copying', 'switching']));
  await stoppedRestore({ fileSystem, source, dataDirectory: '/node/other' });
  await undoRestore('/node/other', restoreEnvironment(fileSystem, { control }));
  expect(told.at(-1)).toBe('undoing');
});

describe('what a manifest says of the log', () => {
  const withChunks = (chunks: (ManifestChunk | null)[]): Manifest['files'] => {
    const [some] = manifest.files;
    const name = (number: number) => `chunk-${String(number).padStart(6, '0')}.000000`;
    return [
      ...manifest.files.filter((file) => !file.name.startsWith('chunk-')),
      ...chunks.map((chunk, at) => ({
        ...some!,
        area: 'data' as const,
        name: name(at),
        bytes: 100 + at,
        chunk
      }))
    ];
  };
  const logOf = (chunks: (ManifestChunk | null)[], writer: number) =>
    sourceOf(fileSystem, '/backups', {
      ...manifest,
      files: withChunks(chunks),
      checkpoints: { ...manifest.checkpoints, writer }
    }).log;

  it('is nothing where a chunk is not described', () => {
    expect(logOf([chunkOf(0), null], 1)).toBeNull();
  });

  it('is in the order of the log, each with its size', () => {
    const log = logOf([chunkOf(1), chunkOf(0, { isScavenged: true })], 1)!;
    expect(log.newest).toEqual([
      { file: 'chunk-000001.000000', startNumber: 0, endNumber: 0, isScavenged: true },
      { file: 'chunk-000000.000000', startNumber: 1, endNumber: 1, isScavenged: false }
    ]);
    expect(log.files.map(({ bytes }) => bytes)).toEqual([100, 101]);
  });

  it('holds no records in a chunk that the writer has not come into', () => {
    const { chunkSize } = manifest;
    const active = chunkOf(1, { isCompleted: false });
    const holds = (writer: number) => logOf([chunkOf(0), active], writer)!.files[1]!.holdsRecords;
    expect([holds(chunkSize - 1), holds(chunkSize), holds(chunkSize + 1)]).toEqual([false, false, true]);
    expect(logOf([chunkOf(0), chunkOf(1)], 0)!.files[1]!.holdsRecords).toBe(true);
  });
});

describe('the room that a restore needs', () => {
  const bytesOf = (area: 'data' | 'index') =>
    manifest.files
      .filter((file) => file.area === area && file.name !== 'truncate.chk')
      .reduce((sum, { bytes }) => sum + bytes, 0);

  it('is counted together on one volume, where a directory is missing by what is above it', () => {
    fileSystem.free.data = 12_345;
    expect(planOf().space).toEqual([
      { directory: DB, neededBytes: bytesOf('data') + bytesOf('index'), freeBytes: 12_345 }
    ]);
  });

  it('is counted for each volume', () => {
    fileSystem.makeDirectory('/ix');
    fileSystem.free = { data: 11, index: 22 };
    expect(planOf({}, '/ix/index').space).toEqual([
      { directory: DB, neededBytes: bytesOf('data'), freeBytes: 11 },
      { directory: '/ix/index', neededBytes: bytesOf('index'), freeBytes: 22 }
    ]);
  });

  it('is enough to the byte, and one less is refused with the numbers', () => {
    const space = { directory: DB, neededBytes: 10, freeBytes: 10 };
    expect(() => refuseTooLittleSpace({ space: [space] })).not.toThrow();
    expect(() => refuseTooLittleSpace({ space: [space, { ...space, freeBytes: 9 }] })).toThrow(
      expect.objectContaining({
        code: 'StorageFailed',
        details: { file: DB, neededBytes: 10, freeBytes: 9, osCode: 'ENOSPC' }
      })
    );
  });

  it('is asked of the nearest directory that is there', () => {
    fileSystem.makeDirectory('/a/b');
    expect(['/a/b', '/a/b/c/d', '/none'].map((path) => existing(fileSystem, path))).toEqual([
      '/a/b',
      '/a/b',
      '/'
    ]);
  });
});

describe('the database that is replaced', () => {
  it('is none where the directory is missing, or holds no log', () => {
    expect(planOf().replaces).toBeNull();
    writeText(fileSystem, `${DB}/notes.txt`, 'mine');
    expect(planOf().replaces).toBeNull();
    expect(codesOf(planOf())).not.toContain('targetDamaged');
  });

  it('is of the same history, and loses what was written since', () => {
    copyTree({ fileSystem, path: '/source/db' }, { fileSystem, path: DB });
    const { writer, chaser } = manifest.checkpoints;
    const plan = planOf();
    expect(plan.replaces).toEqual({
      writer,
      lostBytes: writer - chaser,
      isSameHistory: true,
      hasScavengeState: false
    });
    expect(codesOf(plan)).not.toContain('otherHistory');
  });

  it('is of another history by the id of an epoch', () => {
    copyTree({ fileSystem, path: '/source/db' }, { fileSystem, path: DB });
    const epochs = manifest.epochs.map((epoch) => ({ ...epoch, id: 'another' }));
    const plan = planOf({ epochs });
    expect(plan.replaces).toMatchObject({ isSameHistory: false, lostBytes: null });
    expect(codesOf(plan)).toContain('otherHistory');
    expect(planOf({ epochs: [] }).replaces).toMatchObject({ isSameHistory: null, lostBytes: null });
  });

  it('has a scavenge state that goes aside, and is told as damaged where it cannot be read', () => {
    writeOldDatabase(fileSystem, DB);
    const plan = planOf();
    expect(plan.replaces?.hasScavengeState).toBe(true);
    expect(codesOf(plan)).toEqual(expect.arrayContaining(['targetDamaged', 'scavengeStateMovedAside']));
  });
});

describe('a plan warns', () => {
  const withTruncate = (truncate: number | null) =>
    codesOf(planOf({ checkpoints: { ...manifest.checkpoints, truncate } })).includes('truncatePending');

  it('of a truncation that was pending before the place where the log ends', () => {
    const { chaser } = manifest.checkpoints;
    expect([chaser, -1, null].map(withTruncate)).toEqual([false, false, false]);
    expect([chaser - 1, 0].map(withTruncate)).toEqual([true, true]);
  });

  it('of a copy without a manifest', () => {
    const source = plainSource(fileSystem, '/source/db');
    expect(codesOf(restorePlanOf({ fileSystem, source, dataDirectory: DB }))).toContain('noManifest');
    expect(codesOf(planOf())).not.toContain('noManifest');
  });

  it('of differential backups only where the target is the node itself', () => {
    const node = { ...manifest.node, dataDirectory: DB };
    expect(codesOf(planOf({ node }))).toContain('fullBackupAdvised');
    expect(codesOf(planOf())).not.toContain('fullBackupAdvised');
  });

  it('of old files that stay on the mount point of the index', () => {
    writeText(fileSystem, '/ix/indexmap', 'old');
    const plan = planOf({}, '/ix');
    expect(plan.places).toMatchObject({ isDataInside: false, isIndexInside: true });
    expect(plan.warnings.find(({ code }) => code === 'keptInside')?.message).toContain(
      plan.places.asideIndex
    );
    expect(codesOf(planOf())).not.toContain('keptInside');
  });

  it('of a cut that takes a scavenged chunk as a whole', () => {
    const { chunkSize, checkpoints } = manifest;
    const active = Math.floor(checkpoints.chaser / chunkSize);
    const describeChunks = (isScavenged: boolean) => ({
      files: manifest.files.map((file) => {
        const number = /^chunk-(\d{6})/.exec(file.name)?.[1];
        if (number === undefined) return file;
        return {
          ...file,
          chunk: chunkOf(Number(number), { isScavenged: isScavenged && Number(number) === active })
        };
      })
    });
    const scavenged = planOf(describeChunks(true));
    expect(codesOf(scavenged)).toContain('deletesChunks');
    expect(scavenged.truncatesTo).toBe(active * chunkSize);
    const plain = planOf(describeChunks(false));
    expect(codesOf(plain)).not.toContain('deletesChunks');
    expect(plain).toMatchObject({
      truncatesTo: checkpoints.chaser,
      cutBytes: checkpoints.writer - checkpoints.chaser
    });
  });

  it('of a chunk with records that begins where both checkpoints end', () => {
    const at = manifest.chunkSize;
    const files = manifest.files.map((file) => {
      const number = /^chunk-(\d{6})/.exec(file.name)?.[1];
      return number === undefined ? file : { ...file, chunk: chunkOf(Number(number)) };
    });
    const plan = planOf({ files, checkpoints: { ...manifest.checkpoints, writer: at, chaser: at } });
    const { message } = plan.warnings.find(({ code }) => code === 'deletesChunks')!;
    expect(message).toMatch(
      new RegExp(
        `at ${at}: the first start deletes 1 chunk file, .*chunk-000001.*at and after the end of the log`
      )
    );
    expect(plan).toMatchObject({ truncatesTo: at, cutBytes: 0 });
  });
});

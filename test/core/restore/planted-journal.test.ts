/**
 * A journal of a restore is a file that anybody may put into a directory. On its word nothing is moved or removed
 * that the restore did not make; what does not belong together is refused with every file where it was.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RestoreJournal } from '../../../src-core/restore/restore-journal.ts';
import type { RestoreSource } from '../../../src-core/restore/restore-source.ts';
import { continueRestore, undoRestore } from '../../../src-core/restore/run-restore.ts';
import type { FileFacts } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { RESTORE_MARKER } from '../../../src-core/storage/restore-marker.ts';
import { PowerCut } from '../../support/faulty-file-system.ts';
import {
  backupOf,
  restore,
  restoreEnvironment,
  treeOf,
  writeOldDatabase,
  writeSmallDatabase
} from '../../support/restore-fixture.ts';

const STAMP = '20260101T000000Z';
let root: string;
let db: string;
let source: RestoreSource;

/** Ends the restore when the phase is entered; files may belong to others. */
class StoryFileSystem extends NodeFileSystem {
  endsAt: string | undefined;
  owners = new Map<string, number>();
  override rename(from: string, to: string): void {
    super.rename(from, to);
    const isJournal = path.basename(to) === RESTORE_MARKER;
    if (isJournal && this.endsAt !== undefined && fs.readFileSync(to, 'utf8').includes(`"${this.endsAt}"`))
      throw new PowerCut(0);
  }
  override describe(file: string): FileFacts | undefined {
    const facts = super.describe(file);
    const uid = this.owners.get(file);
    return facts && uid !== undefined ? { ...facts, uid } : facts;
  }
}
let fileSystem: StoryFileSystem;

beforeEach(async () => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-planted-')));
  fileSystem = new StoryFileSystem();
  db = path.join(root, 'node', 'db');
  await writeSmallDatabase(fileSystem, path.join(root, 'source'), { sizeBytes: 20_000 });
  source = backupOf(fileSystem, path.join(root, 'source'), path.join(root, 'backups'));
  writeOldDatabase(fileSystem, db);
  fs.mkdirSync(path.join(root, 'victim'));
  fs.writeFileSync(path.join(root, 'victim', 'letter'), 'dear');
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

/** Names, links and content of everything. */
function world(): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    tree[path.relative(root, file)] = entry.isSymbolicLink()
      ? `-> ${fs.readlinkSync(file)}`
      : entry.isDirectory()
        ? 'directory'
        : fs.readFileSync(file, 'base64');
  }
  return tree;
}

async function cutAt(phase: string, index?: string): Promise<void> {
  fileSystem.endsAt = phase;
  const story = {
    fileSystem,
    source,
    dataDirectory: db,
    ...(index === undefined ? {} : { indexDirectory: index })
  };
  await expect(restore(story)).rejects.toBeInstanceOf(PowerCut);
  fileSystem.endsAt = undefined;
}

const journalOf = (directory: string): string => path.join(directory, RESTORE_MARKER);
const read = (directory: string) =>
  JSON.parse(fs.readFileSync(journalOf(directory), 'utf8')) as RestoreJournal & Record<string, unknown>;
const plant = (directory: string, change: object): void =>
  fs.writeFileSync(journalOf(directory), JSON.stringify({ ...read(directory), ...change }));

/** Both ways are refused, and nothing is another than before. */
async function expectRefused(dataDirectory = db): Promise<string> {
  const before = world();
  const environment = restoreEnvironment(fileSystem);
  const undone: unknown = await undoRestore(dataDirectory, environment).catch((error: unknown) => error);
  expect(undone).toMatchObject({ code: 'LogCorrupt' });
  expect(world()).toEqual(before);
  return (undone as Error).message;
}

const onward = (): Promise<unknown> =>
  continueRestore(
    { dataDirectory: db, withSource: (_, work) => work(source) },
    restoreEnvironment(fileSystem)
  );

describe('a journal that was planted', () => {
  it('has no say in where the folders lie', async () => {
    await cutAt('preparing');
    const victim = path.join(root, 'victim');
    plant(db, {
      places: {
        ...(read(db)['places'] as object),
        stagingData: victim,
        stagingIndex: victim,
        asideData: victim,
        asideIndex: victim
      }
    });
    await undoRestore(db, restoreEnvironment(fileSystem));
    expect(fs.readdirSync(victim)).toEqual(['letter']);
  });

  it('removes no folder of the right name that has no mark', async () => {
    await cutAt('preparing');
    const staging = `${db}.restoring-${STAMP}`;
    fs.rmSync(staging, { recursive: true });
    fs.cpSync(path.join(root, 'victim'), staging, { recursive: true });
    expect(await expectRefused()).toContain('no restore mark');
  });

  it('removes no folder of another restore', async () => {
    await cutAt('preparing');
    plant(db, { inode: 1 });
    expect(await expectRefused()).toContain('another restore');
  });

  it.each(['../../victim', '/etc', '..', 'x/../..'])('takes no stamp and no index at %s', async (name) => {
    await cutAt('preparing');
    plant(db, { stamp: name });
    await expectRefused();
    plant(db, { stamp: STAMP, indexWithin: name });
    await expectRefused();
  });

  it.each(['letter', '../victim/letter', 'foo/letter', 'kurrent.ddb'])(
    'moves no file that no restore puts in place: %s',
    async (name) => {
      await cutAt('movingIn');
      plant(db, { files: [{ area: 'index', name, bytes: 4, sha256: null }] });
      await expectRefused();
    }
  );

  it('follows no link: a folder, the index, a folder in it, a gathered file', async () => {
    await cutAt('movingAside');
    const staging = `${db}.restoring-${STAMP}`;
    const gathered = path.join(staging, 'writer.chk');
    fs.renameSync(gathered, `${gathered}.kept`);
    fs.symlinkSync(path.join(root, 'victim', 'letter'), gathered);
    expect(await expectRefused()).toContain('link');
    await expect(onward()).rejects.toMatchObject({ code: 'LogCorrupt' });
    fs.rmSync(gathered);
    fs.renameSync(`${gathered}.kept`, gathered);
    for (const linked of [staging, `${db}.before-restore-${STAMP}`, path.join(db, 'index')]) {
      fs.renameSync(linked, `${linked}.kept`);
      fs.symlinkSync(path.join(root, 'victim'), linked);
      expect(await expectRefused()).toContain('link');
      fs.rmSync(linked);
      fs.renameSync(`${linked}.kept`, linked);
    }
    await undoRestore(db, restoreEnvironment(fileSystem));
  });

  it('is nobody’s word where it belongs to another user, or is a link', async () => {
    await cutAt('preparing');
    fileSystem.owners.set(journalOf(db), 4711);
    expect(await expectRefused()).toContain('a different user');
    fileSystem.owners.clear();
    fileSystem.owners.set(`${db}.restoring-${STAMP}`, 4711);
    expect(await expectRefused()).toContain('a different user');
    fileSystem.owners.clear();
    fs.renameSync(journalOf(db), path.join(root, 'elsewhere.json'));
    fs.symlinkSync(path.join(root, 'elsewhere.json'), journalOf(db));
    expect(await expectRefused()).toContain('link');
  });

  it('removes no empty index directory elsewhere', async () => {
    await cutAt('copying');
    const empty = path.join(root, 'empty');
    fs.mkdirSync(empty);
    const { indexWithin: _, ...rest } = read(db);
    const places = { isDataInside: false, isIndexInside: false, isIndexShared: false };
    fs.writeFileSync(
      journalOf(db),
      JSON.stringify({ ...rest, indexDirectory: empty, madeIndexDirectory: true, places })
    );
    await undoRestore(db, restoreEnvironment(fileSystem));
    expect(fs.existsSync(empty)).toBe(true);
  });
});

it('a restore is not resumed where the folder for the old files was moved away by hand', async () => {
  await cutAt('movingAside');
  fs.renameSync(`${db}.before-restore-${STAMP}`, path.join(root, 'attic'));
  const before = world();
  await expect(onward()).rejects.toMatchObject({
    code: 'LogCorrupt',
    message: expect.stringContaining(`${db}.before-restore-${STAMP}: it does not exist`) as string
  });
  expect(world()).toEqual(before);
});

describe('an undo', () => {
  it.each(['movingAside', 'movingIn', 'takingOut', 'movingBack'])(
    'is refused where the old files were moved away by hand: %s',
    async (phase) => {
      await cutAt('movingIn');
      if (phase !== 'movingIn') plant(db, { phase });
      fs.renameSync(`${db}.before-restore-${STAMP}`, path.join(root, 'attic'));
      expect(await expectRefused()).toContain('is missing');
    }
  );

  it('is refused where one of the old files is gone', async () => {
    await cutAt('movingIn');
    fs.rmSync(path.join(`${db}.before-restore-${STAMP}`, 'chunk-000001.000003'));
    expect(await expectRefused()).toContain('chunk-000001.000003');
  });

  it('of a copied directory leaves the files of the original alone', async () => {
    await cutAt('movingIn');
    const copy = path.join(root, 'copy', 'db');
    fs.cpSync(db, copy, { recursive: true });
    await expectRefused(copy);
    await undoRestore(db, restoreEnvironment(fileSystem));
    expect(fs.readFileSync(path.join(db, 'kurrent.ddb'), 'utf8')).toBe('old kurrent.ddb');
  });

  it('of a copied directory leaves an index elsewhere to the original', async () => {
    const index = path.join(root, 'ix');
    fs.renameSync(path.join(db, 'index'), index);
    await cutAt('movingIn', index);
    const copy = path.join(root, 'copy', 'db');
    for (const suffix of ['', `.restoring-${STAMP}`, `.before-restore-${STAMP}`])
      fs.cpSync(db + suffix, copy + suffix, { recursive: true });
    expect(await expectRefused(copy)).toContain('copy');
    await undoRestore(db, restoreEnvironment(fileSystem));
    expect(treeOf(fileSystem, index)).toHaveProperty('scavenging/scavenging.db');
  });

  it('works where the directory and its folders were moved together', async () => {
    await cutAt('movingIn');
    fs.renameSync(path.join(root, 'node'), path.join(root, 'moved'));
    const moved = path.join(root, 'moved', 'db');
    await undoRestore(moved, restoreEnvironment(fileSystem));
    expect(fs.readFileSync(path.join(moved, 'kurrent.ddb'), 'utf8')).toBe('old kurrent.ddb');
    expect(fs.readdirSync(path.dirname(moved))).toEqual(['db']);
  });
});

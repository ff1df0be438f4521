/** Keeping what a scavenge replaces, and putting it back, where index and volume are not as usual. On a real disk. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { OperationStopped } from '../../../src-core/errors.ts';
import { BLOCKED_CHASER } from '../../../src-core/log/checkpoint-file.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { readableKept } from '../../../src-core/replaced/kept-folders.ts';
import { kindOfName } from '../../../src-core/replaced/kept-manifest.ts';
import { keptUse } from '../../../src-core/replaced/kept-space.ts';
import { undoScavenge } from '../../../src-core/replaced/run-undo.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import type { FileSystem, OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { RESTORE_MARKER } from '../../../src-core/storage/restore-marker.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { CRASH_TIME, guidsFrom, writeCrashDatabase } from '../../support/crash-database.ts';
import { directoryTree } from '../../support/directory-tree.ts';
import { storageError } from '../../support/memory-file-system.ts';
import { stoppedAtFirstTurn } from '../../support/stopped-operation.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';

const DAY_MS = 86_400_000;
const BLOCKED = BigInt(BLOCKED_CHASER);
const node = new NodeFileSystem();
let root: string;
let dataDirectory: string;
let indexDirectory: string;

beforeEach(async () => {
  root = temporaryDirectory();
  dataDirectory = join(root, 'db');
  indexDirectory = join(dataDirectory, 'index');
  await write(0);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Chunks stay as they are of which less would be freed than the threshold says. */
async function write(threshold: number): Promise<void> {
  const memory = await writeCrashDatabase({ dataDirectory: '/db', point: { threshold } });
  copyTree({ fileSystem: memory, path: '/db' }, { fileSystem: node, path: dataDirectory });
}

/** A database with chunks that a scavenge leaves as they are; gives the file name of one. */
async function scavengedInPart(): Promise<string> {
  rmSync(dataDirectory, { recursive: true });
  await write(20);
  await scavenge({ merge: false });
  const [kept] = readableKept(place());
  const same = kept!.files.find(
    ({ kind, name }) => kind === 'chunk' && existsSync(join(dataDirectory, name))
  );
  return same!.name;
}

function moveIndexAway(): void {
  indexDirectory = join(root, 'fast', 'index');
  copyTree(
    { fileSystem: node, path: join(dataDirectory, 'index') },
    { fileSystem: node, path: indexDirectory }
  );
  rmSync(join(dataDirectory, 'index'), { recursive: true });
}

function scavenge(change: Partial<ScavengeRequest> = {}, fileSystem: FileSystem = node) {
  const request = { now: CRASH_TIME, pageSize: 512, keepReplacedMs: 7 * DAY_MS, indexDirectory, ...change };
  return runScavenge(
    scavengeRequest(dataDirectory, request),
    scavengeEnvironment({ fileSystem, newGuid: guidsFrom(1000) })
  );
}

const place = (fileSystem: FileSystem = node) => ({ fileSystem, dataDirectory, indexDirectory });
const undo = (fileSystem: FileSystem = node) =>
  undoScavenge(place(fileSystem), { control: uncontrolled(), assumeStopped: false });
/** Without the file that two of them would exclude each other on. */
const tree = () =>
  Object.fromEntries(Object.entries(directoryTree(root)).filter(([name]) => !name.endsWith('replaced/lock')));

/** Folders with all names that are left of a second. */
function takeNamesOf(stamp: string): void {
  for (let number = 1; number <= 999; number++) {
    const folder = join(dataDirectory, 'winnow-replaced', number === 1 ? stamp : `${stamp}-${number}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'manifest.json'), 'of another time');
  }
}

async function refusal(going: Promise<unknown>): Promise<unknown> {
  return going.then(
    () => undefined,
    (error: unknown) => error
  );
}

/** As a server that ran since would have: events behind what was kept. */
function append(count: number): void {
  const newGuid = guidsFrom(77);
  const database = openDatabase(place());
  const writer = LogWriter.open({ fileSystem: node, directory: dataDirectory, newGuid }, database.chunkSet);
  const appender = new EventAppender({ writer, newGuid, now: () => 1n, lastEventNumber: () => -1 });
  for (let i = 0; i < count; i++)
    appender.append(`later-${i}`, [{ eventType: 'happened', data: Buffer.from(String(i)) }]);
  writer.close();
  database.close();
}

describe('an index that does not lie in the data directory', () => {
  test('has what is kept of it beside it, and all of it comes back to the byte', async () => {
    moveIndexAway();
    const before = tree();
    await scavenge();
    const [kept] = readableKept(place());
    expect(kept).toMatchObject({ indexWithin: null, hadIndex: true });
    const tables = kept!.files.filter(({ kind }) => kind === 'table');
    expect(tables.length).toBeGreaterThan(0);
    for (const { name } of tables)
      expect(existsSync(join(indexDirectory, 'winnow-replaced', kept!.id, 'index', name)), name).toBe(true);
    expect((await undo()).kind).toBe('exact');
    expect(tree()).toEqual(before);
  });

  test('has its folder of kept files with the rights of its own directory, which may be less', async () => {
    moveIndexAway();
    chmodSync(indexDirectory, 0o700);
    chmodSync(dataDirectory, 0o755);
    await scavenge();
    const kept = join(indexDirectory, 'winnow-replaced');
    expect(statSync(kept).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDirectory, 'winnow-replaced')).mode & 0o777).toBe(0o755);
  });

  test('is missed where its folder of kept files is gone, before anything is changed', async () => {
    moveIndexAway();
    await scavenge();
    rmSync(join(indexDirectory, 'winnow-replaced'), { recursive: true });
    const before = tree();
    expect(await refusal(undo())).toMatchObject({
      code: 'LogCorrupt',
      message: expect.stringMatching(/fast\/index\/winnow-replaced\/\d{8}T\d{6}Z: it is missing/) as string
    });
    expect(tree()).toEqual(before);
  });

  test('that was not there is not there afterwards', async () => {
    rmSync(indexDirectory, { recursive: true });
    indexDirectory = join(root, 'fast', 'index');
    mkdirSync(join(root, 'fast'));
    const before = tree();
    await scavenge();
    expect(existsSync(indexDirectory)).toBe(true);
    expect(readableKept(place())[0]).toMatchObject({ indexWithin: null, hadIndex: false });
    await undo();
    expect(tree()).toEqual(before);
  });
});

describe('what cannot be kept ends the scavenge before it changes anything', () => {
  test('a chunk that is a symbolic link', async () => {
    const [first] = readdirSync(dataDirectory).filter((name) => name.startsWith('chunk-'));
    copyFileSync(join(dataDirectory, first!), join(root, 'elsewhere'));
    rmSync(join(dataDirectory, first!));
    symlinkSync(join(root, 'elsewhere'), join(dataDirectory, first!));
    const before = tree();
    expect(await refusal(scavenge())).toMatchObject({
      code: 'StorageFailed',
      message: expect.stringMatching(
        /chunk-000000\.000000 cannot be kept without a full copy: it is a symbolic link/
      ) as string,
      details: { reason: 'cannotKeep' }
    });
    expect(tree()).toEqual(before);
  });

  test('a volume without second names and clones', async () => {
    class Plain extends PassThroughFileSystem {
      override link(): boolean {
        // As another mount of the same volume answers.
        throw storageError('EXDEV', 'x');
      }
      override clone(): boolean {
        return false;
      }
    }
    const before = tree();
    expect(await refusal(scavenge({}, new Plain(node)))).toMatchObject({
      code: 'StorageFailed',
      message: expect.stringMatching(/neither hard links nor clones/) as string
    });
    expect(tree()).toEqual(before);
  });

  test('second names that the disk refuses', async () => {
    class Broken extends PassThroughFileSystem {
      override link(): boolean {
        throw storageError('EIO', 'x');
      }
    }
    const before = tree();
    expect(await refusal(scavenge({}, new Broken(node)))).toMatchObject({ details: { osCode: 'EIO' } });
    expect(tree()).toEqual(before);
  });

  test('a volume that has no room for the copies', async () => {
    class Full extends PassThroughFileSystem {
      override freeBytes(): number {
        return 1;
      }
    }
    const before = tree();
    expect(await refusal(scavenge({}, new Full(node)))).toMatchObject({ details: { osCode: 'ENOSPC' } });
    expect(tree()).toEqual(before);
  });
});

describe('a scavenge that keeps what it replaces', () => {
  test('takes the next second for the name of its folder where all names of its own are taken', async () => {
    takeNamesOf('20260101T000000Z');
    takeNamesOf('20260101T000001Z');
    await scavenge();
    expect(readableKept(place())).toMatchObject([
      { id: '20260101T000002Z', keptAt: '2026-01-01T00:00:00.0000000Z' }
    ]);
  });

  test('keeps files that a sweep removes, too, and passes over directories', async () => {
    const [first] = readdirSync(dataDirectory).filter((name) => name.startsWith('chunk-'));
    copyFileSync(join(dataDirectory, first!), join(dataDirectory, first!.replace(/0$/, '4')));
    writeFileSync(join(dataDirectory, 'a.scavenge.tmp'), 'left');
    mkdirSync(join(indexDirectory, 'scavenging', 'directory'), { recursive: true });
    const before = tree();
    await scavenge();
    expect(existsSync(join(dataDirectory, first!))).toBe(false);
    const [kept] = readableKept(place());
    const leftovers = kept!.files.filter(({ kind }) => kind === 'leftover').map(({ name }) => name);
    expect(leftovers.sort()).toEqual(['a.scavenge.tmp', first]);
    await undo();
    expect(tree()).toEqual(before);
  });

  test('has written what it keeps, with its list, before it changes anything', async () => {
    const changed: [string, number][] = [];
    const leftover = join(dataDirectory, 'a.scavenge.tmp');
    writeFileSync(leftover, 'left');
    const chaser = join(dataDirectory, 'chaser.chk');
    writeFileSync(chaser, Buffer.alloc(8));
    class Watched extends PassThroughFileSystem {
      override open(path: string, mode: OpenMode): OpenFile {
        if (path === chaser && mode !== 'read') changed.push(['chaser', readableKept(place()).length]);
        return super.open(path, mode);
      }
      override remove(path: string): void {
        if (path === leftover) changed.push(['leftover', readableKept(place()).length]);
        super.remove(path);
      }
    }
    await scavenge({}, new Watched(node));
    expect(changed).toContainEqual(['chaser', 1]);
    expect(changed).toContainEqual(['leftover', 1]);
    expect(changed.filter(([, kept]) => kept !== 1)).toEqual([]);
  });

  test('is undone in the order of a scavenge: tables, the map that names them, chunks', async () => {
    await scavenge();
    const placed: string[] = [];
    class Watched extends PassThroughFileSystem {
      override rename(from: string, to: string): void {
        const area = dirname(to) === dataDirectory ? 'data' : 'index';
        const kind = from.endsWith('winnow-undo.tmp') && kindOfName(area, basename(to));
        if (kind === 'table' || kind === 'map' || kind === 'chunk') placed.push(kind);
        super.rename(from, to);
      }
    }
    await undo(new Watched(node));
    const order = placed.filter((kind, i) => kind !== placed[i - 1]);
    expect(order).toEqual(['table', 'map', 'chunk']);
  });

  test('is undone while no server can start, and none of its chunks is changed before that is on the disk', async () => {
    await scavenge();
    const chaser = join(dataDirectory, 'chaser.chk');
    const before = readFileSync(chaser);
    const blocked: boolean[] = [];
    class Watched extends PassThroughFileSystem {
      #isBlocked = false;
      override syncDirectory(path: string): void {
        if (path === dataDirectory) this.#isBlocked = readFileSync(chaser).readBigInt64LE() === BLOCKED;
        super.syncDirectory(path);
      }
      override rename(from: string, to: string): void {
        if (from.endsWith('winnow-undo.tmp')) blocked.push(this.#isBlocked);
        super.rename(from, to);
      }
    }
    await undo(new Watched(node));
    expect(blocked.length).toBeGreaterThan(0);
    expect(blocked).not.toContain(false);
    expect(readFileSync(chaser)).toEqual(before);
  });

  test('is not undone with a table whose checksum is another one now, and nothing is changed', async () => {
    await scavenge();
    const [kept] = readableKept(place());
    const table = kept!.files.find(({ kind }) => kind === 'table')!;
    const path = join(dataDirectory, 'winnow-replaced', kept!.id, 'index', table.name);
    const bytes = readFileSync(path);
    expect(table.hash).toBe(bytes.subarray(-16).toString('hex'));
    bytes[bytes.length - 1]! ^= 1;
    chmodSync(path, 0o644);
    writeFileSync(path, bytes);
    const before = tree();
    expect(await refusal(undo())).toMatchObject({
      message: expect.stringContaining('its checksum is not the one it had') as string
    });
    expect(tree()).toEqual(before);
  });

  test('that is stopped while what is kept is read has changed nothing, and can be done again', async () => {
    const before = tree();
    await scavenge();
    const scavenged = tree();
    const control = stoppedAtFirstTurn();
    await expect(undoScavenge(place(), { control, assumeStopped: false })).rejects.toThrow(OperationStopped);
    expect(tree()).toEqual(scavenged);
    await undo();
    expect(tree()).toEqual(before);
  });

  test('is undone where links are none any more, with copies', async () => {
    const before = tree();
    await scavenge();
    class Plain extends PassThroughFileSystem {
      override link(): boolean {
        return false;
      }
      override clone(): boolean {
        return false;
      }
    }
    await undo(new Plain(node));
    expect(tree()).toEqual(before);
  });

  test.each([
    ['is missing', (path: string) => rmSync(path), /completed\/chunk-\d+\.\d+: it is missing/],
    [
      'is shorter',
      (path: string) => truncateSync(path, 500),
      /completed\/chunk-\d+\.\d+: it has 500 bytes instead of \d+/
    ]
  ] as const)('is not undone where a chunk that it completed %s', async (_what, spoil, message) => {
    await scavenge({ scavengePoint: 'new', singleNode: true });
    const [kept] = readableKept(place());
    const [completed] = kept!.completed;
    spoil(join(dataDirectory, 'winnow-replaced', kept!.id, 'completed', completed!.name));
    const before = tree();
    expect(await refusal(undo())).toMatchObject({
      code: 'LogCorrupt',
      message: expect.stringMatching(message) as string
    });
    expect(tree()).toEqual(before);
  });

  test('is not undone over a chunk that is neither one of those that are kept nor made from them', async () => {
    const name = await scavengedInPart();
    const path = join(dataDirectory, name);
    const bytes = readFileSync(path);
    bytes[bytes.length - 1]! ^= 0xff;
    rmSync(path);
    writeFileSync(path, bytes);
    const before = tree();
    expect(await refusal(undo())).toMatchObject({
      code: 'LogCorrupt',
      message: expect.stringContaining(`${name} was not made from them by a scavenge`) as string,
      details: { reason: 'otherLog' }
    });
    expect(tree()).toEqual(before);
  });

  test('is undone over a copy of one of its chunks that has the name of a later version', async () => {
    const name = await scavengedInPart();
    renameSync(join(dataDirectory, name), join(dataDirectory, name.replace(/0$/, '3')));
    expect((await undo()).kind).toBe('exact');
    expect(existsSync(join(dataDirectory, name))).toBe(true);
    expect(existsSync(join(dataDirectory, name.replace(/0$/, '3')))).toBe(false);
  });

  test('is not undone where a restore is unfinished', async () => {
    await scavenge();
    writeFileSync(join(dataDirectory, RESTORE_MARKER), '{}');
    const before = tree();
    expect(await refusal(undo())).toMatchObject({ details: { reason: 'restoreUnfinished' } });
    expect(tree()).toEqual(before);
  });

  test('tells what it takes, by what is in place and what is not', async () => {
    await scavenge();
    const { bytes, kept } = keptUse(place());
    expect(kept).toHaveLength(1);
    expect(kept[0]).toMatchObject({ bytes, problem: null, scavengePoint: 0 });
    const [file] = readableKept(place())[0]!.files.filter(({ kind }) => kind === 'chunk');
    const path = join(dataDirectory, 'winnow-replaced', kept[0]!.id, 'data', file!.name);
    rmSync(path);
    mkdirSync(path);
    const { kept: now } = keptUse(place());
    expect(now[0]!.replacedFiles).toBe(
      kept[0]!.replacedFiles - (existsSync(join(dataDirectory, file!.name)) ? 0 : 1)
    );
  });
});

describe('where the log has grown since', () => {
  test('a chunk that a later scavenge merged from old and new cannot be joined, and nothing is changed', async () => {
    rmSync(dataDirectory, { recursive: true });
    node.makeDirectory(dataDirectory);
    const newGuid = guidsFrom(5);
    const parts = { fileSystem: node, directory: dataDirectory, newGuid };
    const burst = (writer: LogWriter, count: number, before: (stream: string) => number): void => {
      const appender = new EventAppender({ writer, newGuid, now: () => 1n, lastEventNumber: before });
      for (let i = 0; i < count; i++)
        appender.append('burst', [{ eventType: 'happened', data: Buffer.alloc(400, 'x') }]);
      appender.writeScavengePoint(0);
      appender.append('after', [{ eventType: 'happened', data: Buffer.from('{}') }]);
      writer.close();
    };
    const writer = LogWriter.create({ ...parts, chunkSizeBytes: 4096 });
    new EventAppender({ writer, newGuid, now: () => 1n, lastEventNumber: () => -1 }).setMetadata(
      'burst',
      '{"$maxCount":1}'
    );
    burst(writer, 30, () => -1);
    await scavenge();
    const database = openDatabase(place());
    burst(LogWriter.open(parts, database.chunkSet), 30, (stream) => (stream === 'burst' ? 29 : 0));
    database.close();
    await scavenge({ keepReplacedMs: undefined });
    const before = tree();
    expect(await refusal(undo())).toMatchObject({
      code: 'LogCorrupt',
      message: expect.stringMatching(
        /the log went on after the scavenge \(\d+ records? from position \d+\), and a merged chunk joins old and new/
      ) as string,
      details: { reason: 'cannotJoin' }
    });
    expect(tree()).toEqual(before);
  });

  test('old chunks are joined with what was appended, and the index of before with them', async () => {
    await scavenge({ merge: false });
    append(3);
    const { kind, plan } = await undo();
    expect(kind).toBe('joined');
    expect(plan!.later.records).toBe(3);
    expect(plan!.indexFrom).toBeGreaterThan(0);
    const database = openDatabase(place());
    database.requireWhole();
    expect(database.log.end).toBe(plan!.end);
    database.close();
    expect(readableKept(place())).toEqual([]);
  });

  test('without a map of before the index is read from the start of the log', async () => {
    for (const name of readdirSync(indexDirectory)) rmSync(join(indexDirectory, name), { recursive: true });
    await scavenge({ merge: false });
    append(3);
    const { plan } = await undo();
    expect(plan).toMatchObject({ kind: 'joined', indexFrom: 0 });
  });
});

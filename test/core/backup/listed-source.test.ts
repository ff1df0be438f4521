/** What a backup lists of a source: the notes on its log, what no server would open, and files that go while they are read. */
import { beforeEach, describe, expect, it } from 'vitest';
import { listBackupFiles } from '../../../src-core/backup/list-backup-files.ts';
import {
  listChunkFiles,
  listTableFiles,
  readIfThere,
  readSourceMap
} from '../../../src-core/backup/source-files.ts';
import { readSourceIdentity, readTag } from '../../../src-core/backup/source-identity.ts';
import { asRemovedMeanwhile, scavengeTrace } from '../../../src-core/backup/source-watch.ts';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import { readCatalogue } from '../../../src-core/backup/catalogue.ts';
import { ChunkWriter } from '../../../src-core/chunks/chunk-writer.ts';
import { encodeChunkFileName } from '../../../src-core/chunks/chunk-file-name.ts';
import {
  CHUNK_HEADER_LENGTH,
  decodeChunkHeader,
  encodeChunkHeader
} from '../../../src-core/chunks/chunk-header.ts';
import type { BackupMode } from '../../../src-core/backup/manifest.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { readCheckpoints, writeCheckpointFile } from '../../../src-core/log/checkpoint-file.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import { writeText } from '../../support/restore-fixture.ts';
import { DATA, testBackups, writeDatabase } from './backup-environment.ts';

const CHUNK = `${DATA}/chunk-000000.000000`;
const TRANSFORM_AT = 35;
const FOOTER_BYTES = 128;

let fileSystem: MemoryFileSystem;
beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  await writeDatabase(fileSystem, { sizeBytes: 150 * 1024 });
});

const place = () => ({ fileSystem, dataDirectory: DATA, indexDirectory: `${DATA}/index` });
const writer = (): number => readCheckpoints(fileSystem, DATA).writer!;

function write(path: string, bytes: Uint8Array, position: number): void {
  const file = fileSystem.open(path, 'readWrite');
  file.write(bytes, 0, bytes.length, position);
  file.close();
}

/** The first opens of a file fail with this word of the system. */
function failOpens(path: string, osCode: string, times: number): void {
  const open = fileSystem.open.bind(fileSystem);
  let left = times;
  fileSystem.open = (file, mode) => {
    if (file === path && left-- > 0) throw storageError(osCode, file);
    return open(file, mode);
  };
}

const tablePath = (): string => `${DATA}/index/${readSourceMap(place())!.map!.tables[0]!.file}`;

describe('the log of a source', () => {
  const notes = () => listChunkFiles(place(), writer()).notes.map(({ code, remedy }) => [code, remedy]);

  it('that is whole has no notes', () => {
    expect(notes()).toEqual([]);
    expect(readSourceIdentity(place(), null).epochs.length).toBeGreaterThan(0);
  });

  it('with an encrypted chunk needs its keys beside the backup, and tells no epochs', () => {
    write(CHUNK, Uint8Array.of(1), TRANSFORM_AT);
    expect(notes()).toEqual([['encrypted', 'Back up the keys too: they are not in this backup.']]);
    expect(readSourceIdentity(place(), null).epochs).toEqual([]);
  });

  it('whose first chunks may be archived needs the archive beside the backup, and tells no epochs', () => {
    fileSystem.remove(CHUNK);
    expect(notes()).toEqual([['archiveGap', 'Keep the archive: what it holds is not in this backup.']]);
    expect(readSourceIdentity(place(), null)).toMatchObject({ epochs: [], writer: writer() });
  });

  it('whose last chunk is full and not closed yet has nothing to do about it', () => {
    const path = `${DATA}/chunk-000001.000000`;
    const { chunkSize } = readSourceIdentity(place(), null);
    for (const { name } of fileSystem.list(DATA)!)
      if (/^chunk-00000[2-9]/.test(name)) fileSystem.remove(`${DATA}/${name}`);
    write(path, new Uint8Array(FOOTER_BYTES), fileSystem.describe(path)!.size - FOOTER_BYTES);
    writeCheckpointFile(fileSystem, `${DATA}/writer.chk`, 2 * chunkSize);
    expect(notes()).toEqual([['chunkNotCompleted', 'Nothing to do.']]);
  });

  it('with a chunk that has no footer is refused with its file', () => {
    write(CHUNK, new Uint8Array(FOOTER_BYTES), fileSystem.describe(CHUNK)!.size - FOOTER_BYTES);
    expect(() => listChunkFiles(place(), writer())).toThrow(
      expect.objectContaining({
        code: 'LogCorrupt',
        details: expect.objectContaining({ file: 'chunk-000000.000000' }) as object
      })
    );
  });
});

describe('a source that is looked at', () => {
  /** A chunk under another number, as a restore of other chunks leaves it. */
  function copyFirstChunkAs(number: number): void {
    const bytes = Buffer.from(readWholeFile(fileSystem, CHUNK)!);
    const header = decodeChunkHeader(bytes);
    if (typeof header === 'string') throw new Error(header);
    bytes.set(encodeChunkHeader({ ...header, startNumber: number, endNumber: number }));
    const path = `${DATA}/${encodeChunkFileName({ chunkNumber: number, fileVersion: 0 })}`;
    fileSystem.open(path, 'createNew').close();
    write(path, bytes, 0);
  }

  it.each<[string, () => void, string]>([
    ['a chunk is missing', () => fileSystem.remove(`${DATA}/chunk-000001.000000`), 'chunk-000001.000000'],
    ['a header is damaged', () => write(CHUNK, new Uint8Array(CHUNK_HEADER_LENGTH), 0), 'chunk-000000.000000']
  ])('is refused with its file where %s', (_, harm, file) => {
    harm();
    expect(() => readSourceIdentity(place(), null)).toThrow(
      expect.objectContaining({
        code: 'LogCorrupt',
        details: expect.objectContaining({ file }) as object
      })
    );
  });

  it('may have a chunk after the end of its log, which no backup holds', () => {
    copyFirstChunkAs(900);
    expect(readSourceIdentity(place(), null).writer).toBe(writer());
    const names = listBackupFiles(place(), 'full', writer()).map(({ name }) => name);
    expect(names).toContain('chunk-000000.000000');
    expect(names).not.toContain('chunk-000900.000000');
  });
});

describe('of the checkpoints of the log', () => {
  const listed = (mode: BackupMode) =>
    listBackupFiles(place(), mode, writer())
      .filter(({ area, name }) => area === 'data' && name.endsWith('.chk'))
      .map(({ name, bytes }) => [name.slice(0, -4), bytes]);
  const eight = (names: readonly string[]) => names.map((name) => [name, 8]);
  const ALL = ['chaser', 'epoch', 'proposal', 'tag', 'truncate', 'writer'];
  beforeEach(() => {
    for (const name of ALL) {
      const path = `${DATA}/${name}.chk`;
      if (!fileSystem.describe(path)) writeCheckpointFile(fileSystem, path, -1);
    }
  });

  it('a full backup holds all, the writer last: no other promises more than it', () => {
    expect(listed('full')).toEqual(eight(ALL));
  });

  it('a differential backup holds no truncation, and the writer after the chaser and the epoch', () => {
    expect(listed('differential')).toEqual(eight(['chaser', 'epoch', 'writer', 'proposal', 'tag']));
  });

  it('those are left out that are not there or are no files', () => {
    for (const name of ['proposal', 'tag']) fileSystem.remove(`${DATA}/${name}.chk`);
    fileSystem.makeDirectory(`${DATA}/tag.chk`);
    expect(listed('full')).toEqual(eight(['chaser', 'epoch', 'truncate', 'writer']));
  });
});

it('of an index directory without a map a backup holds no tables', () => {
  fileSystem.remove(`${DATA}/index/indexmap`);
  const files = listBackupFiles(place(), 'full', writer()).filter(({ area }) => area === 'index');
  expect(files.filter(({ name }) => !name.includes('/')).map(({ name }) => name)).toEqual([]);
});

describe('of the index directory', () => {
  const STATE = 'scavenging/scavenging.db';
  const OWN = ['indexmap', 'stream-existence/other.chk', 'stream-existence/other.dat'];
  const OTHERS = ['other.chk', 'other.txt', 'stream-existence/other.txt'];
  const listed = (mode: BackupMode): string[] =>
    listBackupFiles(place(), mode, writer())
      .filter(({ area }) => area === 'index')
      .map(({ name }) => name)
      .filter((name) => name === 'indexmap' || name === STATE || name.includes('other.'));
  beforeEach(() => {
    fileSystem.makeDirectory(`${DATA}/index/stream-existence`);
    for (const name of [...OWN.slice(1), ...OTHERS, STATE, 'other.tmp'])
      writeText(fileSystem, `${DATA}/index/${name}`, 'as it is');
  });

  it('a full backup holds every file but what is temporary', () => {
    expect(listed('full').sort()).toEqual([...OWN, ...OTHERS, STATE].sort());
  });

  it.each(['wal', 'shm', 'journal'])(
    'a full backup leaves out the state of scavenges where it is more than one file: -%s',
    (part) => {
      writeText(fileSystem, `${DATA}/index/${STATE}-${part}`, 'open');
      expect(listed('full').sort()).toEqual([...OWN, ...OTHERS].sort());
    }
  );

  it('a differential backup holds the index itself and the filter of existing streams', () => {
    expect(listed('differential').sort()).toEqual(OWN);
  });
});

describe('a file that goes', () => {
  it.each(['tag.chk', 'index/indexmap'])('before it is opened is not there: %s', (name) => {
    const path = `${DATA}/${name}`;
    if (name === 'tag.chk') writeCheckpointFile(fileSystem, path, 7);
    const read = () => (name === 'tag.chk' ? readTag(place()) : readSourceMap(place()));
    failOpens(path, 'ENOENT', 1);
    expect([read(), read()]).toEqual([
      name === 'tag.chk' ? null : undefined,
      name === 'tag.chk' ? '7' : expect.objectContaining({ map: expect.anything() as object })
    ]);
  });

  it('is not one that cannot be opened', () => {
    failOpens(CHUNK, 'EIO', 1);
    expect(() => readIfThere(fileSystem, CHUNK)).toThrow(expect.objectContaining({ code: 'StorageFailed' }));
  });

  it('of the index has no hash, and one that cannot be opened is told', () => {
    const { map } = readSourceMap(place())!;
    const hashes = () => listTableFiles(place(), map).files.map(({ tableMd5 }) => tableMd5);
    const [known] = hashes();
    expect(known).toMatch(/^[0-9a-f]{32}$/);
    failOpens(tablePath(), 'ENOENT', 1);
    expect([hashes()[0], hashes()[0]]).toEqual([null, known]);
    failOpens(tablePath(), 'EIO', 1);
    expect(hashes).toThrow(expect.objectContaining({ code: 'StorageFailed' }));
  });

  it('is copied from the map of then: one that names other tables', async () => {
    failOpens(tablePath(), 'ENOENT', 3); // for the plan, for the copy's list, and when it is copied
    const waits: number[] = [];
    const { request, environment } = testBackups(fileSystem, {
      environment: { wait: (ms) => Promise.resolve(void waits.push(ms)) }
    });
    const { files, notes } = await runBackup(request, environment);
    expect(files.map(({ name }) => `${DATA}/index/${name}`)).toContain(tablePath());
    expect(files.find(({ name }) => tablePath().endsWith(name))?.tableMd5).toMatch(/^[0-9a-f]{32}$/);
    expect([notes, waits.length]).toEqual([[], 1]);
  });
});

it('a table that is too short for a hash has none', () => {
  const path = tablePath();
  fileSystem.remove(path);
  writeText(fileSystem, path, 'short');
  const { files } = listTableFiles(place(), readSourceMap(place())!.map);
  expect(files[0]).toMatchObject({ path, bytes: 5, tableMd5: null });
});

it('a directory that is gone shows no scavenge, and explains no error', () => {
  const gone = { fileSystem, dataDirectory: '/gone', indexDirectory: '/gone/index' };
  expect(scavengeTrace(gone)).toBeUndefined();
  const error = storageError('ENOENT', '/gone/chunk-000000.000000');
  expect(asRemovedMeanwhile(gone, error)).toBe(error);
});

/** The first chunk, scavenged, takes the place of all before the last one, which gets this number. */
function mergeBefore(number: number): { writer: number } {
  const { chunkSize } = readSourceIdentity(place(), null);
  const names = fileSystem.list(DATA)!.map(({ name }) => name);
  const chunks = names.filter((name) => name.startsWith('chunk-')).sort();
  const first = Buffer.from(readWholeFile(fileSystem, `${DATA}/${chunks[0]!}`)!);
  const header = decodeChunkHeader(first);
  if (typeof header === 'string') throw new Error(header);
  const merged = ChunkWriter.create({
    fileSystem,
    path: `${DATA}/chunk-000000.000001`,
    header: { ...header, endNumber: number - 1, isScavenged: true },
    withMap: true
  });
  merged.append(first, CHUNK_HEADER_LENGTH, first.readInt32LE(CHUNK_HEADER_LENGTH) + 8, 0);
  merged.complete();
  const last = `${DATA}/${encodeChunkFileName({ chunkNumber: number, fileVersion: 0 })}`;
  fileSystem.rename(`${DATA}/${chunks.at(-1)!}`, last);
  write(last, encodeChunkHeader({ ...header, startNumber: number, endNumber: number }), 0);
  for (const name of chunks.slice(0, -1)) fileSystem.remove(`${DATA}/${name}`);
  const end = number * chunkSize + (writer() % chunkSize);
  writeCheckpointFile(fileSystem, `${DATA}/writer.chk`, end);
  writeCheckpointFile(fileSystem, `${DATA}/epoch.chk`, -1);
  return { writer: end };
}

it('a backup whose chaser is further behind than a server truncates says so, with the limit that it needs', async () => {
  const chaser = 1000;
  const { writer: end } = mergeBefore(5000);
  writeCheckpointFile(fileSystem, `${DATA}/chaser.chk`, chaser);
  const { request, environment } = testBackups(fileSystem);
  const { notes } = await runBackup(request, environment);
  expect(notes.find(({ code }) => code === 'beyondMaxTruncation')).toMatchObject({
    message: `The chaser was ${end - chaser} bytes behind the writer: a restore ends the log at ${chaser}.`,
    remedy: expect.stringContaining(`MaxTruncation is at least ${end - chaser}`) as string
  });
});

describe('a backup is not made', () => {
  it.each(['writer', 'chaser'])(
    'where %s.chk goes after the look at the source, and says which',
    async (name) => {
      const { request, environment, target } = testBackups(fileSystem);
      const put = target.write.bind(target);
      target.write = async (object, content) => {
        await put(object, content);
        if (object.endsWith('/indexmap')) fileSystem.remove(`${DATA}/${name}.chk`);
      };
      await expect(runBackup(request, environment)).rejects.toMatchObject({
        code: 'LogCorrupt',
        message: expect.stringContaining(`${name}.chk disappeared`) as string,
        details: { file: `${name}.chk` }
      });
      expect((await readCatalogue(target)).backups).toEqual([]);
    }
  );

  it('of which no server would start: the chaser is ahead of the writer', async () => {
    writeCheckpointFile(fileSystem, `${DATA}/chaser.chk`, writer() + 100);
    const { request, environment, target } = testBackups(fileSystem);
    await expect(runBackup(request, environment)).rejects.toMatchObject({
      code: 'LogCorrupt',
      message: expect.stringContaining('The copy cannot be restored: ') as string,
      remedy: expect.stringContaining('The earlier backups are untouched') as string
    });
    expect((await readCatalogue(target)).backups).toEqual([]);
  });
});

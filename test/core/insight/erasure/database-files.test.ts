/** Every file of a node's directories is listed with what it is, and what was not looked into is named. */
import { describe, expect, it } from 'vitest';
import { encodeChunkFileName } from '../../../../src-core/chunks/chunk-file-name.ts';
import { openDatabase } from '../../../../src-core/database/database.ts';
import {
  formOfName,
  isKnownName,
  listDatabaseFiles
} from '../../../../src-core/insight/erasure/database-files.ts';
import { readWholeFile } from '../../../../src-core/storage/file-system.ts';
import { MemoryFileSystem, storageError } from '../../../support/memory-file-system.ts';
import { writeSmallDatabase, writeText } from '../../../support/restore-fixture.ts';

const DATA = '/node/db';

async function databaseWith(
  files: readonly string[],
  change: (memory: MemoryFileSystem) => void = () => undefined,
  indexDirectory?: string
) {
  const memory = new MemoryFileSystem();
  await writeSmallDatabase(memory, DATA, { sizeBytes: 20_000 });
  for (const file of files) {
    memory.makeDirectory(file.slice(0, file.lastIndexOf('/')));
    writeText(memory, file, 'dear');
  }
  change(memory);
  const database = openDatabase({ fileSystem: memory, dataDirectory: DATA, indexDirectory });
  const listed = listDatabaseFiles({
    database,
    stateDirectories: ['/home/detached', '/home/no-longer-there']
  });
  database.close();
  const byName = new Map(listed.files.map((file) => [file.name, file]));
  return { ...listed, byName };
}

/** The first chunk again, as a chunk of another number. */
function copyAsChunk(memory: MemoryFileSystem, number: number): void {
  const bytes = Buffer.from(readWholeFile(memory, `${DATA}/chunk-000000.000000`)!);
  bytes.writeInt32LE(number, 6);
  bytes.writeInt32LE(number, 10);
  const name = encodeChunkFileName({ chunkNumber: number, fileVersion: 0 });
  const file = memory.open(`${DATA}/${name}`, 'createNew');
  file.write(bytes, 0, bytes.length, 0);
  file.close();
}

describe('the files of a database', () => {
  it('are each of their kind, those that nobody knows too', async () => {
    const names = {
      'db/notes.txt': ['other', 'unknown'],
      'db/kurrent.ddb': ['other', 'unknown'],
      'db/chunk-000000.000000.archive.bkup': ['supersededChunk', 'chunk'],
      'db/some.scavenge.tmp': ['temporaryFile', 'unknown'],
      'db/index/some.tmp': ['temporaryFile', 'unknown'],
      'db/index/letter': ['other', 'unknown'],
      'db/index/scavenging/scavenging.db': ['scavengeState', 'state'],
      'db/index-backup-1/00000000-0000-0000-0000-000000000001': ['index', 'table'],
      'db/elsewhere/chunk-000000.000000': ['other', 'chunk'],
      'db/winnow-replaced/lock': ['other', 'unknown'],
      'db-set-aside-1/chunk-000000.000000': ['other', 'chunk'],
      'db.before-restore-1/letter': ['other', 'unknown']
    };
    const { byName } = await databaseWith(Object.keys(names).map((name) => `/node/${name}`));
    for (const [name, [kind, form]] of Object.entries(names)) {
      const shown = name.startsWith('db/') ? name.slice(3) : `../${name}`;
      expect([shown, byName.get(shown)?.kind, byName.get(shown)?.form]).toEqual([shown, kind, form]);
      expect(byName.get(shown)?.bytes).toBe(4);
    }
    expect(byName.get('kurrent.ddb')?.notReadable).toMatch(/compressed/);
    expect(byName.get('notes.txt')?.notReadable).toMatch(/not a known part/);
    expect(byName.get('winnow-replaced/lock')?.notReadable).toBeUndefined();
    expect(byName.get('chunk-000000.000000')).toMatchObject({ kind: 'log', form: 'chunk' });
    expect(byName.get('writer.chk')).toMatchObject({ kind: 'other', form: 'numbers' });
    expect(byName.get('index/indexmap')).toMatchObject({ kind: 'index' });
  });

  it('are those of detached scavenges too, as far as there are any', async () => {
    const { files } = await databaseWith(['/home/detached/scavenging.db']);
    const detached = files.filter(({ name }) => name.startsWith('detached-scavenge-'));
    expect(detached).toMatchObject([
      { name: 'detached-scavenge-0/scavenging.db', kind: 'scavengeState', form: 'state' }
    ]);
  });

  it('are those that a check of the volume has saved, too', async () => {
    const { byName } = await databaseWith(['/node/db/lost+found/#12345']);
    expect(byName.get('lost+found/#12345')).toMatchObject({ kind: 'other', form: 'unknown' });
  });

  it('are not those of other directories beside it, nor sockets', async () => {
    const { files, notExamined } = await databaseWith([
      '/node/other-set-aside-1/letter',
      '/node/db-2/letter',
      '/node/db/server.sock'
    ]);
    expect(files.filter(({ name }) => /letter|sock/.test(name))).toEqual([]);
    expect(notExamined).toEqual([]);
  });

  it('are slack where they are chunks after the last one, and superseded where a newer version is in use', async () => {
    const { byName } = await databaseWith([], (memory) => {
      memory.link(`${DATA}/chunk-000000.000000`, `${DATA}/chunk-000000.000001`);
      copyAsChunk(memory, 777);
    });
    expect(byName.get('chunk-000000.000000')).toMatchObject({ kind: 'supersededChunk', form: 'chunk' });
    expect(byName.get('chunk-000000.000001')).toMatchObject({ kind: 'log', form: 'chunk' });
    expect(byName.get('chunk-000777.000000')).toMatchObject({ kind: 'slack', form: 'chunk' });
  });

  it('are not those that are gone since the directory was listed', async () => {
    const memory = new MemoryFileSystem();
    await writeSmallDatabase(memory, DATA, { sizeBytes: 20_000 });
    writeText(memory, `${DATA}/some.tmp`, 'dear');
    const database = openDatabase({ fileSystem: memory, dataDirectory: DATA });
    const describe = memory.describe.bind(memory);
    memory.describe = (file) => (file.endsWith('.tmp') ? undefined : describe(file));
    const { files, notExamined } = listDatabaseFiles({ database, stateDirectories: [] });
    database.close();
    expect(files.map(({ name }) => name)).toContain('writer.chk');
    expect(files.map(({ name }) => name)).not.toContain('some.tmp');
    expect(notExamined).toEqual([]);
  });

  it('are listed once where the index lies beside the data', async () => {
    const { files } = await databaseWith(
      [],
      (memory) => {
        memory.rename(`${DATA}/index`, '/node/index');
      },
      '/node/index'
    );
    const names = files.map(({ name }) => name);
    expect(names).toContain('index/indexmap');
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('what is not examined', () => {
  it('are snapshots of the volume, within the directory and beside it', async () => {
    const { notExamined, files } = await databaseWith([
      '/node/db/.zfs/letter',
      '/node/.snapshots/letter',
      '/node/db/.snapshot/letter'
    ]);
    expect(notExamined.map(({ place }) => place).sort()).toEqual(['../.snapshots', '.snapshot', '.zfs']);
    for (const { why } of notExamined) expect(why).toMatch(/snapshots of the volume/);
    expect(files.some(({ name }) => name.includes('letter'))).toBe(false);
  });

  it('are snapshots beside data and index only once', async () => {
    const move = (memory: MemoryFileSystem) => memory.rename(`${DATA}/index`, '/node/index');
    const { notExamined } = await databaseWith(['/node/.snapshots/letter'], move, '/node/index');
    expect(notExamined.map(({ place }) => place)).toEqual(['../.snapshots']);
  });

  it.each([
    ['within the data directory', `${DATA}/private`, 'private/'],
    ['which is the data directory itself', DATA, '.'],
    ['around the data directory, where copies may have been set aside', '/node', '..']
  ])('are directories that cannot be listed, %s', async (_name, refused, place) => {
    const memory = new MemoryFileSystem();
    await writeSmallDatabase(memory, DATA, { sizeBytes: 20_000 });
    memory.makeDirectory(`${DATA}/private`);
    const database = openDatabase({ fileSystem: memory, dataDirectory: DATA });
    const list = memory.list.bind(memory);
    memory.list = (directory) => {
      if (directory === refused) throw storageError('EACCES', directory);
      return list(directory);
    };
    const { files, notExamined } = listDatabaseFiles({ database, stateDirectories: [] });
    database.close();
    expect(notExamined).toEqual([{ place, why: `The system refused ${refused}: EACCES.` }]);
    expect(files.map(({ name }) => name)).toContain('index/indexmap');
  });

  it('are first chunks that may lie in an archive', async () => {
    const { notExamined } = await databaseWith([], (memory) => memory.remove(`${DATA}/chunk-000000.000000`));
    expect(notExamined).toMatchObject([
      { place: 'archive', why: expect.stringMatching(/^Chunk 0 is not in this directory/) as string }
    ]);
  });

  it('are chunks that are missing', async () => {
    const { notExamined } = await databaseWith([], (memory) => memory.remove(`${DATA}/chunk-000001.000000`));
    expect(notExamined).toMatchObject([
      { place: 'missing chunks', why: expect.stringMatching(/^Chunk 1 is missing/) as string }
    ]);
  });
});

it('names that the format knows are known wherever they lie, others are not', () => {
  const known = [
    'chunk-000000.000000',
    'x/chunk-000012.000003.archive.bkup',
    '00000000-0000-0000-0000-00000000000a',
    '00000000-0000-0000-0000-00000000000a.bloomfilter',
    'writer.chk',
    'indexmap',
    'moved.ndjson',
    'winnow-undo.json',
    'winnow-replaced/20261121T050000Z/manifest.json',
    'any.tmp',
    'scavenging.db-wal'
  ];
  const unknown = ['letter', 'indexmap.old', 'manifest.json', 'chunk-1.0', 'lock', 'a.chk.bak'];
  expect(known.filter((name) => !isKnownName(name))).toEqual([]);
  expect(unknown.filter(isKnownName)).toEqual([]);
  expect(formOfName('a/b/streamExistenceFilter.dat')).toBe('numbers');
});

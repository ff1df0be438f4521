import { expect, it } from 'vitest';
import { entriesIn, namesIn } from '../../../src-core/storage/directory-entries.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

it('a directory that is not there holds nothing; one that is there holds its files and directories', () => {
  const fileSystem = new MemoryFileSystem();
  expect(entriesIn(fileSystem, '/db')).toEqual([]);
  expect(namesIn(fileSystem, '/db')).toEqual([]);
  fileSystem.makeDirectory('/db/index');
  fileSystem.open('/db/writer.chk', 'createNew').close();
  expect(entriesIn(fileSystem, '/db')).toEqual([
    { name: 'index', isDirectory: true },
    { name: 'writer.chk', isDirectory: false }
  ]);
  expect(namesIn(fileSystem, '/db')).toEqual(['index', 'writer.chk']);
});

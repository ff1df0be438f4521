/** Names for the files that replace others: always above every version that is there, however often the directory is listed. */
import { beforeEach, describe, expect, test } from 'vitest';
import { ChunkVersions } from '../../../src-core/log/chunk-versions.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

let fileSystem: MemoryFileSystem;
let lists: number;
const make = (name: string) => fileSystem.open(`/db/${name}`, 'createNew').close();

beforeEach(() => {
  fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/db');
  lists = 0;
  const list = fileSystem.list.bind(fileSystem);
  fileSystem.list = (directory) => {
    lists++;
    return list(directory);
  };
  for (const name of ['chunk-000000.000000', 'chunk-000001.000003', 'chunk-000001.000001', 'writer.chk'])
    make(name);
});

describe('the next file of a chunk', () => {
  test('is one above all of its files, and 1 where there is none', () => {
    const versions = new ChunkVersions(fileSystem, '/db');
    expect(versions.nextName(0)).toBe('chunk-000000.000001');
    expect(versions.nextName(1)).toBe('chunk-000001.000004');
    expect(versions.nextName(2)).toBe('chunk-000002.000001');
  });

  test('is above those that were put in place since, of one list for all', () => {
    const versions = new ChunkVersions(fileSystem, '/db');
    for (const expected of ['chunk-000000.000001', 'chunk-000000.000002', 'chunk-000000.000003']) {
      const name = versions.nextName(0);
      expect(name).toBe(expected);
      make(name);
      versions.add(name);
    }
    expect(versions.nextName(1)).toBe('chunk-000001.000004');
    expect(lists).toBe(1);
  });

  test('never has the name of a file that somebody made meanwhile', () => {
    const versions = new ChunkVersions(fileSystem, '/db');
    expect(versions.nextName(1)).toBe('chunk-000001.000004');
    for (const name of ['chunk-000001.000004', 'chunk-000001.000007']) make(name);
    expect(versions.nextName(1)).toBe('chunk-000001.000008');
    expect(lists).toBe(2);
  });
});

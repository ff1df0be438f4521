/** Which chunk sets are not read again: those of the directories that were asked for last, as long as nothing changes there. */
import { beforeEach, expect, it } from 'vitest';
import { KeptChunkSets } from '../../../src-core/log/kept-chunk-sets.ts';
import { writeCrashDatabase } from '../../support/crash-database.ts';
import { copyTree } from '../../support/copy-tree.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';

const DIRECTORIES = ['/one', '/two', '/three'] as const;

let fileSystem: MemoryFileSystem;
beforeEach(async () => {
  fileSystem = await writeCrashDatabase({ dataDirectory: '/one', rounds: 1 });
  for (const path of ['/two', '/three']) copyTree({ fileSystem, path: '/one' }, { fileSystem, path });
});

it('a directory in which nothing changed is read once', () => {
  const kept = new KeptChunkSets(2);
  const set = kept.read(fileSystem, '/one', 100);
  expect(kept.read(fileSystem, '/one', 100)).toBe(set);
  expect(kept.read(fileSystem, '/one', 101)).not.toBe(set);
});

it('of more directories than are kept, the one that was asked for longest ago is read again', () => {
  const kept = new KeptChunkSets(2);
  const read = (directory: string) => kept.read(fileSystem, directory, 100);
  const [one, two] = [read('/one'), read('/two')];
  expect(read('/one')).toBe(one);
  const three = read('/three');
  expect(read('/three')).toBe(three);
  expect(read('/one')).toBe(one);
  expect(read('/two')).not.toBe(two);
});

it('none is kept once they are cleared', () => {
  const kept = new KeptChunkSets(3);
  const sets = DIRECTORIES.map((directory) => kept.read(fileSystem, directory, 100));
  kept.clear();
  DIRECTORIES.forEach((directory, i) => expect(kept.read(fileSystem, directory, 100)).not.toBe(sets[i]));
});

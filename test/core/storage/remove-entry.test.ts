/** Removal by name, on a real disk: links lead to files that are nobody's business here. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  EXISTENCE_FILTER_DIRECTORY,
  removeExistenceFilter
} from '../../../src-core/index/existence-filter.ts';
import { emptyIndexMap } from '../../../src-core/index/index-map.ts';
import { removeRunFiles, removeStrayFiles } from '../../../src-core/index/stray-files.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { entriesByName, removeEntry } from '../../../src-core/storage/remove-entry.ts';

const TABLE = '0b1b7a2e-0000-4000-8000-000000000001';
let root: string;
let directory: string;
let precious: string;
const fileSystem = new NodeFileSystem();

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-remove-')));
  directory = path.join(root, 'index');
  fs.mkdirSync(directory);
  precious = path.join(root, 'precious');
  fs.writeFileSync(precious, 'bytes', { mode: 0o400 });
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function expectPrecious(): void {
  expect(fs.readFileSync(precious, 'utf8')).toBe('bytes');
  expect(fs.statSync(precious).mode & 0o777).toBe(0o400);
}

describe('what has the name of a file that goes', () => {
  const remove = (name: string): boolean =>
    removeEntry(fileSystem, directory, entriesByName(fileSystem, directory).get(name));

  it('goes when it is a file, a read-only one too', () => {
    fs.writeFileSync(path.join(directory, 'x'), 'x', { mode: 0o400 });
    expect([remove('x'), remove('x')]).toEqual([true, false]);
    expect(fs.readdirSync(directory)).toEqual([]);
  });

  it.each(['a file', 'nothing', 'itself'])(
    'goes when it is a link to %s, which alone is removed',
    (where) => {
      const to = { 'a file': precious, nothing: path.join(root, 'none'), itself: 'x' }[where]!;
      fs.symlinkSync(to, path.join(directory, 'x'));
      expect(remove('x')).toBe(true);
      expect(fs.readdirSync(directory)).toEqual([]);
      expectPrecious();
    }
  );

  it('stays when it is a directory', () => {
    fs.mkdirSync(path.join(directory, 'x'));
    expect(remove('x')).toBe(false);
    expect(fs.readdirSync(directory)).toEqual(['x']);
  });
});

it('what a sweep of the index removes are links too, and what they lead to keeps its rights', () => {
  for (const name of [TABLE, `${TABLE}.bloomfilter`, `${TABLE}.run.tmp`]) {
    fs.symlinkSync(precious, path.join(directory, name));
  }
  removeRunFiles(fileSystem, directory);
  expect(removeStrayFiles(fileSystem, directory, emptyIndexMap()).sort()).toEqual([
    TABLE,
    `${TABLE}.bloomfilter`
  ]);
  const folder = path.join(directory, EXISTENCE_FILTER_DIRECTORY);
  fs.mkdirSync(folder);
  expect(removeExistenceFilter(fileSystem, directory)).toBe(false);
  fs.symlinkSync(precious, path.join(folder, 'streamExistenceFilter.chk'));
  fs.symlinkSync('streamExistenceFilter.dat', path.join(folder, 'streamExistenceFilter.dat'));
  expect(removeExistenceFilter(fileSystem, directory)).toBe(true);
  expect(fs.readdirSync(folder)).toEqual([]);
  expectPrecious();
});

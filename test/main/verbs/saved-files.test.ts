import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verbRequests } from '../../../src-main/contract/verbs/validate.ts';
import { SavedFiles } from '../../../src-main/verbs/saved-files.ts';

let directory: string;
let proposed: unknown;
let chosen: string | undefined;
let files: SavedFiles;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-saved-'));
  chosen = path.join(directory, 'rows.csv');
  files = new SavedFiles((proposal) => {
    proposed = proposal;
    return Promise.resolve(chosen);
  });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('pieces become one file where a person chose, and only when all are written', async () => {
  writeFileSync(chosen!, 'old');
  chmodSync(chosen!, 0o640);
  const { id } = (await files.open('streams', 'csv'))!;
  expect(proposed).toEqual({ title: 'Export', name: 'streams.csv', extension: 'csv' });
  files.write(id, 'a,b\r\n');
  files.write(id, 'ä,2\r\n');
  expect(readFileSync(chosen!, 'utf8')).toBe('old');
  expect(files.end(id, true)).toEqual({ file: 'rows.csv' });
  expect(readFileSync(chosen!, 'utf8')).toBe('a,b\r\nä,2\r\n');
  expect(statSync(chosen!).mode & 0o777).toBe(0o640);
  expect(readdirSync(directory)).toEqual(['rows.csv']);
  expect(() => files.write(id, 'more')).toThrow('no longer being written');
});

test('nothing stays of a file that is given up, or whose page has gone', async () => {
  const first = (await files.open('a', 'json'))!;
  const second = (await files.open('b', 'json'))!;
  files.write(first.id, 'x');
  files.end(first.id, false);
  files.write(second.id, 'y');
  files.discardAll();
  expect(readdirSync(directory)).toEqual([]);
  expect(() => files.end(second.id, true)).toThrow('no longer being written');
});

test('what a killed export left behind goes with the next one to the same place; the old file is whole until then', async () => {
  writeFileSync(chosen!, 'old');
  // As a kill leaves it: begun, never ended.
  const { id } = (await files.open('streams', 'csv'))!;
  files.write(id, 'half a ro');
  const [left] = readdirSync(directory).filter((name) => name.startsWith('.'));
  const longAgo = new Date(Date.now() - 60 * 60_000);
  utimesSync(path.join(directory, left!), longAgo, longAgo);
  expect(readFileSync(chosen!, 'utf8')).toBe('old');
  const next = (await files.open('streams', 'csv'))!;
  files.write(next.id, 'whole');
  files.end(next.id, true);
  expect(readFileSync(chosen!, 'utf8')).toBe('whole');
  expect(readdirSync(directory)).toEqual(['rows.csv']);
});

test('nobody chose: nothing is opened; too many at once are refused', async () => {
  chosen = undefined;
  expect(await files.open('a', 'csv')).toBeNull();
  chosen = path.join(directory, 'rows.csv');
  for (let count = 0; count < 8; count++) await files.open('a', 'csv');
  await expect(files.open('a', 'csv')).rejects.toThrow('8 files are being written already');
  files.discardAll();
});

test('a place that cannot be written is said with its name', async () => {
  chosen = path.join(directory, 'missing', 'rows.csv');
  await expect(files.open('a', 'csv')).rejects.toMatchObject({ code: 'StorageFailed' });
});

test.each(['', 'a/b', 'a\\b', '..\u0000', 'x'.repeat(121)])('the page may not propose %j', (name) => {
  expect(verbRequests.openSavedFile.safeParse({ name, form: 'csv' }).success).toBe(false);
});

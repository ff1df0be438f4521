/** Test files share processes: what one of them leaves behind, another would find. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ALONE } from './support/alone.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const alone = new Set(Object.values(ALONE).flat());

/** Replaced modules stay replaced, and what a module read when it was loaded stays as it was read. */
const LEFT_BEHIND = /\bvi\.(?:mock|doMock|resetModules)\(|\bbeforeAll\(async \(\) => \{\s*await speak\(/;

const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file.split(path.sep).join('/')}`)
  .filter((file) => file !== 'test/test-files.test.ts');

test('there are test files to look at', () => expect(files.length).toBeGreaterThan(500));

test('a file that replaces modules or loads views in another language has a process of its own', () => {
  const leaving = files.filter((file) => LEFT_BEHIND.test(readFileSync(path.join(root, file), 'utf8')));
  expect(leaving.filter((file) => !alone.has(file))).toEqual([]);
  expect(leaving).toContain('test/renderer/texts/language.test.ts');
});

test('each file that has a process of its own is there and needs it', () => {
  for (const file of alone) {
    expect(existsSync(path.join(root, file)), file).toBe(true);
    expect(readFileSync(path.join(root, file), 'utf8'), file).toMatch(LEFT_BEHIND);
  }
});

/** What a comparison found is known of each database that took part, in another process too. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readLastComparison } from '../../../src-main/settings/last-comparison.ts';
import { noteComparison } from '../../../src-main/operations/difference/note-comparison.ts';
import type { DifferenceReport } from '../../../src-main/contract/operations/difference-reports.ts';

const AT_MS = Date.UTC(2027, 0, 1);
let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'winnow-comparison-'));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

/** The first with a second database, that has three differences, and with a backup, that has four. */
const report = {
  sides: [
    { kind: 'database', dataDirectory: '/db/one' },
    { kind: 'database', dataDirectory: '/db/two' },
    { kind: 'backup', dataDirectory: null }
  ],
  comparisons: [
    { one: 0, other: 1, differenceCount: 3 },
    { one: 0, other: 2, differenceCount: 4 }
  ]
} as unknown as DifferenceReport;

function note(winnowHome: string | undefined): string[] {
  const warnings: string[] = [];
  noteComparison(report, winnowHome, {
    clock: () => AT_MS,
    log: ({ message }) => warnings.push(message)
  });
  return warnings;
}

it('each database has what it was compared with, and how many places differ', () => {
  expect(note(home)).toEqual([]);
  expect(readLastComparison(home, '/db/one')).toEqual({
    dataDirectory: '/db/one',
    endedAtMs: AT_MS,
    sides: 3,
    differences: 7
  });
  expect(readLastComparison(home, '/db/two/../two')).toMatchObject({ sides: 2, differences: 3 });
  expect(readLastComparison(home, '/db/three')).toBeUndefined();
});

it('a file that is damaged, or tells of another database, tells of none', () => {
  note(home);
  const folder = path.join(home, 'comparisons');
  for (const name of readdirSync(folder)) writeFileSync(path.join(folder, name), '{"sides": -1}');
  expect(readLastComparison(home, '/db/one')).toBeUndefined();
  const other = { dataDirectory: '/db/other', endedAtMs: AT_MS, sides: 2, differences: 0 };
  for (const name of readdirSync(folder)) writeFileSync(path.join(folder, name), JSON.stringify(other));
  expect(readLastComparison(home, '/db/one')).toBeUndefined();
});

it('a home that takes no file does not make the comparison fail', () => {
  const file = path.join(home, 'file');
  writeFileSync(file, '');
  const [warning] = note(file);
  expect(warning).toMatch(/^What the comparison found is not kept for monitoring: /);
  expect(note(undefined)).toEqual([]);
});

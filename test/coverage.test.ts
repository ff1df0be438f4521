/** What `npm run coverage` makes of the counts of a run. */
import { expect, it } from 'vitest';
import {
  belowFloor,
  foldersOf,
  tableLines,
  uncoveredLines,
  type FileCounts
} from '../scripts/coverage/branches.mjs';

function counts(...taken: number[]): FileCounts {
  const place = { start: { line: 7 } };
  return { branchMap: { 0: { type: 'if', loc: place, locations: taken.map(() => place) } }, b: { 0: taken } };
}

const FILES = {
  '/winnow/src-core/assert.ts': counts(1),
  '/winnow/src-core/repair/one.ts': counts(1, 0),
  '/winnow/src-core/repair/deep/two.ts': counts(3)
};

it('branches are summed by folder, shares are rounded down, and each branch that no test takes has its line', () => {
  const folders = foldersOf(FILES, '/winnow/src-core');
  expect([...folders]).toEqual([
    ['.', { all: 1, taken: 1 }],
    ['repair', { all: 3, taken: 2 }],
    ['all of it', { all: 4, taken: 3 }]
  ]);
  expect(tableLines(folders)[2]).toMatch(/^repair +3 +2 +66\.6 /);
  expect(uncoveredLines(FILES, '/winnow', 'repair')).toEqual(['src-core/repair/one.ts:7 if']);
});

it('a folder below its floor is named, and so is one that has a floor and is not in the run', () => {
  const below = belowFloor(foldersOf(FILES, '/winnow/src-core'));
  expect(below).toContainEqual(expect.stringMatching(/^repair: 66\.6 % of the branches, the floor is/));
  expect(below).toContain('scavenge: not in the run, though it has a floor.');
});

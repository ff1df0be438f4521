/** What `npm test` makes of a run that failed: told whole, and tried once more where it is little. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runVitest } from '../scripts/vitest-runs.mjs';

let reports: string;
let asked: string[][];
/** Of each run: what random tests take for their seed. */
let seeds: (string | undefined)[];

beforeEach(() => {
  reports = path.join(mkdtempSync(path.join(tmpdir(), 'winnow-attempts-')), 'core');
  asked = [];
  seeds = [];
});
afterEach(() => rmSync(path.dirname(reports), { recursive: true, force: true }));

interface Outcome {
  passed: number;
  failed?: string[];
  outside?: { file?: string; text: string }[];
}

/** A vitest whose runs come to these outcomes, one after the other. */
function vitestOf(...outcomes: Outcome[]) {
  return (words: readonly string[], env: Record<string, string>): boolean => {
    const { passed, failed = [], outside = [] } = outcomes[asked.length]!;
    seeds.push(env['WINNOW_RUN_SEED']);
    asked.push(words.slice(2).filter((word) => !word.startsWith('--reporter=')));
    const file = words.find((word) => word.startsWith('--outputFile.json='))!.split('=')[1]!;
    const testResults = failed.map((name) => ({
      name,
      status: 'failed',
      message: '',
      assertionResults: [{ status: 'failed', fullName: 'a rule', failureMessages: ['Error: not so'] }]
    }));
    const counts = {
      numPassedTests: passed,
      numFailedTests: failed.length,
      numPendingTests: 0,
      numTodoTests: 0
    };
    writeFileSync(file, JSON.stringify({ ...counts, testResults }));
    writeFileSync(env['WINNOW_OUTSIDE_ERRORS']!, JSON.stringify(outside));
    return failed.length === 0 && outside.length === 0;
  };
}

const run = (...outcomes: Outcome[]) => runVitest(['--project', 'core*'], reports, vitestOf(...outcomes));

test('a run in which all passes is the only one', () => {
  expect(run({ passed: 7 })).toMatchObject({ hasEndedWell: true, passed: 7, failed: 0, notes: [] });
  expect(asked).toHaveLength(1);
});

test('a file that failed once is run once more, alone, and both attempts are told', () => {
  const result = run({ passed: 6, failed: ['/a.test.ts'] }, { passed: 3 });
  expect(asked[1]!.slice(0, 3)).toEqual(['--project', 'core*', '/a.test.ts']);
  expect(result).toMatchObject({ hasEndedWell: true, passed: 7, failed: 0, secondAttempts: 1 });
  expect(seeds).toEqual([expect.stringMatching(/^\d+$/), seeds[0]]);
  expect(result!.notes).toEqual([
    expect.stringMatching(/^first attempt: .*a\.test\.ts: a rule\n {8}Error: not so$/),
    expect.stringMatching(/^second attempt: passed: .*a\.test\.ts$/)
  ]);
});

test('a file that fails twice has failed', () => {
  const result = run({ passed: 6, failed: ['/a.test.ts'] }, { passed: 2, failed: ['/a.test.ts'] });
  expect(result).toMatchObject({ hasEndedWell: false, passed: 6, failed: 1 });
  expect(result!.notes.map((note) => note.split(':')[0])).toEqual(['first attempt', 'second attempt']);
});

test('an error outside of every test is told with its place, and its file is run once more', () => {
  const outside = [{ file: '/b.test.ts', text: '/b.test.ts, a rule\nError: nobody waited' }];
  const result = run({ passed: 7, outside }, { passed: 2 });
  expect(asked[1]).toContain('/b.test.ts');
  expect(result).toMatchObject({ hasEndedWell: true, passed: 7, failed: 0 });
  expect(result!.notes[0]).toContain(
    'outside of every test\n        /b.test.ts, a rule\n        Error: nobody waited'
  );
});

test.each<[string, Outcome]>([
  ['four files failed', { passed: 1, failed: ['/a', '/b', '/c', '/d'] }],
  ['an error belongs to no file', { passed: 7, outside: [{ text: 'no test\nError: a process ended' }] }]
])('there is no second attempt when %s', (_when, outcome) => {
  expect(run(outcome)).toMatchObject({ hasEndedWell: false });
  expect(asked).toHaveLength(1);
});

test('a second attempt in which no test ran is none', () => {
  expect(run({ passed: 6, failed: ['/a.test.ts'] }, { passed: 0 })).toMatchObject({ hasEndedWell: false });
});

/**
 * What a campaign shows, in numbers: which promise it tests, with which faults, and how many cases that were. `npm test`
 * collects the records of all campaigns, prints them, and fails when a count has dropped or a campaign did not run;
 * `npm run proof` keeps the counts (test/proof-counts.json) and writes them into docs/proof.md. Run without either, a test
 * only prints them.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { CallChoice } from './chosen-calls.ts';
import { CUT_WAYS, cutReportText, type CutReport } from './cut-enumeration.ts';
import { failureReportText, type FailureReport } from './failure-enumeration.ts';
import type { RecoveryReport } from './recovery-cuts.ts';

/** The sections of docs/proof.md; what each promises is written there by hand. */
export type ProofPromise =
  | 'cut'
  | 'cutAgain'
  | 'refused'
  | 'threads'
  | 'badMachine'
  | 'bytes'
  | 'lengths'
  | 'random'
  | 'cluster'
  | 'users';

export interface ProofCampaign {
  /** Of this campaign alone. */
  name: string;
  promise: ProofPromise;
  /** What was done to the database, or asked of it. */
  operation: string;
  /** The kinds of fault, in words. */
  faults: string;
  /** Each may rise, none may drop. `calls` is W: calls that change or flush something. */
  counts: { cases: number } & Readonly<Record<string, number>>;
  /** Where cases were drawn at random. */
  seed?: number;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Prints what was done, and keeps it where it was asked for. */
export function recordCampaign(campaign: ProofCampaign): void {
  const { name, promise, counts, seed } = campaign;
  const numbers = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  console.log(
    `proof: ${promise}: ${name}: ${numbers.join(', ')}${seed === undefined ? '' : `, seed ${seed}`}`
  );
  const directory = process.env['WINNOW_PROOF'];
  if (!directory) return;
  const { testPath } = expect.getState();
  if (!testPath) throw new Error('A campaign is recorded within a test.');
  mkdirSync(directory, { recursive: true });
  const file = `${createHash('sha1').update(`${promise} ${name}`).digest('hex')}.json`;
  const test = path.relative(root, testPath).split(path.sep).join('/');
  writeFileSync(path.join(directory, file), JSON.stringify({ ...campaign, test }));
}

/** Calls that were cut. */
export function recordCuts(
  name: string,
  operation: string,
  report: CutReport,
  promise: 'cut' | 'threads' = 'cut'
): void {
  console.log(cutReportText(name, report));
  const { calls, flushes, cutCalls, disks, resumed } = report;
  const cases = Object.values(disks).reduce((sum, count) => sum + count, 0);
  const faults = CUT_WAYS.filter((way) => disks[way] > 0).join(', ');
  recordCampaign({
    name,
    promise,
    operation,
    faults,
    counts: { calls, flushes, cut: cutCalls, cases, resumed }
  });
}

/** Calls that fail; `kind`: those that change or flush something, or those that read. */
export function recordFailures(name: string, operation: string, report: FailureReport): void {
  console.log(failureReportText(name, report));
  const { calls, runs, refused, cuts, osCodes, failedFlushes } = report;
  const named = Object.values(refused).reduce((sum, count) => sum + count, 0);
  recordCampaign({
    name,
    promise: 'refused',
    operation,
    faults: osCodes.join(', '),
    counts: { calls, cases: runs, named, failedFlushes, cuts }
  });
}

/** Recoveries that are cut as well. */
export function recordRecoveryCuts(name: string, operation: string, report: RecoveryReport): void {
  const { calls, firstCuts, secondDisks, seed } = report;
  recordCampaign({
    name,
    promise: 'cutAgain',
    operation,
    faults: `${CUT_WAYS.join(', ')}, twice`,
    counts: { calls, cut: firstCuts, cases: secondDisks },
    seed
  });
}

/** Calls of a long operation that the tests cut or refuse, and those of which they cut the recovery as well. */
const MOST_CALLS = 40;
const MOST_FIRST_CUTS = 8;

/** Each n-th case in the tests, all of them for `npm run crash -- --all`. */
export function sampled(every: number): number {
  return isEveryCaseAsked() ? 1 : every;
}

/** One of `every` calls in the tests, some forty at most; every call for `npm run crash -- --all`. */
export function sampledCalls(every = 1): CallChoice {
  return isEveryCaseAsked() ? {} : { every, most: MOST_CALLS };
}

/** The same of calls whose recovery is cut as well: each of them is several runs. */
export function sampledFirstCuts(every = 1): CallChoice {
  return isEveryCaseAsked() ? {} : { every, most: MOST_FIRST_CUTS };
}

function isEveryCaseAsked(): boolean {
  return Boolean(process.env['WINNOW_ALL_CASES']);
}

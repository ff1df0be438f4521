/** A question that is stopped at whatever turn ends with OperationStopped or with its answer, and closes every file that it opened. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { NodeFileSystem, OperationControl, OperationStopped } from '../../../src-core/index.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import type { OperationContext } from '../../../src-main/operations/operation.ts';
import {
  isStreamOperation,
  runReportOperation,
  runStreamOperation
} from '../../../src-main/operations/operation-table.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { looksWith, type Look } from '../../support/looks.ts';

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-stopped-'));
afterEach(removeUnpacked);
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

const CLOCK_MS = Date.UTC(2026, 10, 21, 12);
const DATABASE = { name: 'rules', folder: 'after-ihd' };
/** Of each question, besides its first turn. */
const STOPS = 12;

/** With a home of its own each: what an earlier one has kept would spare the turns. */
function questionsWith(home: string): Look[] {
  return [
    // This database has no new point, and of a cluster there is one member only.
    ...looksWith(home).filter(
      ([operation, { scavengePoint }]) => operation !== 'planCluster' && scavengePoint !== 'existing'
    ),
    ['surveyUsage', {}],
    ['planIndexRebuild', {}],
    ['repairDatabase', { dryRun: true, winnowHome: home }],
    ['reportErasure', { streams: ['$settings'] }]
  ];
}

interface Asked {
  answer: unknown;
  error: unknown;
  turns: number;
  openFiles: number;
}

/** Pauses wherever it may; stopped at the given turn. */
async function ask(
  number: number,
  { dataDirectory, stopAt = Infinity }: { dataDirectory: string; stopAt?: number }
): Promise<Asked> {
  const [operation, members] = questionsWith(fs.mkdtempSync(path.join(home, 'home-')))[number]!;
  const others = 'others' in members ? { others: [{ dataDirectory }] } : {};
  const checked = requests[operation].safeParse({ dataDirectory, ...members, ...others });
  expect(checked.error?.message, `the request of ${operation}`).toBeUndefined();
  const fileSystem = new CountingFileSystem(new NodeFileSystem());
  const stopping = new AbortController();
  let turns = 0;
  const context: OperationContext = {
    fileSystem,
    control: new OperationControl({
      signal: stopping.signal,
      elapsedMs: () => 0,
      yieldTurn: () => Promise.resolve(),
      rate: { owes: true, takeRest: () => 0 },
      onTurn: () => {
        if (++turns === stopAt) stopping.abort();
      }
    }),
    clock: () => CLOCK_MS,
    log: () => undefined
  };
  const asked: Asked = { answer: undefined, error: undefined, turns: 0, openFiles: 0 };
  try {
    if (isStreamOperation(operation)) {
      const rows: unknown[] = [];
      for await (const some of runStreamOperation(operation, checked.data, context)) rows.push(...some);
      asked.answer = rows;
    } else asked.answer = await runReportOperation(operation, checked.data, context);
  } catch (error) {
    asked.error = error;
  }
  return { ...asked, turns, openFiles: fileSystem.openFiles };
}

it.each(questionsWith(home).map(([operation], number) => [operation, number] as const))(
  '%s, wherever it is stopped',
  async (operation, number) => {
    const first = unpackDatabase(DATABASE);
    // A plan of a repair goes by what the last one verified in this process: each gets files of its own.
    const place = () => (operation === 'repairDatabase' ? unpackDatabase(DATABASE) : first);
    const whole = await ask(number, { dataDirectory: place() });
    expect(whole.error).toBeUndefined();
    expect(whole.openFiles).toBe(0);
    const step = Math.max(1, Math.floor(whole.turns / STOPS));
    let stopped = 0;
    for (let stopAt = 1; stopAt <= whole.turns; stopAt += step) {
      const { error, answer, openFiles } = await ask(number, { dataDirectory: place(), stopAt });
      if (error === undefined) expect(answer).toBeDefined();
      else expect(error, `stopped at turn ${stopAt}`).toBeInstanceOf(OperationStopped);
      expect(openFiles, `stopped at turn ${stopAt}`).toBe(0);
      if (error !== undefined) stopped++;
    }
    if (whole.turns > 0) expect(stopped).toBeGreaterThan(0);
  }
);

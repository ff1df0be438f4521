/** A question that is stopped at whatever turn ends with OperationStopped or with its answer, and closes every file that it opened. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { NodeFileSystem, OperationControl, OperationStopped } from '../../../src-core/index.ts';
import { requests, type OperationName } from '../../../src-main/contract/operations/operation-contract.ts';
import type { OperationContext } from '../../../src-main/operations/operation.ts';
import {
  isStreamOperation,
  runReportOperation,
  runStreamOperation
} from '../../../src-main/operations/operation-table.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-stopped-'));
afterEach(removeUnpacked);
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

const CLOCK_MS = Date.UTC(2026, 10, 21, 12);
const DATABASE = { name: 'rules', folder: 'after-ihd' };
/** Of each question, besides its first turn. */
const STOPS = 12;

const questions: [OperationName, Record<string, unknown>][] = [
  ['inspectDatabase', {}],
  ['listChunks', {}],
  ['inspectIndex', {}],
  ['verifyDatabase', { quick: false, threads: 1 }],
  ['compareDatabases', { others: 'itself', readAll: true }],
  ['extractEvents', { to: path.join(home, 'out.jsonl'), overwrite: true, systemStreams: true }],
  ['examineStart', { thorough: true }],
  ['forecastStartup', {}],
  ['planScavenge', { scavengePoint: 'detached', startAfresh: true, winnowHome: home }],
  ['planRescue', { winnowHome: home }],
  ['explain', { chunk: 0 }],
  ['explainRecords', { positions: [0] }],
  ['listHistory', {}],
  ['listRecords', { limit: 50 }],
  ['listStreams', {}],
  ['readStream', { stream: '$all', limit: 50 }],
  ['listIndexEntries', { limit: 50 }],
  ['readChunkPage', { chunk: 0 }],
  ['readStreamsPage', {}],
  ['readStreamCategories', {}],
  ['surveyUsage', {}],
  ['usageOfStreams', { streams: ['$settings'] }],
  ['planIndexRebuild', {}],
  ['repairDatabase', { dryRun: true }],
  ['reportErasure', { streams: ['$settings'] }],
  ['describeChunk', { chunk: 0 }],
  ['readTimeline', {}],
  ['lookUpStream', { stream: '$scavengePoints' }]
];

interface Asked {
  answer: unknown;
  error: unknown;
  turns: number;
  openFiles: number;
}

/** Pauses wherever it may; stopped at the given turn. */
async function ask(
  operation: OperationName,
  members: Record<string, unknown>,
  { dataDirectory, stopAt = Infinity }: { dataDirectory: string; stopAt?: number }
): Promise<Asked> {
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

it.each(questions)('%s, wherever it is stopped', async (operation, members) => {
  const dataDirectory = unpackDatabase(DATABASE);
  const whole = await ask(operation, members, { dataDirectory });
  expect(whole.error).toBeUndefined();
  expect(whole.openFiles).toBe(0);
  const step = Math.max(1, Math.floor(whole.turns / STOPS));
  let stopped = 0;
  // A plan of a repair goes by what the last one verified: each gets files of its own.
  const place = () => (operation === 'repairDatabase' ? unpackDatabase(DATABASE) : dataDirectory);
  for (let stopAt = 1; stopAt <= whole.turns; stopAt += step) {
    const { error, answer, openFiles } = await ask(operation, members, { dataDirectory: place(), stopAt });
    if (error === undefined) expect(answer).toBeDefined();
    else expect(error, `stopped at turn ${stopAt}`).toBeInstanceOf(OperationStopped);
    expect(openFiles, `stopped at turn ${stopAt}`).toBe(0);
    if (error !== undefined) stopped++;
  }
  if (whole.turns > 0) expect(stopped).toBeGreaterThan(0);
});

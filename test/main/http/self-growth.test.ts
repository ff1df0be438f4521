/** A service learns by itself when the disk of its node is full, and makes room for everything else. */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { OperationStopped } from '../../../src-core/index.ts';
import type { GrowthReport } from '../../../src-main/contract/operations/usage-reports.ts';
import { SelfGrowth, type SelfGrowthParts } from '../../../src-main/http/self-growth.ts';
import { temporaryDirectory } from '../../support/scavenge-environment.ts';
import { runWinnow } from '../cli/run-winnow.ts';
import { ask, startServer } from './running-server.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Answer = (signal: AbortSignal) => Promise<GrowthReport>;
const report = (unknown: GrowthReport['unknown']): GrowthReport => ({ unknown }) as GrowthReport;
/** Goes on until it is stopped. */
const endless: Answer = (signal) =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(new OperationStopped());
    signal.addEventListener('abort', () => reject(new OperationStopped()), { once: true });
  });

function started(
  known: GrowthReport['unknown'],
  read: Answer,
  more: Partial<SelfGrowthParts> = {}
): { self: SelfGrowth; asked: string[]; said: string[] } {
  const asked: string[] = [];
  const said: string[] = [];
  const self = new SelfGrowth({
    growth: (what, signal) => {
      asked.push(what);
      return what === 'known' ? Promise.resolve(report(known)) : read(signal);
    },
    isOccupied: () => Promise.resolve(false),
    log: (_level, message) => said.push(message),
    restMs: 1,
    againMs: 3_600_000,
    ...more
  });
  cleanUps.push(() => self.close());
  self.start();
  return { self, asked, said };
}

it('reads what is missing once, and nothing where all is known', async () => {
  const missing = started('notRead', () => Promise.resolve(report(null)));
  await expect.poll(() => missing.asked).toEqual(['known', 'read']);
  for (const known of [null, 'tooShort'] as const) {
    const { asked } = started(known, () => Promise.reject(new Error('asked')));
    await expect.poll(() => asked).toEqual(['known']);
  }
});

it('makes room at once, and begins again after a rest', async () => {
  const { self, asked, said } = started('notRead', endless);
  await expect.poll(() => asked).toEqual(['known', 'read']);
  self.makeRoom();
  await expect.poll(() => asked).toEqual(['known', 'read', 'known', 'read']);
  await self.close();
  expect([asked.length, said]).toEqual([4, []]);
});

it('waits while something runs on the node or a server has it', async () => {
  let looks = 0;
  const isOccupied = () => Promise.resolve(++looks < 4);
  const { asked } = started(null, endless, { isOccupied });
  await expect.poll(() => asked).toEqual(['known']);
  expect(looks).toBe(4);
});

it('says why it could not, and asks no more for an hour', async () => {
  const { asked, said } = started('notRead', () => Promise.reject(new Error('no such disk')));
  await expect.poll(() => said).toEqual([expect.stringContaining('no such disk')]);
  expect(asked).toEqual(['known', 'read']);
});

it('makes a real service tell the date without a question, and keeps quiet where that was said', async () => {
  const directory = temporaryDirectory();
  cleanUps.push(() => fs.promises.rm(directory, { recursive: true, force: true }));
  const database = path.join(directory, 'db');
  await runWinnow(['sample', database, '--size', '2MiB', '--chunk-size', '256KiB', '--yes']);
  const service = await startServer({
    home: path.join(directory, 'home'),
    words: [database, '--single-node']
  });
  cleanUps.push(() => service.stop());
  const quiet = await startServer({
    home: path.join(directory, 'quiet'),
    words: [database, '--single-node', '--learn-growth=false']
  });
  cleanUps.push(() => quiet.stop());
  const unknownOf = async (of: typeof service): Promise<unknown> =>
    (JSON.parse((await ask(of, 'GET /admin/forecast')).text) as GrowthReport).unknown;
  await expect.poll(() => unknownOf(service), { timeout: 40_000, interval: 500 }).toBeNull();
  const { text } = await ask(service, 'GET /metrics');
  expect(text).toMatch(/^winnow_log_growth_known\{.*reason="".*\} 1$/m);
  expect(text).toMatch(/^winnow_log_growth_bytes_per_day/m);
  expect(await unknownOf(quiet)).toBe('notRead');
}, 90_000);

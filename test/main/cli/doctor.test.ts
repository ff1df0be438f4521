/** `winnow doctor` as a script meets it: one document against its schema, exit codes, the server's own options. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, expect, it } from 'vitest';
import { doctorReport } from '../../../src-main/contract/operations/doctor-reports.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase, unpackTruncated } from '../../support/golden.ts';
import { jsonOf, runWinnow, type Finished } from './run-winnow.ts';

const SCHEMA = fileURLToPath(new URL('../../../resources/schemas/doctor.json', import.meta.url));
afterEach(removeUnpacked);

function reportOf(finished: Finished) {
  const value = jsonOf(finished);
  const validate = new Ajv2020().compile(JSON.parse(fs.readFileSync(SCHEMA, 'utf8')) as object);
  validate(value);
  expect(validate.errors ?? []).toEqual([]);
  return doctorReport.parse(value);
}

it('says of a sound database that it starts, with exit code 0', async () => {
  const rules = unpackDatabase({ name: 'rules', folder: 'after-t0' });
  const found = await runWinnow(['doctor', rules, '--json']);
  const report = reportOf(found);
  expect(found.exitCode).toBe(0);
  expect(report).toMatchObject({ ok: true, prediction: { starts: true, then: 'runs' } });
});

it('gives damage exit code 1 and names the command that repairs it', async () => {
  const broken = unpackDamaged('damaged-h-writer-behind-chaser');
  const found = await runWinnow(['doctor', broken, '--json']);
  expect(found.exitCode).toBe(1);
  expect(reportOf(found)).toMatchObject({
    prediction: { starts: false, then: 'refuses' },
    findings: [{ code: 'chaserBeyondWriter', command: 'winnow repair', effect: 'refuses' }, {}]
  });
  const text = (await runWinnow(['doctor', broken])).stdout;
  expect(text).toMatch(/^This node will not start: chaser\.chk \(1042089\) is ahead of writer\.chk/);
  expect(text).toContain("It logs: Checkpoint 'chaser' has greater value than writer checkpoint.");
});

it("takes options of the server's command line behind two hyphens", async () => {
  const database = unpackTruncated('truncate-middle-of-log');
  const limited = reportOf(
    await runWinnow(['doctor', database, '--json', '--', '--max-truncation', '10000'])
  );
  expect(limited.prediction).toMatchObject({ starts: false, then: 'refuses' });
  const newer = await runWinnow(['doctor', database, '--json', '--server-version', '24.10']);
  expect(newer.exitCode).toBe(0);
  expect(reportOf(newer).prediction).toMatchObject({ starts: true, then: 'truncatesAndExits' });
});

it("takes them from the server's configuration file as well, and the command line wins", async () => {
  const database = unpackTruncated('truncate-middle-of-log');
  const file = path.join(path.dirname(database), 'kurrentdb.conf');
  fs.writeFileSync(file, `Db: ${database}\nMaxTruncation: 10000\n`);
  const limited = reportOf(await runWinnow(['doctor', '--config', file, '--json']));
  expect(limited.prediction.then).toBe('refuses');
  const words = ['doctor', '--config', file, '--json', '--', '--max-truncation=-1'];
  expect(reportOf(await runWinnow(words)).prediction.then).toBe('truncatesAndRuns');
});

it('names statistics events that the server is to write into the log, and what they ask for', async () => {
  const database = unpackDatabase({ name: 'fresh', folder: 'after' });
  const file = path.join(path.dirname(database), 'kurrentdb.conf');
  fs.writeFileSync(file, `Db: ${database}\nWriteStatsToDb: true\n`);
  const found = await runWinnow(['doctor', '--config', file, '--json']);
  expect(found.exitCode).toBe(0);
  const [hint] = reportOf(found).findings.filter(({ code }) => code === 'statisticsWritten');
  expect(hint).toMatchObject({
    severity: 'hint',
    effect: 'none',
    remedy: expect.stringContaining('Scavenge at least once a week') as string
  });
  expect(hint?.message).toContain('expire after 24 hours');
  const off = reportOf(await runWinnow(['doctor', database, '--json', '--', '--write-stats-to-db=false']));
  expect(off.findings.map(({ code }) => code)).not.toContain('statisticsWritten');
});

it('names a scavenge state that is ahead of the log', async () => {
  const older = unpackDatabase({ name: 'rules', folder: 'before' });
  const newer = unpackDatabase({ name: 'rules', folder: 'after-t0' });
  const state = path.join('index', 'scavenging');
  fs.cpSync(path.join(newer, state), path.join(older, state), { recursive: true });
  const found = await runWinnow(['doctor', older, '--json']);
  expect(found.exitCode).toBe(1);
  expect(reportOf(found)).toMatchObject({
    prediction: { starts: true, then: 'runs' },
    findings: [{ code: 'stateAheadOfLog', command: 'winnow scavenge --start-afresh' }]
  });
});

it('refuses what is no version', async () => {
  const plain = unpackDatabase({ name: 'fresh', folder: 'after' });
  const refused = await runWinnow(['doctor', plain, '--json', '--server-version', 'newest']);
  expect(refused.exitCode).toBe(2);
  expect(jsonOf(refused)).toMatchObject({ error: { code: 'InvalidRequest' } });
});

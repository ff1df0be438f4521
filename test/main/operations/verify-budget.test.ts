/** Verification with memory, as every door asks for it: what is kept of whole verifications, and what a budget does with it. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/index.ts';
import { requests, type RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { verifyReport, type VerifyReport } from '../../../src-main/contract/operations/reports.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { FaultyFileSystem } from '../../support/faulty-file-system.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LONG = 10 * 60_000;
let nowMs = Date.UTC(2026, 2, 1);
let winnowHome = '';
let dataDirectory = '';
let lines: string[] = [];
beforeEach(() => {
  winnowHome = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-proofs-'));
  dataDirectory = unpackDatabase({ name: 'tables', folder: 'after-scavenge' });
  lines = [];
});
afterEach(() => {
  removeUnpacked();
  fs.rmSync(winnowHome, { recursive: true });
});

async function verify(request: Partial<RequestOf<'verifyDatabase'>>): Promise<VerifyReport> {
  const context = testingContext('verifyDatabase', {
    dataDirectory,
    clock: () => nowMs,
    onLog: ({ message }) => lines.push(message)
  });
  const checked = requests.verifyDatabase.parse({ dataDirectory, winnowHome, ...request });
  return verifyReport.parse(await runReportOperation('verifyDatabase', checked, context));
}

/** How it stands; nothing is read for it. */
const standing = async (withinMs = 30 * DAY_MS) => (await verify({ budgetMs: 0, withinMs })).coverage!;

function flipSilently(): string {
  const name = fs
    .readdirSync(dataDirectory)
    .filter((file) => file.startsWith('chunk-'))
    .sort()[1]!;
  const file = path.join(dataDirectory, name);
  const facts = fs.statSync(file);
  const bytes = fs.readFileSync(file);
  bytes[Math.floor(bytes.length / 2)]! ^= 1;
  fs.chmodSync(file, 0o600);
  fs.writeFileSync(file, bytes);
  fs.chmodSync(file, facts.mode);
  fs.utimesSync(file, facts.atime, facts.mtime);
  return name;
}

/** Times that can be set again exactly. */
function wholeSeconds(): void {
  for (const name of fs.readdirSync(dataDirectory)) {
    if (name.startsWith('chunk-'))
      fs.utimesSync(path.join(dataDirectory, name), 1_750_000_000, 1_750_000_000);
  }
}

describe('what was verified', () => {
  it('is nothing at first, all after a verification of every byte, and nothing more after a quick one', async () => {
    const first = await standing();
    expect(first).toMatchObject({ verifiedBytes: 0, verifiedFiles: 0, oldest: null, isWhole: false });
    expect(first.bytes).toBeGreaterThan(0);
    await verify({ quick: true });
    expect(await standing()).toEqual(first);
    const whole = await verify({});
    expect(whole.coverage).toBeUndefined();
    const { bytes, files, index } = first;
    const after = await standing();
    expect(after).toMatchObject({
      verifiedBytes: bytes,
      verifiedFiles: files,
      isWhole: true,
      unknownFiles: 0
    });
    expect(after.oldest).toBe('2026-03-01T00:00:00.0000000Z');
    expect(after.index).toMatchObject({ verifiedBytes: index.bytes, verifiedFiles: index.files });
    nowMs += 31 * DAY_MS;
    expect(await standing()).toMatchObject({ verifiedBytes: 0, isWhole: false, oldest: after.oldest });
    expect((await standing(32 * DAY_MS)).isWhole).toBe(true);
    nowMs = Date.UTC(2026, 2, 1);
  });

  it('is the same with threads, and with a budget that is long enough', async () => {
    const report = await verify({ budgetMs: LONG, threads: 3, withinMs: DAY_MS });
    expect(report).toMatchObject({ ok: true, result: 'done', budget: { waitingFiles: 0, next: null } });
    expect(report.coverage?.isWhole).toBe(true);
    expect(report.checked.files).toBe(report.budget?.verifiedFiles);
    expect(report.checked.records).toBeGreaterThan(0);
    expect(report.checked.indexEntries).toBeGreaterThan(0);
  });

  it('does not hold for a chunk that was touched, and is not known under another path', async () => {
    await verify({});
    const before = await standing();
    const [name] = fs
      .readdirSync(dataDirectory)
      .filter((file) => file.startsWith('chunk-'))
      .sort();
    fs.utimesSync(path.join(dataDirectory, name!), 1, 1);
    const after = await standing();
    expect(after).toMatchObject({ unknownFiles: 1, verifiedFiles: before.files - 1, isWhole: false });
    const next = await verify({ budgetMs: 0 });
    expect(next).toMatchObject({ result: 'stopped', budget: { next: name } });
    const other = path.join(winnowHome, 'copy');
    fs.cpSync(dataDirectory, other, { recursive: true, preserveTimestamps: true });
    expect((await verify({ dataDirectory: other, budgetMs: 0 })).coverage).toMatchObject({
      verifiedFiles: 0
    });
  });
});

describe('a byte that rots without a trace', () => {
  it('is found when its turn comes, is first from then on, and keeps the log from being verified', async () => {
    wholeSeconds();
    await verify({});
    const name = flipSilently();
    expect((await standing()).isWhole).toBe(true);
    nowMs += DAY_MS;
    const found = await verify({ budgetMs: LONG });
    expect(found.ok).toBe(false);
    const damaged = found.findings.filter(({ severity }) => severity === 'damage');
    expect(new Set(damaged.map(({ file }) => file))).toEqual(new Set([name]));
    expect(found.coverage).toMatchObject({ damagedFiles: 1, isWhole: false });
    const next = await verify({ budgetMs: 0 });
    expect(next.budget?.next).toBe(name);
    nowMs -= DAY_MS;
  });
});

describe('an inspection', () => {
  it('says how much of the log was verified, and nothing of it where no results are kept', async () => {
    await verify({});
    const context = testingContext('inspectDatabase', { dataDirectory, clock: () => nowMs });
    const inspect = (request: RequestOf<'inspectDatabase'>) =>
      runReportOperation('inspectDatabase', requests.inspectDatabase.parse(request), context);
    const { index: _index, ...log } = await standing();
    expect(log.isWhole).toBe(true);
    expect((await inspect({ dataDirectory, winnowHome })).coverage).toEqual(log);
    expect((await inspect({ dataDirectory })).coverage).toBeUndefined();
  });
});

describe('a budget', () => {
  it('and "quick" are refused together', async () => {
    await expect(verify({ budgetMs: 1, quick: true })).rejects.toMatchObject({ code: 'InvalidRequest' });
  });

  it('of a home that cannot be written verifies all the same, and says that nothing is kept', async () => {
    fs.writeFileSync(path.join(winnowHome, 'proofs'), '');
    const report = await verify({ budgetMs: LONG });
    expect(report).toMatchObject({ ok: true, result: 'done' });
    expect(report.coverage?.verifiedFiles).toBe(0);
    expect(lines.some((line) => line.startsWith('What was verified could not be kept'))).toBe(true);
  });
});

/** The home is on a disk that refuses one call, counted from 1; the database is where it is. */
async function verifyWithHomeOn(
  home: MemoryFileSystem,
  failAt: { call: number; osCode: string } | undefined
): Promise<{ report: VerifyReport; calls: number; said: string[] }> {
  const fileSystem = new FaultyFileSystem(home, {
    ...(failAt && { failAt }),
    beside: { fileSystem: new NodeFileSystem(), directories: [dataDirectory] }
  });
  const said: string[] = [];
  const context = testingContext('verifyDatabase', {
    dataDirectory,
    fileSystem,
    clock: () => nowMs,
    onLog: ({ message }) => said.push(message)
  });
  const request = requests.verifyDatabase.parse({ dataDirectory, winnowHome: '/home', budgetMs: LONG });
  const report = verifyReport.parse(await runReportOperation('verifyDatabase', request, context));
  return { report, calls: fileSystem.calls, said };
}

/** Without what depends on the clock of the machine. */
function answerOf({ coverage: _kept, budget, ...report }: VerifyReport): object {
  return { ...report, budget: { ...budget, usedMs: 0 } };
}

describe('a disk that refuses while the results are written', () => {
  it.each(['ENOSPC', 'EIO'])('changes nothing in the answer, which says so: %s', async (osCode) => {
    const kept = 'What was verified could not be kept';
    const whole = await verifyWithHomeOn(memoryHome(), undefined);
    expect(whole.said.filter((line) => line.startsWith(kept))).toEqual([]);
    expect(whole.report.coverage).toMatchObject({ isWhole: true });
    let unkept = 0;
    for (let call = 1; call <= whole.calls; call++) {
      const home = memoryHome();
      const { report, said } = await verifyWithHomeOn(home, { call, osCode });
      expect(answerOf(report)).toEqual(answerOf(whole.report));
      const isSaid = said.some((line) => line.startsWith(kept));
      if (isSaid) unkept++;
      // Nothing half: what the next look finds is all of it, or nothing.
      const verified = report.coverage?.verifiedFiles;
      expect([call, verified]).toEqual([
        call,
        isSaid ? expect.any(Number) : whole.report.coverage?.verifiedFiles
      ]);
      expect([0, whole.report.coverage?.verifiedFiles]).toContain(verified);
    }
    expect(unkept).toBeGreaterThan(2);
  });
});

function memoryHome(): MemoryFileSystem {
  const home = new MemoryFileSystem();
  home.makeDirectory('/home');
  return home;
}

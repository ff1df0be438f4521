/** One health of a directory: what doctor, verification and repair found is kept, and every inspection tells it. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { inspectReport } from '../../../src-main/contract/operations/reports.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { runOperation } from '../../support/testing-context.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const AT = '2026-11-21T12:00:00.0000000Z';
let winnowHome = '';
beforeEach(() => {
  winnowHome = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-health-'));
});
afterEach(() => {
  removeUnpacked();
  fs.rmSync(winnowHome, { recursive: true });
});

function run<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(name, request, { clock: () => NOW });
}

async function inspected(dataDirectory: string) {
  const report = inspectReport.parse(await run('inspectDatabase', { dataDirectory, winnowHome }));
  return { ...report.health, warnings: report.warnings.map(({ code }) => code) };
}
const keptFiles = (): string[] => fs.readdirSync(path.join(winnowHome, 'health')).sort();

describe('a sound directory', () => {
  it('is not checked until the doctor or a verification has proved it', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    expect(await inspected(dataDirectory)).toMatchObject({
      state: 'notChecked',
      checkedAt: null,
      by: 'inspect'
    });
    const looked = await run('examineStart', { dataDirectory, winnowHome });
    const health = await inspected(dataDirectory);
    expect(health).toMatchObject({ state: 'sound', checkedAt: AT, by: 'doctor' });
    expect(looked.directory).toBe(health.directory);
    await run('verifyDatabase', { dataDirectory, quick: true, winnowHome });
    expect((await inspected(dataDirectory)).by).toBe('doctor');
    await run('verifyDatabase', { dataDirectory, winnowHome });
    expect(await inspected(dataDirectory)).toMatchObject({ state: 'sound', checkedAt: AT, by: 'verify' });
  });

  it('is not checked any more once a file of it has changed, and it is said what it was', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    await run('examineStart', { dataDirectory, winnowHome });
    const chunk = path.join(
      dataDirectory,
      fs.readdirSync(dataDirectory).find((name) => name.startsWith('chunk-'))!
    );
    fs.utimesSync(chunk, 1, 1);
    expect(await inspected(dataDirectory)).toMatchObject({
      state: 'notChecked',
      checkedAt: null,
      before: { state: 'sound', checkedAt: AT, by: 'doctor' }
    });
  });

  it('has the same health by whichever name it is opened', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    const link = path.join(winnowHome, 'link');
    fs.symlinkSync(dataDirectory, link);
    await run('examineStart', { dataDirectory, winnowHome });
    expect((await inspected(link)).state).toBe('sound');
  });

  it('keeps nothing of a look that asks about another server', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    await run('examineStart', { dataDirectory, winnowHome, serverVersion: '5.0' });
    await run('examineStart', { dataDirectory, winnowHome, serverArguments: ['--max-truncation', '-1'] });
    expect((await inspected(dataDirectory)).state).toBe('notChecked');
  });

  it('is not checked where what was kept cannot be read', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    await run('examineStart', { dataDirectory, winnowHome });
    const file = path.join(winnowHome, 'health', keptFiles()[0]!);
    const kept = fs.readFileSync(file, 'utf8');
    for (const content of ['', '[]', kept.slice(0, 100), kept.replace('"doctor"', '"somebody"')]) {
      fs.writeFileSync(file, content);
      expect(await inspected(dataDirectory)).toMatchObject({ state: 'notChecked', before: null });
    }
  });
});

describe('a damaged directory', () => {
  it.each([
    ['damaged-c-missing-middle-chunk', 'willNotStart', 'chunkMissing'],
    ['damaged-i-header-magic', 'willNotStart', 'chunkHeaderInvalid'],
    ['damaged-h-writer-chk-missing', 'willNotStart', 'checkpointMissing'],
    ['damaged-h-writer-behind-chaser', 'willNotStart', 'chaserBeyondWriter'],
    ['damaged-f-ptable-missing', 'findings', 'tableMissing'],
    ['damaged-h-writer-mid-record', 'findings', 'LogCorrupt'],
    ['damaged-h-chaser-behind', 'unclean', 'chaserBehind'],
    ['damaged-h-truncate-set', 'unclean', 'truncatePending'],
    ['damaged-a-record-data-byte', 'notChecked', null]
  ])('%s is %s by the inspection alone', async (name, state, code) => {
    const health = await inspected(unpackDamaged(name));
    expect(health).toMatchObject({ state, code, by: 'inspect' });
  });

  it.each([
    ['damaged-a-record-data-byte', 'willNotStart', 'chunkHashMismatch'],
    ['damaged-e-ptable-entry-byte-skipindexverify', 'findings', 'tableHashMismatch'],
    ['damaged-h-chaser-behind', 'unclean', 'chaserBehind'],
    ['damaged-g-extra-old-version', 'sound', null]
  ])('%s is %s by the doctor', async (name, state, code) => {
    const dataDirectory = unpackDamaged(name);
    await run('examineStart', { dataDirectory, winnowHome });
    expect(await inspected(dataDirectory)).toMatchObject({ state, code, by: 'doctor', checkedAt: AT });
  });

  it('whose writer.chk ends in a record blames no chunk once the doctor has looked', async () => {
    const dataDirectory = unpackDamaged('damaged-h-writer-mid-record');
    await run('examineStart', { dataDirectory, winnowHome });
    expect(await inspected(dataDirectory)).toMatchObject({
      state: 'willNotStart',
      code: 'writerCheckpointInsideRecord',
      warnings: ['writerCheckpointInsideRecord']
    });
  });

  it('keeps the findings of a verification when the doctor says that the server starts', async () => {
    const dataDirectory = unpackDamaged('damaged-e-ptable-entry-byte-skipindexverify');
    await run('verifyDatabase', { dataDirectory, winnowHome });
    await run('examineStart', { dataDirectory, winnowHome });
    expect(await inspected(dataDirectory)).toMatchObject({ state: 'findings', by: 'verify' });
    // The third are the findings themselves, for a plan of a repair.
    expect(keptFiles().filter((name) => !name.endsWith('-findings.json'))).toHaveLength(2);
    expect(keptFiles()).toHaveLength(3);
  });

  it('stays damaged while other files change, as those of a running server do', async () => {
    const dataDirectory = unpackDamaged('damaged-a-record-data-byte');
    await run('verifyDatabase', { dataDirectory, winnowHome });
    fs.writeFileSync(path.join(dataDirectory, 'epoch.chk'), Buffer.alloc(8));
    expect(await inspected(dataDirectory)).toMatchObject({ state: 'findings', by: 'verify', checkedAt: AT });
    fs.utimesSync(path.join(dataDirectory, 'chunk-000005.000000'), 1, 1);
    expect((await inspected(dataDirectory)).state).not.toBe('sound');
  });

  it('is sound by the verification that ends its repair', async () => {
    const dataDirectory = unpackDamaged('damaged-h-writer-mid-record');
    await run('examineStart', { dataDirectory, winnowHome });
    const report = await run('repairDatabase', { dataDirectory, winnowHome, acceptLoss: true });
    expect(report.ok).toBe(true);
    expect(await inspected(dataDirectory)).toMatchObject({ state: 'sound', by: 'verify', warnings: [] });
  });
});

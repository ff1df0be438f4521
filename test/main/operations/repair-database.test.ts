/** The repair as an operation: chunks out of a backup of the catalogue, or out of a copy made by hand. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { repairReport } from '../../../src-main/contract/operations/repair-reports.ts';
import { filesOf } from '../../support/database-content.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { runOperation } from '../../support/testing-context.ts';

let scratch: string;
/** How often an operation said how far it is: one that reads the whole database does. */
let progressed = 0;
beforeEach(() => {
  scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-repair-'));
});
afterEach(() => {
  fs.rmSync(scratch, { recursive: true, force: true });
  removeUnpacked();
});

function run<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(name, request, {
    clock: () => Date.UTC(2026, 10, 21, 5),
    onProgress: () => progressed++
  });
}

describe('repairDatabase', () => {
  const damaged = 'damaged-a-record-data-byte';
  const sound = () => unpackDatabase({ name: 'plain', folder: 'after' });

  it('takes a chunk out of a backup of the catalogue', async () => {
    const source = sound();
    const target = path.join(scratch, 'backups');
    await run('createBackup', { dataDirectory: source, target });
    const dataDirectory = unpackDamaged(damaged);
    const report = await run('repairDatabase', { dataDirectory, fromBackup: { target } });
    expect(repairReport.parse(report)).toEqual(report);
    expect(report).toMatchObject({ ok: true, dryRun: false, unrepaired: [], actions: [{ done: true }] });
    expect(report.setAside).toBe(`${dataDirectory}-set-aside-20261121T050000Z`);
    expect(fs.readdirSync(report.setAside!).sort()).toEqual(['chunk-000005.000000', 'moved.ndjson']);
    const taken = fs.readFileSync(path.join(dataDirectory, 'chunk-000005.000001'));
    expect(taken.equals(fs.readFileSync(path.join(source, 'chunk-000005.000000')))).toBe(true);
  });

  it('plans from what the verification found while no file has changed, and never runs from it', async () => {
    const dataDirectory = unpackDamaged(damaged);
    const fromBackup = { target: sound() };
    const verified = await run('verifyDatabase', { dataDirectory });
    const planned = async () => {
      progressed = 0;
      const plan = await run('repairDatabase', { dataDirectory, dryRun: true, fromBackup });
      return { plan, progressed };
    };
    const known = await planned();
    expect(known.plan.findings).toEqual(verified.findings);
    expect(known.plan.actions).toHaveLength(1);

    const chunk = path.join(dataDirectory, 'chunk-000005.000000');
    fs.utimesSync(chunk, new Date(), new Date());
    const again = await planned();
    // The damaged chunk alone is looked at in both.
    expect(known.progressed).toBeLessThan(again.progressed);
    expect(again.plan.actions).toEqual(known.plan.actions);

    progressed = 0;
    const done = await run('repairDatabase', { dataDirectory, fromBackup });
    expect(done.ok).toBe(true);
    expect(progressed).toBeGreaterThan(known.progressed);
    expect((await planned()).plan.actions).toEqual([]);
  });

  it('plans from what an earlier process found, by the time of that verification', async () => {
    const dataDirectory = unpackDamaged(damaged);
    const winnowHome = path.join(scratch, 'home');
    const verified = await run('verifyDatabase', { dataDirectory, winnowHome });
    // This process remembers one database only: of the other it knows what the home says.
    await run('verifyDatabase', { dataDirectory: sound() });
    const plan = await run('repairDatabase', { dataDirectory, winnowHome, dryRun: true });
    expect(plan).toMatchObject({ findings: verified.findings, verifiedAt: '2026-11-21T05:00:00.0000000Z' });
    expect(repairReport.parse(plan)).toEqual(plan);

    await run('verifyDatabase', { dataDirectory: sound() });
    const chunk = path.join(dataDirectory, 'chunk-000005.000000');
    fs.utimesSync(chunk, new Date(), new Date());
    const again = await run('repairDatabase', { dataDirectory, winnowHome, dryRun: true });
    expect(again.verifiedAt).toBeUndefined();
    expect(again.findings).toEqual(verified.findings);
  });

  it('plans what concerns checkpoints at once, and verifies before it writes', async () => {
    const dataDirectory = sound();
    fs.writeFileSync(path.join(dataDirectory, 'epoch.chk'), new Uint8Array(8).fill(1));
    const only = ['epochCheckpointInvalid'];
    progressed = 0;
    const plan = await run('repairDatabase', { dataDirectory, only, dryRun: true });
    expect(plan).toMatchObject({ isQuick: true, ok: false, actions: [{ code: only[0] }] });
    expect(progressed).toBe(0);
    const whole = await run('repairDatabase', { dataDirectory, dryRun: true });
    expect(whole.isQuick).toBeUndefined();
    expect(whole.actions.map(({ changes }) => changes)).toEqual(plan.actions.map(({ changes }) => changes));
    progressed = 0;
    const done = await run('repairDatabase', { dataDirectory, only });
    expect(done).toMatchObject({ ok: true, actions: [{ code: only[0], done: true }] });
    expect(done.isQuick).toBeUndefined();
    expect(progressed).toBeGreaterThan(0);
  });

  it('takes a chunk out of a copy made by hand', async () => {
    const dataDirectory = unpackDamaged('damaged-c-missing-middle-chunk');
    const report = await run('repairDatabase', { dataDirectory, fromBackup: { target: sound() } });
    expect(report).toMatchObject({ ok: true, actions: [{ code: 'chunkMissing', done: true }] });
  });

  it('refuses a backup of another history', async () => {
    const target = path.join(scratch, 'backups');
    await run('createBackup', { dataDirectory: unpackDatabase({ name: 'rules', folder: 'before' }), target });
    const dataDirectory = unpackDamaged(damaged);
    const before = filesOf(dataDirectory);
    await expect(run('repairDatabase', { dataDirectory, fromBackup: { target } })).rejects.toMatchObject({
      code: 'InvalidRequest',
      details: { field: '--from-backup' }
    });
    expect(filesOf(dataDirectory)).toEqual(before);
  });

  it('refuses a directory that holds no chunks', async () => {
    const dataDirectory = unpackDamaged(damaged);
    await expect(
      run('repairDatabase', { dataDirectory, fromBackup: { target: scratch } })
    ).rejects.toMatchObject({ code: 'InvalidRequest' });
  });

  it('moves away a scavenge state that is not of this log', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const scavenged = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    const state = path.join('index', 'scavenging');
    fs.cpSync(path.join(scavenged, state), path.join(dataDirectory, state), { recursive: true });
    const report = await run('repairDatabase', { dataDirectory });
    expect(report).toMatchObject({ ok: true, actions: [{ code: 'stateAheadOfLog', done: true }] });
    expect(fs.existsSync(path.join(dataDirectory, state))).toBe(false);
    expect(fs.existsSync(path.join(report.setAside!, state, 'scavenging.db'))).toBe(true);
  });

  it('changes nothing on a dry run, not even beside the database', async () => {
    const dataDirectory = unpackDamaged('damaged-h-all-chk-missing');
    const before = filesOf(path.dirname(dataDirectory));
    const report = await run('repairDatabase', { dataDirectory, dryRun: true });
    expect(report).toMatchObject({ dryRun: true, ok: false, setAside: null });
    expect(report.actions.length).toBe(5);
    expect(report.actions.every(({ done }) => !done)).toBe(true);
    expect(filesOf(path.dirname(dataDirectory))).toEqual(before);
  });
});

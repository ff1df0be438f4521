/** `winnow startup` as a script uses it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/index.ts';
import { startupReport } from '../../../src-main/contract/operations/doctor-reports.ts';
import { filesOf } from '../../support/database-content.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase, unpackTruncated } from '../../support/golden.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

afterEach(removeUnpacked);

/** As the servers of the golden databases were set. */
const SERVER = ['--', '--stream-existence-filter-size=10000'];

async function reported(words: string[]) {
  const finished = await runWinnow(['startup', ...words, '--json', ...SERVER]);
  expect(finished, finished.stderr).toMatchObject({ exitCode: 0 });
  return startupReport.parse(jsonOf(finished));
}

describe('winnow startup', () => {
  it('says what the next start takes, part by part, and changes nothing', async () => {
    const database = unpackDatabase({ name: 'killed-clean-tables', folder: 'at-kill' });
    const before = filesOf(database);
    const { parts, estimatedMs, preparation, planId } = await reported([database]);
    expect(parts.filter(({ isInBackground }) => !isInBackground).reduce((sum, { ms }) => sum + ms, 0)).toBe(
      estimatedMs
    );
    expect(parts.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['openChunks', 'hashTables', 'readLogIntoIndex'])
    );
    expect(preparation.steps[0]).toMatchObject({ code: 'catchUpIndex', done: false });
    expect(planId).toMatch(/^startup-/);
    expect(filesOf(database)).toEqual(before);
  });

  it('prepares by the plan that was shown, and then has nothing left to do', async () => {
    const database = unpackDatabase({ name: 'killed-clean-tables', folder: 'at-kill' });
    const { planId, preparation } = await reported([database, '--prepare', '--dry-run']);
    const done = await reported([database, '--prepare', '--yes', '--plan', planId!]);
    expect(done.prepared!.steps.map(({ code }) => code)).toEqual(preparation.steps.map(({ code }) => code));
    expect(done.prepared!.steps.every((step) => step.done)).toBe(true);
    expect(done).toMatchObject({ preparation: { steps: [] } });
    expect(done.planId).toBeUndefined();
    expect((await runWinnow(['verify', database])).exitCode).toBe(0);
    expect((await runWinnow(['doctor', database])).exitCode).toBe(0);
    const again = await runWinnow(['startup', database, '--prepare', '--yes', '--plan', planId!, ...SERVER]);
    expect(again.exitCode).toBe(12);
    expect(again.stderr).toMatch(/not what was planned/);
    expect((await runWinnow(['startup', database, '--prepare', '--yes', ...SERVER])).stdout).toMatch(
      /^Nothing was left to be done\./
    );
  });

  it('needs --yes where nobody can be asked, and changes nothing without', async () => {
    const database = unpackDatabase({ name: 'killed-clean-tables', folder: 'at-kill' });
    const before = filesOf(database);
    expect((await runWinnow(['startup', database, '--prepare', ...SERVER])).exitCode).toBe(2);
    expect(filesOf(database)).toEqual(before);
  });

  it('prepares nothing where the node would not start, and says why', async () => {
    const database = unpackDamaged('damaged-c-missing-middle-chunk');
    const { preparation, prediction } = await reported([database]);
    expect(prediction.starts).toBe(false);
    expect(preparation.refusal).toMatchObject({ code: 'LogCorrupt' });
    expect((await runWinnow(['startup', database, '--prepare', '--yes', ...SERVER])).exitCode).toBe(12);
  });

  it('truncates only where that is chosen', async () => {
    const database = unpackTruncated('truncate-middle-of-log');
    const before = filesOf(database);
    const refused = await runWinnow(['startup', database, '--prepare', '--yes', ...SERVER]);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toMatch(/--apply-truncation/);
    expect(filesOf(database)).toEqual(before);
    const { prepared } = await reported([database, '--prepare', '--apply-truncation', '--yes']);
    expect(prepared!.steps[0]).toMatchObject({ code: 'applyTruncation', done: true });
    expect(readFileSync(join(database, 'truncate.chk')).readBigInt64LE()).toBe(-1n);
  });

  it('leaves a directory alone that another process has', async () => {
    const database = unpackDatabase({ name: 'killed-clean-tables', folder: 'at-kill' });
    const release = new NodeFileSystem().tryLock(join(database, 'writer.chk'))!;
    try {
      const refused = await runWinnow(['startup', database, '--prepare', '--yes', ...SERVER]);
      expect(refused.exitCode).toBe(11);
    } finally {
      release();
    }
  });
});

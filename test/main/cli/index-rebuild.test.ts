/** `winnow index rebuild` as a script uses it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/index.ts';
import { indexRebuildReport } from '../../../src-main/contract/operations/rebuild-reports.ts';
import { filesOf } from '../../support/database-content.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

afterEach(removeUnpacked);

describe('winnow index rebuild', () => {
  it('makes a damaged index whole, and verify agrees', async () => {
    const database = unpackDamaged('damaged-f-ptable-missing');
    const plan = await runWinnow(['index', 'rebuild', database, '--dry-run', '--json']);
    expect(indexRebuildReport.parse(jsonOf(plan))).toMatchObject({ isEstimate: true });
    expect((await runWinnow(['verify', database])).exitCode).toBe(1);

    const rebuilt = await runWinnow(['index', 'rebuild', database, '--yes', '--json']);
    const report = indexRebuildReport.parse(jsonOf(rebuilt));
    expect(report.actions.map(({ code }) => code).slice(0, 2)).toEqual(['writeTable', 'replaceIndexMap']);
    expect(report.actions.every(({ done }) => done)).toBe(true);
    expect(existsSync(join(database, 'index', report.actions[0]!.file!))).toBe(true);
    expect((await runWinnow(['verify', database])).exitCode).toBe(0);
  });

  it('shows without --json what it will do and what it did', async () => {
    const database = unpackDatabase({ name: 'tables', folder: 'before' });
    const plan = await runWinnow(['index', 'rebuild', database, '--dry-run']);
    expect(plan.stdout).toMatch(
      /will be rebuilt from the log up to position 1,\d{3},\d{3}: about 1\d,\d{3} entries/
    );
    const rebuilt = await runWinnow(['index', 'rebuild', database, '--yes']);
    expect(rebuilt.stdout).toMatch(/^Wrote [0-9a-f-]{36}: 1\d,\d{3} entries, .* old files removed\.\n$/);
  });

  it('needs --yes where nobody can be asked, and changes nothing without', async () => {
    const database = unpackDatabase({ name: 'tables', folder: 'before' });
    const before = filesOf(database);
    expect((await runWinnow(['index', 'rebuild', database])).exitCode).toBe(2);
    expect(filesOf(database)).toEqual(before);
  });

  it('is refused while somebody has the database, and changes nothing', async () => {
    const database = unpackDatabase({ name: 'tables', folder: 'before' });
    const before = filesOf(database);
    const release = new NodeFileSystem().tryLock(join(database, 'writer.chk'))!;
    try {
      const refused = await runWinnow(['index', 'rebuild', database, '--yes', '--json']);
      expect(refused.exitCode).toBe(11);
      expect(jsonOf(refused)).toMatchObject({ error: { code: 'DatabaseInUse' } });
    } finally {
      release();
    }
    expect(filesOf(database)).toEqual(before);
  });
});

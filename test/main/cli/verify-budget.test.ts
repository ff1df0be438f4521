/** `winnow verify --budget --within`: exit codes and documents that scripts rely on. */
import { afterEach, describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifyReport } from '../../../src-main/contract/operations/reports.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { runWinnow } from './run-winnow.ts';

const homes: string[] = [];
afterEach(() => {
  removeUnpacked();
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

function atHome() {
  const home = mkdtempSync(path.join(tmpdir(), 'winnow-budget-'));
  homes.push(home);
  return async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await runWinnow(['verify', ...words, '--quiet'], {
      environment: { WINNOW_HOME: home }
    });
    return { exitCode, stdout, stderr };
  };
}

describe('verify with a budget', () => {
  it('exits with 1 while not all of the log was verified within the time asked for, without calling that damage', async () => {
    const verify = atHome();
    const sound = unpackDatabase({ name: 'tables', folder: 'after-scavenge' });
    const before = await verify(sound, '--budget', '0s', '--within', '30d', '--json');
    const report = verifyReport.parse(JSON.parse(before.stdout));
    expect(before.exitCode).toBe(1);
    expect(report).toMatchObject({ ok: true, result: 'stopped', coverage: { isWhole: false, oldest: null } });
    // Unless it was asked for, the answer is about damage only.
    expect((await verify(sound, '--budget', '0s')).exitCode).toBe(0);
    const all = await verify(sound, '--budget', '10min', '--within', '30d');
    expect(all.exitCode).toBe(0);
    expect(all.stdout).toContain('Verified within 30 days: 100 % of the log');
    expect((await verify(sound, '--budget', '0s', '--within', '30d')).exitCode).toBe(0);
  });

  it('exits with 1 for damage, and with 2 for times that are none', async () => {
    const verify = atHome();
    const damaged = await verify(unpackDamaged('damaged-b-footer-md5'), '--budget', '10min', '--json');
    expect(damaged.exitCode).toBe(1);
    expect(verifyReport.parse(JSON.parse(damaged.stdout)).ok).toBe(false);
    for (const words of [
      ['--budget', '10'],
      ['--budget', '-1s'],
      ['--within', '0d'],
      ['--within', 'soon']
    ]) {
      const refused = await verify('x', ...words);
      expect([words, refused.exitCode]).toEqual([words, 2]);
      expect(refused.stderr).toMatch(/length of time/);
    }
    const both = await verify(
      unpackDatabase({ name: 'rules', folder: 'after-t0' }),
      '--budget',
      '1s',
      '--quick'
    );
    expect(both.exitCode).toBe(2);
  });
});

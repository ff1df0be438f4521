/** `winnow diff`: exit codes and documents that scripts rely on. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differenceReport } from '../../../src-main/contract/operations/difference-reports.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

let root = '';
let before = '';
let after = '';
let changed = '';
beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-diff-command-'));
  before = unpackDatabase({ name: 'rules', folder: 'before' });
  after = unpackDatabase({ name: 'rules', folder: 'after-t0' });
  changed = path.join(root, 'changed');
  fs.cpSync(before, changed, { recursive: true });
  const chunk = path.join(changed, 'chunk-000016.000000');
  fs.chmodSync(chunk, 0o644);
  const bytes = fs.readFileSync(chunk);
  bytes[128 + 200]! ^= 1;
  fs.writeFileSync(chunk, bytes);
});
afterAll(() => {
  removeUnpacked();
  fs.rmSync(root, { recursive: true, force: true });
});

const diff = (...words: string[]) => runWinnow(['diff', ...words, '--quiet']);

describe('winnow diff', () => {
  it('exits with 0 where all that differs was removed by rule, and says which', async () => {
    const { exitCode, stdout } = await diff(before, after);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(
      /hold the same log: all that differs is 954 records .*, if the stored hashes of 2 files are right\./
    );
    expect(stdout).toMatch(/removed by rule on the other side: hardDelete 396 records/);
    const json = await diff(before, after, '--json');
    expect(differenceReport.parse(jsonOf(json))).toMatchObject({
      ok: true,
      comparisons: [{ verdict: 'behind' }]
    });
  });

  it('exits with 1 where one byte differs, and names record, bytes and place', async () => {
    const { exitCode, stdout } = await diff(before, changed);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('do not hold the same log: the first difference is at position');
    expect(stdout).toMatch(/Both have a record there; their bytes differ from byte \d+ on \(/);
    expect(stdout).toContain('chunk-000016.000000, offset');
    const three = await diff(before, before, changed, '--json');
    expect(three.exitCode).toBe(1);
    expect(differenceReport.parse(jsonOf(three)).comparisons.map(({ verdict }) => verdict)).toEqual([
      'equal',
      'differs'
    ]);
  });

  it('exits with 2 for a single side and with 10 where there is no log', async () => {
    const single = await diff(before);
    expect(single.exitCode).toBe(2);
    expect(single.stderr).toContain('two');
    expect((await diff(before, path.join(root, 'nothing'))).exitCode).toBe(10);
    expect((await diff(before, path.join(changed, 'writer.chk'))).exitCode).toBe(10);
    expect((await diff(before, changed, '--throttle', 'fast')).exitCode).toBe(2);
  });
});

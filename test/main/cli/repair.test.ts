/** `winnow repair` as a user meets it: words, JSON, exit codes; and the salvage of what cannot be repaired. */
import { afterEach, describe, expect, it } from 'vitest';
import { removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { jsonOf, linesOf, runWinnow } from './run-winnow.ts';

afterEach(removeUnpacked);

describe('winnow repair', () => {
  it('needs an answer', async () => {
    const { exitCode, stderr } = await runWinnow(['repair', unpackDamaged('damaged-b-footer-md5')]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--yes');
  });

  it('shows what it would do, does it, and finds nothing more to do', async () => {
    const dataDirectory = unpackDamaged('damaged-b-footer-md5');
    const plan = await runWinnow(['repair', dataDirectory, '--dry-run']);
    expect(plan.exitCode).toBe(1);
    expect(plan.stdout).toMatch(/would chunkHashMismatch chunk-000005\.000000/);
    const repaired = await runWinnow(['repair', dataDirectory, '--yes', '--json']);
    expect(repaired.exitCode).toBe(0);
    expect(jsonOf(repaired)).toMatchObject({
      ok: true,
      actions: [{ code: 'chunkHashMismatch', file: 'chunk-000005.000000', done: true }]
    });
    const again = await runWinnow(['repair', dataDirectory, '--yes']);
    expect(again).toMatchObject({ exitCode: 0, stdout: 'Nothing to repair.\n' });
  });

  it('names what it cannot repair, with what of it still reads, and ends with 1', async () => {
    const dataDirectory = unpackDamaged('damaged-a-record-data-byte');
    const { exitCode, stdout } = await runWinnow(['repair', dataDirectory, '--yes']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/stays chunkHashMismatch chunk-000005\.000000/);
    expect(stdout).toContain('174 of its records are still readable');
    expect(stdout).toContain('--from-backup');
  });

  it('does only what was asked for', async () => {
    const dataDirectory = unpackDamaged('damaged-h-all-chk-missing');
    const options = ['--only', 'chunkMissing', '--only', 'tableMissing', '--yes', '--json'];
    const { exitCode, stdout } = await runWinnow(['repair', dataDirectory, ...options]);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, actions: [] });
  });

  it('takes chunks from a backup', async () => {
    const base = unpackDatabase({ name: 'plain', folder: 'after' });
    const dataDirectory = unpackDamaged('damaged-c-missing-last-chunk');
    const { exitCode } = await runWinnow(['repair', dataDirectory, '--from-backup', base, '--yes']);
    expect(exitCode).toBe(0);
  });
});

describe('winnow records --salvage', () => {
  it('exports what is left as lines of JSON, with the hole in its place', async () => {
    const dataDirectory = unpackDamaged('damaged-c-missing-middle-chunk');
    const { exitCode, stdout, stderr } = await runWinnow(['records', dataDirectory, '--salvage', '--json']);
    const rows = linesOf({ exitCode, stdout, stderr }) as { position?: number; skipped?: { from: number } }[];
    expect(exitCode).toBe(0);
    const hole = rows.findIndex(({ skipped }) => skipped !== undefined);
    expect(rows[hole]).toMatchObject({ skipped: { file: 'chunk-000007', from: 458_752, to: 524_288 } });
    expect(rows[hole - 1]!.position).toBeLessThan(458_752);
    expect(rows[hole + 1]!.position).toBe(524_288);
    expect(stderr).toContain('skipped 65536 bytes of the log');
  });
});

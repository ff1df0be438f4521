/** `winnow scavenge --keep-replaced` and `--undo` through the built command: plan, undo, what is kept, and what is refused. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directoryTree } from '../../support/directory-tree.ts';
import { runWinnow } from './run-winnow.ts';

const root = mkdtempSync(join(tmpdir(), 'winnow-undo-'));
const db = join(root, 'db');
const environment = { WINNOW_HOME: join(root, 'home') };
let before: Record<string, string>;
afterAll(() => rmSync(root, { recursive: true, force: true }));

const winnow = (...words: string[]) => runWinnow(words, { environment });
const json = async <T>(...words: string[]): Promise<T> => {
  const { stdout, exitCode, stderr } = await winnow(...words, '--json', '--quiet');
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
};

interface Inspected {
  replaced: { bytes: number; kept: { id: string; bytes: number; replacedFiles: number }[] };
}

beforeAll(async () => {
  expect((await winnow('sample', db, '--size', '4MiB', '--yes', '--quiet')).exitCode).toBe(0);
  before = directoryTree(db);
});

describe('winnow scavenge --keep-replaced', () => {
  it('plans what is freed only later, and what it needs until then', async () => {
    const plan = await json<{ keeps: { replacedBytes: number; neededBytes: number; keepMs: number } }>(
      ...['scavenge', db, '--single-node', '--keep-replaced', '7d', '--dry-run']
    );
    expect(plan.keeps.keepMs).toBe(7 * 86_400_000);
    expect(plan.keeps.replacedBytes).toBeGreaterThan(0);
    expect(plan.keeps.neededBytes).toBeGreaterThan(0);
    expect(directoryTree(db)).toEqual(before);
  });

  it('keeps the replaced files, shows their space, and puts them back by a plan', async () => {
    const run = await json<{ kept: { id: string } }>(
      ...['scavenge', db, '--single-node', '--keep-replaced', '7d', '--yes']
    );
    const { replaced } = await json<Inspected>('inspect', db);
    expect(replaced.kept.map(({ id }) => id)).toEqual([run.kept.id]);
    expect(replaced.bytes).toBeGreaterThan(1_000_000);

    const plan = await json<{ kind: string; planId: string }>('scavenge', '--undo', db, '--dry-run');
    expect(plan.kind).toBe('exact');
    const undone = await json<{ id: string; kind: string }>(
      ...['scavenge', '--undo', db, '--plan', plan.planId, '--yes']
    );
    expect(undone).toMatchObject({ id: run.kept.id, kind: 'exact' });
    expect(directoryTree(db)).toEqual(before);
    expect((await json<Inspected>('inspect', db)).replaced).toEqual({ bytes: 0, kept: [] });
  });

  it('refuses a plan of another state, and an undo of nothing', async () => {
    await json('scavenge', db, '--single-node', '--keep-replaced', '7d', '--yes');
    const plan = await json<{ planId: string }>('scavenge', '--undo', db, '--dry-run');
    await json('scavenge', '--undo', db, '--yes');
    const stale = await winnow('scavenge', '--undo', db, '--plan', plan.planId, '--yes', '--json');
    expect([stale.exitCode, stale.stdout]).toEqual([12, expect.stringContaining('PlanStale')]);
    const nothing = await winnow('scavenge', '--undo', db, '--yes');
    expect([nothing.exitCode, nothing.stderr]).toEqual([
      2,
      expect.stringContaining('Nothing that a scavenge replaced')
    ]);
  });

  it('removes what is kept on request, after which nothing can be undone', async () => {
    await json('scavenge', db, '--single-node', '--keep-replaced', '7d', '--yes');
    const would = await json<{ dryRun: boolean; freedBytes: number }>(
      ...['scavenge', '--undo', db, '--forget', '--dry-run']
    );
    expect(would.dryRun).toBe(true);
    const report = await json<{ freedBytes: number }>('scavenge', '--undo', db, '--forget', '--yes');
    expect(report.freedBytes).toBe(would.freedBytes);
    expect((await json<Inspected>('inspect', db)).replaced.kept).toEqual([]);
    expect((await winnow('scavenge', '--undo', db, '--yes')).exitCode).toBe(2);
  });

  it('removes by itself what has expired', async () => {
    await json('scavenge', db, '--scavenge-point', 'detached', '--keep-replaced', '1ms', '--yes');
    expect((await json<Inspected>('inspect', db)).replaced.kept).toHaveLength(1);
    await json('scavenge', db, '--scavenge-point', 'detached', '--yes');
    expect((await json<Inspected>('inspect', db)).replaced.kept).toEqual([]);
  });

  it.each([
    [['--to', '20260101T000000Z'], '--to'],
    [['--forget'], '--forget'],
    [['--undo', '--keep-replaced', '7d'], '--keep-replaced']
  ])('refuses %j in words', async (options, named) => {
    const { exitCode, stderr } = await winnow('scavenge', db, ...options, '--yes');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(named)]);
  });
});

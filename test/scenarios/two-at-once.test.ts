/**
 * Two commands at once on one database, all pairs: one of them is refused because the other is at work, or both end well.
 * Either way a reader sees what it saw before, and nothing is damaged.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requireSeen } from '../support/independent/seen-events.ts';
import { recordCampaign } from '../support/proof-record.ts';
import { createBackup } from '../campaign/kills/backup-subjects.ts';
import { POINT, requireVerified, sample, seenIn, writesHistory } from '../campaign/kills/kill-subject.ts';
import { requireCommand, runCommand } from '../campaign/kills/killed-command.ts';

const IN_USE = 11;
/**
 * What the other one left once it had ended leaves nothing to do: a scavenge was undone or moved aside by a restore; a restore
 * left the truncation that the server does at its next start, which comes before any scavenge.
 */
const AFTER_THE_OTHER = 2;
const OUT_OF_ORDER: Record<string, RegExp> = {
  'scavenge restore': /requests a truncation of the log/,
  'undo undo': /./,
  'undo restore': /./
};

/** `OUT`: a name of its own for each of the two. */
const COMMANDS: Record<string, readonly string[]> = {
  scavenge: ['scavenge', 'db', '--scavenge-point', 'new', '--single-node', '--threshold', '-1', '--yes'],
  undo: ['scavenge', '--undo', 'db', '--yes'],
  'index rebuild': ['index', 'rebuild', 'db', '--yes'],
  restore: ['restore', 'backups', '--to', 'db', '--yes'],
  backup: createBackup(),
  prune: ['backup', 'prune', 'backups', '--keep-last', '1', '--yes'],
  verify: ['verify', 'db'],
  extraction: ['extract', 'db', '--to', 'OUT.jsonl', '--yes']
};
const names = Object.keys(COMMANDS);
const PAIRS = names.flatMap((one, i) => names.slice(i).map((other): [string, string] => [one, other]));

const root = fs.mkdtempSync(path.join(tmpdir(), 'winnow-two-'));
const base = path.join(root, 'base');
let cases = 0;
beforeAll(async () => {
  fs.mkdirSync(base);
  await sample(base);
  await requireCommand(base, createBackup());
  await requireCommand(base, ['scavenge', 'db', ...POINT, '--keep-replaced', '7d', '--no-merge', '--yes']);
}, 300_000);
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

it.each(PAIRS)('%s and %s at once: one is refused, or both end well', async (one, other) => {
  const directory = path.join(root, `${one} ${other}`);
  fs.cpSync(base, directory, { recursive: true });
  const before = seenIn(directory, 'db');
  const ends = await Promise.all(
    [one, other].map((name, i) =>
      runCommand(
        directory,
        COMMANDS[name]!.map((word) => word.replace('OUT', `out-${i}`))
      )
    )
  );
  const codes = ends.map(({ exitCode }) => exitCode);
  for (const { exitCode, stderr } of ends) {
    const late = OUT_OF_ORDER[`${one} ${other}`];
    const isLate = exitCode === AFTER_THE_OTHER && late?.test(stderr) === true;
    if (!isLate) expect([0, IN_USE], stderr).toContain(exitCode);
  }
  expect(codes).toContain(0);
  for (const { exitCode, stderr } of ends)
    if (exitCode === IN_USE)
      expect(stderr).toMatch(/in use|is running|busy|is unfinished|is being changed by|was exchanged while/);
  requireSeen(before, seenIn(directory, 'db'), writesHistory);
  await requireVerified(directory);
  fs.rmSync(directory, { recursive: true, force: true });
  cases++;
});

it('all pairs were tried', () => {
  expect(cases).toBe(PAIRS.length);
  recordCampaign({
    ...{ name: 'two commands at once, all pairs', promise: 'threads', operation: 'all pairs' },
    ...{ faults: 'the other one at work', counts: { cases } }
  });
});

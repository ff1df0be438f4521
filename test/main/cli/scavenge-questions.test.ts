/** On a terminal `scavenge` asks two things apart: what the node is, which is kept, and whether to do it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../support/command-line.ts';
import { runWinnow } from './run-winnow.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'winnow-questions-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const SINGLE = 'Is this a single node, not a member of a cluster? [y/N]';
const SCAVENGE = 'Scavenge this database? [y/N]';

/** util-linux's script gives the command a terminal. Each answer is typed when its question is there. */
function onTerminal(
  home: string,
  words: string[],
  answers: [string, string][]
): { status: number | null; text: string } {
  const command = [process.execPath, COMMAND_LINE, ...words].map((word) => `'${word}'`).join(' ');
  const answering = answers
    .map(([question, answer]) => `until grep -qF '${question}' "$OUT"; do sleep 0.05; done; echo ${answer};`)
    .join(' ');
  const out = path.join(home, 'terminal.txt');
  const run = spawnSync(
    'sh',
    ['-c', `: > "$OUT"; { ${answering} } | script -qefc "$COMMAND" "$OUT" > /dev/null`],
    {
      env: { ...process.env, WINNOW_HOME: home, OUT: out, COMMAND: command, NO_COLOR: '1' },
      timeout: 60_000
    }
  );
  return { status: run.status, text: readFileSync(out, 'utf8') };
}

const db = path.join(scratch, 'db');
beforeAll(async () => {
  const words = ['sample', db, '--size', '256KiB', '--chunk-size', '64KiB', '--yes'];
  expect((await runWinnow(words)).exitCode).toBe(0);
});

it('lists what a member can do where the answer is no, keeps nothing, and ends like Ctrl+C', () => {
  const home = mkdtempSync(path.join(scratch, 'home-'));
  const { status, text } = onTerminal(home, ['scavenge', db], [[SINGLE, 'n']]);
  expect(status).toBe(130);
  const answered = text.slice(text.indexOf(SINGLE));
  for (const placement of ['existing', 'detached', 'new']) {
    expect(answered).toContain(`--scavenge-point ${placement}`);
  }
  expect(answered).not.toContain(SCAVENGE);
  expect(onTerminal(home, ['scavenge', db], [[SINGLE, 'n']]).status).toBe(130);
});

it('of a rescue, which writes no point to the log, asks nothing but whether to do it', () => {
  const home = mkdtempSync(path.join(scratch, 'home-'));
  const { status, text } = onTerminal(home, ['rescue', db], [['Rescue this database? [y/N]', 'n']]);
  expect(status).toBe(130);
  expect(text).not.toContain('single node');
});

it('asks what the node is by itself, keeps the answer, and does not ask again', () => {
  const home = mkdtempSync(path.join(scratch, 'home-'));
  const stopped = onTerminal(
    home,
    ['scavenge', db],
    [
      [SINGLE, 'y'],
      [SCAVENGE, 'n']
    ]
  );
  expect(stopped.status).toBe(130);
  expect(stopped.text.indexOf(SINGLE)).toBeLessThan(stopped.text.indexOf(SCAVENGE));
  expect(stopped.text).toContain('To change it');

  const done = onTerminal(home, ['scavenge', db], [[SCAVENGE, 'y']]);
  expect(done.text).not.toContain(SINGLE);
  expect(done.status).toBe(0);
});

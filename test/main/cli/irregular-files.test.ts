/** Pipes, sockets and directories where a file is expected, through the real command. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { IRREGULAR_KINDS, putIrregular } from '../../support/irregular-file.ts';
import { runWinnow, type Finished } from './run-winnow.ts';

const DEADLINE_MS = 60_000;
const run = (words: string[]): Promise<Finished> => runWinnow(words, { deadlineMs: DEADLINE_MS });

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'winnow-irregular-'));
});
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
  removeUnpacked();
});

describe.runIf(process.platform === 'linux')('a pipe', () => {
  it('where a chunk belongs ends a command with its name', { timeout: 4 * DEADLINE_MS }, async () => {
    const database = unpackDatabase({ name: 'rules', folder: 'before' });
    const chunk = path.join(database, 'chunk-000000.000000');
    await putIrregular(chunk, 'a named pipe');
    for (const command of ['verify', 'inspect']) {
      const { exitCode, stderr } = await run([command, database]);
      expect({ command, exitCode, stderr }).toMatchObject({ exitCode: 15 });
      expect(stderr).toContain(`Error: ${chunk} is a named pipe, not a regular file.`);
    }
  });

  it.each<[words: string[], what: string]>([
    [['inspect', '--config', 'FILE'], 'configuration file'],
    [['serve', '--config', 'FILE'], 'configuration file'],
    [['serve', '--cert', 'FILE', '--key', 'FILE', '--port', '0', 'DB'], 'certificate'],
    [['user', 'list', '--users', 'FILE'], 'users file'],
    [['license', 'check', 'evaluation', '--trust-license-key', 'FILE'], 'key file'],
    [['backup', 'verify', 'DB@x', '--key-file', 'FILE'], 'key file'],
    [
      ['backup', 'create', 'DB', '--to', 'DB.to', '--node-url', 'https://127.0.0.1:1', '--node-ca', 'FILE'],
      'certificate'
    ],
    [['erasure', 'DB', '--recheck', 'FILE'], 'report'],
    [['cluster', 'register', 'one', 'https://127.0.0.1:1', '--ca', 'FILE', '--yes'], 'certificate']
  ])('that a person names is a wrong request: %j', { timeout: 2 * DEADLINE_MS }, async (words, what) => {
    const file = path.join(scratch, 'named');
    await putIrregular(file, 'a named pipe');
    const database = unpackDatabase({ name: 'rules', folder: 'before' });
    const { exitCode, stderr } = await run(
      words.map((word) => word.replace('FILE', file).replace('DB', database))
    );
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain(`The ${what} ${file} cannot be read: it is a named pipe.`);
  });
});

it('a file where a directory of the index belongs is told as a fault of what was asked, by every command', async () => {
  const database = unpackDatabase({ name: 'rules', folder: 'before' });
  const file = path.join(scratch, 'a-file');
  writeFileSync(file, 'x');
  for (const command of ['verify', 'inspect', 'plan', 'doctor']) {
    const { exitCode, stderr } = await run([command, database, '--index', path.join(file, 'below')]);
    expect({ command, stderr, exitCode: exitCode === 70 ? 70 : 'another' }).toMatchObject({
      exitCode: 'another'
    });
    expect(stderr).not.toContain('Internal error');
  }
});

describe.runIf(process.platform === 'linux')('what has the name of a file of the home', () => {
  // Each of them is written by a command that looks, or read by it.
  const NAMES = ['code-cache', 'nodes.json', 'nodes.json.lock', 'activity.jsonl'];

  it('is no file: a command that looks ends well all the same', { timeout: 4 * DEADLINE_MS }, async () => {
    const database = unpackDatabase({ name: 'rules', folder: 'before' });
    for (const kind of [...IRREGULAR_KINDS, 'a link to nothing'] as const) {
      const home = path.join(scratch, `home of ${kind.replaceAll('/', ' ')}`);
      mkdirSync(home);
      for (const name of NAMES) {
        const file = path.join(home, name);
        if (kind === 'a link to nothing') symlinkSync(path.join(scratch, 'nothing'), file);
        else await putIrregular(file, kind);
      }
      const environment = { WINNOW_HOME: home, NODE_COMPILE_CACHE: undefined };
      const { exitCode, stderr } = await runWinnow(['inspect', database], {
        deadlineMs: DEADLINE_MS,
        environment
      });
      expect({ kind, exitCode, stderr }).toMatchObject({ kind, exitCode: 0 });
    }
  });
});

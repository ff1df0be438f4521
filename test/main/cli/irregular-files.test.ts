/** Pipes, sockets and directories where a file is expected, through the real command. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { putIrregular } from '../../support/irregular-file.ts';
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

/** What scripts rely on in every command: an example in the help, one document with `--json`, also of a dry run. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../../../src-main/cli/command-line.ts';
import { createProgram } from '../../../src-main/cli/program.ts';
import { expectValid } from './published-schema.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

const { stdin, stdout, stderr } = process;
const program = await createProgram(new CommandLine({ stdin, stdout, stderr, environment: {} }));

let directory: string;

beforeAll(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-contract-'));
});

afterAll(() => {
  fs.rmSync(directory, { recursive: true, force: true });
});

describe('help', () => {
  const commands = withInner(program.commands).filter((command) => command.name() !== 'help');

  it.each(commands.map((command) => [wordsOf(command), command] as const))(
    'of "%s" ends with an example',
    (words, command) => {
      let text = '';
      command.configureOutput({ writeOut: (piece) => (text += piece) });
      command.outputHelp();
      expect(text).toMatch(/\nExamples?:\n {2}\$ \S/);
      expect(text).toContain(words.split(' ')[0]);
    }
  );
});

describe('a dry run with --json', () => {
  it.each([
    [
      ['cluster', 'register', 'trio', '/data/1', '/data/2'],
      { dryRun: true, clusters: [{ kind: 'local', name: 'trio' }] }
    ],
    [['user', 'add', 'alice', '--role', 'ops'], { dryRun: true }],
    [['user', 'remove', 'alice'], { dryRun: true }]
  ])('of %j is one document, and nothing is written', async (words, expected) => {
    const home = path.join(directory, 'none');
    const finished = await runWinnow([...words, '--dry-run', '--json'], {
      environment: { WINNOW_HOME: home }
    });
    expect(finished.exitCode).toBe(0);
    expect(jsonOf(finished)).toMatchObject(expected);
    expectValid(words.slice(0, 2).join('-'), jsonOf(finished));
    expect(fs.existsSync(path.join(home, 'users.json'))).toBe(false);
    expect(fs.existsSync(path.join(home, 'clusters.json'))).toBe(false);
  });

  it.each([
    [['scavenge'], { members: [{ node: '/data/1' }] }],
    [['stop'], {}],
    [['auto-scavenge', 'pause'], { action: 'pause' }],
    [['quiet-hours', '--off'], { quietHours: null }]
  ])('of "cluster %s" is one document', async ([action, ...more], expected) => {
    const environment = { WINNOW_HOME: path.join(directory, 'home') };
    await runWinnow(['cluster', 'register', 'solo', '/data/1', '--yes'], { environment });
    const finished = await runWinnow(['cluster', action!, 'solo', ...more, '--dry-run', '--json'], {
      environment
    });
    expect(finished.exitCode).toBe(0);
    expect(jsonOf(finished)).toEqual({ dryRun: true, name: 'solo', ...expected });
    expectValid(`cluster-${action}`, jsonOf(finished));
  });
});

describe('schemas', () => {
  it.each([
    ['license-check', ['license', 'check', 'evaluation']],
    ['user-list', ['user', 'list']],
    ['cluster-register', ['cluster', 'register', 'near', 'DATABASE', '--yes']],
    ['cluster-list', ['cluster', 'list']],
    ['cluster-status', ['cluster', 'status', 'near']],
    ['cluster-auto-scavenge', ['cluster', 'auto-scavenge', 'near', 'configure', '0 3 * * SUN', '--yes']],
    ['cluster-quiet-hours', ['cluster', 'quiet-hours', 'near', '--from', '8:00', '--to', '9:00', '--yes']],
    ['cluster-scavenge', ['cluster', 'scavenge', 'near', '--yes']],
    ['cluster-stop', ['cluster', 'stop', 'near', '--yes']],
    ['sample', ['sample', 'elsewhere', '--dry-run']],
    ['backup-create', ['backup', 'create', 'DATABASE', '--to', 'elsewhere', '--dry-run']],
    ['serve', ['serve', 'DATABASE', '--print-config']],
    ['config', ['config', 'DATABASE', '--port', '0']]
  ])('%s has what the command prints', async (schema, words) => {
    const database = path.join(directory, 'database');
    if (!fs.existsSync(database)) {
      await runWinnow(['sample', database, '--size', '200KiB', '--chunk-size', '64KiB', '--yes']);
    }
    const environment = { WINNOW_HOME: path.join(directory, 'near') };
    const named = words.map((word) => (word === 'DATABASE' ? database : word));
    const finished = await runWinnow([...named, '--json'], { environment });
    expect(finished, finished.stderr).toMatchObject({ exitCode: 0 });
    expectValid(schema, jsonOf(finished));
  });
});

describe('values in JSON', () => {
  it('have times with seven digits also in a licence', async () => {
    const { expiresAt } = jsonOf(await runWinnow(['license', 'check', 'evaluation', '--json'])) as {
      expiresAt: string;
    };
    expect(expiresAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
  });

  it('name the option at fault without the word for its value', async () => {
    const finished = await runWinnow(['scavenge', directory, '--threads', '0', '--json']);
    expect(finished.exitCode).toBe(2);
    expect(jsonOf(finished)).toMatchObject({ error: { details: { field: '--threads' } } });
  });
});

function withInner(commands: readonly Command[]): Command[] {
  return commands.flatMap((command) => [command, ...withInner(command.commands)]);
}

function wordsOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${wordsOf(parent)} ${command.name()}` : command.name();
}

describe('settings', () => {
  it('of a scavenge are taken from the environment, and what is to be noted goes to stderr', async () => {
    const database = path.join(directory, 'settings');
    await runWinnow(['sample', database, '--size', '200KiB', '--chunk-size', '64KiB', '--yes']);
    const environment = { SERVICE_SCAVENGE_BACKEND_PAGE_SIZE: '3' };
    const words = ['plan', database, '--scavenge-point', 'detached', '--json'];
    const refused = await runWinnow(words, { environment });
    expect(refused.exitCode).toBe(2);
    expect(jsonOf(refused)).toMatchObject({ error: { details: { field: 'ScavengeBackendPageSize' } } });
    const noted = await runWinnow(words, { environment: { KURRENTDB_SCAVENGE_BACKEND_PAGE_SIZE: '4096' } });
    expect(noted).toMatchObject({ exitCode: 0 });
    expect(noted.stderr).toContain('4096 is read as bytes');
  });
});

/**
 * Random wrong input, through the real argument parser and the real engine: every option of every command with files
 * that are not there, directories, binary files, numbers without end, dates that are none, control characters. Whatever is
 * asked, it is never answered as a mistake of ours. WINNOW_SEED=N repeats a run, WINNOW_CASES=N makes it longer.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CommandLine } from '../../../src-main/cli/command-line.ts';
import { EXIT_INTERNAL } from '../../../src-main/cli/exit-codes.ts';
import { reportFailure } from '../../../src-main/cli/failure.ts';
import { createProgram } from '../../../src-main/cli/program.ts';
import type { EngineHost } from '../../../src-main/engine/engine-host.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { Prng } from '../../support/prng.ts';
import { seedOfRun } from '../../support/seeds.ts';

// One engine for all runs: starting one for each would be most of the time.
const shared = vi.hoisted(() => ({ engine: undefined as EngineHost | undefined }));
vi.mock('../../../src-main/engine/engine-host.ts', async (original) => {
  const actual = await original<typeof import('../../../src-main/engine/engine-host.ts')>();
  return {
    ...actual,
    startWorkerEngine: () => {
      const engine = (shared.engine ??= actual.startWorkerEngine());
      return {
        call: engine.call.bind(engine),
        stream: engine.stream.bind(engine),
        onDeath: engine.onDeath.bind(engine),
        restart: engine.restart.bind(engine),
        close: () => Promise.resolve()
      } satisfies EngineHost;
    }
  };
});

const CASES = Number(process.env['WINNOW_CASES'] ?? 250);
const SEED = seedOfRun();
/** Everything that was ever tested; a key in a file of any name, wherever this runs. */
const LEFT_OUT = new Set(['conformance', 'help', 'key']);

const startedIn = process.cwd();
let scratch: string;
let database: string;
let values: string[];
beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'winnow-wrong-'));
  // A value that happens to be right as a path makes a directory of that name.
  process.chdir(scratch);
  database = unpackDatabase({ name: 'rules', folder: 'before' });
  const binary = path.join(scratch, 'binary');
  writeFileSync(
    binary,
    Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251)
  );
  const empty = path.join(scratch, 'empty');
  writeFileSync(empty, '');
  const json = path.join(scratch, 'json');
  writeFileSync(json, '{"keys":[{"kty":"OKP"}],"users":[null],"streams":{"__proto__":1}}');
  const certificate = path.join(scratch, 'certificate');
  writeFileSync(certificate, '-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n');
  mkdirSync(path.join(scratch, 'directory'));
  values = [
    ...[binary, empty, json, certificate, path.join(scratch, 'directory'), path.join(scratch, 'missing')],
    ...[
      '/dev/null',
      path.join(binary, 'below'),
      'x'.repeat(5000),
      '',
      ' ',
      '.',
      '-',
      '\0',
      '\x1b[31m\x07',
      '\u{e0041}'
    ],
    ...[
      '0',
      '-1',
      '1.5',
      'NaN',
      'Infinity',
      '-0',
      '1e999',
      '0x10',
      '9'.repeat(40),
      '9007199254740993',
      '2147483648'
    ],
    ...[
      '2026-13-45',
      '2026-02-30T25:00:00Z',
      '9999-12-31T23:59:59.9999999Z',
      '0000-00-00',
      '-271821-04-20T00:00:00Z'
    ],
    ...[
      '* * * * *',
      '99 99 99 99 99',
      'Nowhere/Land',
      'https://',
      'http://[::1',
      's3://',
      's3:///x',
      'ftp://x',
      '$all',
      '$$'
    ],
    ...[
      'constructor',
      '__proto__',
      '08:00',
      '99:99',
      '10MiB',
      '-5KiB',
      '1e400MiB',
      '(',
      '*'.repeat(200),
      'a@b',
      '@'
    ],
    database
  ];
});
afterAll(async () => {
  await shared.engine?.close();
  process.chdir(startedIn);
  rmSync(scratch, { recursive: true, force: true });
  removeUnpacked();
});

function streamTo(take: (text: string) => void): NodeJS.WriteStream {
  const stream = new PassThrough();
  stream.setEncoding('utf8').on('data', take);
  return stream as unknown as NodeJS.WriteStream;
}

async function run(words: string[]): Promise<{ exitCode: number; text: string }> {
  let text = '';
  const take = (piece: string): void => void (text += piece);
  const stdin = new PassThrough();
  stdin.end('a password\n');
  const line = new CommandLine({
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: streamTo(take),
    stderr: streamTo(take),
    environment: { WINNOW_HOME: path.join(scratch, 'home') }
  });
  let exitCode: number;
  try {
    await (await createProgram(line)).parseAsync(words, { from: 'user' });
    ({ exitCode } = line);
  } catch (error) {
    exitCode = await reportFailure(line, error, words.includes('--json'));
  }
  await new Promise((resolve) => setImmediate(resolve));
  return { exitCode, text };
}

/** Commands that do something, with the words that lead to them. */
function commandsOf(command: Command, words: string[]): { words: string[]; command: Command }[] {
  const inner = command.commands.filter((child) => !LEFT_OUT.has(child.name()));
  const own = inner.length === 0 || command.registeredArguments.length > 0;
  return [
    ...(own && words.length > 0 ? [{ words, command }] : []),
    ...inner.flatMap((child) => commandsOf(child, [...words, child.name()]))
  ];
}

it(`no wrong input is a mistake of ours (seed ${SEED})`, { timeout: CASES * 20_000 }, async () => {
  console.log(`seed ${SEED}`);
  const prng = new Prng(SEED);
  const one = <T>(of: readonly T[]): T => of[prng.below(of.length)]!;
  const line = new CommandLine({
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: {}
  });
  const commands = commandsOf(await createProgram(line), []);
  expect(commands.length).toBeGreaterThan(30);
  const faults: string[] = [];
  for (let number = 0; number < CASES; number++) {
    const { words, command } = commands[number % commands.length]!;
    const asked = [...words];
    for (const argument of command.registeredArguments) {
      if (!argument.required && prng.below(2) === 0) continue;
      asked.push(prng.below(3) > 0 && /^db$|database/i.test(argument.name()) ? database : one(values));
    }
    const withValue = command.options.filter(
      (option) => !['--yes', '--help', '--dry-run'].includes(option.long ?? '')
    );
    for (let i = 0; i <= prng.below(3) && withValue.length > 0; i++) {
      const option = one(withValue);
      asked.push(option.isBoolean() ? option.long! : `${option.long}=${one(values)}`);
    }
    // What happens to be right must neither write nor serve for ever.
    if (command.options.some(({ long }) => long === '--dry-run')) asked.push('--dry-run');
    if (words[0] === 'serve') asked.push('--print-config');
    const { exitCode, text } = await run(asked);
    const isFault = exitCode === EXIT_INTERNAL || /Report this|Internal|\n {4}at /.test(text);
    if (isFault) faults.push(`${JSON.stringify(asked)} -> ${exitCode}: ${text.slice(0, 400)}`);
  }
  expect(faults).toEqual([]);
});

/**
 * Every option that takes a value, of every command, with values that are empty, negative, huge or no number: what is
 * refused is refused by the option, in a plain sentence with its name and its value, and never by the form of a request
 * that nobody typed. The engine is not started: what comes as far as it is checked by its door.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command, Option } from 'commander';
import { afterAll, expect, it, vi } from 'vitest';
import { CommandLine } from '../../../src-main/cli/command-line.ts';
import { EXIT_INTERNAL, EXIT_WRONG_REQUEST } from '../../../src-main/cli/exit-codes.ts';
import { reportFailure } from '../../../src-main/cli/failure.ts';
import { createProgram } from '../../../src-main/cli/program.ts';
import { checkedRequest } from '../../../src-main/engine/engine-door.ts';
import type { OperationName } from '../../../src-main/contract/operations/operation-contract.ts';
import { OperationStopped } from '../../../src-core/index.ts';

vi.mock('../../../src-main/cli/own-engine.ts', () => {
  const ask = (name: OperationName, request: unknown): never => {
    checkedRequest(name, request);
    throw new OperationStopped();
  };
  const engine = {
    call: ask,
    stream: ask,
    onDeath: () => undefined,
    restart: () => undefined,
    close: () => Promise.resolve()
  };
  return {
    startOwnEngine: () => engine,
    ownEngineHere: () => Promise.resolve(engine),
    ownActivityLog: () => ({ list: () => [] })
  };
});

const scratch = mkdtempSync(path.join(tmpdir(), 'winnow-values-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const NUMBERS = ['-1', '0', '7', '1.5', '9007199254740991', '99999999999999999999', '1e400', 'NaN', 'many'];
/** What a command needs besides, to come as far as the engine. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  extract: ['--to', 'out.jsonl'],
  diff: [path.join(scratch, 'other')],
  'backup rekey': ['--new-keys', 'keys'],
  export: ['--to-database', 'new', '--stream', 'order-1'],
  erasure: ['--stream', 'order-1'],
  explain: ['--stream', 'order-1'],
  redact: ['--stream', 'order-1', '--number', '1'],
  bundle: ['--to', 'new', '--key', 'key'],
  restore: ['--to', 'new'],
  'backup create': ['--to', 'target'],
  'backup adopt': ['--from', 'copy'],
  'backup scavenge': ['--backup', '20260101T000000Z-0000'],
  'backup prune': ['--keep-last', '1'],
  'backup schedule': ['--every', '0 1 * * *', '--to', 'target']
};
/** They ask other machines, or serve. */
const LEFT_OUT = new Set(['conformance', 'help', 'complete', 'serve', 'cluster', 'key', 'schedule']);

interface Outcome {
  exitCode: number;
  text: string;
}

async function run(words: readonly string[]): Promise<Outcome> {
  let text = '';
  const stream = (): NodeJS.WriteStream => {
    const end = new PassThrough();
    end.setEncoding('utf8').on('data', (piece: string) => void (text += piece));
    return end as unknown as NodeJS.WriteStream;
  };
  const stdin = new PassThrough();
  stdin.end();
  const line = new CommandLine({
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stream(),
    stderr: stream(),
    environment: { WINNOW_HOME: path.join(scratch, 'home') }
  });
  let exitCode: number;
  try {
    await (await createProgram(line, words)).parseAsync([...words], { from: 'user' });
    ({ exitCode } = line);
  } catch (error) {
    exitCode = await reportFailure(line, error, false);
  }
  await new Promise((resolve) => setImmediate(resolve));
  return { exitCode, text };
}

interface Subject {
  words: string[];
  option: Option;
  others: string[];
}

/** Every option that takes a value, with the words that lead to it and what else its command needs. */
function subjectsOf(command: Command, words: string[]): Subject[] {
  const inner = command.commands.filter((child) => !LEFT_OUT.has(child.name()));
  const places = command.registeredArguments.map((_, i) => path.join(scratch, `place-${i}`));
  const agreed = command.options.filter(({ long }) => long === '--yes').map(() => '--yes');
  const needed = [...(NEEDED[words.join(' ')] ?? []), ...agreed];
  return [
    ...command.options
      .filter((option) => option.required)
      .map((option) => ({ words, option, others: [...places, ...without(needed, option)] })),
    ...inner.flatMap((child) => subjectsOf(child, [...words, child.name()]))
  ];
}

function without(words: readonly string[], option: Option): string[] {
  const at = words.indexOf(option.long ?? '');
  return words.filter((_, i) => at === -1 || (i !== at && i !== at + 1));
}

const { stdin, stdout, stderr } = process;
const program = await createProgram(new CommandLine({ stdin, stdout, stderr, environment: {} }));
const subjects = subjectsOf(program, []);

it('no option takes an empty value, and says so with its name', async () => {
  expect(subjects.length).toBeGreaterThan(150);
  const faults: string[] = [];
  for (const { words, option, others } of subjects) {
    const { exitCode, text } = await run([...words, ...others, `${option.long}=`]);
    const isPlain = exitCode === EXIT_WRONG_REQUEST && text.includes(`${option.long} cannot be "".`);
    if (!isPlain) faults.push(`${words.join(' ')} ${option.long}: ${exitCode} ${text}`);
  }
  expect(faults).toEqual([]);
});

it('an option takes no option for its value', async () => {
  const faults: string[] = [];
  for (const { words, option, others } of subjects) {
    for (const value of ['-q', '--json']) {
      const { exitCode, text } = await run([...words, ...others, option.long!, value]);
      const isPlain =
        exitCode === EXIT_WRONG_REQUEST &&
        (text.includes(`write ${option.long}=${value}`) ||
          text.includes(`${option.flags}' argument missing`));
      if (!isPlain) faults.push(`${words.join(' ')} ${option.long} ${value}: ${exitCode} ${text}`);
    }
  }
  expect(faults).toEqual([]);
});

it(
  'what an option refuses is said with its name, its value and what it takes',
  { timeout: 60_000 },
  async () => {
    const faults: string[] = [];
    for (const { words, option, others } of subjects) {
      for (const value of NUMBERS) {
        // A file of this name would be made, and its lock.
        const given = /<(?:file|dir|path)>/.test(option.flags) ? path.join(scratch, value) : value;
        const { exitCode, text } = await run([...words, ...others, `${option.long}=${given}`]);
        const isRaw = /The request|"[\w.]+" (?:is|must|has)|expected|Too (?:big|small)/.test(text);
        if (isRaw || exitCode === EXIT_INTERNAL)
          faults.push(`${words.join(' ')} ${option.long}=${value}: ${exitCode} ${text}`);
      }
    }
    expect(faults).toEqual([]);
  }
);

/** A password from the first line of stdin, or typed on a terminal without being shown. Never from an argument: those can be seen. */
import readline from 'node:readline/promises';
import { Writable } from 'node:stream';
import { OperationStopped, invalidRequest } from '../../src-core/index.ts';
import type { CommandLine } from './command-line.ts';

/** What a line may hold before it is taken for a mistake, in characters. */
const LONGEST_LINE = 4096;

export async function readPassword(line: CommandLine, isFromStdin: boolean): Promise<string> {
  const { stdin, stderr } = line.parts;
  if (isFromStdin) return firstLine(stdin);
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw invalidRequest(
      'There is no terminal to ask for the password on.',
      '--password-stdin',
      'Give it on the first line of stdin, with --password-stdin.'
    );
  }
  const password = await askHidden(line, 'Password: ');
  if ((await askHidden(line, 'Again: ')) !== password) {
    throw invalidRequest('The two passwords differ.', 'password', 'Try again.');
  }
  return password;
}

async function firstLine(stdin: NodeJS.ReadStream): Promise<string> {
  let text = '';
  stdin.setEncoding('utf8');
  for await (const piece of stdin) {
    text += String(piece);
    if (text.includes('\n') || text.length > LONGEST_LINE) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/** The terminal shows what readline writes to its output; for the typed letters that goes nowhere. */
async function askHidden(line: CommandLine, question: string): Promise<string> {
  const { stdin, stderr } = line.parts;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = readline.createInterface({ input: stdin, output: nowhere, terminal: true });
  stderr.write(question);
  try {
    return await prompt.question('', { signal: line.signal });
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw new OperationStopped();
    throw error;
  } finally {
    prompt.close();
    stderr.write('\n');
  }
}

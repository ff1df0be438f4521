/** A password from the first line of stdin, or typed on a terminal unseen. Never from an argument: other users can see those. */
import readline from 'node:readline/promises';
import { Writable } from 'node:stream';
import { OperationStopped, invalidRequest } from '../../src-core/index.ts';
import type { CommandLine } from './command-line.ts';

/** Longest line that is accepted, in characters; a longer one is a mistake. */
const LONGEST_LINE = 4096;

export async function readPassword(line: CommandLine, isFromStdin: boolean): Promise<string> {
  const { stdin, stderr } = line.parts;
  if (isFromStdin) return firstLine(stdin);
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw invalidRequest(
      'There is no terminal on which to ask for the password.',
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

/** The terminal shows what readline writes to its output; the typed letters go to an output that discards them. */
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

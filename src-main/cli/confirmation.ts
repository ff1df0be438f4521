/**
 * The question before anything is written. It is asked on a terminal; without one `--yes`
 * is required. "No" is an outcome like Ctrl+C, not a failure.
 */
import readline from 'node:readline/promises';
import { invalidRequest, OperationStopped } from '../../src-core/index.ts';
import type { CommandLine } from './command-line.ts';
import type { GlobalOptions } from './global-options.ts';
import { visibleText } from './visible-text.ts';

export interface WriteOptions extends GlobalOptions {
  yes?: boolean;
  dryRun?: boolean;
}

export type Answer = 'option' | 'terminal';

/**
 * With `--dry-run` the command ends here. Its plan was already shown as text; with `--json` it is the one document
 * on stdout, with the member `dryRun`.
 */
export async function isDryRun(line: CommandLine, options: WriteOptions, plan: object): Promise<boolean> {
  if (!options.dryRun) return false;
  if (options.json) await line.writeJson({ dryRun: true, ...plan });
  return true;
}

/** Returns how the user agreed; throws OperationStopped on "no" and InvalidRequest without a terminal. */
export async function confirmed(line: CommandLine, options: WriteOptions, question: string): Promise<Answer> {
  if (options.yes) return 'option';
  const { stdin, stderr } = line.parts;
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw invalidRequest(
      'This command writes, and there is no terminal to ask on.',
      '--yes',
      'Check what it would do with --dry-run, then give --yes.'
    );
  }
  const answer = await ask(line, `${visibleText(question)} [y/N] `);
  if (answer !== undefined && /^\s*y(es)?\s*$/i.test(answer)) return 'terminal';
  throw new OperationStopped();
}

/** undefined if there is no answer: Ctrl+C, Ctrl+D, a signal. */
async function ask(line: CommandLine, question: string): Promise<string | undefined> {
  const { stdin, stderr } = line.parts;
  const prompt = readline.createInterface({ input: stdin, output: stderr });
  try {
    const isClosed = new Promise<undefined>((resolve) => prompt.once('close', () => resolve(undefined)));
    return await Promise.race([prompt.question(question, { signal: line.signal }), isClosed]);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return undefined;
    throw error;
  } finally {
    prompt.close();
  }
}

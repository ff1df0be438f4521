/**
 * Runs one command, turns its failure into a message and an exit code, and shuts
 * the engine down in order. The first Ctrl+C asks running work to stop; a second one exits at once.
 */
import { invalidRequest } from '../../src-core/index.ts';
import { CommandLine } from './command-line.ts';
import { EXIT_STOPPED } from './exit-codes.ts';
import { reportFailure } from './failure.ts';
import { createProgram } from './program.ts';

/** `--json` in the raw arguments: a wrong command line must be reported as JSON even though it cannot be parsed. */
function wantsJson(words: string[]): boolean {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).includes('--json');
}

async function main(): Promise<void> {
  const line = new CommandLine({
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env
  });
  const words = process.argv.slice(2);
  const onSignal = (name: NodeJS.Signals): void => {
    if (line.signal.aborted) process.exit(EXIT_STOPPED);
    line.wasInterrupted = name === 'SIGINT';
    line.stop();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  let exitCode: number;
  try {
    const program = await createProgram(line, words);
    if (words.length === 0) {
      line.say(program.helpInformation());
      throw invalidRequest('No command is given.', 'COMMAND', 'Name one of the commands above.');
    }
    await program.parseAsync(words, { from: 'user' });
    exitCode = line.isPipeClosed ? 0 : line.exitCode;
  } catch (error) {
    exitCode = await reportFailure(line, error, wantsJson(words));
  }
  await line.close();
  process.exitCode = exitCode;
  // Pipes are written asynchronously: the process exits by itself once all output is written. Stdin would keep it open.
  process.stdin.unref?.();
  process.off('SIGINT', onSignal);
  process.off('SIGTERM', onSignal);
}

void main();

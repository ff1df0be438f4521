/**
 * Entry of the command line. Runs one command, turns its failure into words and an exit code, and its end into
 * an orderly end of the engine. The first Ctrl+C asks what runs to stop; a second one ends at once.
 */
import { invalidRequest } from '../../src-core/index.ts';
import { CommandLine } from './command-line.ts';
import { EXIT_STOPPED } from './exit-codes.ts';
import { reportFailure } from './failure.ts';
import { createProgram } from './program.ts';

/** `--json` of the raw arguments: a wrong command line must be reported as JSON before it could be understood. */
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
  const program = createProgram(line);
  let exitCode: number;
  try {
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
  // Pipes are written asynchronously: the process ends by itself once all is out. Standard input would hold it.
  process.stdin.unref?.();
  process.off('SIGINT', onSignal);
  process.off('SIGTERM', onSignal);
}

await main();

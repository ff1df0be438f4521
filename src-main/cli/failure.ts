/**
 * What the command line reports when it fails: message and remedy on stderr, or with `--json` one error object on
 * stdout, so that a script always finds JSON where it expects it.
 */
import { CommanderError } from 'commander';
import { EngineError, invalidRequest, OperationStopped } from '../../src-core/index.ts';
import { errorReportOf } from '../contract/error-report.ts';
import type { CommandLine } from './command-line.ts';
import { EXIT_DONE, exitCodeOf } from './exit-codes.ts';
import { visibleText } from './visible-text.ts';

/** Writes the failure and returns the exit code. */
export async function reportFailure(line: CommandLine, thrown: unknown, isJson: boolean): Promise<number> {
  if (line.isPipeClosed) return EXIT_DONE;
  if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT_DONE; // help and version
  const error = thrown instanceof CommanderError ? wrongUsage(thrown) : thrown;
  if (isJson) {
    await line.writeJson({ error: jsonParts(error) });
  } else if (error instanceof OperationStopped) {
    line.say('Stopped.\n');
  } else {
    const parts = errorReportOf(error);
    const { red, dim } = line.colours;
    line.say(`${red('Error:')} ${visibleText(parts.message)}\n${visibleText(parts.remedy)}\n`);
    if (parts.code === 'AssertionFailed' && parts.details['reason'] !== undefined) {
      line.say(`${dim(String(parts.details['reason']))}\n`);
    }
  }
  return exitCodeOf(error);
}

function jsonParts(error: unknown): object {
  if (error instanceof OperationStopped) {
    return {
      code: 'Stopped',
      message: error.message,
      remedy: 'Run the command again to resume.',
      details: {}
    };
  }
  return errorReportOf(error);
}

/** How commander words a value that an option refuses: flags, value, and what is asked for. */
const REFUSED_VALUE = /^error: option '([^']+)' argument '(.*?)' is invalid\. (.+)$/s;
/** Of a value that is repeated in a message. */
const LONGEST_VALUE = 60;

/** Commander's error as one of ours: its message may hold a suggestion in brackets, which becomes the remedy. */
function wrongUsage(error: CommanderError): EngineError {
  const [, flags, value, remedy] = REFUSED_VALUE.exec(error.message) ?? [];
  if (flags !== undefined && value !== undefined) {
    const field = nameOf(flags);
    const shown = value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
    return invalidRequest(`${field} cannot be "${shown}".`, field, remedy);
  }
  const suggestion = /\(Did you mean (.+?)\?\)/.exec(error.message)?.[1];
  const message = error.message
    .replace(/^error: /, '')
    .replace(/\s*\(Did you mean .+\?\)\s*$/s, '')
    .trim();
  const quoted = /'([^']+)'/.exec(message)?.[1];
  const field = quoted === undefined ? 'arguments' : nameOf(quoted);
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return invalidRequest(
    /[.?]$/.test(sentence) ? sentence : `${sentence}.`,
    field,
    suggestion === undefined ? 'See "winnow COMMAND --help".' : `Did you mean ${suggestion}?`
  );
}

/** Commander quotes an option with its short form and its value, as in `-t, --threads <number>`. */
const nameOf = (flags: string): string => flags.replace(/^(?:-\w, )?(--[\w:-]+) .*$/, '$1');

/** Makes the program of the named commands. Decides nothing: each command has its own file, which is loaded by need. */
import { Command, Help } from 'commander';
import packageFacts from '../../package.json' with { type: 'json' };
import type { CommandLine } from './command-line.ts';
import { COMMANDS } from './command-table.ts';
import { guardValues } from './options/option-values.ts';

/**
 * The commands, all answering through `line`. `words`: of a command line; only the commands that they name are loaded,
 * of the others there is what the help of the program shows. Wrong usage is thrown as CommanderError, never printed.
 */
export async function createProgram(line: CommandLine, words?: readonly string[]): Promise<Command> {
  const program = new Command('winnow')
    .description(packageFacts.description)
    .version(packageFacts.version, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'show help for a command');
  const entries = Object.entries(COMMANDS);
  const isNamed = (name: string): boolean => words === undefined || words.includes(name);
  const needsAll = entries.some(([name, command]) => command.needsAll === true && isNamed(name));
  for (const [name, { summary, isHidden = false, load }] of entries) {
    const command = program.command(name, { hidden: isHidden }).summary(summary);
    if (needsAll || isNamed(name)) (await load())(command, line);
  }
  program.configureHelp({ subcommandTerm });
  prepare(program, line);
  return program;
}

const standard = new Help();

/** Of a command that may not be loaded. */
function subcommandTerm(command: Command): string {
  const known = COMMANDS[command.name()];
  if (known === undefined) return standard.subcommandTerm(command); // `help`
  return `${command.name()} ${known.usage}`.trimEnd();
}

/** Commander passes these settings on to new commands only, so they are set on each one here. */
function prepare(command: Command, line: CommandLine): void {
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => void line.parts.stdout.write(text),
    // failure.ts reports wrong usage, as text or JSON.
    writeErr: () => undefined
  });
  guardValues(command);
  for (const child of command.commands) prepare(child, line);
}

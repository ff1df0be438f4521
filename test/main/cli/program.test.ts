/** A command costs the start of no other: only what the words name is loaded, and the help is the same for all that. */
import { expect, it } from 'vitest';
import { CommandLine } from '../../../src-main/cli/command-line.ts';
import { createProgram } from '../../../src-main/cli/program.ts';

const { stdin, stdout, stderr } = process;
const line = new CommandLine({ stdin, stdout, stderr, environment: {} });

/** The commands that are defined, with options or commands of their own. */
async function loadedBy(words: string[]): Promise<string[]> {
  const { commands } = await createProgram(line, words);
  return commands.filter((command) => command.description() !== '').map((command) => command.name());
}

it('the help of the program is the same whether its commands are loaded or not', async () => {
  const all = await createProgram(line);
  const none = await createProgram(line, ['--help']);
  expect(none.helpInformation()).toBe(all.helpInformation());
});

it('the help of the program names options and arguments of each command as the command itself has them', async () => {
  const program = await createProgram(line);
  const help = program.createHelp();
  for (const command of program.commands) {
    expect(help.subcommandTerm(command)).toBe(command.createHelp().subcommandTerm(command));
  }
});

it('only the commands that the words name are loaded', async () => {
  expect(await loadedBy(['--help'])).toEqual([]);
  expect(await loadedBy(['inspect', '/var/lib/kurrentdb', '--json'])).toEqual(['inspect']);
  expect(await loadedBy(['help', 'backup'])).toEqual(['backup']);
});

it('completion speaks of every command and loads all', async () => {
  const { commands } = await createProgram(line, ['completion', 'bash']);
  expect((await loadedBy(['completion', 'bash'])).length).toBe(commands.length);
});

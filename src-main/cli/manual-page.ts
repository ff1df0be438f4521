/**
 * The manual page winnow(1), generated from the commands themselves like the completion scripts: a page that is written
 * by hand goes out of date. Text in, roff out; decides nothing about the commands.
 */
import type { Command, Option } from 'commander';

const EXIT_CODES: readonly (readonly [string, string])[] = [
  [
    '0',
    'Done; also a scavenge that stopped after the requested phase, or a rescue that left chunks for lack of space.'
  ],
  ['1', 'Findings: verify, backup verify or doctor found damage, or repair left some.'],
  ['2', 'Invalid request.'],
  ['10', 'No usable database at this path, or no such stream.'],
  ['11', 'In use by another process.'],
  ['12, 13', 'Log corrupt, index corrupt.'],
  ['14', 'Format not supported: newer, or encrypted.'],
  ['15', 'The system refused: disk full, permission denied, I/O error.'],
  ['16', 'A licence is needed.'],
  ['17', 'A remote node failed.'],
  ['70', 'A bug in Winnow.'],
  ['130', 'Stopped by the user.']
];

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  [
    'WINNOW_HOME',
    "Where Winnow keeps its own data: registered nodes, schedule, users, history, the state of detached runs. Default: the platform's folder for user data."
  ],
  ['NO_COLOR', 'If set, no colours.']
];

/** Options of every command, described once. */
const OF_EVERY_COMMAND = new Set(['--json', '--progress', '--quiet', '--help']);

/** The page in roff. */
export function manualPage(program: Command, version: string): string {
  const commands = commandsBelow(program, '');
  const options = everyOption(program);
  return [
    `.\\" Made from the commands: npx node scripts/make-manual-page.mjs`,
    `.TH WINNOW 1 "" "Winnow ${version}" "Winnow"`,
    '.SH NAME',
    `winnow \\- ${text(lowerFirst(program.description()))}`,
    '.SH SYNOPSIS',
    '.B winnow',
    '.I command',
    '.RI [ db ]',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    text(
      'Inspects, verifies, scavenges, backs up and restores the data and index directories of a KurrentDB or ' +
        'EventStoreDB node. Commands that only read work on a directory that a server has open; commands that write ' +
        'refuse such a directory, show what they would do, and ask. Without a terminal they need --yes. winnow-window ' +
        'does the same in a window.'
    ),
    '.SH OPTIONS OF EVERY COMMAND',
    ...options.flatMap(optionLines),
    '.SH COMMANDS',
    ...commands.flatMap(({ name, command }) => commandLines(name, command)),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, meaning]) => tagged(text(code), meaning)),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([name, meaning]) => tagged(text(name), meaning)),
    ''
  ].join('\n');
}

function commandsBelow(parent: Command, path: string): { name: string; command: Command }[] {
  return parent
    .createHelp()
    .visibleCommands(parent)
    .filter((command) => command.name() !== 'help')
    .flatMap((command) => {
      const name = path === '' ? command.name() : `${path} ${command.name()}`;
      return [{ name, command }, ...commandsBelow(command, name)];
    });
}

function everyOption(program: Command): Option[] {
  const found = new Map<string, Option>();
  for (const { command } of commandsBelow(program, '')) {
    for (const option of command.createHelp().visibleOptions(command)) {
      if (option.long && OF_EVERY_COMMAND.has(option.long)) found.set(option.long, option);
    }
  }
  return [...OF_EVERY_COMMAND].flatMap((name) => found.get(name) ?? []);
}

function commandLines(name: string, command: Command): string[] {
  const help = command.createHelp();
  const own = help
    .visibleOptions(command)
    .filter(({ long }) => long === undefined || !OF_EVERY_COMMAND.has(long));
  const args = command.registeredArguments.map((argument) => {
    const shown = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${shown}>` : `[${shown}]`;
  });
  const usage = ['winnow', name, ...args, ...(own.length > 0 ? ['[options]'] : [])].join(' ');
  return [
    `.SS ${text(usage)}`,
    text(command.description() || command.summary()),
    ...own.flatMap(optionLines)
  ];
}

function optionLines(option: Option): string[] {
  const choices = option.argChoices ? `: ${option.argChoices.join(', ')}` : '';
  const value: unknown = option.defaultValue;
  const isTold = (typeof value === 'string' || typeof value === 'number') && !option.negate;
  const preset = isTold ? ` (default: ${option.defaultValueDescription ?? value})` : '';
  return tagged(text(option.flags), `${option.description}${choices}${preset}`);
}

function tagged(tag: string, meaning: string): string[] {
  return ['.TP', `.B ${tag}`, text(meaning)];
}

/** Escapes characters that mean something to roff, and hyphens, so that copied text keeps them. */
function text(plain: string): string {
  const escaped = plain.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll(/\s+/g, ' ').trim();
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

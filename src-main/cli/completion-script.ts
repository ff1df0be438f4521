/**
 * Completion scripts for bash, zsh and fish, generated from the commands themselves: subcommand names, long options
 * and their fixed choices. Names of streams, clusters and nodes are asked of `winnow complete`; everything else
 * completes to file names.
 */
import type { Command } from 'commander';

interface CommandWords {
  /** Words between the program's name and the command's end, such as `index entries`. */
  path: string;
  summary: string;
  options: {
    flag: string;
    description: string;
    choices: string[];
    takesValue: boolean;
    names: CompletedName | undefined;
  }[];
  /** What its arguments name, in their order; a repeated last one goes on. */
  arguments: (CompletedName | undefined)[];
}

export const COMPLETED_NAMES = ['cluster', 'node', 'stream'] as const;
export type CompletedName = (typeof COMPLETED_NAMES)[number];

/** Options whose values are such names. */
const NAMES_OF_OPTIONS: Readonly<Record<string, CompletedName>> = {
  '--stream': 'stream',
  '--streams': 'stream',
  '--cluster': 'cluster'
};
/** Arguments, by the command that they are of, and their own name. */
function namesOfArgument(path: string, argument: string): CompletedName | undefined {
  if (argument === 'stream') return 'stream';
  if (argument === 'db') return 'node';
  return path.startsWith('cluster ') && path !== 'cluster register' && argument === 'name'
    ? 'cluster'
    : undefined;
}

export type Shell = 'bash' | 'zsh' | 'fish';

export function completionScript(program: Command, shell: Shell): string {
  const words = commandWords(program);
  switch (shell) {
    case 'bash':
      return bashScript(words);
    case 'zsh':
      // zsh runs bash completions through its own compatibility layer.
      return `#compdef winnow\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`;
    case 'fish':
      return fishScript(words);
  }
}

function commandWords(program: Command): CommandWords[] {
  const result: CommandWords[] = [];
  const visit = (command: Command, path: string): void => {
    const help = command.createHelp();
    for (const child of help.visibleCommands(command)) {
      if (child.name() === 'help') continue;
      const childPath = path === '' ? child.name() : `${path} ${child.name()}`;
      result.push({
        path: childPath,
        summary: child.summary(),
        options: child
          .createHelp()
          .visibleOptions(child)
          .flatMap((option) =>
            option.long
              ? [
                  {
                    flag: option.long,
                    description: option.description,
                    choices: option.argChoices ?? [],
                    takesValue: option.required,
                    names: NAMES_OF_OPTIONS[option.long]
                  }
                ]
              : []
          ),
        arguments: child.registeredArguments.map((argument) => namesOfArgument(childPath, argument.name()))
      });
      visit(child, childPath);
    }
  };
  visit(program, '');
  return result;
}

function bashScript(commands: CommandWords[]): string {
  const top = commands.filter((command) => !command.path.includes(' ')).map((command) => command.path);
  const lines = [
    '_winnow() {',
    '  local cur prev path name',
    '  COMPREPLY=()',
    '  cur="${COMP_WORDS[COMP_CWORD]}"',
    '  prev="${COMP_WORDS[COMP_CWORD-1]}"',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${top.join(' ')} help" -- "$cur"))`,
    '    return',
    '  fi',
    '  path="${COMP_WORDS[1]}"',
    '  case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in'
  ];
  for (const command of commands.filter((candidate) => candidate.path.includes(' '))) {
    lines.push(`    "${command.path}") path="${command.path}" ;;`);
  }
  lines.push('  esac', '  case "$path $prev" in');
  for (const command of commands) {
    for (const option of command.options.filter((candidate) => candidate.choices.length > 0)) {
      lines.push(
        `    "${command.path} ${option.flag}") COMPREPLY=($(compgen -W "${option.choices.join(' ')}" -- "$cur")); return ;;`
      );
    }
    for (const option of command.options.filter((candidate) => candidate.names !== undefined)) {
      lines.push(`    "${command.path} ${option.flag}") ${asked(option.names!)}; return ;;`);
    }
  }
  lines.push('  esac', '  case "$path" in');
  for (const command of commands) {
    const children = commands
      .filter((candidate) => candidate.path.startsWith(`${command.path} `))
      .map((candidate) => candidate.path.slice(command.path.length + 1));
    const flags = command.options.map((option) => option.flag).join(' ');
    lines.push(
      `    "${command.path}")`,
      `      if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W "${flags}" -- "$cur"))`,
      ...namedArguments(command),
      `      else COMPREPLY=($(compgen -f -- "$cur")${
        children.length > 0 ? ` $(compgen -W "${children.join(' ')}" -- "$cur")` : ''
      }); fi ;;`
    );
  }
  lines.push('  esac', '}', 'complete -o filenames -F _winnow winnow', '');
  return lines.join('\n');
}

/** Names in place of files; where a directory may be named too, the known ones are offered before a letter is typed. */
function namedArguments(command: CommandWords): string[] {
  const first = command.path.split(' ').length + 1;
  return command.arguments.flatMap((name, at) => {
    if (name === undefined) return [];
    const isHere = `"$COMP_CWORD" -eq ${first + at}`;
    return name === 'node'
      ? [`      elif [[ ${isHere} && -z "$cur" ]]; then ${asked(name)}`]
      : [`      elif [[ ${isHere} ]]; then ${asked(name)}`];
  });
}

function asked(name: CompletedName): string {
  const command = `winnow complete ${name} -- "$cur" "\${COMP_WORDS[@]}" 2>/dev/null`;
  // Without splitting at spaces or expanding: a name may have any letters.
  return `while IFS= read -r name; do COMPREPLY+=("$name"); done < <(${command})`;
}

function fishScript(commands: CommandWords[]): string {
  const lines: string[] = [];
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  for (const command of commands) {
    const names = command.path.split(' ');
    const name = names.at(-1) ?? '';
    const parents = names.slice(0, -1);
    const condition =
      parents.length === 0 ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${parents.join(' ')}`;
    lines.push(`complete -c winnow -n ${quoted(condition)} -a ${name} -d ${quoted(command.summary)}`);
    for (const option of command.options) {
      const offered = option.names === undefined ? option.choices.join(' ') : askedInFish(option.names);
      const choices = offered === '' ? '' : ` -x -a ${quoted(offered)}`;
      const value = option.takesValue && offered === '' ? ' -r' : '';
      lines.push(
        `complete -c winnow -n ${quoted(`__fish_seen_subcommand_from ${name}`)} -l ${option.flag.slice(2)}` +
          `${value}${choices} -d ${quoted(option.description)}`
      );
    }
    if (command.arguments[0] === 'cluster') {
      const here = [...parents, name].map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
      lines.push(`complete -c winnow -n ${quoted(here)} -f -a ${quoted(askedInFish('cluster'))}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function askedInFish(name: CompletedName): string {
  return `(winnow complete ${name} -- (commandline -ct) (commandline -opc) 2>/dev/null)`;
}

/**
 * Completion scripts for bash, zsh and fish, generated from the commands themselves: subcommand names, long options
 * and their fixed choices. Everything else completes to file names.
 */
import type { Command } from 'commander';

interface CommandWords {
  /** Words between the program's name and the command's end, such as `index entries`. */
  path: string;
  summary: string;
  options: { flag: string; description: string; choices: string[]; takesValue: boolean }[];
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
                    takesValue: option.required
                  }
                ]
              : []
          )
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
    '  local cur prev path',
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
      `      else COMPREPLY=($(compgen -f -- "$cur")${
        children.length > 0 ? ` $(compgen -W "${children.join(' ')}" -- "$cur")` : ''
      }); fi ;;`
    );
  }
  lines.push('  esac', '}', 'complete -o filenames -F _winnow winnow', '');
  return lines.join('\n');
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
      const choices = option.choices.length > 0 ? ` -x -a ${quoted(option.choices.join(' '))}` : '';
      const value = option.takesValue && option.choices.length === 0 ? ' -r' : '';
      lines.push(
        `complete -c winnow -n ${quoted(`__fish_seen_subcommand_from ${name}`)} -l ${option.flag.slice(2)}` +
          `${value}${choices} -d ${quoted(option.description)}`
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

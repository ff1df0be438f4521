/** `winnow completion`: the script that makes a shell complete our commands. */
import { Argument, type Command } from 'commander';
import { completionScript, type Shell } from '../completion-script.ts';
import type { CommandLine } from '../command-line.ts';

export function addCompletion(command: Command, line: CommandLine): void {
  command
    .description('Prints a script with which the shell completes commands and options.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      '\nExamples:\n  $ source <(winnow completion bash)\n  $ winnow completion fish > ~/.config/fish/completions/winnow.fish'
    )
    .action(async (shell: Shell) => {
      await line.writeExactly(completionScript(command.parent!, shell));
    });
}

/**
 * Everything that can be done, as data: what it is called, by which keys it is reached, why it cannot be done now. The
 * palette and the application menu show these; nothing is left out because it is not possible at the moment.
 */
import type { Workbench } from '../workbench.svelte.ts';
import { clusterCommands } from './cluster-commands.ts';
import type { Command } from './command.ts';
import { nodeCommands, nodesToGoTo, viewCommands } from './node-commands.ts';
import { windowCommands } from './window-commands.ts';

export function commandsOf(workbench: Workbench): Command[] {
  return [
    ...viewCommands(workbench),
    ...nodeCommands(workbench),
    ...windowCommands(workbench),
    ...clusterCommands(workbench),
    ...nodesToGoTo(workbench)
  ];
}

/** Carries out a command that the application menu names; what stands against it is said. */
export function runCommand(workbench: Workbench, id: string): void {
  const command = commandsOf(workbench).find((candidate) => candidate.id === id);
  if (command?.obstacle !== undefined) workbench.toasts.say(command.obstacle);
  else command?.run();
}

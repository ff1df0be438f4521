/** What the palette and the application menu offer. */
export interface Command {
  /** Also the name of its item in the application menu. */
  id: string;
  group: 'recent' | 'actions' | 'views' | 'nodes' | 'streams' | 'go';
  name: string;
  /** Said more quietly after the name. */
  note?: string;
  keys?: string;
  /** Why it cannot be done now, as a sentence; absent when it can. */
  obstacle?: string;
  run: () => void;
}

export interface CommandOptions {
  keys?: string;
  /** The first sentence that holds is the reason; none: it can be done. */
  unless?: readonly (string | false | undefined)[];
}

/** Adds actions to a list. */
export function actionsInto(commands: Command[]) {
  return (id: string, name: string, run: () => void, { keys, unless = [] }: CommandOptions = {}): void => {
    const obstacle = unless.find((reason) => typeof reason === 'string');
    commands.push({
      id,
      group: 'actions',
      name,
      run,
      ...(keys === undefined ? {} : { keys }),
      ...(typeof obstacle === 'string' ? { obstacle } : {})
    });
  };
}

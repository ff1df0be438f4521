/** The data directory named on the application's command line: `winnow-window DB`. */
import path from 'node:path';

export interface StartArguments {
  argv: readonly string[];
  /** The arguments of a packaged application do not include its own path. */
  isPackaged: boolean;
  /** Base of relative paths. */
  workingDirectory: string;
}

/** undefined: none was named. Ignores switches (Chromium's and ours). */
export function directoryToOpen({ argv, isPackaged, workingDirectory }: StartArguments): string | undefined {
  const words = argv.slice(1).filter((argument) => argument !== '' && !argument.startsWith('-'));
  const named = isPackaged ? words[0] : words[1];
  return named === undefined ? undefined : path.resolve(workingDirectory, named);
}

/** What a second start sends to the first, which shows it: our own data, because Chromium changes the event's. */
export interface SecondStart {
  directory: string | null;
}

/** From a start by the same user, but of any version. */
export function directoryOfSecond(said: unknown): string | undefined {
  const directory =
    typeof said === 'object' && said !== null ? (said as Partial<SecondStart>).directory : undefined;
  return typeof directory === 'string' && path.isAbsolute(directory) ? directory : undefined;
}

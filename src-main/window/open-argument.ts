/** The data directory named on the application's command line: `winnow-window DB`. */
import path from 'node:path';

export interface StartArguments {
  argv: readonly string[];
  /** A packaged application has no path of its own among the arguments. */
  isPackaged: boolean;
  /** What relative paths count from. */
  workingDirectory: string;
}

/** undefined: none was named. Switches (Chromium's and ours) are passed over. */
export function directoryToOpen({ argv, isPackaged, workingDirectory }: StartArguments): string | undefined {
  const words = argv.slice(1).filter((argument) => argument !== '' && !argument.startsWith('-'));
  const named = isPackaged ? words[0] : words[1];
  return named === undefined ? undefined : path.resolve(workingDirectory, named);
}

/** What a second start tells the first, which shows it: its own words, since Chromium changes those of the event. */
export interface SecondStart {
  directory: string | null;
}

/** Of a start of the same user, but of whichever version. */
export function directoryOfSecond(said: unknown): string | undefined {
  const directory =
    typeof said === 'object' && said !== null ? (said as Partial<SecondStart>).directory : undefined;
  return typeof directory === 'string' && path.isAbsolute(directory) ? directory : undefined;
}

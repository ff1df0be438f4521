/** Opens a data directory in the file manager of the system; only a directory, since a file would be run. */
import { statSync } from 'node:fs';
import type { Shell } from 'electron';
import { EngineError } from '../../src-core/index.ts';

/** How long the system may take to say that it cannot: on Linux, Electron does not hear of a program that went well. */
const PATIENCE_MS = 3000;

/** Throws DatabaseNotFound where there is no such directory, or where the system says within `patienceMs` why it cannot. */
export async function showDirectory(
  shell: Pick<Shell, 'openPath'>,
  directory: string,
  patienceMs = PATIENCE_MS
): Promise<void> {
  const isDirectory = statSync(directory, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const reason = isDirectory
    ? await withinPatience(shell.openPath(directory), patienceMs)
    : 'There is no such directory.';
  if (reason === '') return;
  throw new EngineError({
    code: 'DatabaseNotFound',
    message: `The file manager could not open ${directory}: ${reason}`,
    remedy: 'Copy the path and open it there.',
    details: { directory }
  });
}

/** The reason why it was not opened; no reason where none is said in time. */
function withinPatience(asked: Promise<string>, patienceMs: number): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(''), patienceMs);
  });
  return Promise.race([asked, silence]).finally(() => clearTimeout(timer));
}

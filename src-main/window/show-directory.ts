/** Opens a data directory in the file manager of the system; only a directory, since a file would be run. */
import { statSync } from 'node:fs';
import type { Shell } from 'electron';
import { EngineError } from '../../src-core/index.ts';

export async function showDirectory(shell: Pick<Shell, 'openPath'>, directory: string): Promise<void> {
  const isDirectory = statSync(directory, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const reason = isDirectory ? await shell.openPath(directory) : 'There is no such directory.';
  if (reason === '') return;
  throw new EngineError({
    code: 'DatabaseNotFound',
    message: `The file manager could not open ${directory}: ${reason}`,
    remedy: 'Copy the path and open it there.',
    details: { directory }
  });
}

/** Making a directory with those above it. */
import fs from 'node:fs';
import path from 'node:path';

/**
 * Node's own recursive call never returns where a parent is there and still takes no directory (ENOENT, as in /proc):
 * it goes up and down between the two for good. `mode`: of each that is made, less what the umask takes. Throws what
 * the system says.
 */
export function makeDirectories(directory: string, mode?: number): void {
  const isThere = (): boolean => fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  const parent = path.dirname(directory);
  if (parent !== directory) makeDirectories(parent, mode);
  try {
    fs.mkdirSync(directory, mode);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isThere()) throw error;
  }
}

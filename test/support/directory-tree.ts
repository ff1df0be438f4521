/** Everything below a directory: names, permission bits and hashes of contents, to be compared as it is. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** SQLite's shared memory is made again whenever it is needed; its bytes say nothing. */
const SAYS_NOTHING = /-shm$/;

export function directoryTree(directory: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const name = relative(directory, path);
      if (entry.isDirectory()) {
        tree[`${name}/`] = 'directory';
        walk(path);
      } else if (!SAYS_NOTHING.test(name)) {
        const mode = (statSync(path).mode & 0o777).toString(8);
        tree[name] = `${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
      }
    }
  };
  walk(directory);
  return tree;
}

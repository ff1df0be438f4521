/** Temporary files that a killed process left beside what it was writing. */
import type { FileSystem } from '../../src-core/index.ts';

/** Old enough to be nobody's any more: a process that still writes one changes it more often. */
const LEFT_BEHIND_MS = 10 * 60_000;

/** Removes old files whose names are `before`, a number of a process, `after`. */
export function removeLeftBehind(
  fileSystem: FileSystem,
  { directory, before, after }: { directory: string; before: string; after: RegExp }
): void {
  for (const { name } of fileSystem.list(directory) ?? []) {
    if (!name.startsWith(before) || !after.test(name.slice(before.length))) continue;
    const temporary = fileSystem.join(directory, name);
    const modifiedMs = fileSystem.describe(temporary)?.modifiedMs;
    if (modifiedMs !== undefined && Date.now() - modifiedMs > LEFT_BEHIND_MS) fileSystem.remove(temporary);
  }
}

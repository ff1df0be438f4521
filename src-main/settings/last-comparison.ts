/**
 * What the last comparison of a database's content with others found, one small file for each database in WINNOW_HOME.
 * Unreadable content counts as nothing known.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from './json-file.ts';

const count = z.number().int().nonnegative();
const lastComparison = z.object({
  /** For people who read the file: its name is a hash. */
  dataDirectory: z.string(),
  /** Milliseconds since 1970. */
  endedAtMs: count,
  /** Databases and backups that were looked at, this one included. */
  sides: count,
  /** Places at which it and another one differ, and no rule explains it. */
  differences: count
});

export type LastComparison = z.infer<typeof lastComparison>;

/** undefined: none is known. */
export function readLastComparison(home: string, dataDirectory: string): LastComparison | undefined {
  const directory = path.resolve(dataDirectory);
  const known = readJsonFile(fileOf(home, directory), lastComparison);
  return known?.dataDirectory === directory ? known : undefined;
}

export function keepLastComparison(home: string, comparison: LastComparison): void {
  const dataDirectory = path.resolve(comparison.dataDirectory);
  writeJsonFile(fileOf(home, dataDirectory), { ...comparison, dataDirectory });
}

function fileOf(home: string, directory: string): string {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 32);
  return path.join(path.resolve(home), 'comparisons', `${name}.json`);
}

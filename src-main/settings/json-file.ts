/**
 * Small JSON files of our own. A file is replaced as a whole, so that a power cut leaves the old content or the new one.
 * Unreadable content counts as absent: these files hold conveniences, and a window that refuses to open because of
 * them would be worse than a forgotten list.
 */
import type { z } from 'zod';
import { readRegularFile } from '../../src-core/index.ts';
import { writePrivateFile } from './private-file.ts';

/** Far more than lists of nodes, clusters and users need. */
const MAX_BYTES = 32 * 1024 * 1024;

export function readJsonFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema
): z.output<Schema> | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(readRegularFile(file, MAX_BYTES).toString('utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export function writeJsonFile(file: string, value: unknown): void {
  writePrivateFile({ file, content: `${JSON.stringify(value, undefined, 2)}\n` });
}

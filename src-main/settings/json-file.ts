/**
 * Small JSON files of our own. A file is replaced as a whole (temporary file, flush, rename), so that a power
 * cut leaves the old content or the new one. Content that cannot be read counts as absent: these files hold
 * conveniences, and a window that refuses to open because of them would be worse than a forgotten list.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';

export function readJsonFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema
): z.output<Schema> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export function writeJsonFile(file: string, value: unknown): void {
  replaceText(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** Replaces a text file as a whole. */
export function replaceText(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.tmp`;
  const descriptor = openSync(temporary, 'w', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
}

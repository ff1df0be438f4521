/** Where the packaged application lies, and the switches that this machine needs to start its window. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

export const unpacked = path.resolve(import.meta.dirname, '../../release/linux-unpacked');
export const windowExecutable = path.join(unpacked, 'winnow-window');
export const commandLauncher = path.join(unpacked, 'resources/bin/winnow');

/** A directory of one test's own, removed at its end. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'winnow-package-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

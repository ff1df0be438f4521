/**
 * What a scavenge of a database that was stopped leaves for the one that resumes it, one small file for each database in
 * WINNOW_HOME. Unreadable content counts as none, and a home that takes no file keeps none: then the next run compares
 * its state with the log and searches it again.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import type { KeptProgress, ProgressStore } from '../../src-core/index.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const progressFile = z.object({
  /** For people who read the file: its name is a hash. */
  dataDirectory: z.string(),
  seal: sha256.nullable(),
  searched: z.object({ chunks: z.number().int().positive(), files: sha256 }).nullable(),
  reached: z.object({ point: z.number().int().nonnegative(), log: z.string() }).nullish()
});

export class ScavengeProgress implements ProgressStore {
  readonly #file: string;
  readonly #dataDirectory: string;

  /** Both absolute. */
  constructor(home: string, dataDirectory: string) {
    const name = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 32);
    this.#file = path.join(home, 'scavenge-progress', `${name}.json`);
    this.#dataDirectory = dataDirectory;
  }

  read(): KeptProgress | undefined {
    return readJsonFile(this.#file, progressFile);
  }

  /** Runs of one database come one after another: they hold its lock. */
  write({ seal, searched, reached }: KeptProgress): void {
    try {
      writeJsonFile(this.#file, { dataDirectory: this.#dataDirectory, seal, searched, reached });
    } catch {
      // What it would have saved is done again.
    }
  }
}

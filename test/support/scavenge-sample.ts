/** Small sample databases for scavenge tests, with an index and a scavenge point that no scavenge has reached yet. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import { writeSampleDatabase } from '../../src-core/sample/write-sample-database.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../src-core/units/ticks.ts';
import { scavengeEnvironment, scavengeRequest, temporaryDirectory } from './scavenge-environment.ts';

export const SAMPLE_TIME = '2026-01-01T00:00:00Z';

export interface SampleSize {
  sizeBytes: number;
  chunkSizeBytes: number;
  seed: number;
}

/** Keeps directories to remove at the end. */
export class ScavengeSamples {
  readonly #directories: string[] = [];

  /** A new database; with `withPoint` its log ends with a scavenge point. Gives the data directory. */
  async write(size: SampleSize, { withPoint }: { withPoint: boolean }): Promise<string> {
    const dataDirectory = join(this.directory(), 'db');
    await writeSampleDatabase({
      fileSystem: new NodeFileSystem(),
      dataDirectory,
      ...size,
      now: ticksFromIso(SAMPLE_TIME)!,
      control: scavengeEnvironment().operation
    });
    if (withPoint) {
      const request = scavengeRequest(dataDirectory, {
        scavengePoint: 'new',
        now: SAMPLE_TIME,
        stopAfter: 'beginning'
      });
      await runScavenge(request, scavengeEnvironment());
    }
    return dataDirectory;
  }

  copy(dataDirectory: string): string {
    const copy = join(this.directory(), 'db');
    cpSync(dataDirectory, copy, { recursive: true });
    return copy;
  }

  directory(): string {
    const directory = temporaryDirectory();
    this.#directories.push(directory);
    return directory;
  }

  removeAll(): void {
    for (const directory of this.#directories.splice(0)) rmSync(directory, { recursive: true, force: true });
  }
}

/** All rows of the scavenge state of a database, table by table. */
export function stateRowsOf(dataDirectory: string): Record<string, unknown[]> {
  const database = new DatabaseSync(join(dataDirectory, 'index', 'scavenging', 'scavenging.db'));
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => {
        const rows = database.prepare(`SELECT * FROM ${String(name)} ORDER BY 1`);
        rows.setReadBigInts(true);
        return [String(name), rows.all().map((row) => Object.values(row).map(String).join(' '))];
      })
    );
  } finally {
    database.close();
  }
}

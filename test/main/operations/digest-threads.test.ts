/** Digests that threads make and store are those of one thread; a small log is read without them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ChunkDigests,
  NodeFileSystem,
  OperationStopped,
  openDatabase,
  type Database,
  type StartDigestWorkers
} from '../../../src-core/index.ts';
import { startDigestWorkers } from '../../../src-main/threads/start-digest-workers.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase } from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

const fileSystem = new NodeFileSystem();
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'winnow-digests-'));
});
afterEach(() => {
  removeUnpacked();
  rmSync(home, { recursive: true, force: true });
});

/** With transactions, without, scavenged, merged, and of the oldest format. */
const databases = [
  ['rules', 'before'],
  ['rules', 'after-t0'],
  ['tables', 'after-scavenge'],
  ['transactions', 'before'],
  ['old-v0', 'before']
] as const;

interface Made {
  directory: string;
  leastThreadBytes?: number;
  signal?: AbortSignal;
}

/** What went wrong while the digests of a database were made, and how many threads were started for them. */
async function make(dataDirectory: string, { directory, leastThreadBytes, signal }: Made) {
  let started = 0;
  const startWorkers: StartDigestWorkers = (start) => {
    started += start.count;
    return startDigestWorkers(start);
  };
  const digests = new ChunkDigests({
    ...{ fileSystem, directory, threads: 2, startWorkers, leastThreadBytes },
    newGuid: () => crypto.randomUUID()
  });
  const { control } = testingContext('listStreams', { dataDirectory, ...(signal ? { signal } : {}) });
  let database: Database | undefined;
  try {
    database = openDatabase({ fileSystem, dataDirectory });
    await digests.prepare(database.log.chunks, control);
    return { started, error: undefined };
  } catch (error) {
    return { started, error };
  } finally {
    database?.close();
  }
}

/** The digests of a directory by their names; what was kept of them is left out. */
function storedIn(directory: string): [string, string][] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.digest'))
    .sort()
    .map((name) => [name, readFileSync(join(directory, name), 'base64')]);
}

describe('digests made by threads', () => {
  it.each(databases)('of %s/%s are those of one', async (name, folder) => {
    const dataDirectory = unpackDatabase({ name, folder });
    const [alone, together] = [join(home, 'alone'), join(home, 'together')];
    // Much less than what a thread is started for.
    const one = await make(dataDirectory, { directory: alone });
    const two = await make(dataDirectory, { directory: together, leastThreadBytes: 1 });
    expect([one.started, two.started]).toEqual([0, 2]);
    expect([one.error, two.error]).toEqual([undefined, undefined]);
    expect(storedIn(together)).toEqual(storedIn(alone));
    expect(storedIn(alone).length).toBeGreaterThan(0);
  });

  it.each(['damaged-a-record-length-prefix', 'damaged-a-record-data-byte'])(
    'of %s say the same of what is damaged',
    async (name) => {
      const dataDirectory = unpackDamaged(name);
      const one = await make(dataDirectory, { directory: join(home, 'alone') });
      const two = await make(dataDirectory, { directory: join(home, 'together'), leastThreadBytes: 1 });
      expect(two.started).toBe(2);
      expect(two.error).toEqual(one.error);
      expect(storedIn(join(home, 'together'))).toEqual(storedIn(join(home, 'alone')));
    }
  );

  it('are not made where it is stopped', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const { started, error } = await make(dataDirectory, {
      ...{ directory: home, leastThreadBytes: 1 },
      signal: AbortSignal.abort()
    });
    expect(error).toBeInstanceOf(OperationStopped);
    expect(started).toBe(2);
  });
});

/**
 * The power fails while a scavenge switches chunks in and replaces the index map: at every single call that writes
 * or flushes. What was not flushed is lost or kept by a seeded choice; then the machine starts again and the next
 * run goes on. The end is always that of the uncut run. The state is a real file, and a second test sets it back to
 * each moment of the run, as a power cut may.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src-core/database/database.ts';
import { openStreamIndex } from '../../src-core/index/stream-index.ts';
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { copyTree } from '../support/copy-tree.ts';
import { contentOf, entriesOf } from '../support/database-content.ts';
import { FaultyFileSystem, PowerCut } from '../support/faulty-file-system.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';
import { scavengeEnvironment, scavengeRequest } from '../support/scavenge-environment.ts';
import { ScavengeSamples, stateRowsOf } from '../support/scavenge-sample.ts';
import { SplitFileSystem } from '../support/split-file-system.ts';

const samples = new ScavengeSamples();
afterEach(() => samples.removeAll());

const SIZE = { sizeBytes: 130_000, chunkSizeBytes: 32768, seed: 3 };
const STATE = join('index', 'scavenging');

/** Chunks, tables and filters are named anew by each run; what else there is must be the same. */
function namesIn(fileSystem: FileSystem, dataDirectory: string): string[] {
  const names = [dataDirectory, join(dataDirectory, 'index')].flatMap((directory) =>
    (fileSystem.list(directory) ?? []).map(({ name }) => name)
  );
  return names
    .map((name) => name.replace(/^[0-9a-f-]{36}/, 'GUID').replace(/^(chunk-\d+)\.\d+$/, '$1'))
    .sort();
}

/** Records and entries; positions say where, so no bytes are needed. */
async function contentIn(fileSystem: FileSystem, dataDirectory: string) {
  const database = openDatabase({ fileSystem, dataDirectory });
  const { log, indexDirectory } = database;
  const index = await openStreamIndex({ fileSystem, directory: indexDirectory, log });
  try {
    const positions: number[] = [];
    for (const cursor = log.cursor(); cursor.next();) positions.push(cursor.record.position);
    return {
      positions,
      chunks: log.chunks.map(({ startNumber, endNumber, fileSize }) => [startNumber, endNumber, fileSize]),
      tables: index.tables.map(entriesOf),
      names: namesIn(fileSystem, dataDirectory)
    };
  } finally {
    index.close();
    database.close();
  }
}

describe('a power cut', () => {
  it('at any call of a scavenge is harmless', async () => {
    const dataDirectory = await samples.write(SIZE, { withPoint: true });
    const real = new NodeFileSystem();
    rmSync(join(dataDirectory, STATE), { recursive: true });
    const memory = () => {
      const fileSystem = new MemoryFileSystem();
      copyTree({ fileSystem: real, path: dataDirectory }, { fileSystem, path: dataDirectory });
      return fileSystem;
    };
    // Log and index in the memory that loses power, the state beside the real directory of the same name.
    const split = (inner: FileSystem) => new SplitFileSystem(inner, real, join(dataDirectory, STATE));
    const run = (fileSystem: FileSystem) =>
      runScavenge(scavengeRequest(dataDirectory), scavengeEnvironment({ fileSystem }));
    const forgetState = () => rmSync(join(dataDirectory, STATE), { recursive: true, force: true });

    const whole = new FaultyFileSystem(memory());
    await run(split(whole));
    const expected = await contentIn(split(whole), dataDirectory);
    const expectedState = stateRowsOf(dataDirectory);
    const { calls } = whole;
    expect(calls).toBeGreaterThan(50);

    for (let cutAt = 1; cutAt <= calls; cutAt++) {
      forgetState();
      const cut = new FaultyFileSystem(memory(), { cutAt });
      await expect(run(split(cut)), `cut at call ${cutAt}`).rejects.toBeInstanceOf(PowerCut);
      const survivors = split(cut.survivors(cutAt));
      await run(survivors);
      expect(await contentIn(survivors, dataDirectory), `content after a cut at call ${cutAt}`).toEqual(
        expected
      );
      expect(stateRowsOf(dataDirectory), `state after a cut at call ${cutAt}`).toEqual(expectedState);
    }
  });

  it('that sets the state back to any earlier moment is harmless', async () => {
    const dataDirectory = await samples.write(SIZE, { withPoint: true });
    const stateDirectory = join(dataDirectory, STATE);
    const moments: string[] = [];
    const keepMoment = () => {
      const moment = join(samples.directory(), 'scavenging');
      mkdirSync(moment);
      for (const name of ['scavenging.db', 'scavenging.db-wal']) {
        if (existsSync(join(stateDirectory, name)))
          copyFileSync(join(stateDirectory, name), join(moment, name));
      }
      moments.push(moment);
    };
    await runScavenge(
      scavengeRequest(dataDirectory),
      scavengeEnvironment({ trace: { checkpointing: keepMoment } })
    );
    const expected = await contentOf(dataDirectory);
    expect(moments.length).toBeGreaterThan(15);

    for (const [number, moment] of moments.entries()) {
      const directory = samples.copy(dataDirectory);
      const state = join(directory, STATE);
      rmSync(state, { recursive: true });
      mkdirSync(dirname(state), { recursive: true });
      copyTree(
        { fileSystem: new NodeFileSystem(), path: moment },
        { fileSystem: new NodeFileSystem(), path: state }
      );
      await runScavenge(scavengeRequest(directory), scavengeEnvironment());
      const { records, tables } = await contentOf(directory);
      expect(records, `records after moment ${number}`).toEqual(expected.records);
      expect(tables, `entries after moment ${number}`).toEqual(expected.tables);
    }
  });
});

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { StateStore } from '../../../src-core/scavenge/state/state-store.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { CRASH_TIME, guidsFrom, writeCrashDatabase } from '../../support/crash-database.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'winnow-flush-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The checkpoint that is in the main file alone: what a power cut leaves when it takes the whole journal. */
function inMainFile(store: StateStore): string | undefined {
  const copy = join(directory, 'copy.db');
  copyFileSync(store.path, copy);
  const alone = StateStore.open({ path: copy });
  const text = alone.checkpointText;
  alone.close();
  rmSync(copy);
  return text;
}

it('a flush puts what is committed where no power cut takes it away; a commit alone does not', () => {
  const store = StateStore.open({ path: join(directory, 'state.db') });
  store.flush();
  store.begin();
  store.checkpointText = 'first';
  store.commit();
  expect(inMainFile(store)).toBeUndefined();
  store.flush();
  expect(inMainFile(store)).toBe('first');
  store.checkpointText = 'second';
  expect(inMainFile(store)).toBe('first');
  store.close();
});

it('an open transaction cannot be flushed', () => {
  const store = StateStore.open({ path: join(directory, 'state.db') });
  store.begin();
  expect(() => store.flush()).toThrow('what is not committed cannot be flushed');
  store.rollback();
  store.close();
});

it('the state of a plan is one transaction that nobody else ever sees, and is gone when it is undone', () => {
  const path = join(directory, 'plan.db');
  const store = StateStore.open({ path, isThrownAway: true });
  const put = store.prepare('INSERT INTO ChunkWeights (key, value) VALUES (?, ?)');
  const count = store.prepare('SELECT COUNT(*) AS rows FROM ChunkWeights');
  for (let chunk = 0; chunk < 3; chunk++) {
    store.begin();
    put.run(chunk, 1);
    store.checkpointText = `chunk ${chunk}`;
    store.commit();
    store.flush();
  }
  expect(count.get()).toEqual({ rows: 3 });
  expect(store.checkpointText).toBe('chunk 2');
  const other = StateStore.openToRead({ path });
  expect(other.checkpointText).toBeUndefined();
  expect(other.prepare('SELECT COUNT(*) AS rows FROM ChunkWeights').get()).toEqual({ rows: 0 });
  other.close();
  store.begin();
  store.rollback();
  expect(count.get()).toEqual({ rows: 0 });
  expect(store.checkpointText).toBeUndefined();
  store.close();
  const afterwards = StateStore.open({ path });
  expect(afterwards.checkpointText).toBeUndefined();
  afterwards.close();
});

it('a flush is refused while another program reads an older state', () => {
  const path = join(directory, 'state.db');
  const store = StateStore.open({ path });
  store.begin();
  store.checkpointText = 'first';
  store.commit();
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM Checkpoint').get();
  store.begin();
  store.checkpointText = 'second';
  store.commit();
  expect(() => store.flush()).toThrow(
    expect.objectContaining({
      code: 'DatabaseInUse',
      details: expect.objectContaining({ file: path }) as object
    })
  );
  reader.close();
  store.flush();
  expect(inMainFile(store)).toBe('second');
  store.close();
  // A second time changes nothing.
  store.close();
});

it('a state with a page that is damaged is refused with what SQLite finds', () => {
  const path = join(directory, 'state.db');
  const store = StateStore.open({ path, pageSizeBytes: 4096 });
  store.begin();
  const put = store.prepare('INSERT INTO ChunkWeights (key, value) VALUES (?, ?)');
  for (let chunk = 0; chunk < 5000; chunk++) put.run(chunk, 1.5);
  store.commit();
  store.close();
  const bytes = readFileSync(path);
  // The last page holds rows: the first of its cells lies elsewhere now.
  bytes.writeUInt16BE(9, bytes.length - 4096 + 8);
  writeFileSync(path, bytes);
  expect(() => StateStore.open({ path })).toThrow(
    expect.objectContaining({
      code: 'StorageFailed',
      message: expect.stringContaining('SQLite finds it damaged') as string
    })
  );
});

it('a run has put its state where no power cut takes it away before it replaces the first chunk', async () => {
  const dataDirectory = join(directory, 'db');
  const node = new NodeFileSystem();
  const memory = await writeCrashDatabase({ dataDirectory: '/db', point: { threshold: 0 } });
  copyTree({ fileSystem: memory, path: '/db' }, { fileSystem: node, path: dataDirectory });
  const state = join(dataDirectory, 'index', 'scavenging', 'scavenging.db');
  const found: string[] = [];
  class Watched extends PassThroughFileSystem {
    override rename(from: string, to: string): void {
      if (/chunk-\d{6}\.\d{6}$/.test(to)) {
        const copy = join(directory, 'copy.db');
        copyFileSync(state, copy);
        const alone = StateStore.open({ path: copy });
        found.push(/"checkpointStage":"(\w+)"/.exec(alone.checkpointText ?? '')?.[1] ?? 'none');
        alone.close();
        rmSync(copy);
      }
      super.rename(from, to);
    }
  }
  await runScavenge(
    scavengeRequest(dataDirectory, { now: CRASH_TIME }),
    scavengeEnvironment({ fileSystem: new Watched(node), newGuid: guidsFrom(7) })
  );
  expect(found.length).toBeGreaterThan(1);
  expect(found[0]).toBe('ExecutingChunks');
});

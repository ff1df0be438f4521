/** A verification of a scavenge state that a run has only begun, or is writing to at that moment. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { openIndexDirectory, openStreamIndexAtOnce } from '../../../src-core/index/stream-index.ts';
import { StateStore } from '../../../src-core/scavenge/state/state-store.ts';
import { verifyScavengeState, type StateProblem } from '../../../src-core/scavenge/state/verify-state.ts';
import type { FileFacts } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { writeSmallDatabase } from '../../support/restore-fixture.ts';

/** Tells another time of one file each time that it is asked. */
class Restless extends NodeFileSystem {
  restless = '';
  #ms = 0;
  override describe(path: string): FileFacts | undefined {
    const facts = super.describe(path);
    return facts && path === this.restless ? { ...facts, modifiedMs: ++this.#ms } : facts;
  }
}

let directory: string;
let path: string;
let scratch: string;
let fileSystem: Restless;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'winnow-verify-state-'));
  fileSystem = new Restless();
  await writeSmallDatabase(fileSystem, join(directory, 'db'), { sizeBytes: 20_000 });
  const folder = join(directory, 'db', 'index', 'scavenging');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  path = join(folder, 'scavenging.db');
  scratch = join(directory, 'scratch');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function verified(): Promise<StateProblem | undefined> {
  const database = openDatabase({ fileSystem, dataDirectory: join(directory, 'db') });
  const { log, indexDirectory } = database;
  const index = openStreamIndexAtOnce({
    log,
    directory: openIndexDirectory({ fileSystem, directory: indexDirectory, log })
  });
  const makeScratch = (): string => {
    mkdirSync(scratch);
    return scratch;
  };
  try {
    return await verifyScavengeState({ database, index, isWhole: true, makeScratch });
  } finally {
    index.close();
    database.close();
  }
}

it('one whose tables were not made yet is as good as none, and its copy is removed', async () => {
  const store = StateStore.open({ path });
  const begun = join(directory, 'begun');
  copyFileSync(path, begun);
  store.close();
  copyFileSync(begun, path);
  expect(await verified()).toBeUndefined();
  expect(existsSync(scratch)).toBe(false);
});

it('one that makes no sense is invalid, and was not read where it changes at that moment', async () => {
  writeFileSync(path, Buffer.alloc(8192, 1));
  expect(await verified()).toMatchObject({ code: 'stateInvalid', file: 'scavenging/scavenging.db' });
  fileSystem.restless = path;
  expect(await verified()).toMatchObject({
    code: 'stateUnread',
    remedy: expect.stringContaining('Try again in a moment') as string
  });
});

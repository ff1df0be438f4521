/** A scavenge does not begin over an index that cannot be used, and says which file of it. */
import { beforeEach, expect, it } from 'vitest';
import { readIndexMap } from '../../../src-core/index/index-map.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { CRASH_TIME, guidsFrom, writeCrashDatabase } from '../../support/crash-database.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { treeOf } from '../../support/restore-fixture.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';

const DATA = '/db';
const INDEX = `${DATA}/index`;

let fileSystem: MemoryFileSystem;
beforeEach(async () => {
  fileSystem = await writeCrashDatabase({ dataDirectory: DATA, point: { threshold: 0 }, rounds: 1 });
});

function put(path: string, bytes: Uint8Array): void {
  fileSystem.remove(path);
  const file = fileSystem.open(path, 'createNew');
  file.write(bytes, 0, bytes.length, 0);
  file.close();
}

async function refusal(): Promise<unknown> {
  const before = treeOf(fileSystem, DATA);
  const error: unknown = await runScavenge(
    scavengeRequest(DATA, { now: CRASH_TIME, scratchDirectory: '/scratch' }),
    scavengeEnvironment({ fileSystem, newGuid: guidsFrom(7) })
  ).catch((caught: unknown) => caught);
  expect(treeOf(fileSystem, DATA)).toEqual(before);
  return error;
}

it('names a table that is cut, and the place in it', async () => {
  const [table] = readIndexMap(fileSystem, INDEX)!.tables;
  const path = `${INDEX}/${table!.file}`;
  put(path, readWholeFile(fileSystem, path)!.subarray(0, 100));
  expect(await refusal()).toMatchObject({ code: 'IndexCorrupt', details: { file: table!.file, offset: 0 } });
});

it('names a table that is missing, which has no place', async () => {
  const [table] = readIndexMap(fileSystem, INDEX)!.tables;
  fileSystem.remove(`${INDEX}/${table!.file}`);
  const error = await refusal();
  expect(error).toMatchObject({ code: 'IndexCorrupt', details: { file: table!.file } });
  expect(error).not.toHaveProperty('details.offset');
});

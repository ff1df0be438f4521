/**
 * A restore into a directory whose own name is as long as a volume takes: no longer name fits beside it, so that new and
 * old files lie inside it, as on a mount point. On a real file system, which alone knows how long a name may be.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RestoreSource } from '../../../src-core/restore/restore-source.ts';
import { continueRestore, undoRestore } from '../../../src-core/restore/run-restore.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import {
  backupOf,
  restore,
  restoreEnvironment,
  restorePlanOf,
  stoppedRestore,
  treeOf,
  writeOldDatabase,
  writeSmallDatabase
} from '../../support/restore-fixture.ts';

/** What a name may have of bytes on the volumes of Linux and macOS, and what no longer has room for `.before-restore-...`. */
const LENGTHS = [255, 225];
const fileSystem = new NodeFileSystem();
let place = '';
let source: RestoreSource;
beforeEach(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'winnow-long-'));
  await writeSmallDatabase(fileSystem, path.join(place, 'source'));
  source = backupOf(fileSystem, path.join(place, 'source'), path.join(place, 'backups'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const named = (length: number): string => path.join(place, 'd'.repeat(length));
const isAside = (name: string): boolean => name.startsWith('before-restore-');

it.each(LENGTHS)('with %d bytes keeps the old files inside, and its plan says so', async (length) => {
  const dataDirectory = named(length);
  writeOldDatabase(fileSystem, dataDirectory);
  const old = treeOf(fileSystem, dataDirectory);
  const { places, movesAside } = restorePlanOf({ fileSystem, source, dataDirectory });
  expect(places.isDataInside).toBe(true);
  const { movedAside } = await restore({ fileSystem, source, dataDirectory });
  expect(movedAside).toEqual(movesAside);
  const inside = readdirSync(dataDirectory).filter(isAside);
  expect(movedAside).toEqual(inside.map((name) => path.join(dataDirectory, name)));
  expect(treeOf(fileSystem, movedAside[0]!)).toMatchObject(old);
  expect(treeOf(fileSystem, dataDirectory)['chunk-000000.000000']).toBe(
    treeOf(fileSystem, path.join(place, 'source'))['chunk-000000.000000']
  );
});

it.each(LENGTHS)('with %d bytes is made where there was nothing', async (length) => {
  const dataDirectory = named(length);
  await restore({ fileSystem, source, dataDirectory });
  const { 'truncate.chk': _, ...files } = treeOf(fileSystem, dataDirectory);
  const { 'truncate.chk': __, ...expected } = treeOf(fileSystem, path.join(place, 'source'));
  expect(files).toEqual(expected);
});

it('that was stopped is ended, or undone, from the folders inside', async () => {
  const dataDirectory = named(LENGTHS[0]!);
  writeOldDatabase(fileSystem, dataDirectory);
  const old = treeOf(fileSystem, dataDirectory);
  await stoppedRestore({ fileSystem, source, dataDirectory });
  await undoRestore(dataDirectory, restoreEnvironment(fileSystem));
  expect(treeOf(fileSystem, dataDirectory)).toEqual(old);
  await stoppedRestore({ fileSystem, source, dataDirectory });
  const withSource = <T>(_: unknown, work: (from: RestoreSource) => Promise<T>): Promise<T> => work(source);
  await continueRestore({ dataDirectory, withSource }, restoreEnvironment(fileSystem));
  expect(readdirSync(dataDirectory).filter(isAside)).toHaveLength(1);
  expect(treeOf(fileSystem, dataDirectory)['kurrent.ddb']).toBeUndefined();
});

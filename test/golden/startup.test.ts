/**
 * A start prepared on databases that real servers left, against what the server did: the same entries as it had after
 * its own start, the same answers to readers, and a doctor who still says that it starts.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src-core/database/database.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { forecastStartup } from '../../src-core/startup/forecast-startup.ts';
import { prepareStartup, type PrepareStartup } from '../../src-core/startup/prepare-startup.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import { entriesOf, filesOf, positionOf, withDatabase } from '../support/database-content.ts';
import {
  goldenFolders,
  goldenNames,
  removeUnpacked,
  unpackDamaged,
  unpackDatabase,
  unpackTruncated
} from '../support/golden.ts';

const fileSystem = new NodeFileSystem();
const control = uncontrolled();
afterEach(removeUnpacked);

/** As the servers of the golden databases were set. */
const serverArguments = ['--stream-existence-filter-size=10000'];
const choice = { applyTruncation: false, mergeTables: false };

const forecast = (dataDirectory: string, more: Partial<PrepareStartup> = {}) =>
  forecastStartup({ place: { fileSystem, dataDirectory }, serverArguments, choice, control, ...more });
const prepare = (dataDirectory: string, more: Partial<PrepareStartup> = {}) =>
  prepareStartup({
    place: { fileSystem, dataDirectory },
    serverArguments,
    choice,
    control,
    newGuid: randomUUID,
    ...more
  });

/** All entries of tables and log, and those of tables alone. */
const entriesIn = (dataDirectory: string) =>
  withDatabase(dataDirectory, (database, index) => ({
    all: [...index.tables.flatMap(entriesOf), ...entriesOf(index.recent)].sort(),
    // Beyond the chaser no index may reach.
    recent: entriesOf(index.recent).filter((entry) => positionOf(entry) < (database.checkpoints.chaser ?? 0))
      .length
  }));

async function damageIn(dataDirectory: string) {
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    const { findings } = await verifyDatabase({ database, quick: false, control });
    return findings.filter(({ severity }) => severity === 'damage');
  } finally {
    database.close();
  }
}

const folders = goldenNames()
  .filter((name) => !/^(damaged|truncate|scavdb|old-)/.test(name))
  .flatMap((name) => goldenFolders(name).map((folder) => ({ name, folder })))
  // A restore whose truncation is still to come: below.
  .filter(({ folder }) => folder !== 'restored-0');

describe('a prepared start', () => {
  it.each(folders)('of $name/$folder reads nothing into its index', async ({ name, folder }) => {
    const dataDirectory = unpackDatabase({ name, folder });
    const before = await entriesIn(dataDirectory);
    const damage = await damageIn(dataDirectory);
    const planned = await forecast(dataDirectory);
    const ofLog = (file: string) => !file.startsWith('index/') || file.startsWith('index/scavenging/');
    const log = filesOf(dataDirectory, ofLog);
    const { steps } = await prepare(dataDirectory);
    expect(steps.map(({ code }) => code)).toEqual(planned.preparation.steps.map(({ code }) => code));
    const after = await entriesIn(dataDirectory);
    expect(after.all).toEqual(before.all);
    expect(after.recent).toBe(0);
    expect(filesOf(dataDirectory, ofLog)).toEqual(log);
    expect(await damageIn(dataDirectory)).toEqual(damage);
    const { examination, preparation, estimatedMs } = await forecast(dataDirectory);
    expect(preparation).toMatchObject({ steps: [], refusal: null });
    expect(examination.prediction).toMatchObject({ starts: true, then: 'runs' });
    // Each part is rounded up to a millisecond, and the new table is one more to be hashed.
    expect(estimatedMs).toBeLessThanOrEqual(planned.estimatedMs + 1);
    expect((await prepare(dataDirectory)).steps).toEqual([]);
  });

  it.each([
    ['killed-clean', 'at-kill', 'after-recovery'],
    ['killed-dirty', 'at-kill', 'after-recovery'],
    ['killed-clean-tables', 'at-kill', 'after-recovery']
  ])('of %s/%s holds what the server indexed in %s', async (name, folder, after) => {
    const dataDirectory = unpackDatabase({ name, folder });
    await prepare(dataDirectory);
    const ours = await entriesIn(dataDirectory);
    const server = await entriesIn(unpackDatabase({ name, folder: after }));
    // After its recovery the server has written more of its own.
    const known = new Set(server.all);
    expect(ours.all.filter((entry) => !known.has(entry))).toEqual([]);
    expect(server.all.length).toBeGreaterThanOrEqual(ours.all.length);
  });
});

describe('a damaged index or filter', () => {
  it.each([
    ['damaged-l-stream-existence-missing', 'rebuildExistenceFilter'],
    ['damaged-l-index-dir-missing', 'rebuildIndex'],
    ['damaged-f-indexmap-missing', 'rebuildIndex'],
    ['damaged-f-ptable-missing', 'rebuildIndex'],
    ['damaged-e-ptable-header-byte', 'rebuildIndex'],
    ['damaged-f-extra-unknown-file-in-index', null],
    ['damaged-k-index-ahead-after-truncation', 'applyTruncation']
  ])('%s: %s', async (name, code) => {
    const dataDirectory = unpackDamaged(name);
    const chosen = { choice: { ...choice, applyTruncation: true } };
    const planned = await forecast(dataDirectory, chosen);
    if (code !== null) expect(planned.preparation.steps.map((step) => step.code)).toContain(code);
    await prepare(dataDirectory, chosen);
    expect(await damageIn(dataDirectory)).toEqual([]);
    expect((await forecast(dataDirectory)).preparation).toMatchObject({ steps: [], refusal: null });
  });
});

describe('what is not prepared', () => {
  it.each([
    ['damaged-c-missing-middle-chunk', 'LogCorrupt', /none succeeds/],
    ['damaged-h-writer-chk-missing', 'LogCorrupt', /none succeeds/],
    ['damaged-a-record-length-prefix', 'LogCorrupt', /none succeeds/]
  ])('%s is refused, and nothing changes', async (name, code, message) => {
    const dataDirectory = unpackDamaged(name);
    const before = filesOf(dataDirectory);
    expect((await forecast(dataDirectory)).preparation.refusal).toMatchObject({ code, message });
    await expect(prepare(dataDirectory)).rejects.toMatchObject({ code, message });
    expect(filesOf(dataDirectory)).toEqual(before);
  });

  it('a truncation is left alone unless it is chosen', async () => {
    const dataDirectory = unpackTruncated('truncate-middle-of-log');
    const before = filesOf(dataDirectory);
    await expect(prepare(dataDirectory)).rejects.toMatchObject({
      code: 'InvalidRequest',
      message: /truncate.chk/
    });
    expect(filesOf(dataDirectory)).toEqual(before);
    const chosen = { choice: { ...choice, applyTruncation: true } };
    const { preparation } = await forecast(dataDirectory, chosen);
    const { steps } = await prepare(dataDirectory, chosen);
    expect(steps.map(({ code }) => code)).toEqual(preparation.steps.map(({ code }) => code));
    expect(steps[0]).toMatchObject({ code: 'applyTruncation', done: true });
    expect(fs.readFileSync(path.join(dataDirectory, 'truncate.chk')).readBigInt64LE()).toBe(-1n);
    const { examination } = await forecast(dataDirectory);
    expect(examination.prediction).toMatchObject({ starts: true, then: 'runs' });
    expect(await damageIn(dataDirectory)).toEqual([]);
  });

  it('a server that has no such filter gets none', async () => {
    const dataDirectory = unpackDamaged('damaged-l-stream-existence-missing');
    const { preparation } = await forecast(dataDirectory, {
      serverArguments: ['--stream-existence-filter-size=0']
    });
    expect(preparation.steps.filter(({ code }) => code.endsWith('Filter'))).toEqual([]);
    const older = await forecast(dataDirectory, { serverVersion: '20.6', serverArguments: [] });
    expect(older.preparation.steps.filter(({ code }) => code.endsWith('Filter'))).toEqual([]);
  });
});

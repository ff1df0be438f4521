/**
 * The state of scavenges goes with a bundle: a plan, a verification and an explanation of the bundle say the same as of
 * its source, a run that was stopped is resumed in both alike, and what cannot be carried exactly is left out with its reason.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NameMap, NodeFileSystem, readBundleKey } from '../../../src-core/index.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { requests, type ReportOperation } from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { testingContext } from '../../support/testing-context.ts';

/** Many operations one after the other, also on a busy machine: in milliseconds. */
const LONG = 240_000;
const STATE = path.join('index', 'scavenging', 'scavenging.db');

let root = '';
let source = '';
let bundle = '';
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-bundle-state-'));
  source = path.join(root, 'source');
  bundle = path.join(root, 'bundle');
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

async function ask<N extends ReportOperation>(name: N, dataDirectory: string, more: object = {}) {
  const winnowHome = path.join(root, `home of ${path.basename(dataDirectory)}`);
  const request = requests[name].parse({ dataDirectory, winnowHome, ...more });
  const context = testingContext(name, { clock: () => Date.UTC(2026, 10, 23) });
  return runReportOperation(name, request, context);
}

async function sample(seed: number): Promise<void> {
  await ask('writeSample', source, {
    sizeBytes: 500_000,
    chunkSizeBytes: 131_072,
    seed,
    now: '2026-11-20T00:00:00Z'
  });
}

const NEW_POINT = { scavengePoint: 'new', singleNode: true, now: '2026-11-22T00:00:00Z' };

function namesOfBundle(): NameMap {
  return new NameMap(readBundleKey(new NodeFileSystem(), { directory: root, name: 'bundle.key' })!);
}

/** Rows of a state as plain values; names and hashes by `map`, hash tables and collision tables in one. */
function stateRows(directory: string, map: (name: string) => string): Record<string, unknown[]> {
  const database = new DatabaseSync(path.join(directory, STATE), { readOnly: true });
  try {
    const all = (sql: string): Record<string, unknown>[] => {
      const statement = database.prepare(sql);
      statement.setReadBigInts(true);
      return statement.all();
    };
    const keyOf = (name: string): string => {
      const { high, low } = hashStream(name);
      return BigInt.asIntN(64, (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)).toString();
    };
    const users = new Map(
      all('SELECT key, value FROM HashUsers').map(({ key, value }) => [key, String(value)])
    );
    for (const [key, name] of users) expect(String(key)).toBe(keyOf(name));
    const text = (row: Record<string, unknown>): string =>
      JSON.stringify(Object.values(row), (_, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : value
      );
    const streams = (table: string): string[] => [
      ...all(`SELECT * FROM ${table}`).map((row) =>
        text({ ...row, key: map(users.get(row['key'] as bigint)!) })
      ),
      ...all(`SELECT * FROM ${table.replace(/s$/, '')}Collisions`).map((row) =>
        text({ ...row, key: map(String(row['key'])) })
      )
    ];
    const colliding = all('SELECT key FROM HashCollisions').map(({ key }) => String(key));
    return {
      users: [...new Set([...users.values(), ...colliding])].map(map).sort(),
      metastreams: streams('MetastreamDatas').sort(),
      originals: streams('OriginalStreamDatas').sort(),
      times: all('SELECT * FROM ChunkTimeStampRanges').map(text),
      weights: all('SELECT * FROM ChunkWeights').map(text),
      // Of a calculation all of which is done the last stream is another one.
      checkpoint: all('SELECT * FROM Checkpoint').map((row) => text(row).replace(/"streamHash.*?:-?\d+/, '')),
      version: all('SELECT * FROM SchemaVersion').map(text)
    };
  } finally {
    database.close();
  }
}

const OF_THE_COPY = /md5|Hash|At$|[dD]irectory|ms$|modified|freeBytes|history|because|why|node$/i;

/** What is said of the directory, without what is its own; names by `map`. */
async function saidOf(directory: string, map: (name: string) => string): Promise<unknown> {
  const plan = await ask('planScavenge', directory, { scavengePoint: 'existing' });
  // Refused as long as a run is not finished.
  const fresh = await ask('planScavenge', directory, {
    scavengePoint: 'detached',
    now: '2026-12-30T00:00:00Z'
  }).catch((error: unknown) => (error as { code?: string }).code);
  const inspected = await ask('inspectDatabase', directory);
  const usage = await ask('readUsage', directory, { by: 'stream', top: 100_000 });
  const verified = await ask('verifyDatabase', directory, { quick: false, threads: 1 });
  const examined = await ask('examineStart', directory, { thorough: true });
  const own = new Set([
    'dataDirectory',
    'indexDirectory',
    'planId',
    'message',
    'estimatedMs',
    'elapsedMs',
    'file'
  ]);
  const said = { plan, fresh, inspected: { ...inspected, health: null }, verified, examined };
  const plain: unknown = JSON.parse(
    JSON.stringify(said, (key, value: unknown) => {
      if (own.has(key) || OF_THE_COPY.test(key)) return undefined;
      // Of all of them the first in the order of hashes is told.
      const isFirst = value !== null && typeof value === 'object' && 'code' in value;
      return isFirst && value.code === 'indexEntryWithoutRecord' ? value.code : value;
    })
  );
  const names = usage.items.map(({ name, ...sizes }) => ({
    name: name.startsWith('(') ? name : map(name),
    ...sizes
  }));
  return { plain, usage: names.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

async function expectSame(): Promise<void> {
  const names = namesOfBundle();
  const map = (name: string): string => names.stream(name);
  expect(stateRows(bundle, (name) => name)).toEqual(stateRows(source, map));
  const same = (name: string): string => name;
  expect(await saidOf(bundle, same)).toEqual(await saidOf(source, map));
}

describe('the state of scavenges', () => {
  it.each([1, 2, 3])(
    'of a finished run is in the bundle (seed %i)',
    async (seed) => {
      await sample(seed);
      expect((await ask('runScavenge', source, NEW_POINT)).result).toBe('success');
      const { leftOut } = await ask('runBundle', source, { to: bundle });
      expect(leftOut).toEqual([]);
      expect(fs.readdirSync(path.join(bundle, 'index', 'scavenging'))).toEqual(['scavenging.db']);
      await expectSame();

      const results = [];
      for (const directory of [source, bundle]) {
        const { recordsDiscarded, bytesAfter, result } = await ask('runScavenge', directory, {
          ...NEW_POINT,
          now: '2026-12-30T00:00:00Z',
          threshold: -1
        });
        results.push({ recordsDiscarded, bytesAfter, result });
      }
      expect(results[1]).toEqual(results[0]);
    },
    LONG
  );

  it.each([
    [4, 'beginning'],
    [5, 'accumulation'],
    [6, 'calculation'],
    [7, 'chunkExecution'],
    [8, 'chunkMerging'],
    [9, 'indexExecution']
  ])(
    'of a run that was stopped is in the bundle and is resumed there (seed %i, after %s)',
    async (seed, stopAfter) => {
      await sample(seed);
      await ask('runScavenge', source, { ...NEW_POINT, stopAfter });
      await ask('runBundle', source, { to: bundle });
      await expectSame();
      const results = [];
      for (const directory of [source, bundle]) {
        const { recordsDiscarded, indexEntriesDiscarded, bytesAfter, resumed, result } = await ask(
          'runScavenge',
          directory,
          { scavengePoint: 'existing' }
        );
        results.push({ recordsDiscarded, indexEntriesDiscarded, bytesAfter, resumed, result });
        const { findings } = await ask('verifyDatabase', directory, { quick: false, threads: 1 });
        expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
      }
      expect(results[1]).toEqual(results[0]);
      await expectSame();
    },
    LONG
  );

  it('holds no stream as colliding that shares its hash no more', async () => {
    await sample(10);
    await ask('runScavenge', source, NEW_POINT);
    const database = new DatabaseSync(path.join(source, STATE));
    const row = database.prepare(
      'SELECT o.*, u.value AS name FROM OriginalStreamDatas o JOIN HashUsers u ON u.key = o.key WHERE o.maxCount IS NOT NULL LIMIT 1'
    );
    row.setReadBigInts(true);
    const { key, name } = row.get() as { key: bigint; name: string };
    // As if another stream had come that has the same hash: its name is a collision, and so is this one's.
    database.prepare('INSERT INTO HashCollisions VALUES (?), (?)').run(name, 'another-with-this-hash');
    database
      .prepare(
        'INSERT INTO OriginalStreamDataCollisions SELECT ?, isTombstoned, maxAge, maxCount, truncateBefore, discardPoint, maybeDiscardPoint, status FROM OriginalStreamDatas WHERE key = ?'
      )
      .run(name, key);
    database.prepare('DELETE FROM OriginalStreamDatas WHERE key = ?').run(key);
    database.close();
    await ask('runBundle', source, { to: bundle });
    const names = namesOfBundle();
    expect(stateRows(bundle, (text) => text)).toEqual(stateRows(source, (text) => names.stream(text)));
    const made = new DatabaseSync(path.join(bundle, STATE), { readOnly: true });
    expect(made.prepare('SELECT count(*) AS n FROM HashCollisions').get()?.['n']).toBe(0);
    made.close();
  });

  it.each([
    [
      'a calculation that was cut',
      `UPDATE Checkpoint SET value = '{"scavengePoint":{"position":5,"effectiveNow":"2026-11-22T00:00:00Z"},"schemaVersion":"V0","checkpointStage":"Calculating","doneStreamHandle":{"kind":"Hash","streamHash":97}}'`,
      'within its calculation'
    ],
    [
      'a stream whose name it does not know',
      'DELETE FROM HashUsers WHERE key IN (SELECT key FROM OriginalStreamDatas)',
      'does not know the names'
    ],
    ['a name of another hash', `UPDATE HashUsers SET value = 'x' WHERE rowid = 5`, 'not that of its hash'],
    [
      'two rows of one stream',
      'INSERT INTO OriginalStreamDataCollisions (key, isTombstoned) SELECT value, 0 FROM HashUsers WHERE key = (SELECT min(key) FROM OriginalStreamDatas)',
      'two things of one stream'
    ],
    ['a table of somebody’s own', 'CREATE TABLE mine (a)', 'damaged']
  ])('is left out, with the reason, with %s', async (_, change, why) => {
    await sample(11);
    await ask('runScavenge', source, NEW_POINT);
    const database = new DatabaseSync(path.join(source, STATE));
    database.exec(change);
    database.close();
    const { leftOut } = await ask('runBundle', source, { to: bundle });
    expect(leftOut).toEqual([
      {
        file: 'index/scavenging/scavenging.db',
        bytes: expect.any(Number) as number,
        why: expect.stringContaining(why) as string
      }
    ]);
    expect(fs.existsSync(path.join(bundle, 'index', 'scavenging'))).toBe(false);
    const manifest = JSON.parse(fs.readFileSync(path.join(bundle, 'bundle.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({ leftOut });
  });
});

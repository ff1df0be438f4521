/** States of scavenges that a bundle takes along, changes or leaves out: made by a run, then changed as another hand would. */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CHUNK_FOOTER_LENGTH, decodeChunkFooter } from '../../../src-core/chunks/chunk-footer.ts';
import { NameMap } from '../../../src-core/bundle/name-map.ts';
import { runBundle } from '../../../src-core/bundle/run-bundle.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { OperationControl, uncontrolled } from '../../../src-core/database/operation-control.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { namesIn } from '../../../src-core/storage/directory-entries.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { CRASH_TIME, guidsFrom, writeCrashDatabase } from '../../support/crash-database.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';

const fileSystem = new NodeFileSystem();
let root: string;
let source: string;
let target: string;
let state: string;

beforeEach(async () => {
  root = temporaryDirectory();
  source = join(root, 'source');
  target = join(root, 'bundle');
  state = join(source, 'index', 'scavenging', 'scavenging.db');
  const memory = await writeCrashDatabase({ dataDirectory: '/db', point: { threshold: 0 }, rounds: 2 });
  copyTree({ fileSystem: memory, path: '/db' }, { fileSystem, path: source });
  await runScavenge(
    scavengeRequest(source, { now: CRASH_TIME, pageSize: 512 }),
    scavengeEnvironment({ newGuid: guidsFrom(7) })
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function bundle(control = uncontrolled()) {
  const database = openDatabase({ fileSystem, dataDirectory: source });
  try {
    return await runBundle({
      ...{ database, target, control },
      headersOnly: false,
      key: Buffer.alloc(32, 5),
      madeAt: '2026-01-01T00:00:00.0000000Z',
      newGuid: guidsFrom(3),
      makeScratch: () => {
        const scratch = join(root, 'scratch');
        mkdirSync(scratch);
        return scratch;
      }
    });
  } finally {
    database.close();
  }
}

function change(...statements: readonly string[]): void {
  const database = new DatabaseSync(state);
  for (const statement of statements) database.exec(statement);
  database.close();
}

function checkpointOf(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare('SELECT value FROM Checkpoint WHERE key = 0').get();
  database.close();
  return String(row?.['value']);
}

const made = (): string => join(target, 'index', 'scavenging', 'scavenging.db');

function calculatedTo(handle: string): string {
  const point = '"scavengePoint":{"position":5,"effectiveNow":"2026-11-22T00:00:00Z"},"schemaVersion":"V0"';
  return `UPDATE Checkpoint SET value = '{${point},"checkpointStage":"Calculating","doneStreamHandle":${handle}}'`;
}

describe('a state of scavenges', () => {
  test('is left out where not all of its tables were made', async () => {
    change('DROP TABLE ChunkWeights');
    const { manifest } = await bundle();
    expect(manifest.leftOut).toEqual([
      {
        file: 'index/scavenging/scavenging.db',
        bytes: statSync(state).size,
        why: 'its tables were not all made'
      }
    ]);
  });

  test('knows the names of its streams by the hashes that they have in the bundle', async () => {
    await bundle();
    const users = (path: string): [bigint, string][] => {
      const database = new DatabaseSync(path, { readOnly: true });
      const statement = database.prepare('SELECT key, value FROM HashUsers');
      statement.setReadBigInts(true);
      const rows = statement
        .all()
        .map((row): [bigint, string] => [row['key'] as bigint, String(row['value'])]);
      database.close();
      return rows;
    };
    const names = new NameMap(Buffer.alloc(32, 5));
    const expected = users(state).map(([, name]): [bigint, string] => {
      const { high, low } = hashStream(names.stream(name), { high: 0, low: 0 });
      return [BigInt.asIntN(64, (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)), names.stream(name)];
    });
    expect(expected.length).toBeGreaterThan(5);
    const byName = (one: [bigint, string], other: [bigint, string]) => (one[1] < other[1] ? -1 : 1);
    expect(users(made()).sort(byName)).toEqual(expected.sort(byName));
  });

  test('has a checkpoint that nobody can read where it had one', async () => {
    change(`UPDATE Checkpoint SET value = 'Jane Doe'`);
    const { manifest } = await bundle();
    expect(manifest.leftOut).toEqual([]);
    expect(checkpointOf(made())).toBe('{}');
  });

  test.each([
    ['by name, and others are left that share a hash', `{"kind":"Id","streamId":"a"}`, ['z'], 0],
    ['by name, and others are left with a hash of their own', `{"kind":"Id","streamId":"z"}`, ['a'], 1],
    ['by hash, and none is left', '{"kind":"Hash","streamHash":9223372036854775807}', ['a'], 1]
  ])('that calculated so far %s', async (_what, handle, colliding, active) => {
    change(
      calculatedTo(handle),
      ...colliding.map(
        (name) =>
          `INSERT INTO OriginalStreamDataCollisions (key, isTombstoned, status) VALUES ('${name}', 0, 1)`
      ),
      `UPDATE OriginalStreamDatas SET status = ${active}`
    );
    const { manifest } = await bundle();
    const isLeft = handle.includes('"Id"');
    expect(manifest.leftOut.map(({ why }) => why)).toEqual(
      isLeft ? ['a scavenge was cut within its calculation, which goes by the order of the old hashes'] : []
    );
    if (!isLeft) expect(checkpointOf(made())).toContain('"checkpointStage":"Calculating"');
  });

  test('that calculated all by name has calculated all in the bundle', async () => {
    change(calculatedTo('{"kind":"Id","streamId":"z"}'), 'UPDATE OriginalStreamDatas SET status = 0');
    const { manifest } = await bundle();
    expect(manifest.leftOut).toEqual([]);
    expect(checkpointOf(made())).toContain('"streamHash":9223372036854775807');
  });

  test('that is written to while it is read is left out', async () => {
    let isTouched = false;
    const control = new OperationControl({
      elapsedMs: () => 0,
      yieldTurn: () => Promise.resolve(),
      onTurn: () => {
        if (isTouched || !fileSystem.describe(join(`${target}.partial`, 'index', 'scavenging'))) return;
        isTouched = true;
        utimesSync(state, 1, 1);
      }
    });
    const { manifest } = await bundle(control);
    expect(isTouched).toBe(true);
    expect(manifest.leftOut.map(({ why }) => why)).toEqual(['it changed while it was read']);
    expect(fileSystem.describe(join(target, 'index', 'scavenging'))).toBeUndefined();
  });

  test('whose place a directory has ends the bundle with its name', async () => {
    rmSync(state);
    mkdirSync(join(state, 'x'), { recursive: true });
    await expect(bundle()).rejects.toMatchObject({
      code: 'StorageFailed',
      details: { file: state, reason: 'notARegularFile' }
    });
    expect(fileSystem.describe(target)).toBeUndefined();
  });
});

test('a scavenged chunk that is encrypted has no map and no record in the bundle, and the sizes that it had', async () => {
  const [name] = namesIn(fileSystem, source).filter((one) => /^chunk-.*[1-9]$/.test(one));
  const file = fileSystem.open(join(source, name!), 'readWrite');
  // The kind of transformation in the header.
  file.write(Uint8Array.of(1), 0, 1, 35);
  file.close();
  const before = readFileSync(join(source, name!));
  const footer = decodeChunkFooter(before.subarray(-CHUNK_FOOTER_LENGTH));
  if (typeof footer === 'string') throw new Error(footer);
  expect(footer.mapSize).toBeGreaterThan(0);
  const { unreadable } = await bundle();
  expect(unreadable.map((range) => range.file)).toContain(name);
  const after = readFileSync(join(target, name!));
  expect(after).toHaveLength(before.length);
  expect(decodeChunkFooter(after.subarray(-CHUNK_FOOTER_LENGTH))).toEqual({
    ...footer,
    md5: expect.any(String) as string
  });
  const map = after.subarray(128 + footer.physicalDataSize, 128 + footer.physicalDataSize + footer.mapSize);
  expect(map.every((byte) => byte === 0)).toBe(true);
});

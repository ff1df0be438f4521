/** The names of a scavenge state against their hashes, a few rows at a time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { holdNames } from '../../../src-core/scavenge/state/hold-names.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { StateStore } from '../../../src-core/scavenge/state/state-store.ts';
import { COLLIDING_ORDERS } from '../../support/colliding-names.ts';

const STATE = 'scavenging.db';
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const LIMITS = { maxAgeSeconds: null, maxCount: 3n, truncateBefore: null };

let directory: string;
let store: StateStore;
let state: ScavengeState;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-hold-names-'));
  store = StateStore.open({ path: path.join(directory, STATE) });
  state = new ScavengeState({ store, hasher: hashStream });
  for (const name of NAMES.flatMap((stream) => [stream, `$$${stream}`])) state.detectCollision(name);
  for (const name of NAMES) state.originals.setMetadata(state.handleOf(name), LIMITS);
  for (const name of NAMES) state.metastreams.setDiscardPoint(state.handleOf(`$$${name}`), 1);
});
afterEach(() => {
  store.close();
  rmSync(directory, { recursive: true });
});

let breaths = 0;
function held(pageRows?: number): Promise<void> {
  breaths = 0;
  const breathe = (): Promise<void> => {
    breaths++;
    return Promise.resolve();
  };
  return holdNames({
    store,
    hasher: hashStream,
    statePath: STATE,
    breathe,
    ...(pageRows === undefined ? {} : { pageRows })
  });
}

const change = (sql: string, ...values: (string | bigint)[]): void => void store.prepare(sql).run(...values);

describe('names that are right', () => {
  it.each([undefined, 1, 2, 5, 7, 14])('pass, %s rows at a time', async (pageRows) => {
    await held(pageRows);
    // 14 names, 7 streams and 7 metastreams; a page that is full is not known to be the last.
    const pagesOf = (rows: number): number => Math.floor(rows / (pageRows ?? 1000)) + 1;
    expect(breaths).toBe(pagesOf(14) + 2 * pagesOf(7));
  });

  it('pass where streams share a hash', async () => {
    for (const name of COLLIDING_ORDERS) {
      state.detectCollision(name);
      state.originals.setMetadata(state.handleOf(name), LIMITS);
    }
    expect(state.collisions.names).toHaveLength(2);
    await held();
  });
});

describe('a row that is wrong', () => {
  const keys = (): bigint[] => {
    const rows = store.prepare('SELECT key FROM HashUsers ORDER BY key');
    rows.setReadBigInts(true);
    return rows.all().map(({ key }) => key as bigint);
  };

  it('is found wherever it stands among the names', async () => {
    for (const key of keys()) {
      change(`UPDATE HashUsers SET value = value || '?' WHERE key = ?`, key);
      await expect(held(3)).rejects.toThrow(/under the hash [0-9a-f]{16}, which is not its own/);
      change(`UPDATE HashUsers SET value = rtrim(value, '?') WHERE key = ?`, key);
    }
    await held(3);
  });

  it('is found wherever it stands among streams and metastreams', async () => {
    for (const [table, other] of [
      ['OriginalStreamDatas', 'key, 0, NULL, NULL, NULL, 0, 0, 1'],
      ['MetastreamDatas', 'key, 0, NULL']
    ] as const) {
      for (const key of [-5n, 5n, 2n ** 63n - 1n, -(2n ** 63n)]) {
        change(`INSERT INTO ${table} SELECT ${other} FROM (SELECT ? AS key)`, key);
        await expect(held(2)).rejects.toThrow('it does not know the name of the stream');
        change(`DELETE FROM ${table} WHERE key = ?`, key);
      }
    }
    await held(2);
  });

  it('is found among those that collide', async () => {
    for (const [table, name, isMetastream] of [
      ['OriginalStreamDataCollisions', '$$a', false],
      ['MetastreamDataCollisions', 'a', true]
    ] as const) {
      const values = isMetastream ? '0, NULL' : '0, NULL, NULL, NULL, 0, 0, 1';
      change('INSERT INTO HashCollisions VALUES (?)', name);
      await held();
      change(`INSERT INTO ${table} SELECT ?, ${values}`, name);
      await expect(held()).rejects.toThrow(
        `the stream ${name} stands among those that collide, and does not`
      );
      change(`DELETE FROM ${table}`);
    }
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  hashFromBigInt,
  hashStream,
  hashToBigInt,
  type StreamHasher
} from '../../../src-core/index/stream-hash.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { StateStore } from '../../../src-core/scavenge/state/state-store.ts';
import type { StateStorage } from '../../../src-core/scavenge/state/state-tables.ts';
import { WAITING_LIMITS } from '../../../src-core/scavenge/state/waiting/waiting-limits.ts';
import { StreamStatus } from '../../../src-core/scavenge/state/stream-data.ts';
import { listActive } from '../../../src-core/scavenge/state/list-active.ts';
import { MemoryState } from '../../../src-core/scavenge/state/memory/memory-state.ts';
import { signedHash } from '../../../src-core/scavenge/decisions/stream-handle.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../src-core/units/event-number.ts';
import { Prng } from '../../support/prng.ts';

/** Hash is the code of the first character, so that names collide on purpose. */
const firstCharacter: StreamHasher = (stream, into = { high: 0, low: 0 }) => {
  into.high = 0;
  into.low = stream.charCodeAt(0);
  return into;
};

/** A record as far as the search for collisions looks at it, with other bytes around the name. */
function recordOf(stream: string) {
  const bytes = Buffer.from(`<<<${stream}>>>`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return { stream, bytes, view, streamStart: 3, streamEnd: bytes.length - 3 };
}

const stateOf = (store: StateStorage) => new ScavengeState({ store, hasher: firstCharacter });
const hash = (value: bigint) => ({ kind: 'hash', ...hashFromBigInt(value) }) as const;

describe('the file of a scavenge state', () => {
  let directory: string;
  let path: string;
  const open = (options: { pageSizeBytes?: number } = {}) => StateStore.open({ path, ...options });

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'winnow-state-'));
    path = join(directory, 'scavenging.db');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('makes a file with the tables and settings of the server', () => {
    open().close();
    const raw = new DatabaseSync(path);
    const names = raw.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid").all();
    expect(names.map((row) => row['name'])).toEqual([
      'SchemaVersion',
      'HashCollisions',
      'HashUsers',
      'MetastreamDatas',
      'MetastreamDataCollisions',
      'OriginalStreamDatas',
      'OriginalStreamDataCollisions',
      'Checkpoint',
      'ChunkTimeStampRanges',
      'ChunkWeights'
    ]);
    expect(raw.prepare("SELECT sql FROM sqlite_master WHERE name = 'HashUsers'").get()?.['sql']).toBe(
      'CREATE TABLE HashUsers (\n\t\t\t\t\tkey INT PRIMARY KEY,\n\t\t\t\t\tvalue TEXT NOT NULL)'
    );
    expect(raw.prepare('PRAGMA page_size').get()?.['page_size']).toBe(16384);
    expect(raw.prepare('PRAGMA journal_mode').get()?.['journal_mode']).toBe('wal');
    raw.close();
  });

  it('adopts the page size of an existing file and refuses another one', () => {
    open({ pageSizeBytes: 4096 }).close();
    open().close();
    expect(() => open({ pageSizeBytes: 8192 })).toThrow(/has pages of 4096 bytes/);
  });

  it('stores hashes signed', () => {
    const store = open();
    const limits = { maxAgeSeconds: null, maxCount: 1n, truncateBefore: null };
    stateOf(store).originals.setMetadata(hash(0x8000_0000_0000_0000n), limits);
    const raw = new DatabaseSync(path);
    expect(
      raw.prepare('SELECT min(key) AS lowest FROM OriginalStreamDatas', { readBigInts: true }).get()
    ).toEqual({
      lowest: -(2n ** 63n)
    });
    raw.close();
    store.close();
  });

  it('forgets collisions, names and times that an undone transaction had found', () => {
    const store = open();
    const state = stateOf(store);
    state.begin();
    state.detectCollision('a-1');
    state.detectCollision('a-2');
    state.timeRanges.put(0, 1n, 2n);
    state.rollback();
    expect(state.collisions.names).toEqual([]);
    expect(state.timeRanges.has(0)).toBe(false);
    state.detectCollisionOf(recordOf('a-1'));
    expect(state.hashUsers.get(0, 97)).toBe('a-1');
    expect(state.detectCollision('a-2')).toEqual({ kind: 'new', collidesWith: 'a-1' });
    store.close();
  });

  it('writes the users of hashes that a transaction found, with its end and in both ways of asking', () => {
    const names = Array.from({ length: 3000 }, (_, i) => `name-${i}-${'x'.repeat(i % 40)}`);
    const store = open();
    const state = new ScavengeState({ store, hasher: hashStream });
    state.begin();
    for (const name of names) state.detectCollisionOf(recordOf(name));
    for (const name of names) {
      const { high, low } = hashStream(name);
      expect(state.hashUsers.get(high, low)).toBe(name);
    }
    state.commit();
    store.close();

    const stored = open();
    const again = new ScavengeState({ store: stored, hasher: hashStream });
    again.begin();
    for (const name of names) again.detectCollisionOf(recordOf(name));
    again.commit();
    expect(again.collisions.names).toEqual([]);
    stored.close();
    const raw = new DatabaseSync(path);
    const rows = raw.prepare('SELECT key, value FROM HashUsers');
    rows.setReadBigInts(true);
    const found = rows.all().map((row) => [BigInt.asUintN(64, row['key'] as bigint), row['value']]);
    raw.close();
    const wanted = names.map((name) => {
      const { high, low } = hashStream(name);
      return [hashToBigInt(high, low), name];
    });
    expect(new Map(found as [bigint, string][])).toEqual(new Map(wanted as [bigint, string][]));
    expect(found).toHaveLength(names.length);
  });

  it('knows what shares a hash, with what is stored and with what waits, before anything is stored under it', () => {
    const limits = { maxAgeSeconds: null, maxCount: 5n, truncateBefore: null };
    const store = open();
    const state = stateOf(store);
    state.begin();
    for (const name of ['a-1', 'c-1', 'c-2', 'c-2']) state.detectCollisionOf(recordOf(name));
    state.settleNames();
    expect(state.collisions.names).toEqual(['c-1', 'c-2']);
    state.originals.setMetadata(hash(97n), limits);
    state.commit();
    store.close();

    const stored = open();
    const again = stateOf(stored);
    again.begin();
    for (const name of ['a-2', 'b-1', 'a-1', 'b-2', 'd-1']) again.detectCollisionOf(recordOf(name));
    again.settleNames();
    expect(again.collisions.names).toEqual(['a-1', 'a-2', 'b-1', 'b-2', 'c-1', 'c-2']);
    expect(again.originals.get({ kind: 'id', stream: 'a-1' })?.maxCount).toBe(5);
    expect(again.originals.get(hash(97n))).toBeUndefined();
    expect(again.hashUsers.get(0, 'd'.charCodeAt(0))).toBe('d-1');
    again.commit();
    stored.close();
  });

  it('finds what shares a hash with a name that is written while answers about others are taken', () => {
    const store = open();
    const state = stateOf(store);
    state.begin();
    state.detectCollisionOf(recordOf('z-1'));
    state.commit();
    store.close();

    const stored = StateStore.open({ path, waiting: { ...WAITING_LIMITS, users: 2 } });
    const again = stateOf(stored);
    again.begin();
    for (const name of ['a-1', 'b-1', 'c-2']) again.detectCollisionOf(recordOf(name));
    again.detectCollision('c-1');
    again.settleNames();
    expect(again.collisions.names).toEqual(['c-1', 'c-2']);
    again.commit();
    stored.close();
  });

  it('asks about names in any number, and forgets the questions of a transaction that is undone', () => {
    const names = (prefix: string) => Array.from({ length: 200 }, (_, i) => `${prefix}-${i}`);
    const store = open();
    const state = new ScavengeState({ store, hasher: hashStream });
    state.begin();
    for (const name of names('stored')) state.detectCollisionOf(recordOf(name));
    state.commit();
    store.close();

    const stored = open();
    const bySuffix: StreamHasher = (stream, into) => hashStream(stream.replace('other', 'stored'), into);
    const again = new ScavengeState({ store: stored, hasher: bySuffix });
    again.begin();
    for (const name of [...names('stored'), ...names('other')]) again.detectCollisionOf(recordOf(name));
    again.rollback();
    again.settleNames();
    expect(again.collisions.names).toEqual([]);
    again.begin();
    const met = [...names('stored'), ...names('fresh'), ...names('other').slice(0, 70)];
    for (const name of met) again.detectCollisionOf(recordOf(name));
    again.commit();
    for (const name of names('fresh')) {
      const { high, low } = hashStream(name);
      expect(again.hashUsers.get(high, low)).toBe(name);
    }
    const sharing = [...names('stored').slice(0, 70), ...names('other').slice(0, 70)];
    expect(new Set(again.collisions.names)).toEqual(new Set(sharing));
    stored.close();
  });

  it('names a file that is no database, with the way out', () => {
    const raw = new DatabaseSync(path);
    raw.exec(
      'CREATE TABLE SchemaVersion (version Integer PRIMARY KEY); INSERT INTO SchemaVersion VALUES (2)'
    );
    raw.close();
    expect(() => open()).toThrow(/schema version 2/);
  });
});

describe.each([
  { place: 'a file', make: (path: string): StateStorage => StateStore.open({ path }) },
  { place: 'memory', make: (): StateStorage => new MemoryState() }
])('a scavenge state in $place', ({ make }) => {
  let directory: string;
  const open = () => make(join(directory, 'scavenging.db'));

  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'winnow-state-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('walks active streams by name and then in the order of signed hashes', () => {
    const store = open();
    const state = stateOf(store);
    for (const stream of ['b-1', 'a-2', 'a-1']) state.detectCollision(stream);
    const limits = { maxAgeSeconds: null, maxCount: 1n, truncateBefore: null };
    for (const stream of ['a-2', 'b-1', 'a-1']) state.originals.setMetadata(state.handleOf(stream), limits);
    const negative = 0xffff_ffff_0000_0001n;
    state.originals.setMetadata(hash(negative), limits);
    state.originals.setMetadata(hash(0x8000_0000_0000_0000n), limits);

    const all = listActive(state.originals, null, 10).map(({ handle }) => handle);
    expect(all).toEqual([
      { kind: 'id', stream: 'a-1' },
      { kind: 'id', stream: 'a-2' },
      hash(0x8000_0000_0000_0000n),
      hash(negative),
      hash(98n)
    ]);
    for (let i = 0; i < all.length; i++) {
      expect(listActive(state.originals, all[i]!, 10).map(({ handle }) => handle)).toEqual(all.slice(i + 1));
    }
    expect(listActive(state.originals, null, 3)).toHaveLength(3);
    store.close();
  });

  it('moves what was stored under a hash to the name once a collision shows', () => {
    const store = open();
    const state = stateOf(store);
    expect(state.detectCollision('a-1')).toEqual({ kind: 'none' });
    state.originals.setMetadata(state.handleOf('a-1'), {
      maxAgeSeconds: 7n,
      maxCount: null,
      truncateBefore: 0x7fff_ffff_ffff_ffffn
    });
    state.metastreams.setDiscardPoint(state.handleOf('a-1'), 5);
    expect(state.detectCollision('a-2')).toEqual({ kind: 'new', collidesWith: 'a-1' });
    expect(state.detectCollision('a-1')).toEqual({ kind: 'old' });
    expect(state.handleOf('a-1')).toEqual({ kind: 'id', stream: 'a-1' });
    expect(state.originals.get(state.handleOf('a-1'))).toEqual({
      status: StreamStatus.active,
      isTombstoned: false,
      discardPoint: 0,
      maybeDiscardPoint: 0,
      maxAgeSeconds: 7,
      maxCount: -1,
      truncateBefore: DELETED_STREAM_EVENT_NUMBER
    });
    expect(state.metastreams.get(state.handleOf('a-1'))).toEqual({ isTombstoned: false, discardPoint: 5 });
    expect(state.originals.get(hash(97n))).toBeUndefined();
    expect(state.originals.get(state.handleOf('a-2'))).toBeUndefined();
    expect(state.collisions.isCollidingHash(0, 97)).toBe(true);
    store.close();
  });

  it('replaces limits together and leaves tombstone and discard points alone', () => {
    const store = open();
    const { originals } = stateOf(store);
    originals.setDiscardPoints(hash(33n), {
      status: StreamStatus.archived,
      discardPoint: 6,
      maybeDiscardPoint: 13
    });
    originals.setTombstone(hash(33n));
    originals.setMetadata(hash(33n), { maxAgeSeconds: 1123200n, maxCount: 33n, truncateBefore: 43n });
    originals.setMetadata(hash(33n), { maxAgeSeconds: null, maxCount: 34n, truncateBefore: null });
    const expected = {
      status: StreamStatus.active,
      isTombstoned: true,
      discardPoint: 6,
      maybeDiscardPoint: 13,
      maxAgeSeconds: -1,
      maxCount: 34,
      truncateBefore: -1
    };
    expect(originals.get(hash(33n))).toEqual(expected);
    expect(originals.getByHash(0, 33)).toEqual(expected);
    store.close();
  });

  it('adds, sums and resets weights', () => {
    const store = open();
    const { weights } = stateOf(store);
    expect(weights.areAllZero).toBe(true);
    weights.add(2, 1);
    weights.add(2, 2);
    weights.add(4, -3);
    expect(weights.sum(0, 9)).toBe(0);
    expect(weights.areAllZero).toBe(false);
    weights.reset(0, 3);
    expect(weights.get(2)).toBeUndefined();
    expect(weights.get(4)).toBe(-3);
    store.close();
  });

  it('compares times of chunks at the full precision', () => {
    const store = open();
    const { timeRanges } = stateOf(store);
    const min = 638_000_000_000_000_001n;
    const max = 639_000_000_000_000_003n;
    timeRanges.put(70, min, max);
    timeRanges.reload();
    const compare = (ticks: bigint) => {
      const high = Number(ticks >> 32n);
      const low = Number(ticks & 0xffff_ffffn);
      return [timeRanges.isAllSince(70, high, low), timeRanges.isAllBefore(70, high, low)];
    };
    expect(timeRanges.get(70)).toEqual({ min, max });
    expect(timeRanges.lastChunk).toBe(70);
    expect(compare(min)).toEqual([true, false]);
    expect(compare(min + 1n)).toEqual([false, false]);
    expect(compare(max)).toEqual([false, false]);
    expect(compare(max + 1n)).toEqual([false, true]);
    store.close();
  });

  it('treats an unreadable checkpoint as none', () => {
    const store = open();
    const state = stateOf(store);
    expect(state.checkpoint).toBeUndefined();
    store.checkpointText = 'broken';
    expect(state.checkpoint).toBeUndefined();
    store.close();
  });

  it('says of streams what it has, or what a scavenge would act on, in pages', () => {
    const store = open();
    const state = stateOf(store);
    for (const stream of ['b-1', 'a-2', 'a-1']) state.detectCollision(stream);
    const limits = { maxAgeSeconds: null, maxCount: 1n, truncateBefore: null };
    for (const stream of ['b-1', 'a-1']) state.originals.setMetadata(state.handleOf(stream), limits);
    state.originals.setTombstone(state.handleOf('a-2'));
    const points = { status: StreamStatus.active, discardPoint: 0, maybeDiscardPoint: 4 };
    state.originals.setDiscardPoints(hash(7n), points);
    state.originals.setDiscardPoints(hash(8n), { ...points, maybeDiscardPoint: 0 });
    const pagesOf = (isActing: boolean, limit: number) => {
      const found = [];
      for (let page = state.claims.originals(isActing).after(null, limit); page.length > 0;) {
        found.push(...page.map(({ handle }) => handle));
        page = state.claims.originals(isActing).after(found.at(-1)!, limit);
      }
      return found;
    };
    const id = (stream: string) => ({ kind: 'id', stream });
    for (const limit of [1, 2, 10]) {
      expect(pagesOf(false, limit)).toEqual([id('a-1'), id('a-2'), hash(7n), hash(8n), hash(98n)]);
      expect(pagesOf(true, limit)).toEqual([id('a-2'), hash(7n)]);
    }
    state.metastreams.setDiscardPoint(hash(5n), 2);
    state.metastreams.setDiscardPoint(hash(6n), 0);
    state.metastreams.setTombstone(hash(0xffff_0000_0000_0000n));
    expect(state.claims.metastreams.after(null, 10).map(({ handle }) => handle)).toEqual([
      hash(0xffff_0000_0000_0000n),
      hash(5n)
    ]);
    store.close();
  });

  it('drops what is no longer needed, and takes a stream up again as a new one', () => {
    const store = open();
    const state = stateOf(store);
    const { originals, metastreams } = state;
    for (const stream of ['a-1', 'a-2']) state.detectCollision(stream);
    const points = { status: StreamStatus.spent, discardPoint: 3, maybeDiscardPoint: 4 };
    for (const handle of [hash(9n), state.handleOf('a-1')]) {
      originals.setMetadata(handle, { maxAgeSeconds: 1n, maxCount: 2n, truncateBefore: 3n });
      originals.setTombstone(handle);
      originals.setDiscardPoints(handle, points);
      metastreams.setTombstone(handle);
      metastreams.setDiscardPoint(handle, 5);
    }
    originals.setTombstone(hash(10n));
    metastreams.setDiscardPoint(hash(10n), 6);
    expect(originals.tombstonedHashes((stream) => firstCharacter(stream, { high: 0, low: 0 }))).toHaveLength(
      3
    );
    originals.deleteWithStatus(StreamStatus.spent);
    metastreams.deleteTombstoned();
    expect([originals.count, originals.hashCount, metastreams.count]).toEqual([1, 1, 1]);
    expect(originals.hasTombstoned).toBe(true);
    for (const handle of [hash(9n), state.handleOf('a-1')]) {
      expect(originals.get(handle)).toBeUndefined();
      originals.setTombstone(handle);
      expect(originals.get(handle)).toEqual({
        status: StreamStatus.active,
        isTombstoned: true,
        discardPoint: 0,
        maybeDiscardPoint: 0,
        maxAgeSeconds: -1,
        maxCount: -1,
        truncateBefore: -1
      });
      metastreams.setTombstone(handle);
      expect(metastreams.get(handle)).toEqual({ isTombstoned: true, discardPoint: 0 });
    }
    expect(listActive(originals, null, 9)).toHaveLength(3);
    metastreams.deleteAll();
    expect(metastreams.count).toBe(0);
    store.close();
  });
});

describe('a scavenge state in memory', () => {
  it('refuses to be asked after a transaction was undone, since it cannot undo it', () => {
    const store = new MemoryState();
    const state = stateOf(store);
    state.begin();
    state.weights.add(1, 2);
    state.rollback();
    expect(() => state.weights).toThrow(/a transaction of it was lost/);
    expect(() => state.checkpoint).toThrow(/a transaction of it was lost/);
    expect(() => state.begin()).toThrow(/a transaction of it was lost/);
    state.rollback();
    state.close();
  });

  it('keeps the order of its streams while streams are added', () => {
    const { originals } = stateOf(new MemoryState());
    const limits = { maxAgeSeconds: null, maxCount: 1n, truncateBefore: null };
    const prng = new Prng(3);
    const keys: bigint[] = [];
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < 3000; i++) {
        const [high, low] = [prng.below(4) * 0x5555_5555, prng.next()];
        keys.push(signedHash(high, low));
        originals.setMetadata({ kind: 'hash', high, low }, limits);
      }
      const wanted = [...new Set(keys)].sort((a, b) => (a < b ? -1 : 1));
      const found = listActive(originals, null, 1_000_000);
      expect(
        found.map(({ handle }) => handle.kind === 'hash' && signedHash(handle.high, handle.low))
      ).toEqual(wanted);
      expect(listActive(originals, found[100]!.handle, 5)).toEqual(found.slice(101, 106));
    }
  });
});

/** A stored scavenge state read into memory, once and in the order of its keys, for a question that begins with it. */
import type { StreamHandle } from '../../decisions/stream-handle.ts';
import { HashCollisions } from '../hash-users.ts';
import { ChunkTimeRanges } from '../chunk-tables.ts';
import type { StateStore } from '../state-store.ts';
import {
  HASH_HALVES,
  METASTREAM_TABLES,
  METASTREAM_VALUES,
  metastreamOfRow,
  ORIGINAL_TABLES,
  ORIGINAL_VALUES,
  originalOfRow
} from '../stream-tables.ts';
import { MemoryState, type MemoryBound } from './memory-state.ts';
import { MemoryTables } from './memory-tables.ts';

type Row = Record<string, unknown>;

export function readIntoMemory(store: StateStore, bound?: MemoryBound): MemoryState {
  const tables = new MemoryTables();
  const memory = new MemoryState(tables, bound);
  readStreams(store, tables);
  readChunks(store, tables);
  for (const name of new HashCollisions(store).all()) tables.collisions.add(name);
  // Whatever is no whole number is the key of no hash.
  const users = `SELECT ${HASH_HALVES}, value FROM HashUsers WHERE typeof(key) = 'integer' ORDER BY key`;
  forEachRow(store, users, (row) => {
    tables.hashUsers.put(Number(row['high']) >>> 0, Number(row['low']), String(row['value']));
  });
  memory.checkpointText = store.checkpointText;
  return memory;
}

function readStreams(store: StateStore, { originals, metastreams }: MemoryTables): void {
  forEachStream(store, ORIGINAL_TABLES, ORIGINAL_VALUES, (handle, row) => {
    originals.put(handle, originalOfRow(row));
  });
  forEachStream(store, METASTREAM_TABLES, METASTREAM_VALUES, (handle, row) => {
    metastreams.put(handle, metastreamOfRow(row));
  });
}

function readChunks(store: StateStore, { weights, timeRanges }: MemoryTables): void {
  forEachRow(store, 'SELECT key, value FROM ChunkWeights', (row) => {
    weights.add(Number(row['key']), Number(row['value']));
  });
  const stored = new ChunkTimeRanges(store);
  for (let chunk = 0; chunk <= stored.lastChunk; chunk++) {
    const range = stored.get(chunk);
    if (range) timeRanges.put(chunk, range.min, range.max);
  }
}

function forEachStream(
  store: StateStore,
  [byHash, byName]: readonly [string, string],
  values: string,
  visit: (handle: StreamHandle, row: Row) => void
): void {
  forEachRow(store, `SELECT ${HASH_HALVES}, ${values} FROM ${byHash} ORDER BY key`, (row) => {
    visit({ kind: 'hash', high: Number(row['high']) >>> 0, low: Number(row['low']) }, row);
  });
  forEachRow(store, `SELECT key, ${values} FROM ${byName} ORDER BY key`, (row) => {
    visit({ kind: 'id', stream: String(row['key']) }, row);
  });
}

function forEachRow(store: StateStore, sql: string, visit: (row: Row) => void): void {
  store.guarded(() => {
    for (const row of store.prepare(sql).iterate()) visit(row);
  });
}

/** What a bundle of a database will be, from its directories alone: no record is read. */
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { readIndexMap, INDEX_MAP_NAME, type IndexMap } from '../index/index-map.ts';
import { filterNameOf, IndexTableReader } from '../index/index-table-reader.ts';
import { EngineError } from '../errors.ts';
import type { Database } from '../database/database.ts';
import { STATE_DIRECTORY, STATE_FILE } from '../scavenge/state/state-store.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import { sizeOf } from '../storage/file-size.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { isRunId } from './system-names.ts';

/** A file of the source and what becomes of it. */
export interface LeftOut {
  /** Relative to the data or index directory. */
  file: string;
  bytes: number;
  why: string;
}

export interface BundlePlan {
  /** Chunk files whose records are rewritten, and their bytes. */
  chunks: number;
  chunkBytes: number;
  /** Sound tables of the index map. */
  tables: string[];
  tableBytes: number;
  map: IndexMap | undefined;
  /** Files in the data directory that a bundle has by name and size only. */
  standIns: string[];
  /** The same in the index directory; tables of the map that cannot be read are among them. */
  indexStandIns: string[];
  unreadableTables: string[];
  leftOut: LeftOut[];
  /** Path of the state of scavenges, and what tells whether it is still the same. */
  state: { path: string; mark: string } | undefined;
}

const CHECKPOINT = /^(?:writer|chaser|epoch|proposal|truncate|tag)\.chk$/;
/** Of the state: SQLite's own files go with it. */
const STATE_FILES = [STATE_FILE, `${STATE_FILE}-wal`, `${STATE_FILE}-shm`];

export function planBundle(database: Database): BundlePlan {
  const { fileSystem, dataDirectory, indexDirectory, chunkSet } = database;
  const used = new Set(chunkSet.chunks.map(({ fileName }) => fileName));
  const standIns: string[] = [];
  const leftOut: LeftOut[] = [];
  for (const { name, isDirectory, isLink } of entriesIn(fileSystem, dataDirectory)) {
    if (isDirectory || used.has(name) || CHECKPOINT.test(name)) continue;
    const path = fileSystem.join(dataDirectory, name);
    const isChunkFile = decodeChunkFileName(name) !== undefined;
    if (isLink !== true && (isChunkFile || isServersTemporary(name))) standIns.push(name);
    else leftOut.push({ ...fileFacts(fileSystem, path, safeName(name)), why: 'not a file of the log' });
  }
  const { map, tables, tableBytes, bad } = soundTables(fileSystem, indexDirectory, leftOut);
  const indexStandIns = [...bad];
  const known = new Set([INDEX_MAP_NAME, ...tables, ...tables.map(filterNameOf), ...bad]);
  for (const { name, isDirectory } of entriesIn(fileSystem, indexDirectory)) {
    if (isDirectory || known.has(name)) continue;
    const [table = '', ...rest] = name.split('.');
    if (isRunId(table) && (rest.length === 0 || rest.join('.') === 'bloomfilter')) indexStandIns.push(name);
    else
      leftOut.push({
        ...fileFacts(fileSystem, fileSystem.join(indexDirectory, name), `index/${safeName(name)}`),
        why: 'not a file of the index'
      });
  }
  const state = fileSystem.join(indexDirectory, STATE_DIRECTORY);
  for (const { name, isDirectory } of entriesIn(fileSystem, state)) {
    if (isDirectory || STATE_FILES.includes(name)) continue;
    const file = `index/${STATE_DIRECTORY}/${safeName(name)}`;
    leftOut.push({
      ...fileFacts(fileSystem, fileSystem.join(state, name), file),
      why: 'not the state of scavenges'
    });
  }
  return {
    chunks: chunkSet.chunks.length,
    chunkBytes: chunkSet.chunks.reduce((sum, { fileSize }) => sum + fileSize, 0),
    tables,
    tableBytes,
    map,
    standIns: standIns.sort(),
    indexStandIns: indexStandIns.sort(),
    unreadableTables: bad,
    leftOut,
    state: stateIn(fileSystem, state)
  };
}

function stateIn(fileSystem: FileSystem, directory: string): BundlePlan['state'] {
  const path = fileSystem.join(directory, STATE_FILE);
  return fileSystem.describe(path)?.size ? { path, mark: stateMark(fileSystem, path) } : undefined;
}

/** Another one once somebody has written to the state. */
export function stateMark(fileSystem: FileSystem, path: string): string {
  const facts = [path, `${path}-wal`].map((name) => fileSystem.describe(name));
  return facts.map((fact) => (fact ? `${fact.inode} ${fact.size} ${fact.modifiedMs}` : '')).join(' | ');
}

/** A name that a file of the server has; of others only that there is one may leave. */
const SAFE =
  /^(?:(?:scavenging\.db|kurrent\.ddb)(?:-wal|-shm|-journal|\.wal)?|indexmap[\w.-]{0,60}\.tmp|kurrent\.sock|eventstore\.sock|\.forceverify)$/;

function safeName(name: string): string {
  return SAFE.test(name) ? name : '(another file)';
}

/** The names that the server gives to files it has not finished; a name that a person chose is not repeated. */
function isServersTemporary(name: string): boolean {
  const [id = ''] = name.split('.');
  return name.endsWith('.tmp') && (isRunId(id) || /^chunk-\d{6}\.\d{6}\.[0-9a-f-]{36}\.tmp$/.test(name));
}

function fileFacts(fileSystem: FileSystem, path: string, file: string): { file: string; bytes: number } {
  return { file, bytes: sizeOf(fileSystem, path) };
}

/** Tables that can be opened and hold whole hashes. */
function soundTables(fileSystem: FileSystem, directory: string, leftOut: LeftOut[]) {
  const tables: string[] = [];
  const bad: string[] = [];
  let tableBytes = 0;
  let map: IndexMap | undefined;
  try {
    map = readIndexMap(fileSystem, directory);
  } catch (error) {
    if (!isFault(error)) throw error;
    leftOut.push({
      ...fileFacts(fileSystem, fileSystem.join(directory, INDEX_MAP_NAME), `index/${INDEX_MAP_NAME}`),
      why: 'it is damaged'
    });
  }
  for (const { file } of map?.tables ?? []) {
    if (fileSystem.describe(fileSystem.join(directory, file)) === undefined) continue;
    try {
      const reader = IndexTableReader.open({ fileSystem, directory, name: file });
      reader.close();
      if (reader.version === 1) bad.push(file);
      else {
        tables.push(file);
        tableBytes += reader.sizeBytes;
      }
    } catch (error) {
      if (!isFault(error)) throw error;
      bad.push(file);
    }
  }
  return { map, tables, tableBytes, bad };
}

function isFault(error: unknown): boolean {
  return (
    error instanceof EngineError && (error.code === 'IndexCorrupt' || error.code === 'UnsupportedFormat')
  );
}

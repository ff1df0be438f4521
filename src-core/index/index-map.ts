/**
 * The index map: which tables form the index, and up to where in the log they reach. One small text file:
 *
 *   line 1   MD5 of everything from byte 32 on (the end of line 1 included), 32 upper-case hex digits
 *   line 2   version, 2 (5.0.0 and later) or 1
 *   line 3   prepare check point / commit check point, in this order, each at least -1
 *   line 4   version 2 only: highest level that is merged automatically
 *   then     one line for each table: level,position,file name
 *
 * Position 0 is the oldest table of a level; a higher level is older. In memory tables are listed newest first.
 * Saving replaces the file in one step: a cut leaves the old map or the new one.
 * Format: docs/format/index.md, "Map".
 */
import { createHash } from 'node:crypto';
import { assert } from '../assert.ts';
import { indexCorrupt, type EngineError } from '../errors.ts';
import { sizeOf } from '../storage/file-size.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { readWholeFile } from '../storage/file-system.ts';
import { replaceFile } from '../storage/replace-file.ts';

export const INDEX_MAP_NAME = 'indexmap';
/** The server's default: no limit. */
export const UNLIMITED_AUTO_MERGE_LEVEL = 2147483647;
const HASH_LENGTH = 32;
const MAX_INT32 = 2147483647;
/** Room for a hundred thousand tables; a real map has a few lines. */
const MAX_MAP_BYTES = 8 * 1024 * 1024;

export interface IndexMapTable {
  level: number;
  /** Order within the level, 0 is the oldest. */
  position: number;
  file: string;
}

export interface IndexMap {
  version: number;
  /** Position of the last indexed prepare, -1 when there is none. */
  prepareCheckpoint: number;
  /** Position of the last indexed commit (or implicitly committed prepare), -1 when there is none. */
  commitCheckpoint: number;
  /** UNLIMITED_AUTO_MERGE_LEVEL in version 1, which has no such line. */
  maxAutoMergeLevel: number;
  /** Newest first: level 0 from its highest position down, then level 1, and so on. */
  tables: readonly IndexMapTable[];
}

export function emptyIndexMap(): IndexMap {
  return {
    version: 2,
    prepareCheckpoint: -1,
    commitCheckpoint: -1,
    maxAutoMergeLevel: UNLIMITED_AUTO_MERGE_LEVEL,
    tables: []
  };
}

function corrupt(message: string, offset = 0): EngineError {
  return indexCorrupt(`The index map is damaged: ${message}.`, { file: INDEX_MAP_NAME, offset });
}

/** Lines end with LF, CR or CRLF. The end of the last line opens no further one. */
function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function parseInteger(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*[+-]?\d+\s*$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Some cultures of the server's machine write the minus of -1 as U+2212, with a direction mark before it. */
function parseCheckpoint(text: string): number | undefined {
  return parseInteger(text.replace(/^\s*[\u200e\u061c]?\u2212/, '-').replace(/^\s*[\u200e\u061c]-/, '-'));
}

/** Decodes and checks a map as strictly as the server does, which rebuilds the index over anything wrong in it. */
export function decodeIndexMap(bytes: Uint8Array): IndexMap {
  if (bytes.length === 0) throw corrupt('it is empty');
  const text = new TextDecoder().decode(bytes);
  const lines = splitLines(text);
  const hash = lines[0] ?? '';
  if (!/^[0-9A-F]{32}$/.test(hash))
    throw corrupt('its first line is not a checksum of 32 upper-case hex digits');
  const found = mapHash(bytes);
  if (found !== hash) throw corrupt(`its checksum is ${hash}, its content has ${found}`);
  const version = parseInteger(lines[1]);
  if (version === undefined) throw corrupt('its second line is not a version', HASH_LENGTH + 1);
  const checkpoints = (lines[2] ?? '').split('/').map(parseCheckpoint);
  const [prepareCheckpoint, commitCheckpoint] = checkpoints;
  if (checkpoints.length !== 2 || prepareCheckpoint === undefined || commitCheckpoint === undefined) {
    throw corrupt('its third line is not "prepare/commit" check points');
  }
  if (prepareCheckpoint < -1 || commitCheckpoint < -1) throw corrupt('a check point is below -1');
  const maxAutoMergeLevel = version > 1 ? parseInteger(lines[3]) : UNLIMITED_AUTO_MERGE_LEVEL;
  if (maxAutoMergeLevel === undefined || maxAutoMergeLevel > MAX_INT32) {
    throw corrupt('its fourth line is not the highest level of automatic merges');
  }
  const tables = lines.slice(version > 1 ? 4 : 3).map(parseTable);
  if (tables.length > 0 && (prepareCheckpoint < 0 || commitCheckpoint < 0)) {
    throw corrupt('it names tables although a check point is negative');
  }
  checkPositions(tables);
  checkNames(tables);
  return { version, prepareCheckpoint, commitCheckpoint, maxAutoMergeLevel, tables: newestFirst(tables) };
}

function parseTable(line: string): IndexMapTable {
  const parts = line.split(',');
  const level = parseInteger(parts[0]);
  const position = parseInteger(parts[1]);
  const file = parts[2];
  const isTable =
    parts.length === 3 && level !== undefined && position !== undefined && level >= 0 && position >= 0;
  if (!isTable || !file) throw corrupt(`"${line}" is not a line "level,position,file"`);
  // A name is joined to the directory: it must not lead out of it.
  if (/[\\/\0]/.test(file) || file === '.' || file === '..')
    throw corrupt(`"${file}" is not a plain file name`);
  return { level, position, file };
}

/** A table that is named twice would be counted twice. Names of files may differ in case alone on some volumes. */
function checkNames(tables: readonly IndexMapTable[]): void {
  const seen = new Set<string>();
  for (const { file } of tables) {
    const name = file.toLowerCase();
    if (seen.has(name)) throw corrupt(`it names the table ${file} twice`);
    seen.add(name);
  }
}

function checkPositions(tables: readonly IndexMapTable[]): void {
  const byLevel = new Map<number, number[]>();
  for (const { level, position } of tables) {
    const positions = byLevel.get(level);
    if (positions) positions.push(position);
    else byLevel.set(level, [position]);
  }
  for (const [level, positions] of byLevel) {
    positions.sort((a, b) => a - b);
    if (positions.some((position, i) => position !== i)) {
      throw corrupt(`the tables of level ${level} are not numbered 0, 1, 2 and so on`);
    }
  }
}

function newestFirst(tables: readonly IndexMapTable[]): IndexMapTable[] {
  return [...tables].sort((a, b) => a.level - b.level || b.position - a.position);
}

function mapHash(bytes: Uint8Array): string {
  return createHash('md5').update(bytes.subarray(HASH_LENGTH)).digest('hex').toUpperCase();
}

/** A map keeps the version it was read with: an old server must go on reading it. */
export function encodeIndexMap(map: IndexMap, lineEnd = '\n'): Uint8Array {
  assert(map.prepareCheckpoint >= -1, 'the prepare check point is at least -1');
  assert(map.commitCheckpoint >= -1, 'the commit check point is at least -1');
  const oldestFirst = [...map.tables].sort((a, b) => a.level - b.level || a.position - b.position);
  const lines = [
    '0'.repeat(HASH_LENGTH),
    String(map.version),
    `${map.prepareCheckpoint}/${map.commitCheckpoint}`,
    ...(map.version > 1 ? [String(map.maxAutoMergeLevel)] : []),
    ...oldestFirst.map(({ level, position, file }) => `${level},${position},${file}`)
  ];
  const bytes = new TextEncoder().encode(lines.map((line) => line + lineEnd).join(''));
  bytes.set(new TextEncoder().encode(mapHash(bytes)));
  return bytes;
}

/** Undefined if there is no map: an empty index, the normal state of a small database. */
export function readIndexMap(fileSystem: FileSystem, directory: string): IndexMap | undefined {
  const path = fileSystem.join(directory, INDEX_MAP_NAME);
  const size = sizeOf(fileSystem, path);
  if (size > MAX_MAP_BYTES) throw corrupt(`it has ${size} bytes, far more than the lines of any index`);
  const bytes = readWholeFile(fileSystem, path);
  return bytes && decodeIndexMap(bytes);
}

/**
 * Saves the map and flushes the directory, so that the tables it names and its own name are on the disk. `id` is
 * a new GUID for the temporary file, which the server removes at its start if it finds one.
 */
export function writeIndexMap(fileSystem: FileSystem, directory: string, map: IndexMap, id: string): void {
  const bytes = encodeIndexMap(map);
  decodeIndexMap(bytes);
  replaceFile(fileSystem, {
    directory,
    name: INDEX_MAP_NAME,
    temporaryName: `${INDEX_MAP_NAME}.${id}.indexmap.tmp`,
    bytes
  });
}

/** The same map with another file instead of `file`. */
export function withTableReplaced(map: IndexMap, file: string, replacement: string): IndexMap {
  assert(
    map.tables.some((table) => table.file === file),
    `the index map names ${file}`
  );
  return {
    ...map,
    tables: map.tables.map((table) => (table.file === file ? { ...table, file: replacement } : table))
  };
}

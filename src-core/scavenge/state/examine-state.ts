/**
 * Examines a file before it is used as scavenge state. Its schema must be the known one and nothing else: a view or a
 * trigger is code of the file's author, another collation or a computed column makes our statements mean
 * something else, and another program's database must not get our tables. Its pages must hold together, and its
 * columns hold what they are for. Only reads; `sqlite_schema` first, before any statement on a table runs.
 *
 * Whether the values are true is the log's to say (hold-state.ts).
 */
import type { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../../errors.ts';
import { connectState } from './connect-state.ts';
import { stateDamaged } from './state-error.ts';
import { SCHEMA } from './state-schema.ts';

export const SCHEMA_VERSION = 1;
const VERSION_TABLE = 'SchemaVersion';
/** Chunks are numbered from 0; with the usual size this is two petabytes. Time ranges are kept in memory by number. */
const MOST_CHUNKS = 2 ** 23;
/** Last tick of the year 9999. */
const LAST_TICK = 3155378975999999999n;
const LONGEST_CHECKPOINT_BYTES = 1024 * 1024;
/** Ours has 16. */
const MOST_SCHEMA_ROWS = 64;

interface SchemaRow {
  type: string;
  name: string;
  sql: string | null;
}

/** Definitions by kind and name. */
type Definitions = ReadonlyMap<string, string | null>;

let known: Definitions | undefined;

/**
 * Throws what speaks against using the file. `isQuick`: pages and rows are not gone through, which takes time on a
 * large state. Gives whether all tables are there; a state may have been cut while they were made.
 */
export function examineState(
  database: DatabaseSync,
  path: string,
  { isQuick = false }: { isQuick?: boolean } = {}
): { isComplete: boolean } {
  const rows = schemaRowsOf(database);
  const foreign = foreignPart(rows);
  if (foreign !== undefined) throw stateDamaged(path, foreign);
  const tables = new Set(rows.filter(({ type }) => type === 'table').map(({ name }) => name));
  if (tables.has(VERSION_TABLE)) requireVersion(database, path);
  if (tables.has('Checkpoint')) requireColumns(database, path, 'Checkpoint');
  const isComplete = [...knownDefinitions().keys()].every(
    (key) => !key.startsWith('table ') || tables.has(key.slice('table '.length))
  );
  if (isQuick) return { isComplete };
  // Not "quick_check": that would leave out what the tables of names are looked up by.
  const check = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
  if (check !== 'ok') throw stateDamaged(path, `SQLite finds it damaged: ${String(check)}`);
  for (const table of tables) requireColumns(database, path, table);
  return { isComplete };
}

/** What is not part of a scavenge state, as the end of a sentence. */
function foreignPart(rows: readonly SchemaRow[]): string | undefined {
  const definitions = knownDefinitions();
  for (const { type, name, sql } of rows) {
    const expected = definitions.get(`${type} ${name}`);
    if (expected === undefined) return `it holds a ${type} "${name}", which is not part of a scavenge state`;
    if (expected !== plain(sql))
      return `its ${type} ${name} is defined as "${plain(sql)}" instead of "${expected}"`;
  }
  return rows.length >= MOST_SCHEMA_ROWS ? 'its schema has too many rows' : undefined;
}

function knownDefinitions(): Definitions {
  if (known) return known;
  const database = connectState(':memory:');
  try {
    for (const statement of SCHEMA) database.exec(statement);
    const rows = schemaRowsOf(database);
    return (known = new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, plain(sql)])));
  } finally {
    database.close();
  }
}

function schemaRowsOf(database: DatabaseSync): SchemaRow[] {
  const rows = database.prepare(`SELECT type, name, sql FROM sqlite_schema LIMIT ${MOST_SCHEMA_ROWS}`).all();
  return rows.map(({ type, name, sql }) => ({
    type: String(type),
    name: String(name),
    sql: sql === null ? null : String(sql)
  }));
}

/** Without what changes no meaning. */
function plain(sql: string | null): string | null {
  return sql === null
    ? null
    : sql
        .replace(/\s+/g, ' ')
        .replace(/ ?([(),]) ?/g, '$1')
        .toLowerCase();
}

function requireVersion(database: DatabaseSync, path: string): void {
  const rows = database.prepare(`SELECT version FROM ${VERSION_TABLE} ORDER BY version DESC LIMIT 2`).all();
  const version = rows[0]?.['version'];
  if (version === undefined || version === SCHEMA_VERSION) return;
  throw new EngineError({
    code: 'UnsupportedFormat',
    message: `The scavenge state ${path} has schema version ${String(version)}; this version of Winnow reads ${SCHEMA_VERSION}.`,
    remedy: 'Finish the run with the server that wrote it, or set the state aside with "--start-afresh".',
    details: { file: path, expected: SCHEMA_VERSION, found: String(version) }
  });
}

const whole = (column: string, least: number): string =>
  `(typeof(${column}) = 'integer' AND ${column} >= ${least})`;
const wholeOrNull = (column: string, least: number): string =>
  `(${column} IS NULL OR ${whole(column, least)})`;
const CHUNK_KEY = `(key >= 0 AND key < ${MOST_CHUNKS})`;
const NAME_KEY = `(typeof(key) = 'text')`;
const IS_TOMBSTONED = `(typeof(isTombstoned) = 'integer' AND isTombstoned IN (0, 1))`;
const METASTREAM = `${IS_TOMBSTONED} AND ${wholeOrNull('discardPoint', 0)}`;
const ORIGINAL = [
  IS_TOMBSTONED,
  wholeOrNull('maxAge', 1),
  wholeOrNull('maxCount', 1),
  wholeOrNull('truncateBefore', 0),
  whole('discardPoint', 0),
  whole('maybeDiscardPoint', 0),
  whole('status', 0),
  'status <= 3'
].join(' AND ');

/** What holds for each row of a table. A key that is the row's id is always a whole number. */
const ROWS: Readonly<Record<string, string>> = {
  SchemaVersion: 'version >= 0',
  Checkpoint: `key = 0 AND (typeof(value) = 'text' AND length(value) <= ${LONGEST_CHECKPOINT_BYTES})`,
  HashCollisions: NAME_KEY,
  HashUsers: `(typeof(key) = 'integer' AND typeof(value) = 'text')`,
  MetastreamDatas: METASTREAM,
  MetastreamDataCollisions: `${NAME_KEY} AND ${METASTREAM}`,
  OriginalStreamDatas: ORIGINAL,
  OriginalStreamDataCollisions: `${NAME_KEY} AND ${ORIGINAL}`,
  ChunkTimeStampRanges:
    `${CHUNK_KEY} AND typeof(min) = 'integer' AND typeof(max) = 'integer' ` +
    `AND min >= 0 AND max >= min AND max <= ${LAST_TICK}`,
  ChunkWeights: `${CHUNK_KEY} AND typeof(value) = 'real' AND value >= 0 AND value < 9e300`
};

function requireColumns(database: DatabaseSync, path: string, table: string): void {
  const wrong = database.prepare(`SELECT 1 FROM ${table} WHERE NOT (${ROWS[table]!}) LIMIT 1`).get();
  if (wrong !== undefined) {
    throw stateDamaged(path, `its table ${table} holds a row that no scavenge writes`);
  }
}

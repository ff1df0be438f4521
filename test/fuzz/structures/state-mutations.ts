/** Changes of a scavenge state by SQL: rows, columns, the checkpoint, the schema. The file stays a sound one of SQLite's. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Prng } from '../../support/prng.ts';
import { NUMBERS } from '../mutations.ts';

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  SchemaVersion: ['version'],
  HashCollisions: ['key'],
  HashUsers: ['key', 'value'],
  MetastreamDatas: ['key', 'isTombstoned', 'discardPoint'],
  MetastreamDataCollisions: ['key', 'isTombstoned', 'discardPoint'],
  OriginalStreamDatas: [
    ...['key', 'isTombstoned', 'maxAge', 'maxCount', 'truncateBefore', 'discardPoint'],
    ...['maybeDiscardPoint', 'status', 'discardPoint', 'maybeDiscardPoint', 'isTombstoned', 'maxCount']
  ],
  OriginalStreamDataCollisions: [
    'key',
    'isTombstoned',
    'maxCount',
    'discardPoint',
    'maybeDiscardPoint',
    'status'
  ],
  ChunkTimeStampRanges: ['key', 'min', 'max'],
  ChunkWeights: ['key', 'value']
};
const TABLES = Object.keys(COLUMNS);
const STREAMS = ['count', 'age', 'plain', 'cut', 'same-plain', 'gone-0', 'hidden-1', '$$count', ''];
const SCHEMA_CHANGES = [
  'CREATE TRIGGER t AFTER UPDATE ON Checkpoint BEGIN DELETE FROM HashUsers; END',
  'CREATE VIEW v AS SELECT * FROM HashUsers',
  'ALTER TABLE ChunkWeights ADD COLUMN more INTEGER DEFAULT 7',
  'CREATE TABLE Other (x)',
  'DROP TABLE HashUsers',
  'DROP TABLE ChunkTimeStampRanges',
  'DROP INDEX OriginalStreamDatasKeyStatus',
  'DROP TABLE OriginalStreamDatas; CREATE VIEW OriginalStreamDatas AS SELECT 1 AS key',
  'PRAGMA user_version = 77',
  'PRAGMA application_id = 77'
];
const STAGES = [
  ...[
    'Accumulating',
    'Calculating',
    'ExecutingChunks',
    'MergingChunks',
    'ExecutingIndex',
    'Cleaning',
    'Done'
  ],
  'Other'
];

/** One to four changes; in words. */
export function changeState(file: string, prng: Prng): string[] {
  const database = new DatabaseSync(file);
  try {
    const steps: string[] = [];
    const count = prng.chance(0.6) ? 1 : prng.between({ low: 2, high: 4 });
    for (let tries = 0; steps.length < count && tries < 40; tries++) {
      const step = oneChange(database, prng);
      if (step !== undefined) steps.push(step);
    }
    database.exec('PRAGMA journal_mode = DELETE');
    return steps;
  } finally {
    database.close();
  }
}

function oneChange(database: DatabaseSync, prng: Prng): string | undefined {
  const kind = prng.below(20);
  try {
    if (kind < 10) return updateCell(database, prng);
    if (kind < 12) return removeRows(database, prng);
    if (kind < 14) return insertRow(database, prng);
    if (kind < 15) {
      const sql = prng.pick(SCHEMA_CHANGES);
      database.exec(sql);
      return sql;
    }
    return changeCheckpoint(database, prng);
  } catch {
    return undefined; // what SQLite itself refuses, as two rows of one key
  }
}

function valueOf(prng: Prng): SQLInputValue {
  return prng.pick<SQLInputValue>([
    ...[null, 0, 1, 2, 3, 4, 7, 35, 1.5, -1, prng.below(50), prng.below(50), BigInt(prng.below(50))],
    ...[prng.pick(NUMBERS), prng.pick(STREAMS), 'x', Buffer.from('x')]
  ]);
}

function textOf(value: SQLInputValue): string {
  return ArrayBuffer.isView(value) ? 'bytes' : String(value);
}

function updateCell(database: DatabaseSync, prng: Prng): string | undefined {
  const table = prng.pick(TABLES);
  const column = prng.pick(COLUMNS[table]!);
  const row = rowOf(database, table, prng);
  if (row === undefined) return undefined;
  const value = valueOf(prng);
  database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(value, row);
  return `${table}.${column} of row ${row} is ${textOf(value)}`;
}

function removeRows(database: DatabaseSync, prng: Prng): string | undefined {
  const table = prng.pick([...TABLES, 'Checkpoint']);
  const row = rowOf(database, table, prng);
  if (row === undefined) return undefined;
  const all = prng.chance(0.4);
  database.prepare(`DELETE FROM ${table} WHERE rowid = ? OR ?`).run(row, all ? 1 : 0);
  return all ? `${table} is empty` : `row ${row} of ${table} is gone`;
}

function insertRow(database: DatabaseSync, prng: Prng): string {
  const table = prng.pick(TABLES);
  const columns = [...new Set(COLUMNS[table])];
  const known = database.prepare('SELECT key FROM HashUsers ORDER BY random() LIMIT 1');
  known.setReadBigInts(true);
  const key = prng.chance(0.5) ? (known.get()?.['key'] ?? null) : null;
  const values = columns.map((column, i) =>
    i === 0 && key !== null && !/Collision|Chunk/.test(table)
      ? key
      : column === 'key' && /Collision/.test(table)
        ? prng.pick(STREAMS)
        : valueOf(prng)
  );
  const places = columns.map(() => '?').join(', ');
  database
    .prepare(`INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
    .run(...values);
  return `${table} has ${values.map(textOf).join(', ')}`;
}

/** Rows in an order that does not depend on SQLite's. */
function rowOf(database: DatabaseSync, table: string, prng: Prng): bigint | undefined {
  const select = database.prepare(`SELECT rowid AS id FROM ${table} ORDER BY rowid`);
  select.setReadBigInts(true);
  const rows = select.all();
  return rows.length === 0 ? undefined : (prng.pick(rows)['id'] as bigint);
}

function changeCheckpoint(database: DatabaseSync, prng: Prng): string | undefined {
  const stored = database.prepare('SELECT value FROM Checkpoint').get()?.['value'];
  if (typeof stored !== 'string') return undefined;
  const number = () => String(prng.chance(0.4) ? prng.pick(NUMBERS) : prng.below(40_000));
  const changed = prng.pick([
    () => stored.replace(/"checkpointStage":"\w+"/, `"checkpointStage":"${prng.pick(STAGES)}"`),
    () => stored.replace(/"position":\d+/, `"position":${number()}`),
    () => stored.replace(/"eventNumber":\d+/, `"eventNumber":${number()}`),
    () => stored.replace(/"threshold":-?\d+/, `"threshold":${number()}`),
    () =>
      stored.replace(
        /"effectiveNow":"[^"]*"/,
        `"effectiveNow":"${prng.pick(['9999-12-31T00:00:00Z', 'x', '2020-01-01T00:00:00', '0001-01-01T00:00:00Z'])}"`
      ),
    () => stored.replace(/"doneLogicalChunkNumber":\d+/, `"doneLogicalChunkNumber":${number()}`),
    () => stored.replace(/\}$/, `,"doneLogicalChunkNumber":${number()}}`),
    () => stored.slice(0, prng.below(stored.length)),
    () => '['.repeat(2000)
  ])();
  if (changed === stored) return undefined;
  database.prepare('UPDATE Checkpoint SET value = ?').run(changed);
  return `checkpoint is ${changed.slice(0, 250)}`;
}

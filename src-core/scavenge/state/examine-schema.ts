/**
 * Looks at the tables of a file before it is used as scavenge state: those of another program must not get ours among
 * them, and a state whose tables have other columns is damaged. Only reads.
 */
import { DatabaseSync } from 'node:sqlite';
import { SCHEMA } from './state-schema.ts';

const VERSION_TABLE = 'SchemaVersion';

/** Columns by table. */
type Tables = Map<string, string>;

let own: Tables | undefined;

/** What speaks against using the file, as the end of a sentence; undefined when nothing does. */
export function foreignTable(database: DatabaseSync): string | undefined {
  own ??= ownTables();
  for (const [name, columns] of tablesOf(database)) {
    const expected = own.get(name);
    if (expected === undefined) return `it holds a table "${name}", which is no part of a scavenge state`;
    if (expected !== columns) return `its table ${name} has the columns ${columns} instead of ${expected}`;
  }
  return undefined;
}

/** Newest schema version that the file names; undefined when it names none. */
export function schemaVersionOf(database: DatabaseSync): number | undefined {
  if (!tablesOf(database).has(VERSION_TABLE)) return undefined;
  const rows = database.prepare(`SELECT * FROM ${VERSION_TABLE}`).all();
  const versions = rows.flatMap((row) => Object.values(row).map(Number)).filter(Number.isFinite);
  return versions.length === 0 ? undefined : Math.max(...versions);
}

function ownTables(): Tables {
  const database = new DatabaseSync(':memory:');
  try {
    for (const statement of SCHEMA) database.exec(statement);
    return tablesOf(database);
  } finally {
    database.close();
  }
}

function tablesOf(database: DatabaseSync): Tables {
  const rows = database
    .prepare(
      "SELECT tables.name AS name, group_concat(columns.name, ', ') AS columns " +
        "FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' " +
        "AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' GROUP BY tables.name"
    )
    .all();
  return new Map(rows.map((row) => [String(row['name']), String(row['columns'])]));
}

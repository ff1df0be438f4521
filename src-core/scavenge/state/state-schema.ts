/**
 * Tables of the scavenge state, in the words of the server: the text of each statement is part of the file and
 * is kept to the letter. Meaning of the columns: docs/format/scavenge-state.md.
 */

const INDENT = '\n\t\t\t\t\t';

function table(name: string, columns: string[]): string {
  return `CREATE TABLE IF NOT EXISTS ${name} (${INDENT}${columns.join(`,${INDENT}`)})`;
}

const METASTREAM_COLUMNS = ['isTombstoned INTEGER DEFAULT 0', 'discardPoint INTEGER NULL'];
const ORIGINAL_COLUMNS = [
  'isTombstoned      INTEGER DEFAULT 0',
  'maxAge            INTEGER NULL',
  'maxCount          INTEGER NULL',
  'truncateBefore    INTEGER NULL',
  'discardPoint      INTEGER DEFAULT 0',
  'maybeDiscardPoint INTEGER DEFAULT 0',
  'status            INTEGER DEFAULT 0'
];

export const SCHEMA: readonly string[] = [
  'CREATE TABLE IF NOT EXISTS SchemaVersion (version Integer PRIMARY KEY)',
  table('HashCollisions', ['key TEXT PRIMARY KEY']),
  // INT, not INTEGER: a tree of its own beside the row id.
  table('HashUsers', ['key INT PRIMARY KEY', 'value TEXT NOT NULL']),
  table('MetastreamDatas', ['key INTEGER PRIMARY KEY', ...METASTREAM_COLUMNS]),
  table('MetastreamDataCollisions', ['key TEXT PRIMARY KEY', ...METASTREAM_COLUMNS]),
  table('OriginalStreamDatas', ['key INTEGER PRIMARY KEY', ...ORIGINAL_COLUMNS]),
  'CREATE INDEX IF NOT EXISTS OriginalStreamDatasKeyStatus ON OriginalStreamDatas (status, key)',
  table('OriginalStreamDataCollisions', ['key TEXT PRIMARY KEY', ...ORIGINAL_COLUMNS]),
  'CREATE INDEX IF NOT EXISTS OriginalStreamDataCollisionsKeyStatus ON OriginalStreamDataCollisions (status, key)',
  table('Checkpoint', ['key Integer PRIMARY KEY', 'value Text NOT NULL']),
  table('ChunkTimeStampRanges', ['key INTEGER PRIMARY KEY', 'min INTEGER', 'max INTEGER']),
  table('ChunkWeights', ['key INTEGER PRIMARY KEY', 'value REAL NOT NULL'])
];

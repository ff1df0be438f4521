/**
 * Connections to the file of a scavenge state. Anyone who can write to the index directory can put anything into it,
 * so each connection is one on which the file cannot make SQLite run what it holds: no functions in its schema, no
 * extensions, no writing past the tables. What the file holds is examined (examine-state.ts) before any statement on
 * its tables runs.
 */
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../../errors.ts';
import { requireRegularDatabase } from '../../storage/node-regular-file.ts';

/** No name or checkpoint is longer: a record of the log is not. */
const LONGEST_VALUE_BYTES = 64 * 1024 * 1024;
/** How long a reader waits where the writer holds the file for a moment. */
const READ_PATIENCE_MS = 10_000;

/** SQLite refuses longer paths, with words that say nothing of it: a journal beside the file must have room too. */
const LONGEST_PATH_BYTES = 504;

/** Throws StorageFailed. */
export function requireShortPath(path: string): void {
  const length = new TextEncoder().encode(path).length;
  if (length <= LONGEST_PATH_BYTES) return;
  throw new EngineError({
    code: 'StorageFailed',
    message: `The path of the scavenge state ${path} is too long: ${length} bytes, and SQLite takes ${LONGEST_PATH_BYTES}.`,
    remedy: 'Mount the index directory, or the database, at a shorter path.',
    details: { file: path, reason: 'pathTooLong', expected: LONGEST_PATH_BYTES, found: length }
  });
}

/** `:memory:`, the path of a file, or its address with what SQLite is told there. */
export function connectState(
  location: string | URL,
  { readOnly = false }: { readOnly?: boolean } = {}
): DatabaseSync {
  const path = typeof location === 'string' ? location : fileURLToPath(location);
  requireShortPath(path);
  requireRegularDatabase(path);
  const database = new DatabaseSync(location, {
    readOnly,
    allowExtension: false,
    defensive: true,
    enableForeignKeyConstraints: false,
    limits: { length: LONGEST_VALUE_BYTES, triggerDepth: 0, likePatternLength: 64 },
    ...(readOnly ? { timeout: READ_PATIENCE_MS } : {})
  });
  try {
    database.exec('PRAGMA trusted_schema = OFF');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

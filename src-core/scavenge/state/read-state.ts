/**
 * Opens a scavenge state for reading, and leaves every file as it is: no locks that a server minds, no files made,
 * no time changed, also where the directory cannot be written.
 *
 * What the main file holds is all there is as long as nothing waits in the write-ahead log; then SQLite takes the file
 * as one that nobody changes (`immutable`), and the reader checks at the end whether that was so. What waits in the
 * log of a run, or of one that was killed, counts: both files are copied. Where they are too large for that SQLite reads
 * them with the log's index beside them and writes none (`readonly_shm`); as root it gives log and index the owner that
 * they have, which touches the time of their last change of state and nothing else.
 */
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { EngineError } from '../../errors.ts';
import { requireRegularDatabase } from '../../storage/node-regular-file.ts';
import { sizeOf } from '../../storage/file-size.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { connectState } from './connect-state.ts';
import { examineState } from './examine-state.ts';
import { copyState } from './state-file.ts';
import { stateProblem } from './state-error.ts';

const WAL_HEADER_BYTES = 32;
const READING_CACHE_KIB = 64 * 1024;
/** Of file and log together. */
const MOST_COPIED_BYTES = 64 * 1024 * 1024;
/** Looks while a run writes, before it counts as in use. */
const ATTEMPTS = 4;

export interface ReadState {
  fileSystem: FileSystem;
  path: string;
  /** Makes an empty directory for a copy and gives its path; it is removed at the end. Called only where one is needed. */
  makeScratch: () => string;
  /** The schema is examined, pages and rows are not. */
  isQuick?: boolean;
  /** For tests. */
  mostCopiedBytes?: number;
}

/** An open state. The caller that opened it closes it. */
export interface StateReading {
  database: DatabaseSync;
  /** Tables that a run had not made yet are missing. */
  isComplete: boolean;
  /** The file changed while it was read: discard what was read. */
  wasChanged(): boolean;
  close(): void;
}

/** undefined when there is no state: nothing, or an empty file. Throws what speaks against the file. */
export function openStateToRead(options: ReadState): StateReading | undefined {
  const { fileSystem, path, isQuick = false } = options;
  // A pipe or a device has no size either, and is not an empty state.
  requireRegularDatabase(path);
  if (!fileSystem.describe(path)?.size) return undefined;
  let opened: Opened | undefined;
  try {
    opened = open(options);
    opened.database.exec(`PRAGMA cache_size = -${READING_CACHE_KIB}`);
    const { isComplete } = examineState(opened.database, path, { isQuick });
    return { ...opened, isComplete };
  } catch (error) {
    const wasChanged = opened?.wasChanged() === true;
    opened?.close();
    throw wasChanged ? stateInUse(path) : stateProblem(error, path);
  }
}

/** Reads a state, again if it changed meanwhile. undefined if there is none. */
export function lookAtState<T>(options: ReadState, look: (reading: StateReading) => T): T | undefined {
  for (let attempt = 1; ; attempt++) {
    let reading: StateReading | undefined;
    try {
      reading = openStateToRead(options);
      if (!reading) return undefined;
      const seen = look(reading);
      if (!reading.wasChanged()) return seen;
      if (attempt === ATTEMPTS) throw stateInUse(options.path);
    } catch (error) {
      const isInUse = error instanceof EngineError && error.code === 'DatabaseInUse';
      if (attempt === ATTEMPTS || !(isInUse || reading?.wasChanged()))
        throw stateProblem(error, options.path);
    } finally {
      reading?.close();
    }
  }
}

type Opened = Omit<StateReading, 'isComplete'>;

function open({ fileSystem, path, makeScratch, mostCopiedBytes = MOST_COPIED_BYTES }: ReadState): Opened {
  const waiting = sizeOf(fileSystem, `${path}-wal`);
  if (waiting <= WAL_HEADER_BYTES) {
    const before = markOf(fileSystem, path);
    const database = connectState(addressOf(path, { immutable: '1' }), { readOnly: true });
    return {
      database,
      wasChanged: () => markOf(fileSystem, path) !== before,
      close: () => database.close()
    };
  }
  const isLarge = waiting + sizeOf(fileSystem, path) > mostCopiedBytes;
  const withIndex = isLarge ? openWithIndex(fileSystem, path) : undefined;
  return withIndex ?? openCopy(fileSystem, path, makeScratch());
}

function openWithIndex(fileSystem: FileSystem, path: string): Opened | undefined {
  if (!fileSystem.describe(`${path}-shm`)?.size) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = connectState(addressOf(path, { mode: 'ro', readonly_shm: '1' }), { readOnly: true });
    // One view for the whole look, whatever a run commits meanwhile.
    database.exec('BEGIN');
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    const opened = database;
    return { database: opened, wasChanged: () => false, close: () => opened.close() };
  } catch {
    database?.close();
    return undefined; // its index cannot be read, or is of no use: the copy says what the matter is
  }
}

function openCopy(fileSystem: FileSystem, path: string, scratchDirectory: string): Opened {
  const copy = fileSystem.join(scratchDirectory, 'state.db');
  const remove = () => fileSystem.removeDirectory(scratchDirectory);
  try {
    for (let attempt = 1; !copyWhole(fileSystem, path, copy); attempt++) {
      if (attempt === ATTEMPTS) throw stateInUse(path);
    }
    const database = connectState(copy);
    return {
      database,
      wasChanged: () => false,
      close: () => {
        database.close();
        remove();
      }
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Copies file and log. The log only grows until it is restarted, which changes its header; so a log that is copied
 * last and has the header that it had at first holds whatever a run put into the file meanwhile.
 */
function copyWhole(fileSystem: FileSystem, path: string, copy: string): boolean {
  for (const name of [copy, `${copy}-wal`]) fileSystem.remove(name);
  const before = walHeaderOf(fileSystem, path);
  copyState(fileSystem, path, copy);
  return before === walHeaderOf(fileSystem, path);
}

function walHeaderOf(fileSystem: FileSystem, path: string): string {
  const log = `${path}-wal`;
  if (fileSystem.describe(log) === undefined) return '';
  const header = Buffer.alloc(WAL_HEADER_BYTES);
  const file = fileSystem.open(log, 'read');
  try {
    return header.toString('hex', 0, file.read(header, 0, header.length, 0));
  } finally {
    file.close();
  }
}

function markOf(fileSystem: FileSystem, path: string): string {
  const facts = [path, `${path}-wal`].map((name) => fileSystem.describe(name));
  return facts.map((fact) => (fact ? `${fact.inode} ${fact.size} ${fact.modifiedMs}` : '')).join(' | ');
}

function addressOf(path: string, parameters: Record<string, string>): URL {
  const address = pathToFileURL(path);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address;
}

function stateInUse(path: string): EngineError {
  return new EngineError({
    code: 'DatabaseInUse',
    message: `The scavenge state ${path} changes while it is being read: a scavenge is writing to it.`,
    remedy: 'Try again in a moment, or wait for the scavenge to end.',
    details: { file: path }
  });
}

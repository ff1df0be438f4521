/**
 * How operations open a database: relative paths start at the engine's working directory, and what was opened
 * is always closed again.
 */
import path from 'node:path';
import {
  isReadFault,
  isUndoUnfinished,
  KeptChunkSets,
  openDatabase,
  ticksFromIso,
  ticksFromMs,
  invalidRequest,
  isBetweenDatabases,
  type Database,
  type FileSystem,
  isFileGone
} from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import type { DatabaseLocation } from '../../contract/operations/operation-contract.ts';
import { ExchangeWatch } from './exchanged-directory.ts';

/** Kept facts about the chunk files of a few directories, shared by reads; each file system has its own. */
const keptSets = new WeakMap<FileSystem, KeptChunkSets>();
const KEPT_DIRECTORIES = 4;

function keptBy({ fileSystem }: OperationContext): KeptChunkSets {
  const kept = keptSets.get(fileSystem) ?? new KeptChunkSets(KEPT_DIRECTORIES);
  keptSets.set(fileSystem, kept);
  return kept;
}

/** Call after an operation that writes: a file may have changed although its name and the writer's position are the same. */
export function forgetKept(context: OperationContext): void {
  keptBy(context).clear();
}

/** Runs that have already reported what else is going on in the directory. */
const told = new WeakSet<OperationContext>();

/**
 * Opens the database of a request; the caller closes it. Logs a warning if a server has it open too, or where a restore or
 * an undo left it half of one database and half of another.
 */
export function openRequested(
  request: DatabaseLocation,
  context: OperationContext,
  kept?: KeptChunkSets
): Database {
  const database = openDatabase({
    fileSystem: context.fileSystem,
    kept,
    dataDirectory: path.resolve(request.dataDirectory),
    indexDirectory: request.indexDirectory === undefined ? undefined : path.resolve(request.indexDirectory)
  });
  if (!told.has(context)) {
    tellOfUse(database.inUse, context);
    tellOfUnfinished(database, context);
  }
  return database;
}

/** Warns that a server has the database of a request open, if the request's own work opens it later. */
export function warnOfUse({ dataDirectory }: DatabaseLocation, context: OperationContext): void {
  const writer = path.join(path.resolve(dataDirectory), 'writer.chk');
  tellOfUse(context.fileSystem.lockHolder(writer) ?? null, context);
}

function tellOfUse(inUse: Database['inUse'], context: OperationContext): void {
  if (!inUse) return;
  told.add(context);
  const pid = inUse.pid === null ? '' : `, process ${inUse.pid}`;
  const message = `The database is open in ${inUse.by}${pid}: this is its content at this moment.`;
  context.log({ level: 'warning', message });
}

/** A running scavenge keeps replacing files, but not this often while a few are read. */
const ATTEMPTS = 4;

/**
 * Runs `work`, which only reads, on the database of a request and closes it. A file that was there when the
 * directory was listed and is gone when it is read was replaced meanwhile, by a running server or by a scavenge of
 * ours: the directory is read again. DatabaseInUse where a fault is met and another database was put in its place
 * meanwhile. Reads the header and footer of every chunk; for a look at one place of the log there is `lookIntoDatabase`.
 */
export async function withDatabase<T>(
  request: DatabaseLocation,
  context: OperationContext,
  work: (database: Database, watch: ExchangeWatch) => Promise<T> | T
): Promise<T> {
  // Over all attempts: what is exchanged during the first one may look whole, and be another database, in the next.
  const watch = new ExchangeWatch(context.fileSystem, request);
  for (let attempt = 1; ; attempt++) {
    try {
      return await withOpened(openRequested(request, context), (database) => work(database, watch));
    } catch (error) {
      if (attempt === ATTEMPTS || !isFileGone(error)) throw watch.faultOf(error);
    }
  }
}

/**
 * The same for looks that come one after the other, as a person clicks: opens the files that the answer lies in, and
 * those of the other chunks only when the directory has changed since the look before. A fault that is found so is
 * told only when it is found again with nothing kept.
 */
export async function lookIntoDatabase<T>(
  request: DatabaseLocation,
  context: OperationContext,
  work: (database: Database) => Promise<T> | T
): Promise<T> {
  try {
    return await withOpened(openRequested(request, context, keptBy(context)), work);
  } catch (error) {
    if (!isFileGone(error) && !isReadFault(error)) throw error;
    forgetKept(context);
    return withDatabase(request, context, work);
  }
}

async function withOpened<T>(database: Database, work: (database: Database) => Promise<T> | T): Promise<T> {
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

function tellOfUnfinished(
  { fileSystem, dataDirectory, unfinishedRestore }: Database,
  context: OperationContext
): void {
  const work =
    unfinishedRestore && isBetweenDatabases(unfinishedRestore)
      ? `A restore of ${unfinishedRestore.backup} into ${dataDirectory}`
      : isUndoUnfinished(fileSystem, dataDirectory)
        ? `Undoing a scavenge of ${dataDirectory}`
        : undefined;
  if (work === undefined) return;
  told.add(context);
  const message = `${work} is unfinished: what is read here may be of two databases, or missing. "winnow inspect" says how to finish it.`;
  context.log({ level: 'warning', message });
}

/** The time as of which ages are judged: the request's, else the clock's. */
export function requestedNow(now: string | undefined, context: OperationContext): bigint {
  if (now === undefined) return ticksFromMs(context.clock());
  const ticks = ticksFromIso(now);
  if (ticks === undefined) {
    throw invalidRequest(
      `"${now}" is not a time.`,
      'now',
      'Write it in ISO 8601, such as 2026-01-31T18:00:00Z.'
    );
  }
  return ticks;
}

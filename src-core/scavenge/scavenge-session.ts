/**
 * A database opened for a scavenge or its plan: log and index, whole and fit to be scavenged, or an error that says
 * why not. Opened again after a scavenge point was written.
 */
import { openDatabase, type Database } from '../database/database.ts';
import { requireWriterCheckpoint } from '../database/writer-checkpoint.ts';
import { EngineError, indexCorrupt } from '../errors.ts';
import type { IndexDirectory } from '../index/index-directory.ts';
import { openIndexDirectory, openStreamIndex, type StreamIndex } from '../index/stream-index.ts';
import type { PreparedHeads } from '../digest/prepared-heads.ts';
import { hashStream, type StreamHasher } from '../index/stream-hash.ts';
import { problemAsError } from '../log/log-problem.ts';
import { requestedTruncation } from '../log/truncation.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { ObstacleWatch } from './find-obstacle.ts';
import type { RunControl } from './run-control.ts';
import { KeptCalculation } from './state/memory/kept-calculation.ts';

export interface OpenSession {
  fileSystem: FileSystem;
  /** Where the database is: a request that names it. */
  location: { dataDirectory: string; indexDirectory?: string | undefined };
  hasher?: StreamHasher | undefined;
  control: RunControl;
  /** Of a question: then no chunk is read that is known already. */
  heads?: PreparedHeads | undefined;
}

export interface ScavengeSession {
  database: Database;
  index: StreamIndex;
  /** Where opening it has met no record that no scavenge can pass. */
  clear: ObstacleWatch;
  /** Of a question: what an earlier one has calculated. */
  kept: KeptCalculation | undefined;
  close(): void;
}

/** A database fit to be scavenged, with its index tables: what is known before the log after them is read. */
export interface ScavengeFiles {
  database: Database;
  directory: IndexDirectory;
  close(): void;
}

export function openFiles({ fileSystem, location, hasher }: OpenSession): ScavengeFiles {
  const { dataDirectory, indexDirectory } = location;
  const database = openDatabase({ fileSystem, dataDirectory, indexDirectory });
  try {
    requireFit(database);
    const directory = openIndexDirectory({
      fileSystem,
      directory: database.indexDirectory,
      log: database.log,
      ...(hasher ? { hasher } : {})
    });
    const close = () => {
      directory.close();
      database.close();
    };
    return { database, directory, close };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** `files`: opened before; they are closed with the session, or when it cannot be opened. */
export async function openSession(
  options: OpenSession,
  files: ScavengeFiles = openFiles(options)
): Promise<ScavengeSession> {
  const { fileSystem, hasher, control, heads } = options;
  const { database, directory } = files;
  try {
    if (heads) {
      await heads.prepare(database.log.chunks);
      database.log.useHeads(heads);
    }
    const clear = new ObstacleWatch();
    const { log } = database;
    const index = await openStreamIndex({
      fileSystem,
      directory,
      log,
      recentLog: {
        cursor: (from, to) => log.cursor(from, to),
        heads: (from, to) => clear.over(log.heads(from, to), from, to)
      },
      ...(hasher ? { hasher } : {}),
      knownRecent: heads && ((range) => heads.recentEntries(database.log, range)),
      breathe: () => control.breathe()
    });
    if (!index.directory.isUsable) throw damagedIndex(index);
    const isServers = hasher === undefined || hasher === hashStream;
    const kept = heads && isServers ? new KeptCalculation(heads, index.directory) : undefined;
    return { database, index, clear, kept, close: () => files.close() };
  } catch (error) {
    files.close();
    throw error;
  }
}

function requireFit(database: Database): void {
  requireWriterCheckpoint(database);
  const encrypted = database.problems.find(({ code }) => code === 'encrypted');
  if (encrypted) throw problemAsError(encrypted);
  database.requireWhole();
  const truncate = requestedTruncation(database.checkpoints.truncate);
  if (truncate !== undefined) {
    throw new EngineError({
      code: 'InvalidRequest',
      message: `truncate.chk requests a truncation of the log at position ${truncate}; that must come before a scavenge.`,
      remedy:
        'Truncate it with "winnow restore --finish --to DB", or start the server once, which does so, and stop it. Then scavenge.',
      details: { file: 'truncate.chk', position: truncate }
    });
  }
}

function damagedIndex(index: StreamIndex): EngineError {
  const problem = index.directory.problems.find(({ severity }) => severity === 'damage');
  return indexCorrupt(problem?.message ?? 'The index cannot be used.', {
    ...(problem?.file ? { file: problem.file } : {}),
    ...(problem?.offset === null || problem?.offset === undefined ? {} : { offset: problem.offset })
  });
}

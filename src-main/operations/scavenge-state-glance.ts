/**
 * A look at the scavenge state beside an index, without changing it: how far a scavenge came, and the weights it
 * left. The file is SQLite in WAL mode. Where nothing waits in the WAL it is opened as immutable, which takes no
 * locks and makes no files; after a kill the WAL holds the newest pages, so it has to be opened together with it.
 * A state that cannot be read is told as such and never stands in the way of looking at the database.
 */
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import {
  decodeScavengeCheckpoint,
  ticksToIso,
  type Database,
  type FileSystem
} from '../../src-core/index.ts';

export interface ScavengeStateGlance {
  /** As `accumulating` or `done`; `none` before the first checkpoint, `unreadable` where it says something else. */
  stage: string;
  scavengePoint: number | null;
  effectiveNow: string | null;
  /** By logical chunk number. */
  weights: ReadonlyMap<number, number>;
}

/** Path of the state file of a database. */
export function scavengeStatePath(database: Database): string {
  return database.fileSystem.join(database.indexDirectory, 'scavenging', 'scavenging.db');
}

/** undefined when there is no state. */
export function glanceAtScavengeState(database: Database): ScavengeStateGlance | undefined {
  const { fileSystem } = database;
  const path = scavengeStatePath(database);
  const facts = fileSystem.describe(path);
  if (!facts || facts.size === 0) return undefined;
  const sharedMemory = `${path}-shm`;
  const hadSharedMemory = fileSystem.describe(sharedMemory) !== undefined;
  let sqlite: DatabaseSync | undefined;
  try {
    sqlite = openWithoutTraces(fileSystem, path);
    return read(sqlite);
  } catch {
    return { stage: 'unreadable', scavengePoint: null, effectiveNow: null, weights: new Map() };
  } finally {
    sqlite?.close();
    if (!hadSharedMemory && fileSystem.describe(sharedMemory)) fileSystem.remove(sharedMemory);
  }
}

function openWithoutTraces(fileSystem: FileSystem, path: string): DatabaseSync {
  const waiting = fileSystem.describe(`${path}-wal`)?.size ?? 0;
  if (waiting > 0) {
    const sqlite = new DatabaseSync(path, { readOnly: true });
    try {
      sqlite.prepare('SELECT count(*) FROM Checkpoint').get();
      return sqlite;
    } catch {
      sqlite.close(); // the directory cannot be written, so SQLite cannot join the WAL: what is older must do
    }
  }
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

function read(sqlite: DatabaseSync): ScavengeStateGlance {
  const row = sqlite.prepare('SELECT value FROM Checkpoint WHERE key = 0').get();
  const weights = new Map<number, number>();
  for (const { key, value } of sqlite.prepare('SELECT key, value FROM ChunkWeights').all()) {
    weights.set(Number(key), Number(value));
  }
  if (!row) return { stage: 'none', scavengePoint: null, effectiveNow: null, weights };
  const checkpoint = decodeScavengeCheckpoint(String(row['value']));
  if (!checkpoint) return { stage: 'unreadable', scavengePoint: null, effectiveNow: null, weights };
  return {
    stage: checkpoint.stage,
    scavengePoint: checkpoint.scavengePoint.number,
    effectiveNow: ticksToIso(checkpoint.scavengePoint.effectiveNow),
    weights
  };
}

/**
 * The results of checks of a database, kept in WINNOW_HOME with the identity of the checked files:
 * `health/HASH-doctor.json` and `health/HASH-verify.json`, one for each kind, so that two processes never overwrite
 * each other's results. An unreadable file counts as no check. docs/decisions/0031-one-health.md
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import {
  replacesCheck,
  type FileSystem,
  type HealthCheck,
  type KeptCheck,
  type CheckValidity
} from '../../../src-core/index.ts';
import { readJsonFile, writeJsonFile } from '../../settings/json-file.ts';
import { keptCheckFile, type KeptCheckFile } from '../../contract/operations/health-reports.ts';
import type { OperationContext } from '../operation.ts';
import { databaseState, shortHash, type DatabaseDirectories } from '../plan/plan-state.ts';

export interface HealthPlace extends DatabaseDirectories {
  /** Our own data. Without it nothing is kept. */
  winnowHome?: string | undefined;
}

type KeptKind = 'doctor' | 'verify';

/** Stays the same for an unchanged directory, even if it was read. Reads checkpoints and index map, else names and times. */
export function directoryIdentity(fileSystem: FileSystem, place: DatabaseDirectories): string {
  return shortHash(JSON.stringify(databaseState(fileSystem, place)));
}

/**
 * Stores the result of a check. `directory`: the identity of the files, taken before they were read, so that what changed
 * meanwhile counts as changed. If it cannot be stored, the check still succeeds and only the log says so.
 */
export function keepCheck(
  check: HealthCheck | undefined,
  { place, directory }: { place: HealthPlace; directory: string },
  { fileSystem, log }: Pick<OperationContext, 'fileSystem' | 'log'>
): void {
  if (check === undefined || check.by === 'inspect' || place.winnowHome === undefined) return;
  const directories = directoriesOf(place);
  const last = readKept(place, check.by);
  if (last && !replacesCheck(last.check, check, last.directory === directory)) return;
  const kept: KeptCheckFile = {
    ...directories,
    directory,
    check: { ...check, damage: [...check.damage] },
    damagedFiles: damagedFiles(check, directories, fileSystem)
  };
  try {
    writeJsonFile(keptFileOf(place, check.by)!, kept);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    log({ level: 'warning', message: `The result of this check could not be stored: ${why}` });
  }
}

/** undefined: none, or none that can be read. */
export function keptCheck(
  place: HealthPlace,
  { by, directory }: { by: KeptKind; directory: string },
  fileSystem: FileSystem
): KeptCheck | undefined {
  const kept = readKept(place, by);
  return kept && { check: kept.check, validity: validityOf(kept, directory, fileSystem) };
}

function readKept(place: HealthPlace, by: KeptKind): KeptCheckFile | undefined {
  const file = keptFileOf(place, by);
  const kept = file === undefined ? undefined : readJsonFile(file, keptCheckFile);
  return kept?.check.by === by ? kept : undefined;
}

function validityOf(kept: KeptCheckFile, directory: string, fileSystem: FileSystem): CheckValidity {
  if (kept.directory === directory) return 'current';
  const remains = kept.damagedFiles.some(({ file, size, modifiedMs }) => {
    const facts = fileSystem.describe(pathOf(file, kept));
    return facts?.size === size && facts.modifiedMs === modifiedMs;
  });
  return remains ? 'damageRemains' : 'outdated';
}

/** Damage within one file: as long as the file is unchanged, so is the damage, even if others change. */
const OF_FILE = new Set([
  'chunkHashMismatch',
  'chunkHeaderInvalid',
  'chunkFooterInvalid',
  'tableHashMismatch',
  'tableInvalid'
]);

function damagedFiles(
  { damage }: HealthCheck,
  directories: Required<DatabaseDirectories>,
  fileSystem: FileSystem
): KeptCheckFile['damagedFiles'] {
  const names = new Set(damage.map(({ code, file }) => (OF_FILE.has(code) ? file : null)));
  return [...names].flatMap((file) => {
    if (file === null) return [];
    const facts = fileSystem.describe(pathOf(file, directories));
    return facts?.isDirectory === false ? [{ file, size: facts.size, modifiedMs: facts.modifiedMs }] : [];
  });
}

/** The path of a file as findings name it: in the data directory, or in the index directory. */
function pathOf(file: string, { dataDirectory, indexDirectory }: DatabaseDirectories): string {
  return path.join(file.startsWith('chunk-') ? dataDirectory : (indexDirectory ?? dataDirectory), file);
}

/** A file of our own about one database, below WINNOW_HOME; undefined: nothing is kept. */
export function keptFileOf(place: HealthPlace, kind: KeptKind | 'findings'): string | undefined {
  if (place.winnowHome === undefined) return undefined;
  const { dataDirectory, indexDirectory } = directoriesOf(place);
  const name = createHash('sha256').update(`${dataDirectory}\n${indexDirectory}`).digest('hex').slice(0, 32);
  return path.join(path.resolve(place.winnowHome), 'health', `${name}-${kind}.json`);
}

/** Absolute, with links resolved: one directory has one health, whatever path it is opened by. */
export function directoriesOf(place: DatabaseDirectories): { dataDirectory: string; indexDirectory: string } {
  const dataDirectory = real(place.dataDirectory);
  return { dataDirectory, indexDirectory: real(place.indexDirectory ?? path.join(dataDirectory, 'index')) };
}

function real(directory: string): string {
  const resolved = path.resolve(directory);
  try {
    return realpathSync(resolved);
  } catch {
    return resolved; // it does not exist, or may not be read
  }
}

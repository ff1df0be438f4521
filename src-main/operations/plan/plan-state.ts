/**
 * The state that a plan is based on, as short hashes: one for each part that is read to make it. Cheap, because no
 * file is read as a whole except checkpoints, index map and the marks of unfinished work: of all others name, size and time
 * of the last change count. Stays the same for an unchanged directory, even if it was read.
 *
 * Locks, empty and missing directories, and SQLite's shared memory (`-shm`) say nothing about the state.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import {
  detachedStateDirectory,
  readWholeFile,
  listKept,
  RESTORE_LOCK,
  RESTORE_MARKER,
  STATE_DIRECTORY,
  STATE_FILE,
  type Catalogue,
  type ChunkDonor,
  type FileSystem,
  type Manifest,
  type RestoreSource,
  entriesIn,
  sizeOf
} from '../../../src-core/index.ts';

/** Its name for error messages, and its hash. */
export type StatePart = readonly [name: string, hash: string];

export interface DatabaseDirectories {
  dataDirectory: string;
  indexDirectory?: string | undefined;
}

/** Where to look for the state of a detached scavenge; nowhere without. */
export interface DetachedHome {
  home?: string | undefined;
}

/** Ten hexadecimal digits: against accidents, not against forgery, since a forger could simply run without a plan. */
export function shortHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 10);
}

/** Chunks, checkpoints, index and scavenge state of a database. */
export function databaseState(
  fileSystem: FileSystem,
  { dataDirectory, indexDirectory, home }: DatabaseDirectories & DetachedHome
): StatePart[] {
  const data = path.resolve(dataDirectory);
  const index = path.resolve(indexDirectory ?? path.join(data, 'index'));
  const names = namesIn(fileSystem, data).filter((name) => name !== RESTORE_LOCK);
  const isMark = (name: string): boolean => name.endsWith('.chk') || name === RESTORE_MARKER;
  const marks = names.filter(isMark);
  const files = names.filter((name) => !isMark(name));
  return [
    ['chunk files', shortHash(factsOf(fileSystem, data, files))],
    ['checkpoints', shortHash(contentOf(fileSystem, data, marks))],
    ['index', shortHash(indexState(fileSystem, index))],
    ['scavenge state', shortHash(scavengeStates(fileSystem, { data, index, home }))]
  ];
}

/** What scavenges replaced and is kept. */
export function keptState(fileSystem: FileSystem, dataDirectory: string): StatePart {
  const kept = listKept({ fileSystem, dataDirectory }).map((one) =>
    'manifest' in one ? one.manifest : one.id
  );
  return ['replaced files', shortHash(JSON.stringify(kept))];
}

/** The backup that files come from: its manifest, or the files of a copy made by hand. */
export function restoreSourceState(fileSystem: FileSystem, source: RestoreSource): StatePart {
  const { manifest, places, checkpoints, files } = source;
  if (manifest) return manifestState(manifest);
  const found = places.map((place) => factsOf(fileSystem, place, namesIn(fileSystem, place)));
  return ['backup', shortHash(JSON.stringify([checkpoints, files, found]))];
}

export function donorState(
  fileSystem: FileSystem,
  { donor, manifest }: { donor: ChunkDonor; manifest: Manifest | null }
): StatePart {
  if (manifest) return manifestState(manifest);
  const names = donor.chunks.map(({ fileName }) => fileName).sort();
  return ['backup', shortHash(factsOf(fileSystem, donor.description, names))];
}

function manifestState(manifest: Manifest): StatePart {
  return ['backup', shortHash(JSON.stringify(manifest))];
}

/** Everything that a retention judges and removes. */
export function catalogueState({ backups, unfinished, remains, damaged }: Catalogue): StatePart {
  return ['backups', shortHash(JSON.stringify([backups, unfinished, remains, damaged.map(({ id }) => id)]))];
}

/** Tables and filters by name, size and time, the map by its content. */
function indexState(fileSystem: FileSystem, index: string): string {
  const folders = entriesIn(fileSystem, index)
    .filter(({ name, isDirectory }) => isDirectory && !name.startsWith(STATE_DIRECTORY))
    .map(({ name }) => name)
    .sort();
  const names = namesIn(fileSystem, index);
  const others = names.filter((name) => name !== 'indexmap');
  return JSON.stringify([
    contentOf(fileSystem, index, ['indexmap']),
    factsOf(fileSystem, index, others),
    folders
      .map((name) => path.join(index, name))
      .map((folder) => factsOf(fileSystem, folder, namesIn(fileSystem, folder)))
      .filter((facts) => facts !== NOTHING)
  ]);
}

/** The state shared with the server, and that of a detached run. An empty journal is the same as none. */
function scavengeStates(
  fileSystem: FileSystem,
  { data, index, home }: { data: string; index: string; home: string | undefined }
): string {
  const directories = [
    path.join(index, STATE_DIRECTORY),
    ...(home === undefined ? [] : [detachedStateDirectory(fileSystem, path.resolve(home), data)])
  ];
  const names = [STATE_FILE, `${STATE_FILE}-wal`];
  return JSON.stringify(
    directories.map((directory) =>
      factsOf(
        fileSystem,
        directory,
        names.filter((name) => sizeOf(fileSystem, path.join(directory, name)) > 0)
      )
    )
  );
}

/** Files only, without folders. */
function namesIn(fileSystem: FileSystem, directory: string): string[] {
  return entriesIn(fileSystem, directory)
    .filter(({ isDirectory }) => !isDirectory)
    .map(({ name }) => name)
    .sort();
}

const NOTHING = '[]';

function factsOf(fileSystem: FileSystem, directory: string, names: readonly string[]): string {
  return JSON.stringify(
    names.map((name) => {
      const facts = fileSystem.describe(path.join(directory, name));
      return [name, facts?.size ?? null, facts?.modifiedMs ?? null];
    })
  );
}

/** Larger files are identified by name, size and time. */
const LARGEST_READ_BYTES = 64 * 1024;

/** A server keeps rewriting its checkpoints, even with the same value: only their content counts. */
function contentOf(fileSystem: FileSystem, directory: string, names: readonly string[]): string {
  return JSON.stringify(
    names.map((name) => {
      const file = path.join(directory, name);
      const size = sizeOf(fileSystem, file);
      if (size > LARGEST_READ_BYTES) return factsOf(fileSystem, directory, [name]);
      const bytes = readWholeFile(fileSystem, file);
      return [name, bytes ? shortHash(bytes) : null];
    })
  );
}

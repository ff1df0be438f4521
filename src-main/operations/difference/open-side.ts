/**
 * Opens what a user named as a side of a comparison: the data directory of a node, a backup (DIR@ID, s3://…, or a target, of
 * which the newest backup is meant), the folder of one backup, or a copy of a data directory. Only reads.
 */
import path from 'node:path';
import {
  chooseBackup,
  databaseSide,
  refuseUnfinishedRestore,
  type Database,
  type DifferenceSide,
  type FileSystem,
  type Manifest,
  entriesIn
} from '../../../src-core/index.ts';
import { splitBackupName, openTarget, type TargetAccess } from '../../backup/open-target.ts';
import { isRemoteLocation } from '../../settings/s3-location.ts';
import { openRequested } from '../database/database-access.ts';
import type { OperationContext } from '../operation.ts';
import { decodedSide } from './decoded-side.ts';

export interface NamedSide extends TargetAccess {
  /** As the user wrote it. */
  place: string;
  indexDirectory?: string | undefined;
  /** For the report; else the place. */
  name?: string | undefined;
}

export interface OpenSide {
  /** As the user named it. */
  name: string;
  side: DifferenceSide;
  /** Its files and its index, where they can be read in place. */
  database: Database | undefined;
  /** The backup that it is. */
  manifest: Manifest | undefined;
  close(): Promise<void>;
}

const MANIFEST = 'manifest.json';

/** `scratch`: an empty directory of its own; used for backups that are encoded. */
export async function openSide(
  named: NamedSide,
  scratch: string,
  context: OperationContext
): Promise<OpenSide> {
  const inPlace = plainDirectory(named, context.fileSystem);
  if (inPlace) return openInPlace(named, inPlace, undefined, context);
  const { location, id } = backupName(named.place, context.fileSystem);
  const { keyFile, password, s3Endpoint } = named;
  const open = await openTarget({
    location,
    fileSystem: context.fileSystem,
    threads: 1,
    mustExist: true,
    keyFile,
    password,
    s3Endpoint
  });
  try {
    const manifest = await chooseBackup(open.target, id);
    const folder = isRemoteLocation(location) ? undefined : path.join(path.resolve(location), manifest.id);
    if (folder !== undefined && isWholeIn(manifest)) {
      await open.close();
      return openInPlace(named, insideOf(folder), manifest, context);
    }
    open.requireKeys(manifest);
    const { target, decode } = open;
    const description = `the backup ${manifest.id}`;
    const side = decodedSide({ target, manifest, decode, description, scratch }, context);
    return {
      name: named.name ?? named.place,
      side,
      database: undefined,
      manifest,
      close: () => open.close()
    };
  } catch (error) {
    await open.close();
    throw error;
  }
}

interface Directories {
  dataDirectory: string;
  indexDirectory: string | undefined;
}

function openInPlace(
  named: NamedSide,
  { dataDirectory, indexDirectory }: Directories,
  manifest: Manifest | undefined,
  context: OperationContext
): OpenSide {
  const index = named.indexDirectory ?? indexDirectory;
  const place = index === undefined ? { dataDirectory } : { dataDirectory, indexDirectory: index };
  const database = openRequested(place, context);
  const side = databaseSide(database, context.fileSystem);
  return { name: named.name ?? named.place, side, database, manifest, close: async () => database.close() };
}

/** The directory itself if it holds a log; undefined for what is a backup with a catalogue or a manifest. */
function plainDirectory({ place }: NamedSide, fileSystem: FileSystem): Directories | undefined {
  if (isRemoteLocation(place)) return undefined;
  const directory = path.resolve(place);
  if (!fileSystem.describe(directory)?.isDirectory) return undefined; // may be DIR@ID
  const itself = { dataDirectory: directory, indexDirectory: undefined };
  if (holdsLog(fileSystem, directory)) return itself;
  // Between moving the old log away and the new one in, a restore leaves none: that is no target of backups.
  refuseUnfinishedRestore(fileSystem, directory);
  if (holdsLog(fileSystem, directory)) return itself;
  const isBackup = fileSystem.describe(path.join(directory, MANIFEST)) !== undefined;
  // A snapshot or a copy made by hand may have both directories in one.
  const inside = path.join(directory, 'data');
  return !isBackup && holdsLog(fileSystem, inside) ? insideOf(directory) : undefined;
}

function insideOf(folder: string): Directories {
  return { dataDirectory: path.join(folder, 'data'), indexDirectory: path.join(folder, 'index') };
}

function holdsLog(fileSystem: FileSystem, directory: string): boolean {
  if (fileSystem.describe(path.join(directory, 'writer.chk'))) return true;
  return entriesIn(fileSystem, directory).some(({ name }) => /^chunk-\d{6}\.\d{6}$/.test(name));
}

/** The folder of one backup is as good a name of it as its id. */
function backupName(place: string, fileSystem: FileSystem): { location: string; id: string | undefined } {
  const split = splitBackupName(place);
  if (split.id !== undefined || isRemoteLocation(place)) return split;
  const directory = path.resolve(place);
  const isFolder = fileSystem.describe(directory)?.isDirectory === true;
  if (!isFolder || !fileSystem.describe(path.join(directory, MANIFEST))) return split;
  return { location: path.dirname(directory), id: path.basename(directory) };
}

/** Every file of it is plain and in its own folder. */
function isWholeIn({ id, files }: Manifest): boolean {
  return files.every(({ object, encodings }) => encodings.length === 0 && object.startsWith(`${id}/`));
}

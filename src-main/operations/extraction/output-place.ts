/** Where an extraction writes, by what the user named: a file, or parts in a directory of their own. */
import path from 'node:path';
import { EngineError, invalidRequest, type FileSystem, entriesIn } from '../../../src-core/index.ts';
import type { ExtractFormat } from '../../contract/operations/extraction-requests.ts';

export interface OutputPlace {
  kind: 'file' | 'directory';
  /** Absolute. */
  path: string;
  /** In which files appear. */
  directory: string;
  /** Of the unfinished extraction. */
  stateFile: string;
  /** Name of a part, counted from 0. */
  partName(number: number): string;
}

/** Behind the name of a file that is being written. */
export const UNFINISHED = '.winnow-part';
export const MANIFEST = 'manifest.json';
const STATE = 'winnow-extract.json';

export function outputPlace(to: string, format: ExtractFormat, fileSystem: FileSystem): OutputPlace {
  const place = path.resolve(to);
  const isDirectory = /[/\\]$/.test(to) || fileSystem.describe(place)?.isDirectory === true;
  if (isDirectory) {
    return {
      kind: 'directory',
      path: place,
      directory: place,
      stateFile: path.join(place, `.${STATE}`),
      partName: (number) => `part-${String(number).padStart(5, '0')}.${format}`
    };
  }
  const name = path.basename(place);
  const directory = path.dirname(place);
  return {
    kind: 'file',
    path: place,
    directory,
    stateFile: path.join(directory, `${name}.${STATE}`),
    partName: () => name
  };
}

export interface OutputRequest {
  overwrite: boolean;
  startAfresh: boolean;
  /** Directories of the source: nothing of ours may lie in them. */
  sourceDirectories: readonly string[];
}

/** Throws before anything is written or read. */
export function requireUsable(place: OutputPlace, request: OutputRequest, fileSystem: FileSystem): void {
  for (const source of request.sourceDirectories) {
    if (!isInside(place.path, source)) continue;
    throw invalidRequest(
      `${place.path} lies in ${source}, which is what is read.`,
      '--to',
      'Choose a place outside the database and its backups.'
    );
  }
  const parent = path.dirname(place.path);
  if (!fileSystem.describe(parent)?.isDirectory) {
    throw invalidRequest(`There is no directory ${parent}.`, '--to', 'Create it, or choose another place.');
  }
  if (place.kind === 'file') requireFree(place, request, fileSystem);
  else requireOwnDirectory(place, request, fileSystem);
}

function requireFree(place: OutputPlace, { overwrite }: OutputRequest, fileSystem: FileSystem): void {
  requireReplaceable(place, fileSystem);
  const isUnfinished = fileSystem.describe(place.stateFile) !== undefined;
  if (overwrite || isUnfinished || fileSystem.describe(place.path) === undefined) return;
  throw exists(place.path, 'Choose another name, or have it replaced: the option "overwrite".');
}

/** The new file takes the place of what is there: that must not be a device, a pipe, or a link to somewhere else. */
function requireReplaceable({ path: file, directory }: OutputPlace, fileSystem: FileSystem): void {
  const entry = fileSystem.list(directory)?.find(({ name }) => name === path.basename(file));
  if (!entry) return;
  if (entry.isLink === true) throw exists(file, 'Name the file to which it leads.', 'is a link');
  fileSystem.open(file, 'read').close(); // throws for what is not a regular file
}

/** Of a directory that holds anything else nobody could say later what belongs together. */
function requireOwnDirectory(place: OutputPlace, _request: OutputRequest, fileSystem: FileSystem): void {
  const entries = entriesIn(fileSystem, place.path);
  if (entries.length === 0 || fileSystem.describe(place.stateFile) !== undefined) return;
  const others = entries.filter(({ name }) => !name.endsWith(UNFINISHED) && !name.endsWith('.tmp'));
  if (others.length === 0) return;
  throw exists(place.path, 'Choose a new or empty directory.', 'is not empty');
}

function exists(file: string, remedy: string, what = 'exists already'): EngineError {
  return new EngineError({
    code: 'InvalidRequest',
    message: `${file} ${what}.`,
    remedy,
    details: { field: '--to', file }
  });
}

export function isInside(file: string, directory: string): boolean {
  const relative = path.relative(path.resolve(directory), file);
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
}

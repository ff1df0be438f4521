/**
 * The steps between the old database and the new one, all of them renames on one volume, and back. Each step may be
 * made again after it was cut: what is already moved is skipped. Every directory that a step changed is flushed
 * before the next one begins, because the journal then tells of it.
 *
 * While the directory is neither the old nor the new database, chaser.chk holds BLOCKED_CHASER: a server that starts
 * finds it ahead of writer.chk and refuses before it reads any chunk.
 */
import { EngineError } from '../errors.ts';
import {
  BLOCKED_CHASER,
  checkpointFileName,
  readCheckpointFile,
  writeCheckpointFile
} from '../log/checkpoint-file.ts';
import { namesIn } from '../storage/directory-entries.ts';
import { readWholeFile, type FileSystem } from '../storage/file-system.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { RESTORE_MARKER } from '../storage/restore-marker.ts';
import { makeDirectoryLike } from './file-ownership.ts';
import { stagedPath } from './gather-files.ts';
import { MARKER_TEMPORARY, RESTORE_LOCK, restoreName, type RestoreJournal } from './restore-journal.ts';
import { entryOf, readMark, RESTORE_MARK, writeMark, type MarkedPlace } from './restore-mark.ts';
import { isIndexApart, movableEntries, type OldNames } from './restore-places.ts';

const CHASER = checkpointFileName('chaser');
const TRUNCATE = checkpointFileName('truncate');
/** While a file is put in place of another under its name; a plain name that the server ignores. */
const BLOCK_TEMPORARY = 'winnow-restore-chaser.new';
const STRAYS = 'made-while-restoring';

export interface Switch {
  fileSystem: FileSystem;
  dataDirectory: string;
  journal: RestoreJournal;
}

/** Makes a folder of this restore; it has its mark before anything else lies in it. */
export function makePlace({ fileSystem, dataDirectory, journal }: Switch, place: MarkedPlace): void {
  const { places, indexDirectory } = journal;
  const [data, index] =
    place === 'aside' ? [places.asideData, places.asideIndex] : [places.stagingData, places.stagingIndex];
  const mark = { restore: restoreName(journal), place, inode: journal.inode, dataDirectory };
  makeDirectoryLike(fileSystem, data, dataDirectory);
  if (!readMark(fileSystem, data)) writeMark(fileSystem, data, mark);
  makeDirectoryLike(fileSystem, index, indexDirectory);
  if (isIndexApart(places) && !readMark(fileSystem, index)) writeMark(fileSystem, index, mark);
  syncAll(
    fileSystem,
    [data, index].flatMap((path) => [path, parentOf(fileSystem, path)])
  );
}

/** What says of a directory which of its entries are moved. */
interface OldPlace {
  fileSystem: FileSystem;
  dataDirectory: string;
  journal: Pick<RestoreJournal, 'places' | 'indexDirectory'>;
}

/** Names of what will be moved aside. */
export function oldNames(parts: OldPlace): OldNames {
  const { fileSystem, dataDirectory, journal } = parts;
  const kept = keptInData(parts).filter((path) => path !== fileSystem.join(dataDirectory, CHASER));
  return {
    data: movableEntries(fileSystem, dataDirectory, kept),
    index: movableEntries(fileSystem, journal.indexDirectory, keptInIndex(parts))
  };
}

/** The old files go. The first of them is truncate.chk: until then the directory is still the old database. */
export function moveAside(parts: Switch): void {
  const { fileSystem, dataDirectory, journal } = parts;
  const { indexDirectory, places } = journal;
  blockStart(parts);
  const names = movableEntries(fileSystem, dataDirectory, keptInData(parts));
  for (const name of [TRUNCATE, ...names.filter((other) => other !== TRUNCATE)]) {
    const from = fileSystem.join(dataDirectory, name);
    if (name === TRUNCATE && fileSystem.describe(from) === undefined) continue;
    moveOnce(fileSystem, from, places.asideData, name);
    if (name === TRUNCATE) fileSystem.syncDirectory(dataDirectory);
  }
  for (const name of movableEntries(fileSystem, indexDirectory, keptInIndex(parts))) {
    moveOnce(fileSystem, fileSystem.join(indexDirectory, name), places.asideIndex, name);
  }
  syncAll(fileSystem, [dataDirectory, indexDirectory, places.asideData, places.asideIndex]);
}

/** The new files come; chaser.chk and truncate.chk stay behind. */
export function moveIn(parts: Switch): void {
  const { fileSystem, dataDirectory, journal } = parts;
  const { places, indexDirectory } = journal;
  moveStraysAside(parts);
  const made = new Set<string>();
  for (const file of journal.files) {
    if (isLast(file)) continue;
    const from = stagedPath(fileSystem, places, file);
    if (fileSystem.describe(from) === undefined) continue; // moved before the cut
    const to = finalPath(parts, file);
    makeOwnedDirectory(fileSystem, parentOf(fileSystem, to), indexDirectory, made);
    fileSystem.rename(from, to);
  }
  for (const file of journal.files) {
    if (isLast(file) || fileSystem.describe(finalPath(parts, file)) !== undefined) continue;
    throw new EngineError({
      code: 'StorageFailed',
      message: `${file.name} was gathered for the restore and is now missing.`,
      remedy: `Put the old files back with "winnow restore --undo --to ${dataDirectory}", then restore again.`,
      details: { file: finalPath(parts, file) }
    });
  }
  syncAll(fileSystem, [
    ...changedDirectories(parts),
    ...made,
    ...[...made].map((path) => parentOf(fileSystem, path))
  ]);
}

/**
 * truncate.chk, written in full elsewhere, gets its name; then chaser.chk, which lifts the block. The other way
 * round a server could start without cutting; this way it would cut in between, which sets chaser.chk as well.
 */
export function liftBlock({ fileSystem, dataDirectory, journal }: Switch): void {
  for (const name of [TRUNCATE, CHASER]) {
    const from = stagedPath(fileSystem, journal.places, { area: 'data', name });
    if (fileSystem.describe(from) === undefined) continue; // in place already
    fileSystem.rename(from, fileSystem.join(dataDirectory, name));
    fileSystem.syncDirectory(dataDirectory);
  }
}

/** Undo: whatever of the new database lies in place goes back to where it was gathered. */
export function takeOut(parts: Switch): void {
  const { fileSystem, journal } = parts;
  for (const file of journal.files) {
    if (isLast(file)) continue;
    const staged = stagedPath(fileSystem, journal.places, file);
    const final = finalPath(parts, file);
    // Where both are there, the one in place is a stray that a failing start of a server made.
    if (fileSystem.describe(staged) !== undefined || fileSystem.describe(final) === undefined) continue;
    fileSystem.makeDirectory(parentOf(fileSystem, staged));
    fileSystem.rename(final, staged);
  }
  syncAll(fileSystem, changedDirectories(parts));
}

/** Undo: the old files come back, truncate.chk and chaser.chk as the last ones. */
export function moveBack({ fileSystem, dataDirectory, journal }: Switch): void {
  const { places, indexDirectory } = journal;
  const names = namesIn(fileSystem, places.asideData);
  for (const name of namesIn(fileSystem, places.asideIndex)) {
    if (name === RESTORE_MARK) continue;
    moveTree(fileSystem, fileSystem.join(places.asideIndex, name), fileSystem.join(indexDirectory, name));
  }
  const isHeldBack = (name: string): boolean =>
    [CHASER, TRUNCATE, STRAYS, BLOCK_TEMPORARY, RESTORE_MARK].includes(name) ||
    fileSystem.join(places.asideData, name) === places.asideIndex;
  for (const name of names.filter((other) => !isHeldBack(other))) {
    moveTree(fileSystem, fileSystem.join(places.asideData, name), fileSystem.join(dataDirectory, name));
  }
  syncAll(fileSystem, [dataDirectory, indexDirectory, places.asideData, places.asideIndex]);
  // A truncation that the old database has pending is carried out by the next start, whatever chaser.chk says.
  if (names.includes(TRUNCATE)) {
    fileSystem.rename(fileSystem.join(places.asideData, TRUNCATE), fileSystem.join(dataDirectory, TRUNCATE));
    fileSystem.syncDirectory(dataDirectory);
  }
  for (const directory of [dataDirectory, places.asideData]) {
    fileSystem.remove(fileSystem.join(directory, BLOCK_TEMPORARY));
  }
  const blocked = fileSystem.join(dataDirectory, CHASER);
  if (names.includes(CHASER)) fileSystem.rename(fileSystem.join(places.asideData, CHASER), blocked);
  else if (isBlock(fileSystem, blocked)) fileSystem.remove(blocked);
  fileSystem.syncDirectory(dataDirectory);
}

/** Replaces chaser.chk by the block, whose copy is complete among the old files before. */
function blockStart({ fileSystem, dataDirectory, journal }: Switch): void {
  const path = fileSystem.join(dataDirectory, CHASER);
  const temporary = fileSystem.join(dataDirectory, BLOCK_TEMPORARY);
  fileSystem.remove(temporary);
  if (isBlock(fileSystem, path)) return;
  const old = readWholeFile(fileSystem, path);
  const facts = fileSystem.describe(path);
  if (old && facts) {
    const directory = journal.places.asideData;
    fileSystem.remove(fileSystem.join(directory, BLOCK_TEMPORARY));
    replaceFile(fileSystem, {
      directory,
      name: CHASER,
      temporaryName: BLOCK_TEMPORARY,
      bytes: old,
      mode: facts.mode & 0o777
    });
    fileSystem.changeOwner(fileSystem.join(directory, CHASER), facts.uid, facts.gid);
  }
  writeCheckpointFile(fileSystem, temporary, BLOCKED_CHASER);
  fileSystem.rename(temporary, path);
  fileSystem.syncDirectory(dataDirectory);
}

function isBlock(fileSystem: FileSystem, path: string): boolean {
  return readCheckpointFile(fileSystem, path) === BLOCKED_CHASER;
}

/** What is among the old files already is the old one; a second of its name was made by a start that failed. */
function moveOnce(fileSystem: FileSystem, from: string, aside: string, name: string): void {
  const to = fileSystem.join(aside, name);
  if (fileSystem.describe(to) === undefined) {
    fileSystem.rename(from, to);
    return;
  }
  fileSystem.makeDirectory(fileSystem.join(aside, STRAYS));
  moveTree(fileSystem, from, fileSystem.join(aside, STRAYS, name));
}

/** A server that was started meanwhile refused, but may have made checkpoints and filters before. */
function moveStraysAside(parts: Switch): void {
  const { fileSystem, dataDirectory, journal } = parts;
  const { places, indexDirectory, files } = journal;
  const ours = (area: 'data' | 'index'): Set<string> =>
    new Set(files.filter((file) => file.area === area).map(({ name }) => name.split('/')[0]!));
  const move = (directory: string, aside: string, kept: string[], names: Set<string>): void => {
    const strays = movableEntries(fileSystem, directory, kept).filter((name) => !names.has(name));
    if (strays.length === 0) return;
    const target = fileSystem.join(aside, STRAYS);
    fileSystem.makeDirectory(target);
    for (const name of strays)
      moveTree(fileSystem, fileSystem.join(directory, name), fileSystem.join(target, name));
    syncAll(fileSystem, [target, aside]);
  };
  move(dataDirectory, places.asideData, keptInData(parts), ours('data'));
  move(indexDirectory, places.asideIndex, keptInIndex(parts), ours('index'));
}

/** A rename, or for a directory that is there already, one for each file in it. */
function moveTree(fileSystem: FileSystem, from: string, to: string): void {
  // A link is moved as it is, whatever it leads to.
  if (entryOf(fileSystem, from)?.isDirectory === true && entryOf(fileSystem, to)?.isDirectory === true) {
    for (const name of namesIn(fileSystem, from)) {
      moveTree(fileSystem, fileSystem.join(from, name), fileSystem.join(to, name));
    }
    syncAll(fileSystem, [from, to]);
    fileSystem.removeDirectory(from);
    return;
  }
  fileSystem.rename(from, to);
}

function keptInData({ fileSystem, dataDirectory, journal }: OldPlace): string[] {
  const { places, indexDirectory } = journal;
  const own = [RESTORE_MARKER, MARKER_TEMPORARY, RESTORE_LOCK, CHASER, BLOCK_TEMPORARY];
  return [
    ...own.map((name) => fileSystem.join(dataDirectory, name)),
    indexDirectory,
    places.stagingData,
    places.asideData
  ];
}

function keptInIndex({ journal: { places } }: OldPlace): string[] {
  return [places.stagingIndex, places.asideIndex];
}

function isLast({ area, name }: { area: string; name: string }): boolean {
  return area === 'data' && name === CHASER;
}

function finalPath(
  { fileSystem, dataDirectory, journal }: Switch,
  { area, name }: { area: 'data' | 'index'; name: string }
): string {
  return fileSystem.join(area === 'data' ? dataDirectory : journal.indexDirectory, ...name.split('/'));
}

/** Every directory that holds a file of the new database, here and where it was gathered. */
function changedDirectories(parts: Switch): string[] {
  const { fileSystem, journal } = parts;
  return journal.files.flatMap((file) => [
    parentOf(fileSystem, finalPath(parts, file)),
    parentOf(fileSystem, stagedPath(fileSystem, journal.places, file))
  ]);
}

/** `stream-existence` for example: owned as the directory around it. */
function makeOwnedDirectory(
  fileSystem: FileSystem,
  path: string,
  ownedLike: string,
  made: Set<string>
): void {
  if (fileSystem.describe(path) !== undefined) return;
  makeDirectoryLike(fileSystem, path, ownedLike);
  made.add(path);
}

export function parentOf(fileSystem: FileSystem, path: string): string {
  return fileSystem.join(path, '..');
}

/** Flushes those that are there, each once. */
export function syncAll(fileSystem: FileSystem, directories: readonly string[]): void {
  for (const directory of new Set(directories)) {
    if (fileSystem.describe(directory)) fileSystem.syncDirectory(directory);
  }
}

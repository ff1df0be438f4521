/**
 * Checks everything that a resumed or undone restore is about to move or remove, before the first step: each
 * folder is there where the phase needs it, is this restore's own (restore-mark.ts), and holds no link; every old file
 * is where it can be put back from. Throws without having changed anything.
 */
import { BLOCKED_CHASER, checkpointFileName, readCheckpointFile } from '../log/checkpoint-file.ts';
import { entriesIn, namesIn } from '../storage/directory-entries.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { restoreName, type RestoreJournal, type RestorePhase } from './restore-journal.ts';
import { entryOf, notOurs, requirePlace, type MarkedPlace } from './restore-mark.ts';
import { isIndexApart } from './restore-places.ts';

export interface RequirePlaces {
  fileSystem: FileSystem;
  dataDirectory: string;
  journal: RestoreJournal;
}

/** The old files, or some of them, are among those set aside. */
const OLD_ARE_ASIDE = new Set<RestorePhase>(['movingAside', 'movingIn', 'takingOut', 'movingBack']);
/** All old names are out of the directory: what has one of them there is new. */
const OLD_ARE_ONLY_ASIDE = new Set<RestorePhase>(['movingIn', 'takingOut']);
const CHASER = checkpointFileName('chaser');
/** The one folder in which files of a restore lie deeper. */
const BELOW_INDEX = 'stream-existence';

export function requirePlaces(parts: RequirePlaces, way: 'on' | 'back'): void {
  const { fileSystem, dataDirectory, journal } = parts;
  const { places, phase, indexDirectory } = journal;
  const restore = restoreName(journal);
  const isApart = isIndexApart(places);
  const isNeeded = way === 'on' && phase === 'movingAside';
  const require = (directory: string, place: MarkedPlace, beside: boolean): void => {
    const isThere = requirePlace({ fileSystem, dataDirectory, restore, directory, place, isApart: beside });
    if (isThere && place === 'staging') refuseLinks(parts, directory);
    if (!isThere && isNeeded) throw notOurs(dataDirectory, directory, 'it does not exist');
  };
  require(places.stagingData, 'staging', false);
  require(places.asideData, 'aside', false);
  if (isApart) {
    require(places.stagingIndex, 'staging', true);
    require(places.asideIndex, 'aside', true);
  }
  const linked = [
    ...(isApart ? [] : [indexDirectory]),
    ...[indexDirectory, places.asideIndex].map((path) => fileSystem.join(path, BELOW_INDEX))
  ].find((path) => entryOf(fileSystem, path)?.isLink === true);
  if (linked !== undefined) throw notOurs(dataDirectory, linked, 'it is a link');
  if (way === 'back' && OLD_ARE_ASIDE.has(phase)) requireOldFiles(parts);
}

function requireOldFiles({ fileSystem, dataDirectory, journal }: RequirePlaces): void {
  const { places, indexDirectory, phase, old } = journal;
  const require = (names: readonly string[], aside: string, directory: string): void => {
    const set = new Set(namesIn(fileSystem, aside));
    const here = new Set(OLD_ARE_ONLY_ASIDE.has(phase) ? [] : namesIn(fileSystem, directory));
    for (const name of names) {
      const isBlock =
        directory === dataDirectory &&
        name === CHASER &&
        here.has(name) &&
        readCheckpointFile(fileSystem, fileSystem.join(directory, name)) === BLOCKED_CHASER;
      if (set.has(name) || (here.has(name) && !isBlock)) continue;
      const path = fileSystem.join(aside, name);
      throw notOurs(
        dataDirectory,
        path,
        'this file of the old database is missing, so it cannot be put back'
      );
    }
  };
  require(old.data, places.asideData, dataDirectory);
  require(old.index, places.asideIndex, indexDirectory);
}

/** What is written to in a staging folder must be the file there. */
function refuseLinks(parts: RequirePlaces, directory: string): void {
  const { fileSystem, dataDirectory } = parts;
  for (const { name, isDirectory, isLink } of entriesIn(fileSystem, directory)) {
    const path = fileSystem.join(directory, name);
    if (isLink === true) throw notOurs(dataDirectory, path, 'it is a link');
    if (isDirectory) refuseLinks(parts, path);
  }
}

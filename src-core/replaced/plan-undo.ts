/**
 * What putting back would do, from reading alone: the directory as it was (`exact`), or, where the log has grown since, the
 * old files joined with what was appended (`joined`). Anything that does not fit is refused here, before the first write.
 *
 * Exact: behind the end that the log had there is nothing but what scavenges wrote of themselves. Chunks, checkpoints, index
 * and scavenge state become what they were, to the byte.
 * Joined: the log keeps its end. Chunks before the border are the old ones; tables and map are the old ones, which reach less
 * far than the log, so that a server reads the rest at its start as after any other stop; state and existence filter go,
 * because both would be of a log without these records.
 */
import { requestedTruncation } from '../log/truncation.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { openDatabase, type Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { invalidRequest, logCorrupt, requireFault } from '../errors.ts';
import { decodeIndexMap } from '../index/index-map.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import { sizeOf } from '../storage/file-size.ts';
import { readWholeFile } from '../storage/file-system.ts';
import { isAsideState, existenceOf } from './kept-facts.ts';
import {
  indexFolderOf,
  indexWithin,
  keptPath,
  placeOf,
  requireKept,
  type KeptPlace
} from './kept-folders.ts';
import {
  changed,
  openKeptChunks,
  readLater,
  requireSameLog,
  type KeptChunk,
  type Later
} from './kept-log.ts';
import { kindOfName, type KeptArea, type KeptFile, type KeptManifest } from './kept-manifest.ts';
import { counted } from '../units/counted.ts';

export type UndoKind = 'exact' | 'joined';

/** A kept file that gets its name back. */
export interface PutBack {
  file: KeptFile;
  isCompleted: boolean;
}

export interface RemovedFile {
  area: KeptArea;
  name: string;
  bytes: number;
}

export interface UndoPlan {
  manifest: KeptManifest;
  kind: UndoKind;
  puts: PutBack[];
  removes: RemovedFile[];
  /** The existence filter goes: the server makes it again. */
  removesExistence: boolean;
  /** Directories in the index directory that go. */
  removesDirectories: string[];
  /** Position where the log will end. */
  end: number;
  /** What was appended since, and stays. */
  later: Later;
  /** Chunk numbers that stay as they are although the old ones are kept, inclusive. */
  notPutBack: { from: number; to: number }[];
  /** Bytes of the log and index files that come, and of those that go. */
  bytesPut: number;
  bytesRemoved: number;
  /** Position from which a server reads the log again for its index; null: it need not. */
  indexFrom: number | null;
}

export interface PlanUndo extends KeptPlace {
  /** Default: the newest. */
  id?: string | undefined;
  control: OperationControl;
}

export async function planUndo(question: PlanUndo): Promise<UndoPlan> {
  const { fileSystem, dataDirectory, indexDirectory, control } = question;
  const database = openDatabase({ fileSystem, dataDirectory, indexDirectory });
  try {
    database.requireWhole();
    const truncate = requestedTruncation(database.checkpoints.truncate);
    if (truncate !== undefined)
      throw invalidRequest(
        `truncate.chk requests a truncation of the log at position ${truncate}; that must come first.`,
        'undo',
        'Truncate it with "winnow restore --finish --to DB", or start the server once and stop it.'
      );
    const manifest = requireKept(question, question.id);
    requireIndexPlace(question, manifest);
    requireKeptFiles(question, manifest);
    const kept = openKeptChunks(question, manifest);
    await requireSameLog(database, { manifest, chunks: kept.chunks, control });
    const later = await readLater(database, manifest, control);
    const isExact = later.records === 0;
    const parts: Parts = { question, manifest, database, kept, later };
    return isExact ? await planExact(parts) : planJoined(parts);
  } finally {
    database.close();
  }
}

interface Parts {
  question: PlanUndo;
  manifest: KeptManifest;
  database: Database;
  kept: { chunks: KeptChunk[]; completed: KeptChunk[] };
  later: Later;
}

/** What is kept of the index was kept of this directory. */
function requireIndexPlace(place: KeptPlace, manifest: KeptManifest): void {
  if (indexWithin(place) === manifest.indexWithin) return;
  const where = manifest.indexWithin ?? 'elsewhere, on another volume';
  throw invalidRequest(
    `The index directory ${place.indexDirectory} is not the one of that scavenge (${where}).`,
    'indexDirectory',
    'Name the index directory that the scavenge was run with.'
  );
}

/** Files other than chunks, whose own heads are looked at. */
function requireKeptFiles(place: KeptPlace, manifest: KeptManifest): void {
  const { fileSystem } = place;
  if (fileSystem.describe(indexFolderOf(place, manifest)) === undefined && manifest.hadIndex)
    throw changed(indexFolderOf(place, manifest), 'it is missing');
  for (const file of manifest.files) {
    const path = keptPath(place, manifest, file);
    const size = fileSystem.describe(path)?.size;
    if (size === file.bytes) continue;
    throw changed(
      path,
      size === undefined ? 'it is missing' : `it has ${size} bytes instead of ${file.bytes}`
    );
  }
}

async function planExact(parts: Parts): Promise<UndoPlan> {
  const { question, manifest, later } = parts;
  const puts = manifest.files.map((file) => ({ file, isCompleted: false }));
  const existence = await existenceOf(question, () => question.control.breathe());
  const isExistenceSame =
    existence.length === manifest.existence.length &&
    existence.every(({ name, hash }) =>
      manifest.existence.some((one) => one.name === name && one.hash === hash)
    );
  const plan: UndoPlan = {
    manifest,
    kind: 'exact',
    puts: puts.filter((put) => !isInPlace(question, manifest, put)),
    removes: foreign(question, manifest.files, () => true),
    removesExistence: !isExistenceSame,
    removesDirectories: newDirectories(question, manifest),
    end: manifest.writer,
    later,
    notPutBack: [],
    bytesPut: 0,
    bytesRemoved: 0,
    indexFrom: null
  };
  return summed(plan);
}

function planJoined(parts: Parts): UndoPlan {
  const { question, manifest, database, later } = parts;
  const border = borderOf(parts);
  if (border.number === 0) {
    throw logCorrupt(
      `Nothing can be put back: the log went on after the scavenge (${counted(later.records, 'record')} from position ${later.from ?? 0}), and a merged chunk joins old and new from its first chunk on.`,
      { file: question.dataDirectory, reason: 'cannotJoin' },
      'Nothing was changed. Restore a backup if the removed events are needed.'
    );
  }
  const chunks = border.chunks.filter(({ chunk }) => chunk.endNumber < border.number);
  const index = manifest.files.filter(
    ({ area, kind }) => area === 'index' && kind !== 'state' && kind !== 'leftover'
  );
  const files = [
    ...chunks.map(({ file, isCompleted }) => ({ file, isCompleted })),
    ...index.map((file) => ({ file, isCompleted: false }))
  ];
  const isBefore = (name: string): boolean =>
    (decodeChunkFileName(name)?.chunkNumber ?? Infinity) < border.number;
  const plan: UndoPlan = {
    manifest,
    kind: 'joined',
    puts: files.filter((put) => !isInPlace(question, manifest, put)),
    removes: foreign(
      question,
      files.map(({ file }) => file),
      ({ area, name }) => area === 'index' || isBefore(name)
    ),
    removesExistence: true,
    removesDirectories: newDirectories(question, manifest),
    end: database.log.end,
    later,
    notPutBack: border.notPutBack,
    bytesPut: 0,
    bytesRemoved: 0,
    indexFrom: 0
  };
  return summed({ ...plan, indexFrom: indexReach(question, manifest) });
}

interface Border {
  /** Chunks below are the old ones. */
  number: number;
  /** The old chunks, completed ones in the place of the open one. */
  chunks: KeptChunk[];
  notPutBack: UndoPlan['notPutBack'];
}

/** The highest chunk number that no file, old or new, reaches across. */
function borderOf({ manifest, database, kept }: Parts): Border {
  const completed = kept.completed;
  const names = new Set(completed.map(({ file }) => file.name));
  const chunks = [
    ...kept.chunks.filter(({ file }) => file.kind === 'chunk' && !names.has(file.name)),
    ...completed
  ].sort((a, b) => a.chunk.startNumber - b.chunk.startNumber);
  const wanted = (chunks.at(-1)?.chunk.endNumber ?? -1) + 1;
  let number = wanted;
  const crosses = (chunk: { startNumber: number; endNumber: number }): boolean =>
    chunk.startNumber < number && chunk.endNumber >= number;
  for (let crossing; ; number = crossing.startNumber) {
    crossing = [...chunks.map(({ chunk }) => chunk), ...database.log.chunks].find(crosses);
    if (!crossing) break;
  }
  const last = Math.floor(manifest.writer / manifest.chunkSizeBytes);
  // Behind the border only what a scavenge has rewritten differs from what was.
  const left = database.log.chunks.filter(
    ({ startNumber, isScavenged, fileName }) =>
      startNumber >= number &&
      startNumber <= last &&
      isScavenged &&
      !kept.chunks.some(({ file }) => file.name === fileName)
  );
  const notPutBack = left.map(({ startNumber, endNumber }) => ({
    from: startNumber,
    to: Math.min(endNumber, last)
  }));
  return { number, chunks, notPutBack };
}

/** Files of known kinds that are in the directories and not among `wanted`, as far as they are to go. */
function foreign(
  place: KeptPlace,
  wanted: readonly KeptFile[],
  goes: (file: { area: KeptArea; name: string }) => boolean
): RemovedFile[] {
  const { fileSystem } = place;
  const known = new Set(wanted.map(({ area, name }) => `${area}/${name}`));
  const found: RemovedFile[] = [];
  const look = (area: KeptArea, below: string): void => {
    const directory = placeOf(place, { area, name: below });
    for (const { name, isDirectory } of entriesIn(fileSystem, directory)) {
      const path = below === '' ? name : `${below}/${name}`;
      if (isDirectory || kindOfName(area, path) === undefined || known.has(`${area}/${path}`)) continue;
      if (!goes({ area, name: path })) continue;
      found.push({
        area,
        name: path,
        bytes: sizeOf(fileSystem, placeOf(place, { area, name: path }))
      });
    }
  };
  look('data', '');
  look('index', '');
  look('index', 'scavenging');
  return found;
}

/** What the run made: states that it moved aside, the directory of its state. */
function newDirectories({ fileSystem, indexDirectory }: KeptPlace, manifest: KeptManifest): string[] {
  const before = new Set([...manifest.asideStates, ...(manifest.hadState ? ['scavenging'] : [])]);
  return entriesIn(fileSystem, indexDirectory)
    .filter(({ name, isDirectory }) => isDirectory && (isAsideState(name) || name === 'scavenging'))
    .map(({ name }) => name)
    .filter((name) => !before.has(name));
}

/** It is there already: the same file, or the same bytes of a small one. */
export function isInPlace(place: KeptPlace, manifest: KeptManifest, { file, isCompleted }: PutBack): boolean {
  const { fileSystem } = place;
  const here = fileSystem.describe(placeOf(place, file));
  const kept = fileSystem.describe(keptPath(place, manifest, file, isCompleted));
  if (!here || !kept || here.isDirectory) return false;
  if ((here.mode & 0o777) !== file.mode) return false;
  return here.inode === kept.inode && here.device === kept.device;
}

function summed(plan: UndoPlan): UndoPlan {
  const sum = (files: readonly { bytes: number }[]): number =>
    files.reduce((total, { bytes }) => total + bytes, 0);
  return { ...plan, bytesPut: sum(plan.puts.map(({ file }) => file)), bytesRemoved: sum(plan.removes) };
}

/** Where the old map ends: from there a server reads the log. 0 without a map that counts. */
function indexReach(place: KeptPlace, manifest: KeptManifest): number {
  const map = manifest.files.find(({ kind }) => kind === 'map');
  const bytes = map && readWholeFile(place.fileSystem, keptPath(place, manifest, map), map.bytes);
  if (!bytes) return 0;
  try {
    return Math.max(0, decodeIndexMap(bytes).prepareCheckpoint);
  } catch (error) {
    // A server rebuilds its index then, now as before the scavenge.
    requireFault(error);
    return 0;
  }
}

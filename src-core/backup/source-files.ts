/**
 * The files of a database that a backup copies, as they are at one moment. Lists and looks at heads and ends of
 * files; reads no content and changes nothing.
 *
 * Log: the chunk files that a server would open. Left out are superseded versions, and chunks that begin behind the
 * writer checkpoint that was copied before: with one of them in place a server does not start. Of the chunk that is
 * being written the bytes below the writer count, zeros follow.
 * Index: the map, the tables it names with their filters. A table that is just being written has its final name
 * already, but the map does not name it yet.
 */
import { entriesIn } from '../storage/directory-entries.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { readWholeFile } from '../storage/file-system.ts';
import { CHUNK_HEADER_LENGTH } from '../chunks/chunk-header.ts';
import type { Chunk } from '../chunks/chunk.ts';
import { completedFileSize } from '../chunks/chunk-writer.ts';
import { decodeIndexMap, INDEX_MAP_NAME, type IndexMap } from '../index/index-map.ts';
import { filterNameOf } from '../index/index-table-reader.ts';
import { readChunkSet, type ChunkSet } from '../log/chunk-set.ts';
import { problemAsError } from '../log/log-problem.ts';
import { requireFault, isFileGone } from '../errors.ts';
import type { BackupArea } from './backup-layout.ts';
import type { ManifestChunk, ManifestNote } from './manifest.ts';

export interface SourcePlace {
  fileSystem: FileSystem;
  dataDirectory: string;
  indexDirectory: string;
}

export interface SourceFile {
  area: BackupArea;
  name: string;
  path: string;
  /** Of the copy. */
  bytes: number;
  /** Taken from the source; zeros follow up to `bytes`. */
  sourceBytes: number;
  /** Never changes under this name: a completed chunk, a table, a filter. */
  isImmutable: boolean;
  chunk: ManifestChunk | null;
  tableMd5: string | null;
}

const MD5_LENGTH = 16;
const TABLE_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface SourceChunks {
  chunkSet: ChunkSet;
  files: SourceFile[];
  notes: ManifestNote[];
}

/** The chunk files to copy, `writer` being the checkpoint as copied. Throws LogCorrupt for a log that is not whole. */
export function listChunkFiles(place: SourcePlace, writer: number): SourceChunks {
  const { fileSystem, dataDirectory } = place;
  const chunkSet = readChunkSet({ fileSystem, directory: dataDirectory, writer });
  const notes: ManifestNote[] = [];
  for (const problem of chunkSet.problems) {
    const isTolerable =
      problem.severity === 'hint' || problem.code === 'archiveGap' || problem.code === 'surplusChunk';
    if (!isTolerable) throw problemAsError(problem);
    notes.push({ code: problem.code, message: problem.message, remedy: noteRemedy(problem) });
  }
  if (chunkSet.superseded.length > 0) {
    const names = chunkSet.superseded.map(({ file }) => file).join(', ');
    notes.push({
      code: 'supersededLeftOut',
      message: `Older versions of chunks were left out: ${names}. A server removes them when it starts.`,
      remedy: 'Nothing to do.'
    });
  }
  const files = chunkSet.chunks.map((chunk) => chunkFile(chunk, chunkSet.chunkSizeBytes));
  return { chunkSet, files, notes };
}

function noteRemedy(problem: { code: string; remedy: string }): string {
  if (problem.code === 'surplusChunk')
    return 'Nothing to do: this backup does not include the chunk, the next one will.';
  if (problem.code === 'encrypted') return 'Back up the keys too: they are not in this backup.';
  if (problem.code === 'archiveGap') return 'Keep the archive: what it holds is not in this backup.';
  return problem.remedy;
}

function chunkFile(chunk: Chunk, chunkSizeBytes: number): SourceFile {
  const { header, footer, fileSize } = chunk;
  const isCompleted = footer !== null;
  const isPlain = header.transformType === 0;
  // A chunk that was completed after the writer checkpoint was copied becomes one that is being written again: that
  // is what the checkpoint says of it.
  const wholeSize = completedFileSize({
    dataSize: chunkSizeBytes,
    mapSize: 0,
    version: header.minCompatibleVersion
  });
  const bytes = isCompleted || !isPlain ? fileSize : wholeSize;
  return {
    area: 'data',
    name: chunk.fileName,
    path: chunk.path,
    bytes,
    sourceBytes: isCompleted || !isPlain ? fileSize : CHUNK_HEADER_LENGTH + chunk.dataSize,
    isImmutable: isCompleted,
    chunk: {
      start: header.startNumber,
      end: header.endNumber,
      id: header.chunkId,
      fileVersion: chunk.fileVersion,
      formatVersion: header.version,
      isScavenged: header.isScavenged,
      isCompleted,
      md5: footer?.md5 ?? null
    },
    tableMd5: null
  };
}

export interface SourceMap {
  bytes: Uint8Array;
  /** undefined if the bytes are not a map: the server then rebuilds the index. */
  map: IndexMap | undefined;
}

/** The map of the source; undefined while there is none. */
export function readSourceMap(place: SourcePlace): SourceMap | undefined {
  const path = place.fileSystem.join(place.indexDirectory, INDEX_MAP_NAME);
  const bytes = readIfThere(place.fileSystem, path);
  if (!bytes) return undefined;
  try {
    return { bytes, map: decodeIndexMap(bytes) };
  } catch (error) {
    requireFault(error, 'IndexCorrupt');
    return { bytes, map: undefined };
  }
}

/** True when the index directory holds files named like tables. */
export function hasTableFiles(place: SourcePlace): boolean {
  const entries = entriesIn(place.fileSystem, place.indexDirectory);
  return entries.some((entry) => !entry.isDirectory && TABLE_NAME.test(entry.name));
}

/** Tables and filters that the map names (all that look like it when the map cannot be read), those that are there. */
export function listTableFiles(
  place: SourcePlace,
  map: IndexMap | undefined
): { files: SourceFile[]; missing: string[] } {
  const { fileSystem, indexDirectory } = place;
  const tables =
    map?.tables.map((table) => table.file) ??
    entriesIn(fileSystem, indexDirectory)
      .filter((entry) => !entry.isDirectory && TABLE_NAME.test(entry.name))
      .map((entry) => entry.name)
      .sort();
  const files: SourceFile[] = [];
  const missing: string[] = [];
  for (const table of tables) {
    const file = indexFile(place, table, true);
    if (file) files.push({ ...file, tableMd5: readTrailingHash(fileSystem, file) });
    else missing.push(table);
    const filter = indexFile(place, filterNameOf(table), true);
    if (filter) files.push(filter);
  }
  return { files, missing };
}

/** A file of the index directory by its relative name; undefined when it is not there. */
export function indexFile(place: SourcePlace, name: string, isImmutable = false): SourceFile | undefined {
  const path = place.fileSystem.join(place.indexDirectory, ...name.split('/'));
  const facts = place.fileSystem.describe(path);
  if (!facts || facts.isDirectory) return undefined;
  return {
    area: 'index',
    name,
    path,
    bytes: facts.size,
    sourceBytes: facts.size,
    isImmutable,
    chunk: null,
    tableMd5: null
  };
}

/** Relative names of all files under the index directory that `isWanted`. */
export function listIndexNames(place: SourcePlace, isWanted: (name: string) => boolean): string[] {
  const found: string[] = [];
  const walk = (folder: string): void => {
    const path = place.fileSystem.join(
      place.indexDirectory,
      ...folder.split('/').filter((part) => part !== '')
    );
    for (const { name, isDirectory } of entriesIn(place.fileSystem, path)) {
      if (isDirectory) walk(`${folder}${name}/`);
      else if (isWanted(folder + name)) found.push(folder + name);
    }
  };
  walk('');
  return found.sort();
}

export function isTableOrFilterName(name: string): boolean {
  return TABLE_NAME.test(name.replace(/\.bloomfilter$/, ''));
}

/** The bytes of a small file that may vanish at any moment. */
export function readIfThere(fileSystem: FileSystem, path: string): Uint8Array | undefined {
  try {
    return readWholeFile(fileSystem, path);
  } catch (error) {
    if (isFileGone(error)) return undefined;
    throw error;
  }
}

function readTrailingHash(fileSystem: FileSystem, { path, bytes }: SourceFile): string | null {
  if (bytes < MD5_LENGTH) return null;
  const hash = new Uint8Array(MD5_LENGTH);
  let file;
  try {
    file = fileSystem.open(path, 'read');
  } catch (error) {
    if (isFileGone(error)) return null; // merged away; the copy notices, and reads the map again
    throw error;
  }
  try {
    file.read(hash, 0, MD5_LENGTH, bytes - MD5_LENGTH);
  } finally {
    file.close();
  }
  return Buffer.from(hash).toString('hex');
}

/**
 * The bytes of a whole database in memory, by path below its data directory: what a campaign mutates. Knows which
 * part of the format each file is, because that decides what a change of it may do.
 */
import { decodeChunkFileName } from '../../src-core/chunks/chunk-file-name.ts';
import { openDatabase } from '../../src-core/database/database.ts';
import { readIndexMap } from '../../src-core/index/index-map.ts';
import { readWholeFile, type FileSystem } from '../../src-core/storage/file-system.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';

export type FileRole =
  | 'completedChunk'
  | 'activeChunk'
  /** A chunk file that is not part of the log: superseded or behind the end. */
  | 'otherChunk'
  | 'checkpoint'
  | 'table'
  | 'tableFilter'
  | 'indexMap'
  | 'existenceFilter'
  | 'scavengeState'
  | 'other';

export type Files = Map<string, Uint8Array>;

export interface DatabaseImage {
  name: string;
  files: ReadonlyMap<string, Uint8Array>;
  roles: ReadonlyMap<string, FileRole>;
}

/** Reads a database directory into memory and finds out what its files are. */
export function readDatabaseImage(fileSystem: FileSystem, directory: string, name: string): DatabaseImage {
  const files: Files = new Map();
  readTree(fileSystem, directory, '', files);
  const roles = new Map<string, FileRole>();
  const tables = new Set(
    readIndexMap(fileSystem, fileSystem.join(directory, 'index'))?.tables.map(({ file }) => file)
  );
  const database = openDatabase({ fileSystem, dataDirectory: directory });
  const inLog = new Map(
    database.chunkSet.chunks.map((chunk) => [
      chunk.fileName,
      chunk.footer === null ? 'activeChunk' : 'completedChunk'
    ])
  ) as Map<string, FileRole>;
  database.close();
  for (const file of files.keys()) roles.set(file, inLog.get(file) ?? roleOf(file, tables));
  return { name, files, roles };
}

function readTree(fileSystem: FileSystem, root: string, below: string, files: Files): void {
  const directory = below === '' ? root : fileSystem.join(root, below);
  const entries = [...(fileSystem.list(directory) ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, isDirectory } of entries) {
    const path = below === '' ? name : `${below}/${name}`;
    if (isDirectory) readTree(fileSystem, root, path, files);
    else files.set(path, readWholeFile(fileSystem, fileSystem.join(root, path)) ?? new Uint8Array(0));
  }
}

function roleOf(file: string, tables: ReadonlySet<string>): FileRole {
  if (decodeChunkFileName(file)) return 'otherChunk';
  if (!file.startsWith('index/')) return file.endsWith('.chk') ? 'checkpoint' : 'other';
  if (file === 'index/indexmap') return 'indexMap';
  if (file.startsWith('index/stream-existence/')) return 'existenceFilter';
  if (file.startsWith('index/scavenging/')) return 'scavengeState';
  if (file.endsWith('.bloomfilter')) return 'tableFilter';
  return tables.has(file.slice('index/'.length)) ? 'table' : 'other';
}

/** A fresh file system with these files below `directory`. */
export function mountFiles(files: ReadonlyMap<string, Uint8Array>, directory: string): MemoryFileSystem {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory(directory);
  for (const [path, bytes] of files) {
    const parent = path.split('/').slice(0, -1).join('/');
    if (parent !== '') fileSystem.makeDirectory(fileSystem.join(directory, parent));
    const file = fileSystem.open(fileSystem.join(directory, path), 'createNew');
    file.write(bytes, 0, bytes.length, 0);
    file.close();
  }
  return fileSystem;
}

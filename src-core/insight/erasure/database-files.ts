/**
 * Every file that a node's directories hold, and the copies that Winnow itself sets aside beside them: what each is,
 * and whether it can be read. Nothing is skipped: an unknown file is searched as bytes and named as not
 * examined. Reads names, sizes and chunk headers only.
 */
import { entriesIn } from '../../storage/directory-entries.ts';
import { requireFault } from '../../errors.ts';
import { readBlocks } from '../../storage/read-blocks.ts';
import { decodeChunkFileName, isTemporaryFileName } from '../../chunks/chunk-file-name.ts';
import type { Database } from '../../database/database.ts';
import type { DirectoryEntry, FileSystem } from '../../storage/file-system.ts';
import type { ErasureFile, FileForm } from './erasure-file.ts';
import type { PlaceKind } from './place.ts';

const BLOCK_BYTES = 4 * 1024 * 1024;
const GUID_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const STATE_NAME = /^scavenging\.db(-wal|-shm|-journal)?$/;
const ASIDE_DIRECTORY = /(^|[-.])(set-aside|before-restore|restoring)-/;
/** What tells of the files that a scavenge replaced and kept: names, sizes and hashes. */
const OF_KEPT_FILES = /(^|\/)winnow-replaced\/(lock|[^/]+\/manifest\.json)$/;
const SNAPSHOT_DIRECTORIES = ['.zfs', '.snapshot', '.snapshots'];
const UNKNOWN = 'It is not a known part of a database; it was searched as plain bytes only.';

export interface NotExamined {
  place: string;
  why: string;
}

export interface DatabaseFiles {
  files: ErasureFile[];
  notExamined: NotExamined[];
}

export interface ListFiles {
  database: Database;
  /** State directories of detached runs over this database. */
  stateDirectories: readonly string[];
}

/** What a file is by its name alone, wherever it lies. */
export function formOfName(name: string): FileForm {
  const base = name.split('/').at(-1)!;
  if (decodeChunkFileName(base) || decodeChunkFileName(base.replace(/\.archive\.bkup$/, ''))) return 'chunk';
  if (GUID_NAME.test(base)) return 'table';
  if (STATE_NAME.test(base)) return 'state';
  return /\.(bloomfilter|chk)$|^streamExistenceFilter\.dat$/.test(base) ? 'numbers' : 'unknown';
}

/** Named by the format, or text of ours, so that a search of its bytes says all. */
export function isKnownName(name: string): boolean {
  const base = name.split('/').at(-1)!;
  if (formOfName(base) !== 'unknown') return true;
  if (OF_KEPT_FILES.test(name)) return true;
  return (
    /^(indexmap|\.forceverify|winnow-(restore|undo)\.json|moved\.ndjson)$/.test(base) || base.endsWith('.tmp')
  );
}

export function listDatabaseFiles({ database, stateDirectories }: ListFiles): DatabaseFiles {
  const { fileSystem, dataDirectory, indexDirectory } = database;
  const listing = new Listing(database);
  listing.walk(dataDirectory, '', (name) => dataKind(name, database));
  listing.walk(indexDirectory, 'index/', indexKind);
  for (const directory of new Set([dataDirectory, indexDirectory])) listing.walkAside(directory);
  stateDirectories.forEach((directory, i) => {
    if (fileSystem.describe(directory))
      listing.walk(directory, `detached-scavenge-${i}/`, () => 'scavengeState');
  });
  return { files: listing.files, notExamined: [...listing.notExamined, ...absentChunks(database)] };
}

class Listing {
  readonly files: ErasureFile[] = [];
  readonly notExamined: NotExamined[] = [];
  readonly #database: Database;
  readonly #fileSystem: FileSystem;
  /** What lies beside the directories; both may have one parent, of which is told once. */
  readonly #parents = new Map<string, DirectoryEntry[]>();
  readonly #chunks: ReadonlyMap<string, { dataEnd: number; isActive: boolean }>;

  constructor(database: Database) {
    this.#database = database;
    this.#fileSystem = database.fileSystem;
    this.#chunks = new Map(
      database.chunkSet.chunks.map(({ fileName, dataStart, dataSize, isActive }) => [
        fileName,
        { dataEnd: dataStart + dataSize, isActive }
      ])
    );
  }

  walk(directory: string, prefix: string, kindOf: (name: string) => PlaceKind): void {
    for (const entry of this.#list(directory, prefix === '' ? '.' : prefix)) {
      const path = this.#fileSystem.join(directory, entry.name);
      const name = `${prefix}${entry.name}`;
      if (entry.isDirectory) this.#walkDirectory(path, name, kindOf);
      else this.#add(path, name, kindOf(name));
    }
  }

  /** Copies that a repair or a restore left beside a directory. */
  walkAside(directory: string): void {
    const fileSystem = this.#fileSystem;
    const base = directory.split(/[/\\]/).findLast((part) => part !== '');
    const parent = fileSystem.join(directory, '..');
    if (base === undefined || this.#isWithinData(directory)) return;
    const isFirst = !this.#parents.has(parent);
    const entries = this.#parents.get(parent) ?? this.#list(parent, '..');
    this.#parents.set(parent, entries);
    for (const { name, isDirectory } of entries) {
      if (!isDirectory) continue;
      if (name.startsWith(base) && ASIDE_DIRECTORY.test(name.slice(base.length))) {
        this.walk(fileSystem.join(parent, name), `../${name}/`, () => 'other');
      }
      if (isFirst && SNAPSHOT_DIRECTORIES.includes(name)) this.#addSnapshots(`../${name}`);
    }
  }

  #isWithinData(directory: string): boolean {
    const data = this.#database.dataDirectory;
    return directory !== data && /^[/\\]/.test(directory.slice(data.length)) && directory.startsWith(data);
  }

  #walkDirectory(path: string, name: string, kindOf: (name: string) => PlaceKind): void {
    if (path === this.#database.indexDirectory) return;
    if (SNAPSHOT_DIRECTORIES.includes(name)) this.#addSnapshots(name);
    else this.walk(path, `${name}/`, kindOf);
  }

  #addSnapshots(place: string): void {
    this.notExamined.push({ place, why: 'This holds snapshots of the volume; they are not examined.' });
  }

  #list(directory: string, place: string): DirectoryEntry[] {
    try {
      return entriesIn(this.#fileSystem, directory).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      requireFault(error);
      this.notExamined.push({ place, why: error.message });
      return [];
    }
  }

  #add(path: string, name: string, kind: PlaceKind): void {
    if (/\.sock$/.test(name)) return; // a socket of a running server holds no bytes
    const facts = this.#fileSystem.describe(path);
    if (!facts) return; // gone since the directory was listed
    const chunk = kind === 'log' ? this.#chunks.get(name) : undefined;
    const notReadable = whyNotReadable(name);
    this.files.push({
      name,
      kind,
      form: formOfName(name),
      bytes: facts.size,
      ...(chunk ?? {}),
      ...(notReadable === undefined ? {} : { notReadable }),
      blocks: () => fileBlocks(this.#fileSystem, path)
    });
  }
}

function whyNotReadable(name: string): string | undefined {
  if (/(^|\/)kurrent\.ddb/.test(name)) {
    return 'The database of the secondary indexes is compressed; a search of its plain bytes proves nothing.';
  }
  return isKnownName(name) ? undefined : UNKNOWN;
}

function dataKind(name: string, { chunkSet }: Database): PlaceKind {
  if (name.includes('/')) return name.startsWith('index-backup-') ? 'index' : 'other';
  if (isTemporaryFileName(name)) return 'temporaryFile';
  if (name.endsWith('.archive.bkup')) return 'supersededChunk';
  if (!decodeChunkFileName(name)) return 'other';
  if (chunkSet.superseded.some(({ file }) => file === name)) return 'supersededChunk';
  return chunkSet.surplus.some(({ file }) => file === name) ? 'slack' : 'log';
}

function indexKind(name: string): PlaceKind {
  if (isTemporaryFileName(name)) return 'temporaryFile';
  if (/^index\/scavenging/.test(name)) return 'scavengeState';
  return isKnownName(name) ? 'index' : 'other';
}

function absentChunks({ problems }: Database): NotExamined[] {
  return problems
    .filter(({ code }) => code === 'archiveGap' || code === 'chunkMissing')
    .map(({ code, message }) => ({
      place: code === 'archiveGap' ? 'archive' : 'missing chunks',
      why: message
    }));
}

async function* fileBlocks(fileSystem: FileSystem, path: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  for (const { bytes } of readBlocks(fileSystem, path, BLOCK_BYTES)) yield bytes;
}

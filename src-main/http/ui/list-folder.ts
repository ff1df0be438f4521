/**
 * What a page in a browser sees of an allowed folder: its folders with what each one is, and files of the kinds that were
 * asked for. Names only: no content is read. Everything below may change or vanish while it is looked at.
 */
import { opendir, readdir, realpath, stat } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import path from 'node:path';
import { isBackupId } from '../../../src-core/index.ts';
import type {
  FolderEntry,
  FolderKind,
  FolderListing,
  FolderObstacle,
  FolderVerbs
} from '../../contract/verbs/folder-contract.ts';
import { isInside, type AllowedFolder, type AllowedFolders } from './allowed-folders.ts';

/** Listed of one folder. */
export const MOST_ENTRIES = 10_000;
/** Folders that are looked into to say what they are: the first ones by name. */
export const MOST_DESCRIBED = 1000;
/** Names that are looked at to say what a folder is; a database has its own among the first in any order. */
const MOST_NAMES = 2000;

type Request = FolderVerbs['listFolder']['request'];

/** `folders` decides what may be seen; `signal`: no longer wanted. Throws InvalidRequest for a path outside. */
export async function listFolder(
  folders: AllowedFolders,
  { path: asked, showsHidden, extensions }: Request,
  signal: AbortSignal
): Promise<FolderListing> {
  const allowed = await folders.list();
  if (asked === null) return listAllowed(allowed, signal);
  const real = await folders.admit(asked);
  const listing = { path: real, trail: trailOf(real, allowed), separator: path.sep, isCut: false };
  let found: Dirent<Buffer>[];
  try {
    found = await readdir(real, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    return { ...listing, kind: null, obstacle: obstacleOf(error), entries: [] };
  }
  const kind = kindOf(found.map(({ name }) => name.toString()));
  const entries: FolderEntry[] = [];
  for (const entry of found) {
    const name = entry.name.toString();
    if (!showsHidden && name.startsWith('.')) continue;
    if (!(entry.isDirectory() || entry.isSymbolicLink() || hasExtension(name, extensions))) continue;
    if (signal.aborted) break;
    const described = await describe(real, entry, allowed);
    if (described.isFolder || hasExtension(name, extensions)) entries.push(described);
  }
  entries.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || byName(a.name, b.name));
  const kept = entries.slice(0, MOST_ENTRIES);
  await lookInto(kept, signal);
  return { ...listing, kind, obstacle: null, entries: kept, isCut: entries.length > MOST_ENTRIES };
}

async function listAllowed(allowed: readonly AllowedFolder[], signal: AbortSignal): Promise<FolderListing> {
  const entries = allowed.map(({ given, real }): FolderEntry => ({
    name: given,
    path: real ?? given,
    isFolder: true,
    kind: null,
    obstacle: real === undefined ? 'missing' : null
  }));
  await lookInto(entries, signal);
  return { path: null, trail: [], kind: null, obstacle: null, entries, isCut: false, separator: path.sep };
}

async function describe(
  folder: string,
  entry: Dirent<Buffer>,
  allowed: readonly AllowedFolder[]
): Promise<FolderEntry> {
  const name = entry.name.toString();
  const full = path.join(folder, name);
  const described = { name, path: full, isFolder: entry.isDirectory(), kind: null, obstacle: null };
  // Not text: no request could name it.
  if (!Buffer.from(name).equals(entry.name)) return { ...described, obstacle: 'badName' };
  if (!entry.isSymbolicLink()) return described;
  return describeLink(full, described, allowed);
}

async function describeLink(
  link: string,
  described: FolderEntry,
  allowed: readonly AllowedFolder[]
): Promise<FolderEntry> {
  try {
    const real = await realpath(link);
    const isOurs = allowed.some((folder) => folder.real !== undefined && isInside(folder.real, real));
    // What lies outside is not looked at: whether it is a folder is nobody's business here.
    if (!isOurs) return { ...described, isFolder: true, obstacle: 'outside' };
    return { ...described, isFolder: (await stat(real)).isDirectory() };
  } catch (error) {
    return { ...described, isFolder: true, obstacle: obstacleOf(error) };
  }
}

/** Says what the first folders are. */
async function lookInto(entries: FolderEntry[], signal: AbortSignal): Promise<void> {
  for (const entry of entries.slice(0, MOST_DESCRIBED)) {
    if (signal.aborted) return;
    if (!entry.isFolder || entry.obstacle !== null) continue;
    try {
      entry.kind = kindOf(await firstNames(entry.path));
    } catch (error) {
      entry.obstacle = obstacleOf(error);
    }
  }
}

async function firstNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder)) {
    names.push(name);
    if (names.length === MOST_NAMES) break;
  }
  return names;
}

const CHUNK_FILE = /^chunk-\d{6}\.\d{6}$/;

/** By its names alone; the operation that opens it finds out whether it is one. */
export function kindOf(names: readonly string[]): FolderKind {
  if (names.length === 0) return 'empty';
  if (names.some((name) => name === 'writer.chk' || CHUNK_FILE.test(name))) return 'database';
  if (names.includes('manifest.json') && names.includes('data')) return 'backup';
  if (names.some(isBackupId)) return 'backups';
  return names.includes('indexmap') ? 'index' : 'other';
}

function trailOf(real: string, allowed: readonly AllowedFolder[]): FolderListing['trail'] {
  const root = allowed.find((folder) => folder.real !== undefined && isInside(folder.real, real));
  if (root?.real === undefined) return [];
  const trail = [{ name: root.given, path: root.real }];
  let at = root.real;
  for (const name of path.relative(root.real, real).split(path.sep)) {
    if (name === '') continue;
    at = path.join(at, name);
    trail.push({ name, path: at });
  }
  return trail;
}

function hasExtension(name: string, extensions: readonly string[]): boolean {
  return extensions.includes(path.extname(name).slice(1).toLowerCase());
}

function obstacleOf(error: unknown): FolderObstacle {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
}

/** As people order names: `node-2` before `node-10`. */
const { compare: byName } = new Intl.Collator('en', { numeric: true });

/**
 * What of a memory file system is on the disk for certain, and what is on its way there. A file's bytes are certain
 * once the file was synced, a name once its directory was. Everything else may survive a power cut or not: what does
 * is the choice of a `Survival`. A rename is atomic: both of its names change, or none. Of a write some whole sectors
 * may survive, or its length without its bytes, which then read as zeros.
 *
 * A sync that failed makes what it should have flushed doomed: a later sync of the same file says it went well and
 * flushes none of it, as kernels do that drop the pages of a failed write-back.
 */
import { GrowableBytes } from './growable-bytes.ts';
import {
  MemoryFileSystem,
  ROOT_INODE,
  type DirectoryNode,
  type FileNode,
  type TreeNode
} from './memory-file-system.ts';
import { Prng } from './prng.ts';

const SECTOR_BYTES = 512;

interface FileMode {
  mode: number;
  uid: number;
  gid: number;
}
type FileChange =
  | { kind: 'write'; position: number; bytes: Uint8Array }
  | { kind: 'truncate'; size: number }
  | { kind: 'facts'; facts: FileMode };
/** A change that is on its way to the disk, and the call that made it. */
interface PendingChange {
  call: number;
  change: FileChange;
  isDoomed: boolean;
}
interface DurableFile {
  kind: 'file';
  bytes: GrowableBytes;
  facts: FileMode;
  pending: PendingChange[];
}
interface DurableDirectory {
  kind: 'directory';
  entries: Map<string, number>;
}
/** Names that appear (with the file they name) and disappear together. */
interface EntryChange {
  removed: { directory: number; name: string }[];
  added: { directory: number; name: string; inode: number }[];
}
interface PendingEntries {
  call: number;
  change: EntryChange;
  isDoomed: boolean;
}

/** How much of one change of a file is on the disk: of a write `half` is its first half, `length` its length alone. */
export type Part = 'whole' | 'half' | 'length' | 'none';

/** One uncertain change: the call that made it, its place among those of its file (or among all names), how many. */
export interface Uncertain {
  call: number;
  index: number;
  count: number;
  isDoomed: boolean;
  /** Inodes of the file, or of the directories whose names change. */
  inodes: readonly number[];
}

/** What of the uncertain changes survives a power cut. */
export interface Survival {
  file(change: Uncertain): Part | { sectors: Prng };
  names(change: Uncertain): boolean;
}

/** Only what was flushed. */
export const NOTHING_UNFLUSHED: Survival = { file: () => 'none', names: () => false };
/** Everything, as after the death of the process alone. */
export const EVERYTHING: Survival = { file: () => 'whole', names: () => true };

/** Nothing, all, the oldest part, or any of what was not flushed, by a seed; the last write of a file may be torn. */
export function seededSurvival(seed: number): Survival {
  const prng = new Prng(seed);
  const kind = prng.below(4);
  if (kind === 0) return NOTHING_UNFLUSHED;
  if (kind === 1) return EVERYTHING;
  const survives = ({ index, count }: Uncertain) => (kind === 2 ? index < count / 2 : prng.chance(0.5));
  return {
    names: survives,
    file: (change) => {
      if (!survives(change)) return kind === 3 && prng.chance(0.3) ? 'length' : 'none';
      return change.index === change.count - 1 ? { sectors: prng } : 'whole';
    }
  };
}

export class DurableState {
  readonly #nodes = new Map<number, DurableFile | DurableDirectory>();
  #pendingEntries: PendingEntries[] = [];
  /** Number of the call that makes changes now. */
  call = 0;

  /** Takes everything that is there as certain. */
  constructor(root: DirectoryNode) {
    this.#adopt(root);
  }

  addNode(node: TreeNode): void {
    if (node.kind === 'directory') this.#nodes.set(node.inode, { kind: 'directory', entries: new Map() });
    else
      this.#nodes.set(node.inode, {
        kind: 'file',
        bytes: new GrowableBytes(),
        facts: factsOf(node),
        pending: []
      });
  }

  changeFile(inode: number, change: FileChange): void {
    this.#file(inode)?.pending.push({ call: this.call, change, isDoomed: false });
  }

  changeEntries(change: EntryChange): void {
    this.#pendingEntries.push({ call: this.call, change, isDoomed: false });
  }

  syncFile(inode: number): void {
    const file = this.#file(inode);
    if (!file) return;
    for (const { change, isDoomed } of file.pending) if (!isDoomed) applyChange(file, change, 'whole');
    file.pending = file.pending.filter(({ isDoomed }) => isDoomed);
  }

  syncDirectory(inode: number): void {
    const isFlushed = (pending: PendingEntries) =>
      !pending.isDoomed && directoriesOf(pending).includes(inode);
    for (const pending of this.#pendingEntries)
      if (isFlushed(pending)) applyEntries(this.#nodes, pending.change);
    this.#pendingEntries = this.#pendingEntries.filter((pending) => !isFlushed(pending));
  }

  /** A sync of this file or directory failed: what it should have flushed is never flushed by a later one. */
  failSync(inode: number): void {
    for (const pending of this.#file(inode)?.pending ?? []) pending.isDoomed = true;
    for (const pending of this.#pendingEntries) {
      if (directoriesOf(pending).includes(inode)) pending.isDoomed = true;
    }
  }

  /** A new file system with what is on the disk after the power came back. */
  survivors(survival: Survival): MemoryFileSystem {
    const nodes = new Map<number, DurableFile | DurableDirectory>();
    for (const [inode, node] of this.#nodes) {
      nodes.set(inode, node.kind === 'file' ? survivingFile(inode, node, survival) : copyDirectory(node));
    }
    const count = this.#pendingEntries.length;
    this.#pendingEntries.forEach((pending, index) => {
      const { call, isDoomed } = pending;
      const uncertain = { call, index, count, isDoomed, inodes: directoriesOf(pending) };
      if (survival.names(uncertain)) applyEntries(nodes, pending.change);
    });
    const fileSystem = new MemoryFileSystem();
    build(nodes, { inode: ROOT_INODE, target: fileSystem.root, fileSystem, built: new Map() });
    return fileSystem;
  }

  #adopt(node: TreeNode): void {
    this.addNode(node);
    const adopted = this.#nodes.get(node.inode)!;
    if (node.kind === 'file') {
      if (adopted.kind === 'file') adopted.bytes = node.bytes.clone();
      return;
    }
    for (const [name, entry] of node.entries) {
      if (adopted.kind === 'directory') adopted.entries.set(name, entry.inode);
      this.#adopt(entry);
    }
  }

  #file(inode: number): DurableFile | undefined {
    const node = this.#nodes.get(inode);
    return node?.kind === 'file' ? node : undefined;
  }
}

export function factsOf({ mode, uid, gid }: FileMode): FileMode {
  return { mode, uid, gid };
}

function directoriesOf({ change }: PendingEntries): number[] {
  return [...change.removed, ...change.added].map(({ directory }) => directory);
}

function applyEntries(nodes: Map<number, DurableFile | DurableDirectory>, change: EntryChange): void {
  const entriesOf = (inode: number): Map<string, number> => {
    const node = nodes.get(inode);
    if (node?.kind !== 'directory') throw new Error(`Inode ${inode} is no directory.`);
    return node.entries;
  };
  for (const { directory, name } of change.removed) entriesOf(directory).delete(name);
  for (const { directory, name, inode } of change.added) entriesOf(directory).set(name, inode);
}

function survivingFile(inode: number, file: DurableFile, survival: Survival): DurableFile {
  const copy: DurableFile = { kind: 'file', bytes: file.bytes.clone(), facts: file.facts, pending: [] };
  const count = file.pending.length;
  file.pending.forEach(({ call, change, isDoomed }, index) => {
    const part = survival.file({ call, index, count, isDoomed, inodes: [inode] });
    if (typeof part === 'string') applyChange(copy, change, part);
    else applyChange(copy, change.kind === 'write' ? tornWrite(change, part.sectors) : change, 'whole');
  });
  return copy;
}

/** The write up to a boundary of sectors, or all of it: sectors themselves are written whole. */
function tornWrite(change: FileChange & { kind: 'write' }, prng: Prng): FileChange {
  const firstBoundary = Math.ceil((change.position + 1) / SECTOR_BYTES) * SECTOR_BYTES - change.position;
  const boundaries = 1 + Math.max(0, Math.ceil((change.bytes.length - firstBoundary) / SECTOR_BYTES));
  const length = firstBoundary + prng.below(boundaries) * SECTOR_BYTES;
  return { ...change, bytes: change.bytes.subarray(0, length) };
}

/** A write of a few bytes inside a sector is whole or not at all, also where half of it is asked for. */
function halfOf(bytes: Uint8Array): Uint8Array {
  return bytes.length <= 8 ? bytes.subarray(0, 0) : bytes.subarray(0, bytes.length >> 1);
}

function applyChange(file: DurableFile, change: FileChange, part: Part): void {
  if (part === 'none') return;
  switch (change.kind) {
    case 'write': {
      const end = change.position + change.bytes.length;
      if (part === 'length') file.bytes.truncate(Math.max(file.bytes.size, end));
      else file.bytes.write(part === 'half' ? halfOf(change.bytes) : change.bytes, change.position);
      break;
    }
    case 'truncate':
      file.bytes.truncate(change.size);
      break;
    case 'facts':
      file.facts = change.facts;
  }
}

function copyDirectory(directory: DurableDirectory): DurableDirectory {
  return { kind: 'directory', entries: new Map(directory.entries) };
}

interface Build {
  inode: number;
  target: DirectoryNode;
  fileSystem: MemoryFileSystem;
  /** Files by their old inode: two names of one file stay names of one file. */
  built: Map<number, FileNode>;
}

function build(
  nodes: Map<number, DurableFile | DurableDirectory>,
  { inode, target, fileSystem, built }: Build
): void {
  const source = nodes.get(inode);
  if (source?.kind !== 'directory') throw new Error(`Inode ${inode} is no directory.`);
  for (const [name, entryInode] of source.entries) {
    const entry = nodes.get(entryInode);
    if (entry?.kind === 'file') {
      const file: FileNode =
        built.get(entryInode) ?? Object.assign(fileSystem.newFile(), { bytes: entry.bytes }, entry.facts);
      built.set(entryInode, file);
      target.entries.set(name, file);
    } else {
      const directory = fileSystem.newDirectory();
      target.entries.set(name, directory);
      build(nodes, { inode: entryInode, target: directory, fileSystem, built });
    }
  }
}

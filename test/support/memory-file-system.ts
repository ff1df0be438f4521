/**
 * A file system in memory, with the behaviour of a POSIX one as far as the port promises it: open files outlive
 * their names, a rename replaces, locks exclude each other, a file without the owner's write bit cannot be opened
 * for writing. Times are a counter, so that runs are the same. It keeps everything at once: losing what was not
 * flushed is the business of faulty-file-system.ts.
 */
import path from 'node:path';
import { EngineError } from '../../src-core/errors.ts';
import type {
  DirectoryEntry,
  FileFacts,
  FileSystem,
  LockHolder,
  OpenFile,
  OpenMode
} from '../../src-core/storage/file-system.ts';
import { GrowableBytes } from './growable-bytes.ts';

interface NodeFacts {
  readonly inode: number;
  mode: number;
  uid: number;
  gid: number;
  modifiedMs: number;
}
export interface FileNode extends NodeFacts {
  readonly kind: 'file';
  bytes: GrowableBytes;
  holder: LockHolder | undefined;
}
export interface DirectoryNode extends NodeFacts {
  readonly kind: 'directory';
  entries: Map<string, TreeNode>;
}
export type TreeNode = FileNode | DirectoryNode;

export const ROOT_INODE = 1;
const OWNER_MAY_WRITE = 0o200;

/** The error that the port promises for a failure with the system's word `osCode`. */
export function storageError(osCode: string, file: string): EngineError {
  return new EngineError({
    code: osCode === 'ENOENT' ? 'DatabaseNotFound' : 'StorageFailed',
    message: `The system refused ${file}: ${osCode}.`,
    remedy: 'This file system is in memory: see the test.',
    details: { file, osCode }
  });
}

export class MemoryFileSystem implements FileSystem {
  /** The volume is full beyond this. */
  capacityBytes: number;
  readonly root: DirectoryNode;
  #nextInode = ROOT_INODE;
  #nowMs = 0;

  constructor({ capacityBytes = 2 ** 40 }: { capacityBytes?: number } = {}) {
    this.capacityBytes = capacityBytes;
    this.root = this.newDirectory();
  }

  describe(file: string): FileFacts | undefined {
    const node = this.find(file);
    if (!node) return undefined;
    const { inode, mode, uid, gid, modifiedMs } = node;
    const size = node.kind === 'file' ? node.bytes.size : 0;
    return { size, isDirectory: node.kind === 'directory', mode, uid, gid, inode, device: 1, modifiedMs };
  }

  list(directory: string): DirectoryEntry[] | undefined {
    const node = this.find(directory);
    if (!node) return undefined;
    if (node.kind !== 'directory') throw storageError('ENOTDIR', directory);
    return [...node.entries].map(([name, entry]) => ({ name, isDirectory: entry.kind === 'directory' }));
  }

  open(file: string, mode: OpenMode): OpenFile {
    const existing = this.find(file);
    if (mode === 'createNew') {
      if (existing) throw storageError('EEXIST', file);
      const created = this.newFile();
      this.#parentOf(file).entries.set(path.posix.basename(file), created);
      return new MemoryOpenFile({ fileSystem: this, path: file, node: created, isWritable: true });
    }
    if (!existing) throw storageError('ENOENT', file);
    if (existing.kind === 'directory') throw storageError('EISDIR', file);
    const isWritable = mode !== 'read';
    if (isWritable && (existing.mode & OWNER_MAY_WRITE) === 0) throw storageError('EACCES', file);
    return new MemoryOpenFile({ fileSystem: this, path: file, node: existing, isWritable });
  }

  rename(from: string, to: string): void {
    const node = this.#mustFind(from);
    const replaced = this.find(to);
    if (replaced === node) return;
    if (replaced && replaced.kind !== node.kind) {
      throw storageError(replaced.kind === 'directory' ? 'EISDIR' : 'ENOTDIR', to);
    }
    if (replaced?.kind === 'directory' && replaced.entries.size > 0) throw storageError('ENOTEMPTY', to);
    const target = this.#parentOf(to);
    this.#parentOf(from).entries.delete(path.posix.basename(from));
    target.entries.set(path.posix.basename(to), node);
  }

  link(from: string, to: string): boolean {
    const node = this.#mustFind(from);
    if (this.find(to)) throw storageError('EEXIST', to);
    this.#parentOf(to).entries.set(path.posix.basename(to), node);
    return true;
  }

  remove(file: string): void {
    const node = this.find(file);
    if (!node) return;
    if (node.kind === 'directory') throw storageError('EISDIR', file);
    this.#parentOf(file).entries.delete(path.posix.basename(file));
  }

  makeDirectory(directory: string): void {
    let node: TreeNode = this.root;
    for (const name of namesOf(directory)) {
      if (node.kind !== 'directory') throw storageError('ENOTDIR', directory);
      let next: TreeNode | undefined = node.entries.get(name);
      if (!next) {
        next = this.newDirectory();
        node.entries.set(name, next);
      }
      node = next;
    }
    if (node.kind !== 'directory') throw storageError('EEXIST', directory);
  }

  removeDirectory(directory: string): void {
    if (this.find(directory)) this.#parentOf(directory).entries.delete(path.posix.basename(directory));
  }

  changeMode(file: string, mode: number): void {
    this.#mustFind(file).mode = mode;
  }

  changeOwner(file: string, uid: number, gid: number): void {
    Object.assign(this.#mustFind(file), { uid, gid });
  }

  syncDirectory(directory: string): void {
    if (this.#mustFind(directory).kind !== 'directory') throw storageError('ENOTDIR', directory);
  }

  freeBytes(file: string): number {
    this.#mustFind(file);
    return Math.max(0, this.capacityBytes - usedBytes(this.root));
  }

  tryLock(file: string): (() => void) | undefined {
    return this.lockAs(file, { by: 'unknown', pid: null });
  }

  /** As tryLock, for a holder that a test makes up. */
  lockAs(file: string, holder: LockHolder): (() => void) | undefined {
    const node = this.#mustFind(file);
    if (node.kind === 'directory') throw storageError('EISDIR', file);
    if (node.holder) return undefined;
    node.holder = holder;
    return () => {
      if (node.holder === holder) node.holder = undefined;
    };
  }

  lockHolder(file: string): LockHolder | undefined {
    const node = this.find(file);
    return node?.kind === 'file' ? node.holder : undefined;
  }

  join(...parts: string[]): string {
    return path.posix.join(...parts);
  }

  /** The file or directory at a path, for those who build on this file system. */
  find(file: string): TreeNode | undefined {
    let node: TreeNode | undefined = this.root;
    for (const name of namesOf(file)) {
      if (node?.kind !== 'directory') return undefined;
      node = node.entries.get(name);
    }
    return node;
  }

  /** A file that has no name yet. */
  newFile(): FileNode {
    return { kind: 'file', ...this.#newFacts(0o644), bytes: new GrowableBytes(), holder: undefined };
  }

  /** A directory that has no name yet. */
  newDirectory(): DirectoryNode {
    return { kind: 'directory', ...this.#newFacts(0o755), entries: new Map() };
  }

  /** Called by open files: notes the change, and refuses what does not fit on the volume any more. */
  beforeGrowth(node: FileNode, end: number, file: string): void {
    node.modifiedMs = ++this.#nowMs;
    const growth = end - node.bytes.size;
    const isTight = growth > 0 && this.capacityBytes < 2 ** 40;
    if (isTight && usedBytes(this.root) + growth > this.capacityBytes) throw storageError('ENOSPC', file);
  }

  #newFacts(mode: number): NodeFacts {
    return { inode: this.#nextInode++, mode, uid: 1000, gid: 1000, modifiedMs: ++this.#nowMs };
  }

  #mustFind(file: string): TreeNode {
    const node = this.find(file);
    if (!node) throw storageError('ENOENT', file);
    return node;
  }

  #parentOf(file: string): DirectoryNode {
    const parent = this.find(path.posix.dirname(file));
    if (!parent) throw storageError('ENOENT', file);
    if (parent.kind !== 'directory') throw storageError('ENOTDIR', file);
    return parent;
  }
}

class MemoryOpenFile implements OpenFile {
  readonly path: string;
  readonly #fileSystem: MemoryFileSystem;
  readonly #node: FileNode;
  readonly #isWritable: boolean;
  #isClosed = false;

  constructor(parts: { fileSystem: MemoryFileSystem; path: string; node: FileNode; isWritable: boolean }) {
    this.path = parts.path;
    this.#fileSystem = parts.fileSystem;
    this.#node = parts.node;
    this.#isWritable = parts.isWritable;
  }

  size(): number {
    this.#mustBeOpen();
    return this.#node.bytes.size;
  }

  read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    this.#mustBeOpen();
    return this.#node.bytes.read(target, targetOffset, length, position);
  }

  write(source: Uint8Array, sourceOffset: number, length: number, position: number): void {
    this.#mustBeWritable('EBADF');
    this.#fileSystem.beforeGrowth(this.#node, position + length, this.path);
    this.#node.bytes.write(source.subarray(sourceOffset, sourceOffset + length), position);
  }

  truncate(size: number): void {
    this.#mustBeWritable('EINVAL');
    this.#fileSystem.beforeGrowth(this.#node, size, this.path);
    this.#node.bytes.truncate(size);
  }

  sync(): void {
    this.#mustBeOpen();
  }

  close(): void {
    this.#isClosed = true;
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw storageError('EBADF', this.path);
  }

  #mustBeWritable(osCode: string): void {
    this.#mustBeOpen();
    if (!this.#isWritable) throw storageError(osCode, this.path);
  }
}

/** Of paths that were asked for: campaigns ask for the same ones millions of times. */
const names = new Map<string, readonly string[]>();
const MOST_NAMES = 10_000;

function namesOf(file: string): readonly string[] {
  const known = names.get(file);
  if (known !== undefined) return known;
  const split = path.posix
    .normalize(file)
    .split('/')
    .filter((name) => name !== '' && name !== '.');
  if (names.size >= MOST_NAMES) names.clear();
  names.set(file, split);
  return split;
}

function usedBytes(node: TreeNode): number {
  if (node.kind === 'file') return node.bytes.size;
  let total = 0;
  for (const entry of node.entries.values()) total += usedBytes(entry);
  return total;
}

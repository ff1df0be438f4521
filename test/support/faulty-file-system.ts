/**
 * A memory file system on a machine that loses power. It counts the calls that change something or flush it; at the
 * chosen call it throws PowerCut, and from then on at every call, reading ones too. What is on the disk afterwards
 * is a file system of its own: `survivors(seed)`. Without a fault it behaves as the memory file system does.
 *
 *   const uncut = new FaultyFileSystem(start());             run; uncut.calls says how many cuts there are
 *   const cut = new FaultyFileSystem(start(), { cutAt: k }); run, catch PowerCut, go on with cut.survivors(seed)
 */
import path from 'node:path';
import type {
  DirectoryEntry,
  FileFacts,
  FileSystem,
  LockHolder,
  OpenFile,
  OpenMode
} from '../../src-core/storage/file-system.ts';
import { DurableState, factsOf } from './durable-state.ts';
import { storageError, type MemoryFileSystem, type TreeNode } from './memory-file-system.ts';

/** The machine is off. No error of the engine: nothing may catch it and go on. */
export class PowerCut extends Error {
  constructor(call: number) {
    super(`The power was cut at call ${call}.`);
    this.name = 'PowerCut';
  }
}

export interface Faults {
  /** Number of the call, counted from 1, that does not return. What it asked for may survive or not. */
  cutAt?: number;
  /** The call, counted from 1, that fails with the system's word and without effect. The power stays on. */
  failAt?: { call: number; osCode: string };
}

export class FaultyFileSystem implements FileSystem {
  /** Calls so far that change something or flush it. */
  calls = 0;
  isOff = false;
  readonly #inner: MemoryFileSystem;
  readonly #durable: DurableState;
  readonly #faults: Faults;

  /** What `inner` holds now is on the disk. It must not be changed but through this file system any more. */
  constructor(inner: MemoryFileSystem, faults: Faults = {}) {
    this.#inner = inner;
    this.#durable = new DurableState(inner.root);
    this.#faults = faults;
  }

  /** What is on the disk if the power goes now, or went at `cutAt`; the same seed gives the same. */
  survivors(seed: number): MemoryFileSystem {
    return this.#durable.survivors(seed);
  }

  describe(file: string): FileFacts | undefined {
    this.#mustBeOn();
    return this.#inner.describe(file);
  }

  list(directory: string): DirectoryEntry[] | undefined {
    this.#mustBeOn();
    return this.#inner.list(directory);
  }

  open(file: string, mode: OpenMode): OpenFile {
    this.#mustBeOn();
    const change = (): OpenFile => {
      const opened = this.#inner.open(file, mode);
      if (mode === 'createNew') this.#added(file);
      return new FaultyOpenFile(this, opened, this.#node(file).inode);
    };
    return mode === 'createNew' ? this.change(file, change) : change();
  }

  rename(from: string, to: string): void {
    this.change(from, () => {
      const { inode } = this.#inner.find(from) ?? {};
      const removed = { directory: this.#parentInode(from), name: path.posix.basename(from) };
      this.#inner.rename(from, to);
      const added = { directory: this.#parentInode(to), name: path.posix.basename(to), inode: inode! };
      this.#durable.changeEntries({ removed: [removed], added: [added] });
    });
  }

  remove(file: string): void {
    this.change(file, () => {
      const isThere = this.#inner.find(file) !== undefined;
      this.#inner.remove(file);
      if (isThere) this.#removed(file);
    });
  }

  makeDirectory(directory: string): void {
    this.change(directory, () => {
      const missing: string[] = [];
      for (
        let name = path.posix.normalize(directory);
        !this.#inner.find(name);
        name = path.posix.dirname(name)
      ) {
        missing.unshift(name);
      }
      this.#inner.makeDirectory(directory);
      for (const name of missing) this.#added(name);
    });
  }

  removeDirectory(directory: string): void {
    this.change(directory, () => {
      const isThere = this.#inner.find(directory) !== undefined;
      this.#inner.removeDirectory(directory);
      if (isThere) this.#removed(directory);
    });
  }

  changeMode(file: string, mode: number): void {
    this.change(file, () => {
      this.#inner.changeMode(file, mode);
      this.#factsChanged(file);
    });
  }

  changeOwner(file: string, uid: number, gid: number): void {
    this.change(file, () => {
      this.#inner.changeOwner(file, uid, gid);
      this.#factsChanged(file);
    });
  }

  syncDirectory(directory: string): void {
    this.flush(directory, () => {
      this.#inner.syncDirectory(directory);
      this.#durable.syncDirectory(this.#node(directory).inode);
    });
  }

  freeBytes(file: string): number {
    this.#mustBeOn();
    return this.#inner.freeBytes(file);
  }

  tryLock(file: string): (() => void) | undefined {
    this.#mustBeOn();
    return this.#inner.tryLock(file);
  }

  lockHolder(file: string): LockHolder | undefined {
    this.#mustBeOn();
    return this.#inner.lockHolder(file);
  }

  join(...parts: string[]): string {
    return this.#inner.join(...parts);
  }

  /** One counted call that changes something: at the cut the change is on its way to the disk. */
  change<T>(file: string, action: () => T): T {
    const isCut = this.#count(file);
    const result = action();
    if (isCut) this.#cut();
    return result;
  }

  /** One counted call that flushes: at the cut nothing is certain yet. */
  flush(file: string, action: () => void): void {
    if (this.#count(file)) this.#cut();
    action();
  }

  /** A reading call of an open file. */
  read<T>(action: () => T): T {
    this.#mustBeOn();
    return action();
  }

  /** For open files: where their changes are noted. */
  get durable(): DurableState {
    return this.#durable;
  }

  #count(file: string): boolean {
    this.#mustBeOn();
    this.calls++;
    const { failAt, cutAt } = this.#faults;
    if (failAt?.call === this.calls) throw storageError(failAt.osCode, file);
    return cutAt === this.calls;
  }

  #cut(): never {
    this.isOff = true;
    throw new PowerCut(this.calls);
  }

  #mustBeOn(): void {
    if (this.isOff) throw new PowerCut(this.calls);
  }

  #node(file: string): TreeNode {
    const node = this.#inner.find(file);
    if (!node) throw storageError('ENOENT', file);
    return node;
  }

  #parentInode(file: string): number {
    return this.#node(path.posix.dirname(file)).inode;
  }

  #added(file: string): void {
    const node = this.#node(file);
    this.#durable.addNode(node);
    const entry = { directory: this.#parentInode(file), name: path.posix.basename(file), inode: node.inode };
    this.#durable.changeEntries({ removed: [], added: [entry] });
  }

  #removed(file: string): void {
    const entry = { directory: this.#parentInode(file), name: path.posix.basename(file) };
    this.#durable.changeEntries({ removed: [entry], added: [] });
  }

  #factsChanged(file: string): void {
    const node = this.#node(file);
    this.#durable.changeFile(node.inode, { kind: 'facts', facts: factsOf(node) });
  }
}

class FaultyOpenFile implements OpenFile {
  readonly path: string;
  readonly #fileSystem: FaultyFileSystem;
  readonly #inner: OpenFile;
  readonly #inode: number;

  constructor(fileSystem: FaultyFileSystem, inner: OpenFile, inode: number) {
    this.path = inner.path;
    this.#fileSystem = fileSystem;
    this.#inner = inner;
    this.#inode = inode;
  }

  size(): number {
    return this.#fileSystem.read(() => this.#inner.size());
  }

  read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    return this.#fileSystem.read(() => this.#inner.read(target, targetOffset, length, position));
  }

  write(source: Uint8Array, sourceOffset: number, length: number, position: number): void {
    this.#fileSystem.change(this.path, () => {
      this.#inner.write(source, sourceOffset, length, position);
      const bytes = source.slice(sourceOffset, sourceOffset + length);
      this.#fileSystem.durable.changeFile(this.#inode, { kind: 'write', position, bytes });
    });
  }

  truncate(size: number): void {
    this.#fileSystem.change(this.path, () => {
      this.#inner.truncate(size);
      this.#fileSystem.durable.changeFile(this.#inode, { kind: 'truncate', size });
    });
  }

  sync(): void {
    this.#fileSystem.flush(this.path, () => {
      this.#inner.sync();
      this.#fileSystem.durable.syncFile(this.#inode);
    });
  }

  /** Never fails: what runs while a PowerCut passes through must not hide it. */
  close(): void {
    this.#inner.close();
  }
}

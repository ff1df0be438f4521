/**
 * A memory file system on a machine that loses power, or whose disk refuses. It counts the calls that change
 * something or flush it; at the chosen call it throws PowerCut, and from then on at every call, reading ones too.
 * What is on the disk afterwards is a file system of its own: `survivors(…)`. Without a fault it behaves as the
 * memory file system does. To go through all cuts of an operation use cut-enumeration.ts.
 *
 *   const uncut = new FaultyFileSystem(start());             run; uncut.calls says how many cuts there are
 *   const cut = new FaultyFileSystem(start(), { cutAt: k }); run, catch PowerCut, continue with cut.survivors(seed)
 *
 * Directories may lie `beside` it in a real file system (SQLite needs one): calls for them are counted, cut and
 * refused like all others, but what survives of them is the caller's affair.
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
import { DurableState, factsOf, seededSurvival, type Survival } from './durable-state.ts';
import { storageError, type MemoryFileSystem, type TreeNode } from './memory-file-system.ts';

/** The machine is off. No error of the engine: nothing may catch it and go on. */
export class PowerCut extends Error {
  constructor(call: number) {
    super(`The power was cut at call ${call}.`);
    this.name = 'PowerCut';
  }
}

export interface Beside {
  fileSystem: FileSystem;
  /** These and all below them. */
  directories: readonly string[];
}

export interface Faults {
  /** Number of the call, counted from 1, that does not return. What it asked for may survive or not. */
  cutAt?: number;
  /** Called at the cut, before the call has done anything and after it has done what it can. */
  onCut?: (moment: 'before' | 'after', call: CountedCall) => void;
  /** The call, counted from 1, that fails with the system's word and without effect; or it and all that follow. */
  failAt?: { call: number; osCode: string; isForEver?: boolean };
  /** The same for calls that read bytes, which are counted apart. */
  failReadAt?: { call: number; osCode: string; isForEver?: boolean };
  beside?: Beside;
}

/** A call that changes something or flushes it. */
export interface CountedCall {
  kind: 'write' | 'change' | 'flush';
  /** `rename chunk-000001.000001`, for people. */
  text: string;
  /** The file or directory that is flushed. */
  inode: number | undefined;
  isBeside: boolean;
}

interface AsCounted {
  kind: CountedCall['kind'];
  verb: string;
  file: string;
  inode?: number | undefined;
  isBeside?: boolean;
}

export class FaultyFileSystem implements FileSystem {
  /** Calls so far that change something or flush it. */
  calls = 0;
  readCalls = 0;
  /** What they were. */
  readonly trail: string[] = [];
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
  survivors(survival: Survival | number): MemoryFileSystem {
    return this.#durable.survivors(typeof survival === 'number' ? seededSurvival(survival) : survival);
  }

  /** A moment that is no call of a file system, but at which the power may go as well. */
  mark(what: string): void {
    this.change({ kind: 'change', verb: 'mark', file: what, isBeside: true }, () => undefined);
  }

  describe(file: string): FileFacts | undefined {
    this.#mustBeOn();
    return this.#of(file).describe(file);
  }

  list(directory: string): DirectoryEntry[] | undefined {
    this.#mustBeOn();
    return this.#of(directory).list(directory);
  }

  open(file: string, mode: OpenMode): OpenFile {
    this.#mustBeOn();
    const beside = this.#besideOf(file);
    const change = (): OpenFile => {
      if (beside) return new FaultyOpenFile(this, beside.open(file, mode), undefined);
      const opened = this.#inner.open(file, mode);
      if (mode === 'createNew') this.#added(file);
      return new FaultyOpenFile(this, opened, this.#node(file).inode);
    };
    return mode === 'createNew' ? this.#changeNames('create', file, change) : change();
  }

  rename(from: string, to: string): void {
    this.#changeNames('rename', to, (beside) => {
      if (beside) return beside.rename(from, to);
      const { inode } = this.#inner.find(from) ?? {};
      const removed = { directory: this.#parentInode(from), name: path.posix.basename(from) };
      this.#inner.rename(from, to);
      const added = { directory: this.#parentInode(to), name: path.posix.basename(to), inode: inode! };
      this.#durable.changeEntries({ removed: [removed], added: [added] });
    });
  }

  link(from: string, to: string): boolean {
    return this.#changeNames('link', to, (beside) => {
      if (beside) return beside.link?.(from, to) ?? false;
      const isLinked = this.#inner.link(from, to);
      const { inode } = this.#node(to);
      const added = { directory: this.#parentInode(to), name: path.posix.basename(to), inode };
      this.#durable.changeEntries({ removed: [], added: [added] });
      return isLinked;
    });
  }

  remove(file: string): void {
    this.#changeNames('remove', file, (beside) => {
      if (beside) return beside.remove(file);
      const isThere = this.#inner.find(file) !== undefined;
      this.#inner.remove(file);
      if (isThere) this.#removed(file);
    });
  }

  makeDirectory(directory: string): void {
    this.#changeNames('make', directory, (beside) => {
      // Its name is kept here too: a directory beside whose name was not flushed is lost with all that is in it.
      beside?.makeDirectory(directory);
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
    this.#changeNames('remove', directory, (beside) => {
      beside?.removeDirectory(directory);
      const isThere = this.#inner.find(directory) !== undefined;
      this.#inner.removeDirectory(directory);
      if (isThere) this.#removed(directory);
    });
  }

  changeMode(file: string, mode: number): void {
    this.#changeNames('mode', file, (beside) => {
      if (beside) return beside.changeMode(file, mode);
      this.#inner.changeMode(file, mode);
      this.#factsChanged(file);
    });
  }

  /** No call at all where the owner is the right one already, as in the real file system. */
  changeOwner(file: string, uid: number, gid: number): void {
    this.#mustBeOn();
    const facts = this.#inner.find(file);
    if (this.#besideOf(file) || (facts?.uid === uid && facts.gid === gid)) return;
    this.#changeNames('owner', file, () => {
      this.#inner.changeOwner(file, uid, gid);
      this.#factsChanged(file);
    });
  }

  syncDirectory(directory: string): void {
    const beside = this.#besideOf(directory);
    const inode = beside ? undefined : this.#inner.find(directory)?.inode;
    const call = { kind: 'flush', verb: 'flush', file: directory, inode, isBeside: !!beside } as const;
    this.change(call, () => {
      if (beside) return beside.syncDirectory(directory);
      this.#inner.syncDirectory(directory);
      this.#durable.syncDirectory(this.#node(directory).inode);
    });
  }

  freeBytes(file: string): number {
    this.#mustBeOn();
    return this.#of(file).freeBytes(file);
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

  /** One counted call. At a cut a change is on its way to the disk, and a flush has flushed nothing for certain. */
  change<T>(call: AsCounted, action: () => T): T {
    this.#mustBeOn();
    const number = ++this.calls;
    this.#durable.call = number;
    const counted: CountedCall = {
      kind: call.kind,
      text: `${call.verb} ${path.posix.basename(call.file)}`,
      inode: call.inode,
      isBeside: call.isBeside ?? false
    };
    this.trail.push(counted.text);
    const { failAt, cutAt, onCut } = this.#faults;
    if (failAt && (failAt.call === number || (failAt.isForEver && failAt.call < number))) {
      if (call.kind === 'flush' && call.inode !== undefined) this.#durable.failSync(call.inode);
      throw refused(failAt.osCode, call.file, call.kind);
    }
    if (cutAt !== number) return action();
    onCut?.('before', counted);
    if (call.kind !== 'flush') action();
    onCut?.('after', counted);
    this.isOff = true;
    throw new PowerCut(number);
  }

  /** A reading call of an open file. */
  read<T>(file: string, action: () => T): T {
    this.#mustBeOn();
    this.readCalls++;
    const { failReadAt } = this.#faults;
    const isRefused =
      failReadAt &&
      (failReadAt.call === this.readCalls || (failReadAt.isForEver && failReadAt.call < this.readCalls));
    if (isRefused) throw refused(failReadAt.osCode, file, 'read');
    return action();
  }

  /** For open files: where their changes are noted. */
  get durable(): DurableState {
    return this.#durable;
  }

  #changeNames<T>(verb: string, file: string, action: (beside: FileSystem | undefined) => T): T {
    const beside = this.#besideOf(file);
    return this.change({ kind: 'change', verb, file, isBeside: beside !== undefined }, () => action(beside));
  }

  #besideOf(file: string): FileSystem | undefined {
    const { beside } = this.#faults;
    const isBeside = beside?.directories.some((name) => file === name || file.startsWith(`${name}/`));
    return isBeside ? beside?.fileSystem : undefined;
  }

  #of(file: string): FileSystem {
    return this.#besideOf(file) ?? this.#inner;
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
  /** undefined: a file beside. */
  readonly #inode: number | undefined;

  constructor(fileSystem: FaultyFileSystem, inner: OpenFile, inode: number | undefined) {
    this.path = inner.path;
    this.#fileSystem = fileSystem;
    this.#inner = inner;
    this.#inode = inode;
  }

  size(): number {
    return this.#fileSystem.read(this.path, () => this.#inner.size());
  }

  read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    return this.#fileSystem.read(this.path, () => this.#inner.read(target, targetOffset, length, position));
  }

  write(source: Uint8Array, sourceOffset: number, length: number, position: number): void {
    this.#count('write', 'write', () => {
      this.#inner.write(source, sourceOffset, length, position);
      // A copy also of a Buffer, whose `slice` is none: the writer fills it again.
      const bytes = new Uint8Array(source.subarray(sourceOffset, sourceOffset + length));
      if (this.#inode !== undefined) {
        this.#fileSystem.durable.changeFile(this.#inode, { kind: 'write', position, bytes });
      }
    });
  }

  truncate(size: number): void {
    this.#count('change', 'truncate', () => {
      this.#inner.truncate(size);
      if (this.#inode !== undefined) {
        this.#fileSystem.durable.changeFile(this.#inode, { kind: 'truncate', size });
      }
    });
  }

  sync(): void {
    this.#count('flush', 'flush', () => {
      this.#inner.sync();
      if (this.#inode !== undefined) this.#fileSystem.durable.syncFile(this.#inode);
    });
  }

  /** Never fails: what runs while a PowerCut passes through must not hide it. */
  close(): void {
    this.#inner.close();
  }

  #count(kind: CountedCall['kind'], verb: string, action: () => void): void {
    const inode = this.#inode;
    this.#fileSystem.change({ kind, verb, file: this.path, inode, isBeside: inode === undefined }, action);
  }
}

/** As the real file system words it: a flush that failed says so, because it must never be tried again. */
function refused(osCode: string, file: string, kind: CountedCall['kind'] | 'read'): Error {
  const error = storageError(osCode === 'ENOENT' ? 'EIO' : osCode, file);
  if (kind === 'flush') error.details['call'] = 'flush';
  return error;
}

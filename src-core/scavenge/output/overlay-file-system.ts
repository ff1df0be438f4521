/**
 * A file system whose changes stay in memory: reads go through to the files below, writes never do. A plan that
 * begins with a new scavenge point writes it here, and then sees the log exactly as the run will.
 *
 * Changed bytes are kept in pages, so that touching the end of a large chunk costs little. Never used for a run.
 */
import { assert } from '../../assert.ts';
import { EngineError } from '../../errors.ts';
import type {
  DirectoryEntry,
  FileFacts,
  FileSystem,
  LockHolder,
  OpenFile,
  OpenMode
} from '../../storage/file-system.ts';

const PAGE_BYTES = 65536;

/** One file as it stands above the files below. */
class OverlayFile {
  /** The file below, undefined when there is none. */
  readonly below: string | undefined;
  readonly pages = new Map<number, Uint8Array>();
  size: number;
  /** Bytes of the file below that still count; what lies behind was cut off. */
  belowSize: number;
  facts: FileFacts;

  constructor(below: string | undefined, facts: FileFacts) {
    this.below = below;
    this.size = facts.size;
    this.belowSize = facts.size;
    this.facts = facts;
  }
}

const NEW_FILE: FileFacts = {
  size: 0,
  isDirectory: false,
  mode: 0o644,
  uid: 0,
  gid: 0,
  inode: 0,
  device: 0,
  modifiedMs: 0
};

export class OverlayFileSystem implements FileSystem {
  readonly #below: FileSystem;
  readonly #files = new Map<string, OverlayFile>();
  readonly #removed = new Set<string>();

  constructor(below: FileSystem) {
    this.#below = below;
  }

  describe(path: string): FileFacts | undefined {
    const file = this.#files.get(path);
    if (file) return { ...file.facts, size: file.size };
    return this.#removed.has(path) ? undefined : this.#below.describe(path);
  }

  list(path: string): DirectoryEntry[] | undefined {
    const entries = this.#below.list(path);
    if (!entries) return undefined;
    const shown = new Map(entries.map((entry) => [entry.name, entry]));
    for (const [name] of shown) if (this.#removed.has(this.join(path, name))) shown.delete(name);
    const prefix = this.join(path, 'x').slice(0, -1);
    for (const filePath of this.#files.keys()) {
      const name = filePath.slice(prefix.length);
      if (filePath.startsWith(prefix) && !/[\\/]/.test(name)) shown.set(name, { name, isDirectory: false });
    }
    return [...shown.values()];
  }

  open(path: string, mode: OpenMode): OpenFile {
    if (mode === 'createNew') {
      if (this.describe(path))
        throw this.#failed(`Could not create ${path}: it already exists.`, path, 'EEXIST');
      this.#removed.delete(path);
      this.#files.set(path, new OverlayFile(undefined, NEW_FILE));
    }
    if (mode === 'read' && !this.#files.has(path) && !this.#removed.has(path))
      return this.#below.open(path, 'read');
    return new OverlayOpenFile(path, this.#materialise(path), this.#below);
  }

  rename(from: string, to: string): void {
    const file = this.#materialise(from);
    this.#files.delete(from);
    this.#removed.add(from);
    this.#removed.delete(to);
    this.#files.set(to, file);
  }

  remove(path: string): void {
    this.#files.delete(path);
    this.#removed.add(path);
  }

  makeDirectory(path: string): void {
    assert(this.#below.describe(path)?.isDirectory === true, 'nothing above makes directories');
  }

  removeDirectory(): void {
    assert(false, 'nothing above removes directories');
  }

  changeMode(path: string, mode: number): void {
    const file = this.#materialise(path);
    file.facts = { ...file.facts, mode };
  }

  changeOwner(path: string, uid: number, gid: number): void {
    const file = this.#materialise(path);
    file.facts = { ...file.facts, uid, gid };
  }

  syncDirectory(): void {
    // nothing above outlives the plan
  }

  freeBytes(path: string): number {
    return this.#below.freeBytes(path);
  }

  tryLock(): (() => void) | undefined {
    return () => undefined; // a plan writes nothing, so there is nothing to protect
  }

  lockHolder(path: string): LockHolder | undefined {
    return this.#below.lockHolder(path);
  }

  join(...parts: string[]): string {
    return this.#below.join(...parts);
  }

  #materialise(path: string): OverlayFile {
    let file = this.#files.get(path);
    if (file) return file;
    const facts = this.#removed.has(path) ? undefined : this.#below.describe(path);
    if (!facts) throw this.#failed(`Could not open ${path}: it does not exist.`, path, 'ENOENT');
    file = new OverlayFile(path, facts);
    this.#files.set(path, file);
    return file;
  }

  #failed(message: string, file: string, osCode: string): EngineError {
    return new EngineError({
      code: 'StorageFailed',
      message,
      remedy: 'Run the plan again; the files changed while it ran.',
      details: { file, osCode }
    });
  }
}

class OverlayOpenFile implements OpenFile {
  readonly path: string;
  readonly #file: OverlayFile;
  readonly #fileSystem: FileSystem;
  #below: OpenFile | undefined;

  constructor(path: string, file: OverlayFile, fileSystem: FileSystem) {
    this.path = path;
    this.#file = file;
    this.#fileSystem = fileSystem;
  }

  size(): number {
    return this.#file.size;
  }

  read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    const wanted = Math.max(0, Math.min(length, this.#file.size - position));
    for (let done = 0; done < wanted;) {
      const at = position + done;
      const number = Math.floor(at / PAGE_BYTES);
      const inPage = at - number * PAGE_BYTES;
      const part = Math.min(wanted - done, PAGE_BYTES - inPage);
      const page = this.#file.pages.get(number);
      const into = target.subarray(targetOffset + done, targetOffset + done + part);
      if (page) into.set(page.subarray(inPage, inPage + part));
      else this.#readBelow(into, at);
      done += part;
    }
    return wanted;
  }

  write(source: Uint8Array, sourceOffset: number, length: number, position: number): void {
    for (let done = 0; done < length;) {
      const at = position + done;
      const number = Math.floor(at / PAGE_BYTES);
      const inPage = at - number * PAGE_BYTES;
      const part = Math.min(length - done, PAGE_BYTES - inPage);
      this.#page(number).set(source.subarray(sourceOffset + done, sourceOffset + done + part), inPage);
      done += part;
    }
    this.#file.size = Math.max(this.#file.size, position + length);
  }

  truncate(size: number): void {
    const file = this.#file;
    if (size < file.size) {
      file.belowSize = Math.min(file.belowSize, size);
      for (const [number, page] of file.pages) {
        const start = number * PAGE_BYTES;
        if (start >= size) file.pages.delete(number);
        else if (start + PAGE_BYTES > size) page.fill(0, size - start);
      }
    }
    file.size = size;
  }

  sync(): void {
    // nothing here outlives the plan
  }

  close(): void {
    this.#below?.close();
    this.#below = undefined;
  }

  #page(number: number): Uint8Array {
    let page = this.#file.pages.get(number);
    if (page) return page;
    page = new Uint8Array(PAGE_BYTES);
    this.#readBelow(page, number * PAGE_BYTES);
    this.#file.pages.set(number, page);
    return page;
  }

  /** Bytes of the file below, zeros behind its end. */
  #readBelow(into: Uint8Array, position: number): void {
    into.fill(0);
    const { below, belowSize } = this.#file;
    const length = Math.min(into.length, belowSize - position);
    if (below === undefined || length <= 0) return;
    this.#below ??= this.#fileSystem.open(below, 'read');
    this.#below.read(into, 0, length, position);
  }
}

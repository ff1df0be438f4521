/**
 * The real file system. The only file of src-core that imports node:fs.
 * Its locks are in node-locks.ts, what it opens in node-regular-file.ts.
 */
import fs from 'node:fs';
import path from 'node:path';
import { EngineError } from '../errors.ts';
import type { Disk } from './disk.ts';
import { FilePass, PASS_BYTES } from './file-pass.ts';
import type { DirectoryEntry, FileFacts, FileSystem, LockHolder, OpenFile, OpenMode } from './file-system.ts';
import { makeDirectories } from './node-directories.ts';
import { ownDisk } from './node-disk.ts';
import { isInterrupted } from './interrupted-call.ts';
import { findLockHolder, ownPlatform, takeLock, type LockPlatform } from './node-locks.ts';
import { openWithSize } from './node-regular-file.ts';
import { PassedPages } from './passed-pages.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = fs.constants;
const OPEN_FLAGS: Record<OpenMode, number> = {
  read: O_RDONLY,
  readWrite: O_RDWR,
  append: O_RDWR | O_APPEND,
  createNew: O_RDWR | O_CREAT | O_EXCL
};

/** A write that takes nothing and fails with nothing would be tried for ever. */
const NOTHING_WRITTEN = Object.assign(new Error('nothing was written'), { code: 'EIO' });
const NO_SUCH_CALL = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** As file systems without hard links answer: FAT, some shares. */
const NO_SECOND_NAMES = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** As file systems that share no blocks answer, and two that are not one volume. */
const NO_CLONES = new Set(['ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EXDEV', 'ENOTTY']);
const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE } = fs.constants;

const REMEDIES: Record<string, string> = {
  ENOSPC: 'Free space on this volume, then run the same command again; it resumes where it stopped.',
  EDQUOT: 'The quota is used up. Free space or raise it, then run the same command again.',
  EACCES: 'Give this user permission for it, or run as the user who owns the database.',
  EPERM: 'Give this user permission for it, or run as the user who owns the database.',
  EROFS: 'The volume is mounted read-only. Mount it for writing, or choose another directory.',
  EIO: 'The disk reported an error. Check the disk and its cables, then restore the file from a backup.',
  ENOENT: 'The file or directory is missing. Check the path.',
  EMFILE: 'Too many files are open. Raise the limit of open files ("ulimit -n").',
  ENAMETOOLONG:
    'The name or the whole path is longer than this volume or the system takes. Use a shorter one.',
  ELOOP: 'Symbolic links lead to each other here. Put the file itself there.',
  EEXIST: 'A file with that name already exists. Move it away.'
};

/** What changes the directory of a file, not the file. */
const OF_THE_DIRECTORY: ReadonlySet<string> = new Set(['create', 'rename', 'remove']);

function remedyOf(osCode: string, what: string, file: string): string {
  if ((osCode === 'EACCES' || osCode === 'EPERM') && OF_THE_DIRECTORY.has(what))
    return `Give this user permission to write in ${path.dirname(file)}, or run as the user who owns the database.`;
  return REMEDIES[osCode] ?? 'Check the disk and the permissions of the file, then try again.';
}

function failed(error: unknown, what: string, file: string): EngineError {
  if (error instanceof EngineError) return error;
  const os = error as NodeJS.ErrnoException;
  const osCode = os.code ?? 'unknown';
  return new EngineError({
    code: osCode === 'ENOENT' ? 'DatabaseNotFound' : 'StorageFailed',
    message: `Could not ${what} ${file}: ${os.message}.`,
    remedy: remedyOf(osCode, what, file),
    details: { file, osCode, ...(what === 'flush' ? { call: 'flush' } : {}) },
    cause: error
  });
}

function tried<T>(what: string, file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw failed(error, what, file);
  }
}

/** Some shares and user-space file systems flush no directories; there is nothing more that could be done there. */
function fsyncWhereThereIsOne(descriptor: number): void {
  try {
    fs.fsyncSync(descriptor);
  } catch (error) {
    if (!NO_SUCH_CALL.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** What all open files of a file system share. */
interface Below {
  disk: Disk;
  passed: PassedPages;
}

class NodeOpenFile implements OpenFile {
  readonly path: string;
  readonly openedSize: number;
  #descriptor: number;
  readonly #isNew: boolean;
  readonly #passed: PassedPages;
  readonly #pass: FilePass;
  /** Since the last flush. */
  #writtenBytes = 0;

  constructor(
    path: string,
    { descriptor, size, isNew, below }: { descriptor: number; size: number; isNew: boolean; below: Below }
  ) {
    this.path = path;
    this.openedSize = size;
    this.#descriptor = descriptor;
    this.#isNew = isNew;
    this.#passed = below.passed;
    this.#pass = new FilePass({ path, descriptor, disk: below.disk, passed: below.passed });
  }
  size(): number {
    try {
      return fs.fstatSync(this.#descriptor).size;
    } catch (error) {
      throw failed(error, 'read the length of', this.path);
    }
  }
  read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    // Closed: the system says so, and no other file that has this number by now is read.
    if (this.#descriptor < 0) throw failed(new Error('the file is closed'), 'read', this.path);
    try {
      return this.#pass.read(target, targetOffset, length, position);
    } catch (error) {
      throw failed(error, 'read', this.path);
    }
  }
  write(source: Uint8Array, sourceOffset: number, length: number, position: number): void {
    let done = 0;
    while (done < length) {
      const count = this.#write(source, sourceOffset + done, length - done, position + done);
      if (count === 0) throw failed(NOTHING_WRITTEN, 'write', this.path);
      done += count;
    }
    this.#writtenBytes += length;
  }
  #write(source: Uint8Array, offset: number, length: number, position: number): number {
    for (;;) {
      try {
        return fs.writeSync(this.#descriptor, source, offset, length, position);
      } catch (error) {
        if (!isInterrupted(error)) throw failed(error, 'write', this.path);
      }
    }
  }
  truncate(size: number): void {
    tried('set the length of', this.path, () => fs.ftruncateSync(this.#descriptor, size));
  }
  sync(): void {
    tried('flush', this.path, () => fs.fsyncSync(this.#descriptor));
    if (!this.#isNew || this.#writtenBytes < PASS_BYTES) return;
    const passed = this.#passed;
    if (passed.counts(this.#writtenBytes)) passed.wrote(this.#descriptor, this.path);
    this.#writtenBytes = 0;
  }
  close(): void {
    if (this.#descriptor < 0) return;
    const descriptor = this.#descriptor;
    this.#descriptor = -1;
    tried('close', this.path, () => fs.closeSync(descriptor));
  }
}

export class NodeFileSystem implements FileSystem {
  readonly #platform: LockPlatform;
  readonly #below: Below;

  constructor(platform: LockPlatform = ownPlatform, disk: Disk = ownDisk) {
    this.#platform = platform;
    this.#below = { disk, passed: new PassedPages(disk) };
  }

  describe(filePath: string): FileFacts | undefined {
    const stat = tried('inspect', filePath, () => fs.statSync(filePath, { throwIfNoEntry: false }));
    if (!stat) return undefined;
    return {
      size: stat.size,
      isDirectory: stat.isDirectory(),
      mode: stat.mode & 0o7777,
      uid: stat.uid,
      gid: stat.gid,
      inode: stat.ino,
      device: stat.dev,
      modifiedMs: stat.mtimeMs
    };
  }

  mayCreateIn(directory: string): boolean {
    try {
      fs.accessSync(directory, fs.constants.W_OK | fs.constants.X_OK);
      return true;
    } catch {
      return false;
    }
  }

  list(directory: string): DirectoryEntry[] | undefined {
    if (!fs.existsSync(directory)) return undefined;
    return tried('list', directory, () =>
      fs.readdirSync(directory, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        isDirectory: entry.isDirectory(),
        ...(entry.isSymbolicLink() ? { isLink: true } : {})
      }))
    );
  }

  open(filePath: string, mode: OpenMode): OpenFile {
    const isNew = mode === 'createNew';
    const opened = tried(isNew ? 'create' : 'open', filePath, () => openWithSize(filePath, OPEN_FLAGS[mode]));
    return new NodeOpenFile(filePath, { ...opened, isNew, below: this.#below });
  }

  rename(from: string, to: string): void {
    tried('rename', from, () => fs.renameSync(from, to));
  }

  link(from: string, to: string): boolean {
    try {
      fs.linkSync(from, to);
      return true;
    } catch (error) {
      if (NO_SECOND_NAMES.has((error as NodeJS.ErrnoException).code ?? '')) return false;
      throw failed(error, 'create', to);
    }
  }

  clone(from: string, to: string): boolean {
    try {
      fs.copyFileSync(from, to, COPYFILE_EXCL | COPYFILE_FICLONE_FORCE);
      return true;
    } catch (error) {
      if (NO_CLONES.has((error as NodeJS.ErrnoException).code ?? '')) {
        // The empty file that the attempt may have made is not there for the next one.
        if (fs.statSync(to, { throwIfNoEntry: false })?.size === 0) fs.rmSync(to, { force: true });
        return false;
      }
      throw failed(error, 'create', to);
    }
  }

  remove(filePath: string): void {
    tried('remove', filePath, () => fs.rmSync(filePath, { force: true }));
  }

  makeDirectory(directory: string): void {
    tried('create', directory, () => makeDirectories(directory));
  }

  removeDirectory(directory: string): void {
    tried('remove', directory, () => fs.rmSync(directory, { recursive: true, force: true }));
  }

  changeMode(filePath: string, mode: number): void {
    tried('change the permissions of', filePath, () => fs.chmodSync(filePath, mode));
  }

  changeOwner(filePath: string, uid: number, gid: number): void {
    if (!this.#platform.facts.hasOwners) return;
    const stat = tried('inspect', filePath, () => fs.statSync(filePath));
    if (stat.uid === uid && stat.gid === gid) return;
    tried('change the owner of', filePath, () => fs.chownSync(filePath, uid, gid));
  }

  syncDirectory(directory: string): void {
    if (!this.#platform.facts.flushesDirectories) return;
    const descriptor = tried('open', directory, () => fs.openSync(directory, 'r'));
    try {
      tried('flush', directory, () => fsyncWhereThereIsOne(descriptor));
    } finally {
      fs.closeSync(descriptor);
    }
  }

  freeBytes(filePath: string): number {
    return tried('read the free space at', filePath, () => {
      const facts = fs.statfsSync(filePath);
      return facts.bavail * facts.bsize;
    });
  }

  tryLock(filePath: string): (() => void) | undefined {
    return tried('lock', filePath, () => takeLock(filePath, this.#platform));
  }

  lockHolder(filePath: string): LockHolder | undefined {
    return tried('look for locks on', filePath, () => findLockHolder(filePath, this.#platform));
  }

  join(...parts: string[]): string {
    return path.join(...parts);
  }
}

/**
 * The real file system. The only file of src-core that imports node:fs.
 * Locks: BSD flock on Linux and macOS, which is what the server's runtime takes on its checkpoints, chunks and
 * tables. Node has no call for it, so it goes through the C library. Windows: see tryLock.
 */
import fs from 'node:fs';
import path from 'node:path';
import koffi from 'koffi';
import { EngineError } from '../errors.ts';
import type { DirectoryEntry, FileFacts, FileSystem, LockHolder, OpenFile, OpenMode } from './file-system.ts';
import { openRegularFile } from './node-regular-file.ts';

const LOCK_EXCLUSIVE = 2;
const LOCK_WITHOUT_WAITING = 4;
const { O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = fs.constants;
const OPEN_FLAGS: Record<OpenMode, number> = {
  read: O_RDONLY,
  readWrite: O_RDWR,
  createNew: O_RDWR | O_CREAT | O_EXCL
};

const REMEDIES: Record<string, string> = {
  ENOSPC: 'Free space on this volume, then run the same command again; it goes on where it stopped.',
  EDQUOT: 'The quota is used up. Free space or raise it, then run the same command again.',
  EACCES: 'Give this user the right to the file, or run as the user that owns the database.',
  EPERM: 'Give this user the right to the file, or run as the user that owns the database.',
  EROFS: 'The volume is mounted read-only. Mount it for writing, or choose another directory.',
  EIO: 'The disk reported an error. Check the disk and its cables, then restore the file from a backup.',
  ENOENT: 'The file or directory is missing. Check the path.',
  EMFILE: 'Too many files are open. Raise the limit of open files ("ulimit -n").',
  EEXIST: 'A file of that name is already there. Move it away.'
};

function failed(error: unknown, what: string, file: string): EngineError {
  if (error instanceof EngineError) return error;
  const os = error as NodeJS.ErrnoException;
  const osCode = os.code ?? 'unknown';
  return new EngineError({
    code: osCode === 'ENOENT' ? 'DatabaseNotFound' : 'StorageFailed',
    message: `Could not ${what} ${file}: ${os.message}.`,
    remedy: REMEDIES[osCode] ?? 'Check the disk and the rights to the file, then try again.',
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

/**
 * Node's own recursive call never returns where a parent is there and still takes no directory (ENOENT, as in /proc):
 * it goes up and down between the two for good.
 */
function makeWithParents(directory: string): void {
  const isThere = (): boolean => fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  const parent = path.dirname(directory);
  if (parent !== directory) makeWithParents(parent);
  try {
    fs.mkdirSync(directory);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isThere()) throw error;
  }
}

class NodeOpenFile implements OpenFile {
  readonly path: string;
  #descriptor: number;
  constructor(filePath: string, descriptor: number) {
    this.path = filePath;
    this.#descriptor = descriptor;
  }
  size(): number {
    return tried('read the length of', this.path, () => fs.fstatSync(this.#descriptor).size);
  }
  read(target: Uint8Array, targetOffset: number, length: number, position: number): number {
    let done = 0;
    while (done < length) {
      const count = tried('read', this.path, () =>
        fs.readSync(this.#descriptor, target, targetOffset + done, length - done, position + done)
      );
      if (count === 0) break;
      done += count;
    }
    return done;
  }
  write(source: Uint8Array, sourceOffset: number, length: number, position: number): void {
    let done = 0;
    while (done < length) {
      done += tried('write', this.path, () =>
        fs.writeSync(this.#descriptor, source, sourceOffset + done, length - done, position + done)
      );
    }
  }
  truncate(size: number): void {
    tried('set the length of', this.path, () => fs.ftruncateSync(this.#descriptor, size));
  }
  sync(): void {
    tried('flush', this.path, () => fs.fsyncSync(this.#descriptor));
  }
  close(): void {
    if (this.#descriptor < 0) return;
    const descriptor = this.#descriptor;
    this.#descriptor = -1;
    tried('close', this.path, () => fs.closeSync(descriptor));
  }
}

let flock: ((descriptor: number, operation: number) => number) | undefined;

function loadFlock(): (descriptor: number, operation: number) => number {
  if (!flock) {
    const library = koffi.load(process.platform === 'darwin' ? 'libSystem.B.dylib' : 'libc.so.6');
    flock = library.func('int flock(int, int)');
  }
  return flock;
}

/** Name of a running process, from its own words where the platform has /proc. */
function processName(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return 'unknown'; // gone already, or not ours to see: the pid alone is still worth telling
  }
}

export class NodeFileSystem implements FileSystem {
  describe(filePath: string): FileFacts | undefined {
    const stat = tried('look at', filePath, () => fs.statSync(filePath, { throwIfNoEntry: false }));
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

  list(directory: string): DirectoryEntry[] | undefined {
    if (!fs.existsSync(directory)) return undefined;
    return tried('list', directory, () =>
      fs
        .readdirSync(directory, { withFileTypes: true })
        .map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))
    );
  }

  open(filePath: string, mode: OpenMode): OpenFile {
    return new NodeOpenFile(
      filePath,
      tried('open', filePath, () => openRegularFile(filePath, OPEN_FLAGS[mode]))
    );
  }

  rename(from: string, to: string): void {
    tried('rename', from, () => fs.renameSync(from, to));
  }

  remove(filePath: string): void {
    tried('remove', filePath, () => fs.rmSync(filePath, { force: true }));
  }

  makeDirectory(directory: string): void {
    tried('create', directory, () => makeWithParents(directory));
  }

  removeDirectory(directory: string): void {
    tried('remove', directory, () => fs.rmSync(directory, { recursive: true, force: true }));
  }

  changeMode(filePath: string, mode: number): void {
    tried('change the permissions of', filePath, () => fs.chmodSync(filePath, mode));
  }

  changeOwner(filePath: string, uid: number, gid: number): void {
    if (process.platform === 'win32') return;
    const stat = tried('look at', filePath, () => fs.statSync(filePath));
    if (stat.uid === uid && stat.gid === gid) return;
    tried('change the owner of', filePath, () => fs.chownSync(filePath, uid, gid));
  }

  syncDirectory(directory: string): void {
    if (process.platform === 'win32') return; // directories cannot be opened there; renames are journalled
    const descriptor = tried('open', directory, () => fs.openSync(directory, 'r'));
    try {
      tried('flush', directory, () => fs.fsyncSync(descriptor));
    } finally {
      fs.closeSync(descriptor);
    }
  }

  freeBytes(filePath: string): number {
    return tried('ask for free space at', filePath, () => {
      const facts = fs.statfsSync(filePath);
      return facts.bavail * facts.bsize;
    });
  }

  tryLock(filePath: string): (() => void) | undefined {
    // Untested on Windows: there the server's own sharing mode makes this open fail while it runs.
    const descriptor = tried('open', filePath, () => openRegularFile(filePath, O_RDONLY));
    if (process.platform === 'win32') return () => fs.closeSync(descriptor);
    if (loadFlock()(descriptor, LOCK_EXCLUSIVE | LOCK_WITHOUT_WAITING) !== 0) {
      fs.closeSync(descriptor);
      return undefined;
    }
    return () => fs.closeSync(descriptor);
  }

  lockHolder(filePath: string): LockHolder | undefined {
    const stat = fs.statSync(filePath, { throwIfNoEntry: false });
    if (!stat) return undefined;
    if (process.platform === 'linux') {
      const found = this.#fromProcLocks(stat.ino, stat.dev);
      if (found) return found;
    }
    const release = this.tryLock(filePath);
    if (release) {
      release();
      return undefined;
    }
    return { by: 'unknown', pid: null };
  }

  /** Lines look like `12: FLOCK ADVISORY READ 19991 fe:00:1835012 0 EOF`: pid, device as hex major:minor, inode. */
  #fromProcLocks(inode: number, device: number): LockHolder | undefined {
    let text: string;
    try {
      text = fs.readFileSync('/proc/locks', 'utf8');
    } catch {
      return undefined; // not mounted in some containers: the attempt to lock still tells
    }
    const major = ((device >>> 8) & 0xfff) | 0;
    const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
    for (const line of text.split('\n')) {
      const match = /FLOCK\s+\S+\s+\S+\s+(-?\d+)\s+([0-9a-f]+):([0-9a-f]+):(\d+)/.exec(line);
      if (!match || Number(match[4]) !== inode) continue;
      if (Number.parseInt(match[2]!, 16) !== major || Number.parseInt(match[3]!, 16) !== minor) continue;
      const pid = Number(match[1]);
      return { by: processName(pid), pid: pid > 0 ? pid : null };
    }
    return undefined;
  }

  join(...parts: string[]): string {
    return path.join(...parts);
  }
}

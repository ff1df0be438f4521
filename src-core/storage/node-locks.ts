/**
 * Advisory locks of whole files, as the server's runtime takes them on its checkpoints, chunks and tables: BSD flock,
 * shared or exclusive. Node has no call for it, so it goes through the C library.
 *
 * Taking a lock and checking for one are separate. A check takes nothing that a server could run into: a server opens
 * its files with a shared lock that does not wait, so an exclusive one, held for a microsecond, ends its start.
 * - The kernel's own list (/proc/locks) tells without any lock. It is complete for the first process namespace; in a
 *   container it leaves out those of other containers.
 * - What another machine holds on a share is asked for with F_OFD_GETLK, which takes nothing either.
 * - Where neither is a full answer, a shared lock is tried: it is refused by an exclusive one, and disturbs no server.
 *   A shared lock in another container stays unseen then; taking the lock still meets it.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type Koffi from 'koffi';
import { EngineError } from '../errors.ts';
import type { LockHolder } from './file-system.ts';
import { openRegularFile } from './node-regular-file.ts';
import { ownFacts, type PlatformFacts } from './platform-facts.ts';

const LOCK_SHARED = 1;
const LOCK_EXCLUSIVE = 2;
const LOCK_WITHOUT_WAITING = 4;
/** Of Linux on 64-bit machines: asks for the lock that would stand in the way of one, of any process or machine. */
const F_OFD_GETLK = 36;
const F_WRITE_LOCK = 1;
const F_UNLOCKED = 2;
/** struct flock: type and whence as 16 bits, then start, length and pid at eight-byte places. */
const STRUCT_FLOCK_BYTES = 32;
/** The kernel's fixed number of the first process namespace. */
const FIRST_PROCESS_NAMESPACE = 'pid:[4026531836]';

/** What Node calls the first thread of every process. */
const NODES_THREAD = 'MainThread';
/** The command line, installed or in a checkout. */
const OUR_SCRIPT = /^(?:winnow|cli\.[jt]s)$/;

interface SystemCalls {
  flock: (descriptor: number, operation: number) => number;
  fcntl: (descriptor: number, command: number, type: string, argument: Buffer) => number;
  /** Why the last call failed. */
  errno: () => number;
}
let calls: SystemCalls | undefined;

/** Loaded with the first lock: most commands take none, and Windows never loads it. */
const loadKoffi = (): typeof Koffi => createRequire(import.meta.url)('koffi') as typeof Koffi;

function systemCalls(): SystemCalls {
  if (calls) return calls;
  const koffi = loadKoffi();
  const library = koffi.load(ownFacts.library);
  calls = {
    flock: library.func('int flock(int, int)') as SystemCalls['flock'],
    fcntl: library.func('int fcntl(int, int, ...)') as SystemCalls['fcntl'],
    errno: () => koffi.errno()
  };
  return calls;
}

/** What is done by this process and what the platform is like; tests bring their own. */
export interface LockPlatform {
  facts: PlatformFacts;
  /** 0, or the number of the error. */
  flock(descriptor: number, operation: number): number;
}

export const ownPlatform: LockPlatform = {
  facts: ownFacts,
  flock: (descriptor, operation) => {
    const { flock, errno } = systemCalls();
    return flock(descriptor, operation) === 0 ? 0 : errno();
  }
};

/** So often may the file be another one before it counts as another process's. */
const MOST_EXCHANGES = 4;

/**
 * The exclusive lock, or undefined if another process holds one of any kind. Throws StorageFailed with the reason
 * `locksUnseen` where the volume has no locks, or `noLocks` on a platform for which none are made here.
 *
 * Who held it before may have moved the file away or removed it since it was opened here: a lock on that one keeps nobody
 * out, so the file of this name is tried again.
 */
export function takeLock(path: string, platform: LockPlatform): (() => void) | undefined {
  if (!platform.facts.hasNoticedLocks) throw noLocks(path);
  let before: string | undefined;
  for (let exchange = 0; exchange < MOST_EXCHANGES; exchange++) {
    if (exchange > 0 && !fs.existsSync(path)) return undefined;
    const descriptor = openRegularFile(path, fs.constants.O_RDONLY);
    const failure = platform.flock(descriptor, LOCK_EXCLUSIVE | LOCK_WITHOUT_WAITING);
    if (failure !== 0) {
      fs.closeSync(descriptor);
      if (isHeld(failure)) return undefined;
      throw locksUnseen(path, failure);
    }
    const locked = identityOf(fs.fstatSync(descriptor, { bigint: true }));
    // Some shares number an open file otherwise than its name: opened again it has the number of before.
    if (
      locked === identityOf(fs.statSync(path, { bigint: true, throwIfNoEntry: false })) ||
      locked === before
    )
      return () => fs.closeSync(descriptor);
    fs.closeSync(descriptor);
    before = locked;
  }
  return undefined;
}

function identityOf(facts: fs.BigIntStats | undefined): string {
  return facts ? `${facts.dev}/${facts.ino}` : '';
}

/** Who holds a lock on an existing file, as far as is visible without getting in the way of others. */
export function findLockHolder(path: string, platform: LockPlatform): LockHolder | undefined {
  // Nothing is known of locks there; writes are refused.
  if (!platform.facts.hasNoticedLocks) return undefined;
  if (!fs.existsSync(path)) return undefined;
  const descriptor = openRegularFile(path, fs.constants.O_RDONLY);
  try {
    const listed = platform.facts.listsLocks ? fromProcLocks(descriptor) : 'unknown';
    if (typeof listed === 'object') return listed;
    const isHeldSomewhere =
      (platform.facts.listsLocks && isLockedElsewhere(descriptor)) ||
      (listed === 'unknown' && isHeld(platform.flock(descriptor, LOCK_SHARED | LOCK_WITHOUT_WAITING)));
    return isHeldSomewhere ? { by: 'unknown', pid: null } : undefined;
  } finally {
    fs.closeSync(descriptor);
  }
}

function isHeld(failure: number): boolean {
  const { EWOULDBLOCK, EAGAIN } = os.constants.errno;
  return failure === EWOULDBLOCK || failure === EAGAIN;
}

/** Lines look like `12: FLOCK ADVISORY READ 19991 fe:00:1835012 0 EOF`: pid, device as hex major:minor, inode. */
function fromProcLocks(descriptor: number): LockHolder | 'nobody' | 'unknown' {
  let wanted: string | undefined;
  let text: string;
  let isComplete: boolean;
  try {
    wanted = nameInProcLocks(descriptor);
    text = fs.readFileSync('/proc/locks', 'utf8');
    isComplete = fs.readlinkSync('/proc/self/ns/pid') === FIRST_PROCESS_NAMESPACE;
  } catch {
    return 'unknown'; // not mounted in some containers
  }
  if (wanted === undefined) return 'unknown';
  for (const line of text.split('\n')) {
    const match = /FLOCK\s+\S+\s+\S+\s+(-?\d+)\s+([0-9a-f]+:[0-9a-f]+:\d+)/.exec(line);
    if (match?.[2] !== wanted) continue;
    const pid = Number(match[1]);
    return { by: processName(pid), pid: pid > 0 ? pid : null };
  }
  return isComplete ? 'nobody' : 'unknown';
}

/**
 * The kernel names a lock by device and inode as it has them itself: on btrfs and overlays stat() says others. They are
 * read from what it knows of the open file (mount and inode) and from its list of mounts (device).
 */
function nameInProcLocks(descriptor: number): string | undefined {
  const facts = fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
  const mount = /^mnt_id:\s+(\d+)$/m.exec(facts)?.[1];
  const inode = /^ino:\s+(\d+)$/m.exec(facts)?.[1] ?? String(fs.fstatSync(descriptor).ino);
  const mounts = fs.readFileSync('/proc/self/mountinfo', 'latin1');
  const device = new RegExp(`^${mount} \\d+ (\\d+):(\\d+) `, 'm').exec(mounts);
  if (mount === undefined || !device) return undefined;
  const [major, minor] = [device[1], device[2]].map((part) => Number(part).toString(16).padStart(2, '0'));
  return `${major}:${minor}:${inode}`;
}

/** A share passes flock on as a lock of the whole file, which is seen here. Any failure: nothing is known. */
function isLockedElsewhere(descriptor: number): boolean {
  const wanted = Buffer.alloc(STRUCT_FLOCK_BYTES);
  wanted.writeInt16LE(F_WRITE_LOCK, 0);
  if (systemCalls().fcntl(descriptor, F_OFD_GETLK, 'void *', wanted) !== 0) return false;
  return wanted.readInt16LE(0) !== F_UNLOCKED;
}

/** Name of a running process, from its own words where the platform has /proc. */
function processName(pid: number): string {
  try {
    const name = fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    return name === NODES_THREAD ? programOf(pid) : name;
  } catch {
    return 'unknown'; // gone already, or not ours to see: the pid alone is still worth telling
  }
}

/** Of a program that Node runs: ours by its name, any other as Node. */
function programOf(pid: number): string {
  const [program = '', ...words] = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const script = words.find((word) => !word.startsWith('-')) ?? '';
  return OUR_SCRIPT.test(path.basename(script)) ? 'winnow' : path.basename(program);
}

function locksUnseen(file: string, errno: number): EngineError {
  const osCode =
    Object.entries(os.constants.errno).find(([, value]) => value === errno)?.[0] ?? String(errno);
  return new EngineError({
    code: 'StorageFailed',
    message: `Locks are not visible here: the system refused one on ${file} (${osCode}).`,
    remedy:
      'Stop the server, make sure that nothing else uses this directory, and confirm it with --assume-stopped where ' +
      'the command has it; or work on a volume that supports locks.',
    details: { file, reason: 'locksUnseen', osCode }
  });
}

function noLocks(file: string): EngineError {
  return new EngineError({
    code: 'StorageFailed',
    message: `Winnow writes nothing on Windows: it cannot lock ${file} there in a way that a server would notice.`,
    remedy: 'Read the directory here, and run commands that write on Linux or macOS.',
    details: { file, reason: 'noLocks' }
  });
}

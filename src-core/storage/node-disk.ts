/**
 * The system's page cache, through the C library: Node has no call for it. Only on Linux; elsewhere files are read as
 * ever, nothing is asked for ahead and nothing is given back (neither was tried there). The library is loaded when a
 * reader has to wait or has passed a great deal, never for a short command.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import type Koffi from 'koffi';
import type { ByteRange, Disk } from './disk.ts';
import { isInterrupted } from './interrupted-call.ts';
import { openRegularFile } from './node-regular-file.ts';
import { ownFacts } from './platform-facts.ts';

const ADVICE_WILL_NEED = 3;
const ADVICE_DONT_NEED = 4;
const PROTECTION_READ = 1;
const MAP_SHARED = 1;
/** The same number on every machine. Since Linux 6.5; ENOSYS before. */
const SYSCALL_CACHESTAT = 451;
const CACHESTAT_FIELDS = 5;
/** Of a memory that one process is bound to, the kernel gives a number near 2^63 if there is none. */
const NO_MEMORY_LIMIT = 2 ** 50;
/** A chunk that is copied is read up to three times, and the new one is written beside it. */
const LEAST_BUDGET_BYTES = 384 * 1024 * 1024;
const BUDGET_OF_MEMORY = 1 / 16;
const IDLE_OF_MEMORY = 1 / 8;

interface PageCacheCalls {
  advise: (descriptor: number, from: number, length: number, advice: number) => number;
  map: (
    at: null,
    length: number,
    protection: number,
    flags: number,
    descriptor: number,
    from: number
  ) => bigint;
  unmap: (at: bigint, length: number) => number;
  residency: (at: bigint, length: number, pages: Uint8Array) => number;
  cachestat: (
    call: number,
    descriptor: number,
    range: BigUint64Array,
    found: BigUint64Array,
    flags: number
  ) => number;
  pageBytes: number;
}
/** Of sysconf: the length of a page. */
const SC_PAGESIZE = 30;
const USUAL_PAGE_BYTES = 4096;

let calls: PageCacheCalls | null | undefined;

/** null where there are none. */
function pageCacheCalls(): PageCacheCalls | null {
  if (calls !== undefined) return calls;
  if (!ownFacts.givesPagesBack) return (calls = null);
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
    const library = koffi.load(ownFacts.library);
    const sysconf = library.func('long sysconf(int)') as (name: number) => number;
    calls = {
      advise: library.func('int posix_fadvise(int, int64_t, int64_t, int)') as PageCacheCalls['advise'],
      map: library.func('uintptr_t mmap(void *, size_t, int, int, int, int64_t)') as PageCacheCalls['map'],
      unmap: library.func('int munmap(uintptr_t, size_t)') as PageCacheCalls['unmap'],
      residency: library.func('int mincore(uintptr_t, size_t, uint8_t *)') as PageCacheCalls['residency'],
      cachestat: library.func(
        'long syscall(long, int, uint64_t *, uint64_t *, int)'
      ) as PageCacheCalls['cachestat'],
      pageBytes: sysconf(SC_PAGESIZE)
    };
  } catch {
    calls = null; // another C library: everything works, only slower on slow disks
  }
  return calls;
}

export const ownDisk: Disk = {
  elapsedMs: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
  read: (descriptor, target, offset, length, position) => {
    for (;;) {
      try {
        return fs.readSync(descriptor, target, offset, length, position);
      } catch (error) {
        if (!isInterrupted(error)) throw error;
      }
    }
  },
  willRead: (descriptor, { from, length }) => {
    pageCacheCalls()?.advise(descriptor, from, length, ADVICE_WILL_NEED);
  },
  facts: (descriptor) => {
    const { ino, size } = fs.fstatSync(descriptor);
    return { inode: ino, size };
  },
  get pageBytes() {
    return pageCacheCalls()?.pageBytes ?? USUAL_PAGE_BYTES;
  },
  cachedPages,
  giveBack,
  hasIdleMemory,
  budgetBytes
};

function cachedPages(descriptor: number, size: number): Uint8Array | 'all' | 'none' | undefined {
  const system = pageCacheCalls();
  if (!system || size === 0) return undefined;
  const pageCount = Math.ceil(size / system.pageBytes);
  // Counting is a hundred times faster than listing, and most files are all or not at all in the cache.
  const found = new BigUint64Array(CACHESTAT_FIELDS);
  const range = BigUint64Array.of(0n, BigInt(size));
  if (system.cachestat(SYSCALL_CACHESTAT, descriptor, range, found, 0) === 0) {
    if (found[0] === 0n) return 'none';
    if (found[0]! >= BigInt(pageCount)) return 'all';
  }
  // Where this user may not write the file, the kernel says that every page is there: nothing is given back then.
  const address = system.map(null, size, PROTECTION_READ, MAP_SHARED, descriptor, 0);
  const isMapped = BigInt.asIntN(64, BigInt(address)) > 0n;
  if (!isMapped) return undefined;
  try {
    const pages = new Uint8Array(pageCount);
    return system.residency(address, size, pages) === 0 ? pages : undefined;
  } finally {
    system.unmap(address, size);
  }
}

function giveBack(file: { path: string; inode: number }, ranges: readonly ByteRange[]): void {
  const system = pageCacheCalls();
  if (!system) return;
  let descriptor: number;
  try {
    descriptor = openRegularFile(file.path, fs.constants.O_RDONLY);
  } catch {
    return; // replaced or removed: its pages are gone with it
  }
  try {
    if (fs.fstatSync(descriptor).ino !== file.inode) return;
    for (const { from, length } of ranges) system.advise(descriptor, from, length, ADVICE_DONT_NEED);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Free, not only available: what is available may be what others have in the cache. */
function hasIdleMemory(): boolean {
  const limit = process.constrainedMemory();
  const isLimited = limit > 0 && limit < NO_MEMORY_LIMIT && limit < os.totalmem();
  if (isLimited) return process.availableMemory() > limit * IDLE_OF_MEMORY;
  try {
    const free = /^MemFree:\s+(\d+) kB/m.exec(fs.readFileSync('/proc/meminfo', 'latin1'))?.[1];
    return free !== undefined && Number(free) * 1024 > os.totalmem() * IDLE_OF_MEMORY;
  } catch {
    return false; // not mounted in some containers
  }
}

function budgetBytes(): number {
  return Math.max(LEAST_BUDGET_BYTES, (usableMemoryBytes() * BUDGET_OF_MEMORY) / os.availableParallelism());
}

/** The memory of this machine, or as much of it as this process may take. */
export function usableMemoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < NO_MEMORY_LIMIT ? Math.min(limit, os.totalmem()) : os.totalmem();
}

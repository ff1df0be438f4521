/**
 * A disk below the real file system that takes a known time for each request and as many at once as are made, with a
 * page cache of its own: it counts how many requests are under way. Its time is counted, never waited for.
 */
import fs from 'node:fs';
import type { ByteRange, Disk } from '../../src-core/storage/disk.ts';

/** One request reads so much. */
export const REQUEST_BYTES = 1024 * 1024;
/** From the cache, for each request. */
const CACHED_MS = 0.2;

export interface KnownLatency {
  latencyMs: number;
  budgetBytes?: number;
  busyMs?: number;
  /** For each request that is asked for ahead: the disk takes no more of them at once. */
  askingMs?: number;
}

export class DiskOfKnownLatency implements Disk {
  readonly pageBytes = REQUEST_BYTES;
  readonly #latencyMs: number;
  readonly #budgetBytes: number;
  /** Other processes have the processor so long in each read. */
  readonly #busyMs: number;
  readonly #askingMs: number;
  /** Ahead, all together. */
  bytesAsked = 0;
  nowMs = 0;
  /** By file and page: when it is, or was, there. */
  readonly #arrivals = new Map<string, number>();
  mostUnderWay = 0;
  /** The file system asked which pages are there. */
  timesAsked = 0;
  isMemoryIdle = false;
  onGiveBack: (path: string) => void = () => undefined;

  constructor({ latencyMs, budgetBytes = Infinity, busyMs = 0, askingMs = 0 }: KnownLatency) {
    this.#askingMs = askingMs;
    this.#busyMs = busyMs;
    this.#latencyMs = latencyMs;
    this.#budgetBytes = budgetBytes;
  }

  elapsedMs(): number {
    return this.nowMs;
  }

  read(descriptor: number, target: Uint8Array, offset: number, length: number, position: number): number {
    const count = fs.readSync(descriptor, target, offset, length, position);
    // The pages of one read are asked for together, as the kernel does; the reader waits for the last.
    const keys = this.#keys(descriptor, { from: position, length: count });
    for (const key of keys) this.#request(key);
    for (const key of keys) this.nowMs = Math.max(this.nowMs, this.#arrivals.get(key)!);
    this.nowMs += (count / REQUEST_BYTES) * CACHED_MS + this.#busyMs;
    return count;
  }

  willRead(descriptor: number, range: ByteRange): void {
    this.nowMs += (range.length / REQUEST_BYTES) * this.#askingMs;
    this.bytesAsked += range.length;
    for (const key of this.#keys(descriptor, range)) this.#request(key);
  }

  facts(descriptor: number): { inode: number; size: number } {
    const { ino, size } = fs.fstatSync(descriptor);
    return { inode: ino, size };
  }

  cachedPages(descriptor: number, size: number): Uint8Array | 'all' | 'none' {
    this.timesAsked++;
    const keys = this.#keys(descriptor, { from: 0, length: size });
    const pages = Uint8Array.from(keys, (key) => (this.#arrivals.has(key) ? 1 : 0));
    if (pages.every((page) => page === 1)) return 'all';
    return pages.every((page) => page === 0) ? 'none' : pages;
  }

  giveBack({ path, inode }: { path: string; inode: number }, ranges: readonly ByteRange[]): void {
    this.onGiveBack(path);
    for (const { from, length } of ranges) {
      for (let at = from; at < from + length; at += REQUEST_BYTES) this.#arrivals.delete(keyOf(inode, at));
    }
  }

  hasIdleMemory(): boolean {
    return this.isMemoryIdle;
  }

  budgetBytes(): number {
    return this.#budgetBytes;
  }

  /** Numbers of the pages of a file that are in the cache. */
  cachedOf(file: string): number[] {
    const { ino } = fs.statSync(file);
    const own = [...this.#arrivals.keys()].filter((key) => key.startsWith(`${ino}:`));
    return own.map((key) => Number(key.split(':')[1])).sort((a, b) => a - b);
  }

  #keys(descriptor: number, { from, length }: ByteRange): string[] {
    const { ino, size } = fs.fstatSync(descriptor);
    const keys: string[] = [];
    const end = Math.min(size, from + length);
    for (let at = from - (from % REQUEST_BYTES); at < end; at += REQUEST_BYTES) keys.push(keyOf(ino, at));
    return keys;
  }

  #request(key: string): void {
    if (this.#arrivals.has(key)) return;
    this.#arrivals.set(key, this.nowMs + this.#latencyMs);
    const underWay = [...this.#arrivals.values()].filter((arrival) => arrival > this.nowMs).length;
    this.mostUnderWay = Math.max(this.mostUnderWay, underWay);
  }
}

function keyOf(inode: number, at: number): string {
  return `${inode}:${at / REQUEST_BYTES}`;
}

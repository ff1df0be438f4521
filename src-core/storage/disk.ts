/**
 * What lies below the real file system's reads: the call that reads, its time, and the system's page cache. Nothing here
 * changes what is read, only when. The real one is node-disk.ts; tests have one of known latency.
 */
export interface Disk {
  /** Milliseconds that only rise: how long a read took, never data. */
  elapsedMs(): number;
  /** As of pread(2): may read less than asked for, 0 at the end. */
  read(descriptor: number, target: Uint8Array, offset: number, length: number, position: number): number;
  /** Begins to read these bytes into the page cache; does not wait for them. */
  willRead(descriptor: number, range: ByteRange): void;
  facts(descriptor: number): { inode: number; size: number };
  readonly pageBytes: number;
  /** One byte for each page, odd if it is in the page cache; undefined where the system does not tell. */
  cachedPages(descriptor: number, size: number): Uint8Array | 'all' | 'none' | undefined;
  /** Releases pages that are on the disk; nothing happens if another file lies at the path by now. */
  giveBack(file: { path: string; inode: number }, ranges: readonly ByteRange[]): void;
  /** So much memory lies idle that more of it in the page cache pushes nothing out. */
  hasIdleMemory(): boolean;
  /** How much of the page cache one thread's passes through files may keep. */
  budgetBytes(): number;
}

export interface ByteRange {
  from: number;
  length: number;
}

/**
 * Every entry that the log gives, in little memory, and whether the index has it: by chunk, in the order of the log,
 * 8 bytes an event (12 in chunks merged from more than 4 GiB of log) and a bit. Instead of hash and number there is a
 * check value of 32 bits: an entry of the index that leads to a record, but is not that record's, is told with all
 * certainty one needs, and no entry of the log has to be sorted. Where the sums of both sides agree (entry-sums.ts),
 * no entry is looked up at all.
 */
import type { AtNumber, AtPosition } from '../units/of-unit.ts';
import { assert } from '../assert.ts';
import { requireFault } from '../errors.ts';
import { LogEntries } from '../index/log-entries.ts';
import type { IndexedRecord, RecordLog } from '../index/record-source.ts';
import { hashStream, type StreamHasher } from '../index/stream-hash.ts';
import { PrepareFlag } from '../records/log-record.ts';
import { checkOf, looseCount, readLoose, type ChunkEntries, type LooseRecord } from './chunk-entries.ts';
import { EntrySums } from './entry-sums.ts';

const MAX_OFFSET = 0xffffffff;

/** A commit that leads to a place where no record begins, or to none before itself. */
export interface CommitFault {
  commitPosition: number;
  transactionPosition: number;
  /** What is at that place. */
  why: string;
}

/** Entries of one chunk, or those of transactions, ascending by position. */
interface Segment {
  start: number;
  /** Of the position, from `start` on. */
  offsets: Uint32Array | Float64Array;
  checks: Uint32Array;
  seen: Uint32Array;
}

export class LogMarks {
  readonly #segments: Segment[] = [];
  readonly #transactions: TransactionEntries;
  #committed: Segment | undefined;
  readonly #sums = new EntrySums();
  /** Position of the newest scavenge point, -1 without one. */
  scavengePoint = -1;
  count = 0;

  /** The first commit that leads to no transaction, although each record by itself reads well. */
  get fault(): CommitFault | undefined {
    return this.#transactions.fault;
  }

  constructor(log: Pick<RecordLog, 'cursor'>) {
    this.#transactions = new TransactionEntries(log);
  }

  /** Takes what a chunk says. Chunks come in the order of the log. */
  add(startPosition: number, entries: ChunkEntries): void {
    const { positions, checks } = entries;
    if (positions.length > 0) {
      const isNear = positions.at(-1)! - startPosition <= MAX_OFFSET;
      const offsets = isNear ? new Uint32Array(positions.length) : new Float64Array(positions.length);
      for (let i = 0; i < positions.length; i++) {
        const position = positions[i]!;
        offsets[i] = position - startPosition;
        this.#sums.addOfLog(position, checks[i]!);
      }
      this.#segments.push({ start: startPosition, offsets, checks, seen: bitsFor(positions.length) });
    }
    this.#transactions.add(entries);
    this.count += positions.length;
    this.scavengePoint = Math.max(this.scavengePoint, entries.scavengePoint);
  }

  /** No more chunks come. */
  complete(): void {
    this.#committed = this.#transactions.build();
    const { offsets, checks } = this.#committed;
    for (let i = 0; i < checks.length; i++) this.#sums.addOfLog(offsets[i]!, checks[i]!);
    this.count += checks.length;
  }

  /** Counts an entry of the index; each of them once, before the first is marked. */
  countOfIndex(hashHigh: number, hashLow: number, number: AtNumber, position: AtPosition): void {
    this.#sums.addOfIndex(position, checkOf(hashHigh, hashLow, number));
  }

  /** Index and log have the same entries, as far as they were counted. */
  get isSame(): boolean {
    return this.#sums.isBalanced;
  }

  /** They have the same entries around this position: none there needs a mark. */
  isSameAt(position: number): boolean {
    return this.#sums.isBalancedAt(position);
  }

  /** Marks the entry as seen in the index; false when the log gives no such entry. */
  mark(hashHigh: number, hashLow: number, number: AtNumber, position: AtPosition): boolean {
    const check = checkOf(hashHigh, hashLow, number);
    const segment = this.#segmentAt(position);
    return (
      (segment !== undefined && markIn(segment, position, check)) || this.#markCommitted(position, check)
    );
  }

  /** Calls `action` with the position of each entry that was not marked where index and log differ. */
  forEachUnseen(action: (position: number) => void): void {
    const committed = this.#committed ? [this.#committed] : [];
    for (const { start, offsets, seen } of [...this.#segments, ...committed]) {
      for (let word = 0; word < seen.length; word++) {
        if (seen[word] === 0xffffffff) continue;
        for (let i = word * 32; i < Math.min(offsets.length, word * 32 + 32); i++) {
          if (!isSet(seen, i) && !this.isSameAt(start + offsets[i]!)) action(start + offsets[i]!);
        }
      }
    }
  }

  /** Forgets all: what follows needs the memory. */
  release(): void {
    this.#segments.length = 0;
    this.#committed = undefined;
  }

  #markCommitted(position: number, check: number): boolean {
    assert(this.#committed !== undefined, 'the log is complete before the index is held against it');
    return markIn(this.#committed, position, check);
  }

  #segmentAt(position: number): Segment | undefined {
    let low = 0;
    let high = this.#segments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#segments[middle]!.start <= position) low = middle + 1;
      else high = middle;
    }
    return this.#segments[low - 1];
  }
}

function bitsFor(count: number): Uint32Array {
  return new Uint32Array(Math.ceil(count / 32));
}

function isSet(bits: Uint32Array, i: number): boolean {
  return (bits[i >>> 5]! & (1 << (i & 31))) !== 0;
}

function markIn({ start, offsets, checks, seen }: Segment, position: number, check: number): boolean {
  const at = indexOf(offsets, position - start);
  if (at < 0 || checks[at] !== check) return false;
  seen[at >>> 5]! |= 1 << (at & 31);
  return true;
}

/** Guesses before the rest is halved. */
const GUESSES = 6;

/** Where `offset` stands among ascending ones, -1 when it is none of them. Records lie evenly, so a guess comes near. */
function indexOf(offsets: Uint32Array | Float64Array, offset: number): number {
  let low = 0;
  let high = offsets.length - 1;
  for (let guess = 0; low <= high; guess++) {
    const first = offsets[low]!;
    const last = offsets[high]!;
    if (offset < first || offset > last) return -1;
    const share = first === last || guess >= GUESSES ? 0.5 : (offset - first) / (last - first);
    const middle = low + Math.floor((high - low) * share);
    const found = offsets[middle]!;
    if (found === offset) return middle;
    if (found < offset) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Entries of explicit transactions, found by the rules of the index from records that carry their hash with them. */
class TransactionEntries {
  readonly #entries: LogEntries;
  #positions: number[] = [];
  #checks: number[] = [];
  #current: LooseRecord | undefined;
  fault: CommitFault | undefined;

  constructor(log: Pick<RecordLog, 'cursor'>) {
    // Records that LogEntries reads from the log again have names; those it is shown have hashes.
    const hasher: StreamHasher = (stream, into = { high: 0, low: 0 }) => {
      if (!this.#current) return hashStream(stream, into);
      into.high = this.#current.hashHigh;
      into.low = this.#current.hashLow;
      return into;
    };
    const sink = {
      add: (high: number, low: number, number: AtNumber, position: AtPosition) => {
        this.#positions.push(position);
        this.#checks.push(checkOf(high, low, number));
      }
    };
    this.#entries = new LogEntries({ log, hasher, prepareCheckpoint: -1, commitCheckpoint: -1, sink });
  }

  add(entries: ChunkEntries): void {
    const count = looseCount(entries);
    for (let i = 0; i < count; i++) {
      const loose = readLoose(entries, i);
      this.#current = loose.kind === 'prepare' ? loose : undefined;
      if (loose.kind === 'commit' && loose.transactionPosition >= loose.position) {
        this.#note(loose, 'a transaction begins before its commit.');
        continue;
      }
      try {
        this.#entries.see(recordOf(loose));
      } catch (error) {
        requireFault(error, 'LogCorrupt');
        this.#note(loose, error.message);
      }
    }
    this.#current = undefined;
  }

  #note({ position, transactionPosition }: LooseRecord, why: string): void {
    this.fault ??= { commitPosition: position, transactionPosition, why };
  }

  build(): Segment {
    const order = Uint32Array.from(this.#positions.keys()).sort(
      (a, b) => this.#positions[a]! - this.#positions[b]!
    );
    const offsets = Float64Array.from(order, (i) => this.#positions[i]!);
    const checks = Uint32Array.from(order, (i) => this.#checks[i]!);
    this.#positions = [];
    this.#checks = [];
    return { start: 0, offsets, checks, seen: bitsFor(order.length) };
  }
}

const NO_BYTES = new Uint8Array(0);

/** As far as the rules of the index use it. */
function recordOf({ kind, position, transactionPosition, number, flags }: LooseRecord): IndexedRecord {
  return {
    kind,
    version: 1,
    position,
    flags,
    transactionPosition,
    transactionOffset: kind === 'prepare' ? number : -1,
    eventNumber: kind === 'prepare' ? -1 : number,
    ticks: 0n,
    stream: '',
    bytes: NO_BYTES,
    streamStart: 0,
    streamEnd: 0,
    data: NO_BYTES,
    isSelfCommitted: false,
    isTombstone: (flags & PrepareFlag.streamDelete) !== 0,
    hasData: (flags & PrepareFlag.data) !== 0
  };
}

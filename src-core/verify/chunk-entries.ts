/**
 * What one chunk says about the index, gathered while its records are walked: for each event that commits itself the
 * position and a check value of the rest of its entry; prepares and commits of explicit transactions one by one,
 * because a transaction may lie in several chunks. Typed arrays, so that they cross from a worker thread for nothing.
 */
import { hashStream, hashStreamOf, type StreamHash } from '../index/stream-hash.ts';
import type { LogRecord } from '../records/log-record.ts';

export interface ChunkEntries {
  /** Ascending. */
  positions: Float64Array;
  checks: Uint32Array;
  /** LOOSE_FIELDS numbers for each record of a transaction, in order. */
  loose: Float64Array;
  /** Position of the last scavenge point in the chunk, -1 without one. */
  scavengePoint: number;
}

/** One record of an explicit transaction. */
export interface LooseRecord {
  kind: 'prepare' | 'commit';
  position: number;
  transactionPosition: number;
  /** Prepare: offset in the transaction. Commit: number of the first event. */
  number: number;
  flags: number;
  hashHigh: number;
  hashLow: number;
}

const LOOSE_FIELDS = 7;
const SCAVENGE_POINTS = hashStream('$scavengePoints');
const TWO_32 = 4294967296;

/** 32 bits that tell hash and number of an entry apart from others at the same position. */
export function checkOf(hashHigh: number, hashLow: number, number: number): number {
  // Not by `%`, which for doubles is a call.
  const upper = Math.floor(number / TWO_32);
  let check = Math.imul(hashHigh, 0x9e3779b1) ^ Math.imul(hashLow, 0x85ebca6b);
  check = Math.imul((check ^ (check >>> 15)) + (number - upper * TWO_32), 0xc2b2ae35);
  return (Math.imul(check ^ (check >>> 13), 0x27d4eb2f) + upper) >>> 0;
}

export class ChunkEntriesBuilder {
  #positions = new Float64Array(1024);
  #checks = new Uint32Array(1024);
  #count = 0;
  #loose = new Float64Array(0);
  #looseLength = 0;
  #scavengePoint = -1;
  readonly #hash: StreamHash = { high: 0, low: 0 };

  see(record: LogRecord): void {
    if (record.kind === 'system') return;
    if (record.kind === 'commit') {
      this.#addLoose(record, 1, record.eventNumber, 0, 0);
      return;
    }
    const isEntry = record.hasData || record.isTombstone;
    if (!isEntry && record.isSelfCommitted) return;
    const { high, low } = hashStreamOf(record, hashStream, this.#hash);
    if (high === SCAVENGE_POINTS.high && low === SCAVENGE_POINTS.low) this.#scavengePoint = record.position;
    if (!record.isSelfCommitted) {
      this.#addLoose(record, 0, record.transactionOffset, high, low);
      return;
    }
    if (this.#count === this.#positions.length) this.#grow();
    this.#positions[this.#count] = record.position;
    this.#checks[this.#count++] = checkOf(high, low, record.eventNumber);
  }

  build(): ChunkEntries {
    return {
      positions: this.#positions.slice(0, this.#count),
      checks: this.#checks.slice(0, this.#count),
      loose: this.#loose.slice(0, this.#looseLength),
      scavengePoint: this.#scavengePoint
    };
  }

  #addLoose(
    { position, transactionPosition, flags }: LogRecord,
    kind: 0 | 1,
    number: number,
    high: number,
    low: number
  ) {
    if (this.#looseLength === this.#loose.length) {
      const larger = new Float64Array(Math.max(64 * LOOSE_FIELDS, this.#loose.length * 2));
      larger.set(this.#loose);
      this.#loose = larger;
    }
    const fields = [kind, position, transactionPosition, number, flags, high, low];
    this.#loose.set(fields, this.#looseLength);
    this.#looseLength += LOOSE_FIELDS;
  }

  #grow(): void {
    const positions = new Float64Array(this.#count * 2);
    const checks = new Uint32Array(this.#count * 2);
    positions.set(this.#positions);
    checks.set(this.#checks);
    this.#positions = positions;
    this.#checks = checks;
  }
}

export function looseCount({ loose }: ChunkEntries): number {
  return loose.length / LOOSE_FIELDS;
}

export function readLoose({ loose }: ChunkEntries, index: number): LooseRecord {
  const at = index * LOOSE_FIELDS;
  return {
    kind: loose[at] === 1 ? 'commit' : 'prepare',
    position: loose[at + 1]!,
    transactionPosition: loose[at + 2]!,
    number: loose[at + 3]!,
    flags: loose[at + 4]!,
    hashHigh: loose[at + 5]!,
    hashLow: loose[at + 6]!
  };
}

/** Only what lies at or behind `from` and before `end`. */
export function entriesFrom(entries: ChunkEntries, from: number, end: number): ChunkEntries {
  const { positions, checks, loose } = entries;
  const isInside = (first: number | undefined, last: number | undefined) =>
    first === undefined || last === undefined || (first >= from && last < end);
  const isWhole =
    isInside(positions[0], positions.at(-1)) && isInside(loose[1], loose[loose.length - LOOSE_FIELDS + 1]);
  if (isWhole) return entries;
  const first = positions.findIndex((position) => position >= from);
  const last = positions.findLastIndex((position) => position < end);
  const isIn = first >= 0 && last >= first;
  return {
    positions: isIn ? positions.slice(first, last + 1) : new Float64Array(0),
    checks: isIn ? checks.slice(first, last + 1) : new Uint32Array(0),
    loose: loose.filter((_, i) => {
      const position = loose[i - (i % LOOSE_FIELDS) + 1]!;
      return position >= from && position < end;
    }),
    scavengePoint: entries.scavengePoint
  };
}

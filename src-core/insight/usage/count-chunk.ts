/**
 * Counts the records of one chunk by stream and event type, and judges each as chunk execution would. Reads the
 * chunk once; a record costs look-ups by hash and additions, and names become strings only where the answer is
 * made. What the scavenge state says of a stream is asked once a chunk.
 */
import { Chunk, type ChunkParts } from '../../chunks/chunk.ts';
import { ChunkReader } from '../../chunks/chunk-reader.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { hashStream, hashStreamOf, type StreamHash } from '../../index/stream-hash.ts';
import { FRAME_LENGTH, type LogRecord } from '../../records/log-record.ts';
import {
  emptyVerdict,
  shouldDiscardRecord,
  type StreamVerdict
} from '../../scavenge/decisions/should-discard.ts';
import type { ScavengeState } from '../../scavenge/state/scavenge-state.ts';
import type { StreamVerdicts } from '../../scavenge/decisions/stream-verdicts.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { ticksFromHalves, TICKS_PER_SECOND } from '../../units/ticks.ts';
import { dayOf, ExpiryDays } from './expiry-days.ts';
import { LinkTargets, type TargetRow } from './link-targets.ts';
import { NameTable } from './name-table.ts';
import { Column, COLUMN_COUNT, PairColumns, PairFlag } from './pair-columns.ts';
import { isLink, typeEndOf, typeStartOf } from './record-places.ts';

/** Records between two readings of the clock. */
const LOOK_EVERY = 1024;
const TICKS_PER_MS = 10_000;

/** Plain values, so that it may cross to a worker. */
export interface CountOrder {
  chunk: ChunkParts;
}

export interface RecordSum {
  records: number;
  bytes: number;
}

/** Plain values as well. */
export interface ChunkCount {
  total: RecordSum;
  commits: RecordSum;
  system: RecordSum;
  discardable: RecordSum;
  streams: string[];
  hashHigh: Uint32Array<ArrayBuffer>;
  hashLow: Uint32Array<ArrayBuffer>;
  types: string[];
  pairCount: number;
  /** Of each pair: the place of its stream, and of its type. */
  pairStreams: Uint32Array<ArrayBuffer>;
  pairTypes: Uint32Array<ArrayBuffer>;
  pairValues: Float64Array<ArrayBuffer>;
  targets: TargetRow[];
  expiry: { firstDay: number; values: Float64Array<ArrayBuffer> };
}

/** What all chunks are judged by. */
export interface CountRules {
  state: ScavengeState;
  verdicts: StreamVerdicts;
  /** Records at or behind it stay. */
  pointPosition: number;
  effectiveNow: bigint;
}

export interface CountChunk extends CountOrder {
  fileSystem: FileSystem;
  control: OperationControl;
  rules: CountRules;
  onBytes?: ((count: number) => void) | undefined;
}

export async function countChunk(parts: CountChunk): Promise<ChunkCount> {
  const { control, onBytes } = parts;
  const reader = new ChunkReader(parts.fileSystem, new Chunk(parts.chunk));
  const counter = new ChunkCounter(parts.rules);
  try {
    const cursor = reader.cursor();
    let told = 0;
    for (let sinceLook = 1; cursor.next(); sinceLook++) {
      counter.count(cursor.record);
      if (sinceLook < LOOK_EVERY) continue;
      sinceLook = 0;
      if (!control.isDue) continue;
      onBytes?.(cursor.physicalOffset - told);
      told = cursor.physicalOffset;
      await control.breathe();
    }
    onBytes?.(parts.chunk.dataSize - told);
  } finally {
    reader.close();
  }
  return counter.finish();
}

class ChunkCounter {
  readonly #rules: CountRules;
  readonly #streams = new NameTable();
  readonly #types = new NameTable();
  readonly #pairs = new PairColumns();
  readonly #targets: LinkTargets;
  readonly #expiry: ExpiryDays;
  readonly #total: RecordSum = { records: 0, bytes: 0 };
  readonly #commits: RecordSum = { records: 0, bytes: 0 };
  readonly #system: RecordSum = { records: 0, bytes: 0 };
  readonly #discardable: RecordSum = { records: 0, bytes: 0 };
  readonly #hash: StreamHash = { high: 0, low: 0 };
  readonly #verdict: StreamVerdict = emptyVerdict();

  constructor(rules: CountRules) {
    this.#rules = rules;
    this.#targets = new LinkTargets(rules.state);
    this.#expiry = new ExpiryDays(dayOf(Number(rules.effectiveNow / BigInt(TICKS_PER_MS))));
  }

  count(record: LogRecord): void {
    const bytes = record.length + FRAME_LENGTH;
    add(this.#total, bytes);
    if (record.kind === 'prepare') this.#countPrepare(record, bytes);
    else add(record.kind === 'commit' ? this.#commits : this.#system, bytes);
  }

  finish(): ChunkCount {
    const { count, streams, types, values } = this.#pairs;
    const names = this.#streams;
    const all = <T>(table: NameTable, of: (at: number) => T): T[] =>
      Array.from({ length: table.count }, (_, at) => of(at));
    return {
      total: this.#total,
      commits: this.#commits,
      system: this.#system,
      discardable: this.#discardable,
      streams: all(names, (at) => names.name(at)),
      hashHigh: Uint32Array.from(all(names, (at) => names.hashHigh(at))),
      hashLow: Uint32Array.from(all(names, (at) => names.hashLow(at))),
      types: all(this.#types, (at) => this.#types.name(at)),
      pairCount: count,
      pairStreams: streams.slice(0, count),
      pairTypes: types.slice(0, count),
      pairValues: values.slice(0, count * COLUMN_COUNT),
      targets: this.#targets.rows(),
      expiry: { firstDay: this.#expiry.firstDay, values: this.#expiry.values }
    };
  }

  #countPrepare(record: LogRecord, bytes: number): void {
    const { high, low } = hashStreamOf(record, hashStream, this.#hash);
    const stream = this.#streams.numberOf(high, low, record.bytes, record.streamStart, record.streamEnd);
    const typeStart = typeStartOf(record);
    const typeEnd = typeEndOf(record);
    const typeHash = hashBytes(record.bytes, typeStart, typeEnd);
    const type = this.#types.numberOf(0, typeHash, record.bytes, typeStart, typeEnd);
    const ms = (record.timeHigh * 4294967296 + record.timeLow) / TICKS_PER_MS;
    let pair = this.#pairs.find(stream, type);
    if (pair < 0) pair = this.#addPair(stream, type, record, ms);
    const { values } = this.#pairs;
    const row = pair * COLUMN_COUNT;
    values[row + Column.records]!++;
    values[row + Column.bytes]! += bytes;
    if (ms < values[row + Column.minMs]!) values[row + Column.minMs] = ms;
    if (ms > values[row + Column.maxMs]!) values[row + Column.maxMs] = ms;
    const { isTombstone } = record;
    if (isTombstone) values[row + Column.tombstoneBytes]! += bytes;
    if (record.hasData || isTombstone) {
      values[row + Column.events]!++;
    }
    if (record.isSelfCommitted && (record.hasData || isTombstone)) {
      countNumber(values, row, record.eventNumber, bytes, ms);
    } else values[row + Column.flags] = values[row + Column.flags]! | PairFlag.unnumbered;
    const isDiscardable = this.#isDiscardable(record, row);
    if (isDiscardable) {
      values[row + Column.discardableRecords]!++;
      values[row + Column.discardableBytes]! += bytes;
      add(this.#discardable, bytes);
      return;
    }
    if (isLink(record, typeStart, typeEnd)) {
      values[row + Column.flags] = values[row + Column.flags]! | PairFlag.links;
      this.#targets.count(record, bytes);
    }
    const maxAgeSeconds = values[row + Column.maxAgeSeconds]!;
    if (maxAgeSeconds >= 0 && record.hasData && record.isSelfCommitted) {
      this.#expiry.add(ms + maxAgeSeconds * 1000, bytes);
    }
  }

  #isDiscardable(record: LogRecord, row: number): boolean {
    if (record.position >= this.#rules.pointPosition) return false;
    const { values } = this.#pairs;
    const flags = values[row + Column.flags]!;
    if ((flags & PairFlag.known) === 0) return false;
    const verdict = this.#verdict;
    verdict.isKnown = true;
    verdict.isTombstoned = (flags & PairFlag.tombstoned) !== 0;
    verdict.isMetastream = (flags & PairFlag.metastream) !== 0;
    verdict.discardPoint = values[row + Column.discardPoint]!;
    verdict.maybeDiscardPoint = values[row + Column.maybeDiscardPoint]!;
    verdict.cutoff.isSet = (flags & PairFlag.aged) !== 0;
    verdict.cutoff.high = values[row + Column.cutoffHigh]!;
    verdict.cutoff.low = values[row + Column.cutoffLow]!;
    return shouldDiscardRecord(record, verdict, false);
  }

  #addPair(stream: number, type: number, record: LogRecord, ms: number): number {
    const pair = this.#pairs.add(stream, type);
    const row = pair * COLUMN_COUNT;
    const { values } = this.#pairs;
    values[row + Column.firstNumber] = -1;
    values[row + Column.lastNumber] = -1;
    values[row + Column.minMs] = ms;
    values[row + Column.maxMs] = ms;
    putVerdict(values, row, this.#rules.verdicts.ofRecord(record), this.#rules.effectiveNow);
    return pair;
  }
}

function add(sum: RecordSum, bytes: number): void {
  sum.records++;
  sum.bytes += bytes;
}

function countNumber(values: Float64Array, row: number, number: number, bytes: number, ms: number): void {
  const first = values[row + Column.firstNumber]!;
  if (first < 0 || number < first) values[row + Column.firstNumber] = number;
  if (number < values[row + Column.lastNumber]!) return;
  values[row + Column.lastNumber] = number;
  values[row + Column.lastBytes] = bytes;
  values[row + Column.lastMs] = ms;
}

/** Writes what is known of a stream into the row of a pair. */
export function putVerdict(
  values: Float64Array,
  row: number,
  verdict: StreamVerdict,
  effectiveNow: bigint
): void {
  const { isKnown, isTombstoned, isMetastream, cutoff } = verdict;
  const isAged = isKnown && cutoff.isSet;
  values[row + Column.flags] =
    (isKnown ? PairFlag.known : 0) |
    (isKnown && isTombstoned ? PairFlag.tombstoned : 0) |
    (isMetastream ? PairFlag.metastream : 0) |
    (isAged ? PairFlag.aged : 0);
  values[row + Column.discardPoint] = isKnown ? verdict.discardPoint : 0;
  values[row + Column.maybeDiscardPoint] = isKnown ? verdict.maybeDiscardPoint : 0;
  values[row + Column.cutoffHigh] = isAged ? cutoff.high : 0;
  values[row + Column.cutoffLow] = isAged ? cutoff.low : 0;
  values[row + Column.maxAgeSeconds] = isAged
    ? Number((effectiveNow - ticksFromHalves(cutoff.high, cutoff.low)) / TICKS_PER_SECOND)
    : -1;
}

/** FNV-1a; the bytes are compared besides. */
function hashBytes(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash >>> 0;
}

/**
 * Counts the records of one chunk from its digest, stream by stream, and judges each as chunk execution would. A record
 * costs additions; what the scavenge state says of a stream is asked once a chunk, and nothing is made for either.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import type { ChunkDigest } from '../../digest/chunk-digest.ts';
import { DigestKind } from '../../digest/chunk-digest.ts';
import { PrepareFlag } from '../../records/log-record.ts';
import { shouldDiscardRecord, type StreamVerdict } from '../../scavenge/decisions/should-discard.ts';
import type { StreamVerdicts } from '../../scavenge/decisions/stream-verdicts.ts';
import { halvesOfTicks } from '../../scavenge/decisions/tick-halves.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import { DigestStreams } from './digest-streams.ts';
import type { GroupTable } from './group-table.ts';
import { LinkTarget } from './link-target.ts';
import { emptyChunkCount, type ChunkCount, type LogCounts } from './log-counts.ts';
import { linkKindOf, NO_LINK_KIND } from './link-kind.ts';
import { hashOfBytes, isAscii } from './name-hash.ts';
import { RecordsByStream } from './records-by-stream.ts';
import { addStreamRow, isMetastreamAt, StreamColumn, STREAM_COLUMNS } from './stream-row.ts';
import type { StreamRuns } from './stream-runs.ts';
import { addSums, LONG_NAME_BYTES, Sum, SUM_COUNT } from './usage-sums.ts';

const STREAMS_BETWEEN_LOOKS = 256;
const { data: DATA, streamDelete: DELETE, isCommitted: COMMITTED } = PrepareFlag;

/** What all chunks are judged by. */
export interface CountRules {
  verdicts: StreamVerdicts;
  /** Records at or behind it stay; the first position of a chunk. */
  pointPosition: number;
  effectiveNow: bigint;
}

/** Where the sums go. */
export interface CountInto {
  streams?: GroupTable | undefined;
  /** Streams of all hashes, chunk by chunk. */
  runs?: StreamRuns | undefined;
  types?: GroupTable | undefined;
  /** Everything else: of all streams, whatever part of them the tables hold. */
  log?: LogCounts | undefined;
}

export async function countDigest(
  chunk: Chunk,
  digest: ChunkDigest,
  into: CountInto,
  { rules, breathe }: { rules: CountRules; breathe: () => Promise<void> }
): Promise<void> {
  const counter = new DigestCounter(chunk, digest, into, rules);
  const { first, end } = counter;
  for (let ordinal = first; ordinal < end; ordinal += STREAMS_BETWEEN_LOOKS) {
    counter.countStreams(ordinal, Math.min(end, ordinal + STREAMS_BETWEEN_LOOKS));
    await breathe();
  }
  counter.finish();
}

class DigestCounter {
  /** Streams to count. */
  readonly first: number;
  readonly end: number;
  readonly #digest: ChunkDigest;
  readonly #into: CountInto;
  readonly #rules: CountRules;
  readonly #isBeforePoint: boolean;
  readonly #streams: DigestStreams;
  readonly #records: RecordsByStream;
  readonly #count: ChunkCount;
  /** Of each type: its sums, and what of its name is long. */
  readonly #types: Float64Array;
  readonly #longTypeBytes: Float64Array;
  readonly #isLinkType: Uint8Array;
  readonly #links: Float64Array;
  /** Of one stream, in the form of a row. */
  readonly #row = new Float64Array(STREAM_COLUMNS);
  /** Of each record: it is a link, and a scavenge discards it. */
  readonly #isDiscardedLink: Uint8Array;
  readonly #facts = { flags: 0, eventNumber: 0, timeHigh: 0, timeLow: 0 };
  readonly #now: { high: number; low: number };
  readonly #nowMs: number;

  constructor(chunk: Chunk, digest: ChunkDigest, into: CountInto, rules: CountRules) {
    this.#digest = digest;
    this.#into = into;
    this.#rules = rules;
    this.#isBeforePoint = chunk.startPosition < rules.pointPosition;
    this.#streams = new DigestStreams(digest);
    const isWhole = into.log !== undefined || into.types !== undefined;
    [this.first, this.end] = isWhole
      ? [0, digest.streamCount]
      : this.#streams.range(into.streams!.from, into.streams!.to);
    this.#records = new RecordsByStream(digest, this.first, this.end);
    this.#count = emptyChunkCount(chunk);
    const { typeCount } = digest;
    this.#types = new Float64Array(typeCount * SUM_COUNT);
    this.#longTypeBytes = new Float64Array(typeCount);
    this.#isLinkType = new Uint8Array(typeCount);
    this.#links = new Float64Array(into.log ? into.log.links.length : SUM_COUNT);
    this.#isDiscardedLink = new Uint8Array(into.log ? digest.recordCount : 0);
    this.#now = halvesOfTicks(rules.effectiveNow);
    this.#nowMs = Number(rules.effectiveNow) / 10_000;
    this.#describeTypes();
    if (into.streams) {
      const [first, end] = this.#streams.range(into.streams.from, into.streams.to);
      into.streams.reserve(end - first);
    }
  }

  countStreams(first: number, end: number): void {
    const { streams, runs } = this.#into;
    for (let ordinal = first; ordinal < end; ordinal++) {
      const verdict = this.#streams.verdictOf(ordinal, this.#rules.verdicts);
      this.#countStream(ordinal, verdict);
      if (streams) this.#putStream(streams, ordinal);
      if (runs) this.#putRun(runs, ordinal);
    }
  }

  finish(): void {
    const { log, types, runs } = this.#into;
    runs?.endChunk();
    if (types) this.#putTypes(types);
    if (!log) return;
    this.#countOthers();
    this.#countDeadLinks(log);
    log.chunks.push(this.#count);
    this.#sumTypes(log);
  }

  #describeTypes(): void {
    const { columns, typeCount } = this.#digest;
    const { typeEnds, typeNames } = columns;
    for (let type = 0, start = 0; type < typeCount; type++) {
      const end = typeEnds[type]!;
      this.#longTypeBytes[type] = Math.max(0, end - start - LONG_NAME_BYTES);
      const isTwo = end - start === 2 && typeNames[start] === 0x24; // `$>` or `$@`
      this.#isLinkType[type] =
        isTwo && (typeNames[start + 1] === 0x3e || typeNames[start + 1] === 0x40) ? 1 : 0;
      start = end;
    }
  }

  /** Adds up the records of a stream, in `#row` and everywhere else. */
  #countStream(ordinal: number, verdict: StreamVerdict): void {
    const { streamStarts } = this.#digest.columns;
    const { first, places, sizes, flags: flagsOf, types: typeOf, numbers, timeHigh, timeLow } = this.#records;
    const { log } = this.#into;
    const types = this.#types;
    const facts = this.#facts;
    const isJudged = this.#isBeforePoint && verdict.isKnown;
    const expiry = verdict.isKnown && verdict.cutoff.isSet ? log?.expiry : undefined;
    const maxAgeMs = expiry ? this.#maxAgeMs(verdict) : 0;
    const mayExpire = isJudged && verdict.cutoff.isSet;
    let linkRow = -1;
    let records = 0;
    let events = 0;
    let bytes = 0;
    let discardedRecords = 0;
    let discardedBytes = 0;
    let longBytes = 0;
    let last = -1;
    let lastAt = -1;
    let lastBytes = 0;
    for (let i = streamStarts[ordinal]! - first, end = streamStarts[ordinal + 1]! - first; i < end; i++) {
      const size = sizes[i]!;
      const flags = flagsOf[i]!;
      const number = numbers[i]!;
      const isEvent = (flags & (DATA | DELETE)) !== 0;
      records++;
      bytes += size;
      if (isEvent) events++;
      if (isEvent && (flags & COMMITTED) !== 0 && number >= last) {
        last = number;
        lastAt = i;
        lastBytes = size;
      }
      let isDiscarded = false;
      if (isJudged) {
        facts.flags = flags;
        facts.eventNumber = number;
        facts.timeHigh = timeHigh[i]!;
        facts.timeLow = timeLow[i]!;
        isDiscarded = shouldDiscardRecord(facts, verdict, false);
      }
      const type = typeOf[i]!;
      const row = type * SUM_COUNT;
      types[row + Sum.records]!++;
      types[row + Sum.bytes]! += size;
      if (isEvent) types[row + Sum.events]!++;
      if (isDiscarded) {
        discardedRecords++;
        discardedBytes += size;
        types[row + Sum.discardableRecords]!++;
        types[row + Sum.discardableBytes]! += size;
      }
      if (!log) continue;
      if ((flags & DELETE) !== 0) {
        log.tombstones.records++;
        log.tombstones.bytes += size;
      }
      if (this.#isLinkType[type] === 1) {
        if (linkRow < 0) linkRow = this.#linkRow(ordinal);
        this.#countLink(linkRow, size, isEvent, isDiscarded);
        if (isDiscarded) this.#isDiscardedLink[places[i]!] = 1;
      }
      if (isDiscarded) continue;
      if (mayExpire) this.#noteExpiry(log, this.#msOf(i) + maxAgeMs);
      longBytes += this.#longTypeBytes[type]!;
      if (expiry && (flags & DATA) !== 0 && (flags & COMMITTED) !== 0) {
        expiry.add(this.#msOf(i) + maxAgeMs, size);
      }
    }
    const row = this.#row;
    row[Sum.records] = records;
    row[Sum.events] = events;
    row[Sum.bytes] = bytes;
    row[Sum.discardableRecords] = discardedRecords;
    row[Sum.discardableBytes] = discardedBytes;
    row[Sum.firstChunk] = this.#count.startNumber;
    row[Sum.lastChunk] = this.#count.endNumber;
    row[StreamColumn.lastNumber] = last;
    row[StreamColumn.lastMs] = lastAt < 0 ? 0 : this.#msOf(lastAt);
    row[StreamColumn.lastBytes] = lastBytes;
    row[StreamColumn.lastBeforePoint] = this.#isBeforePoint ? last : -1;
    row[StreamColumn.isRuled] = verdict.isKnown && !verdict.isTombstoned && !verdict.isMetastream ? 1 : 0;
    if (log) this.#addStream(log, ordinal, longBytes);
  }

  /** Of a record that stays. One whose time has come already stays for another reason than its age; doubles err by less than that. */
  #noteExpiry(log: LogCounts, expiresMs: number): void {
    if (expiresMs < this.#nowMs - 1) return;
    log.nextExpiryMs = Math.min(log.nextExpiryMs, Math.floor(expiresMs) - 1);
  }

  #addStream(log: LogCounts, ordinal: number, longTypeBytes: number): void {
    const row = this.#row;
    const { discardable, total } = this.#count;
    const { nameEnds } = this.#digest.columns;
    const records = row[Sum.records]! - row[Sum.discardableRecords]!;
    const bytes = row[Sum.bytes]! - row[Sum.discardableBytes]!;
    const start = this.#digest.nameStart(ordinal);
    const end = nameEnds[ordinal]!;
    log.events += row[Sum.events]!;
    log.longNameBytes += longTypeBytes + records * Math.max(0, end - start - LONG_NAME_BYTES);
    total.records += row[Sum.records]!;
    total.bytes += row[Sum.bytes]!;
    discardable.records += row[Sum.discardableRecords]!;
    discardable.bytes += row[Sum.discardableBytes]!;
    if (!isMetastreamAt(this.#digest.names, start, end)) return;
    log.metadata.records += records;
    log.metadata.bytes += bytes;
  }

  #putStream(streams: GroupTable, ordinal: number): void {
    const { hashHigh, hashLow, nameEnds } = this.#digest.columns;
    const start = this.#digest.nameStart(ordinal);
    const at = streams.numberOf(
      hashHigh[ordinal]!,
      hashLow[ordinal]!,
      this.#digest.names,
      start,
      nameEnds[ordinal]!
    );
    if (at >= 0) addStreamRow(streams.values, at * STREAM_COLUMNS, this.#row, 0);
  }

  #putRun(runs: StreamRuns, ordinal: number): void {
    const { names, columns } = this.#digest;
    const start = this.#digest.nameStart(ordinal);
    runs.put(
      columns.hashHigh[ordinal]!,
      columns.hashLow[ordinal]!,
      this.#row,
      names,
      start,
      columns.nameEnds[ordinal]!
    );
  }

  #countLink(row: number, size: number, isEvent: boolean, isDiscarded: boolean): void {
    const links = this.#links;
    links[row + Sum.records]!++;
    links[row + Sum.bytes]! += size;
    if (isEvent) links[row + Sum.events]!++;
    if (!isDiscarded) return;
    links[row + Sum.discardableRecords]!++;
    links[row + Sum.discardableBytes]! += size;
  }

  #linkRow(ordinal: number): number {
    const start = this.#digest.nameStart(ordinal);
    return linkKindOf(this.#digest.names, start, this.#digest.columns.nameEnds[ordinal]!) * SUM_COUNT;
  }

  /** Commits and system records. */
  #countOthers(): void {
    const { columns, recordCount, dataSize } = this.#digest;
    const { kinds, offsets } = columns;
    const { commits, system, total } = this.#count;
    for (let place = 0; place < recordCount; place++) {
      const kind = kinds[place]!;
      if (kind <= DigestKind.prepareV0) continue;
      const size = (place + 1 < recordCount ? offsets[place + 1]! : dataSize) - offsets[place]!;
      const sum = kind === DigestKind.system ? system : commits;
      sum.records++;
      sum.bytes += size;
      total.records++;
      total.bytes += size;
    }
  }

  /** Links that stay are dead below the first event that is left of the stream they point into. */
  #countDeadLinks({ deadLinks }: LogCounts): void {
    const { columns, recordCount, dataSize } = this.#digest;
    const { withData, dataEnds, data, offsets, types } = columns;
    const target = new LinkTarget(data);
    const { verdicts } = this.#rules;
    for (let at = 0; at < withData.length; at++) {
      const place = withData[at]!;
      if (this.#isDiscardedLink[place] === 1 || !this.#isLink(types[place]!)) continue;
      if (!target.read(at === 0 ? 0 : dataEnds[at - 1]!, dataEnds[at]!)) continue;
      const { high, low } = target.hash;
      const verdict = verdicts.ofStream(high, low, target.isMetastream, target);
      if (!verdict.isKnown) continue;
      const firstLeft = verdict.isTombstoned ? DELETED_STREAM_EVENT_NUMBER : verdict.discardPoint;
      if (target.eventNumber >= firstLeft) continue;
      deadLinks.records++;
      deadLinks.bytes += (place + 1 < recordCount ? offsets[place + 1]! : dataSize) - offsets[place]!;
    }
  }

  /** Is the type `$>`? The data of `$@`, an older form, is not read. */
  #isLink(type: number): boolean {
    const { typeNames, typeEnds } = this.#digest.columns;
    return this.#isLinkType[type] === 1 && typeNames[typeEnds[type]! - 1] === 0x3e;
  }

  #putTypes(table: GroupTable): void {
    const { typeEnds, typeNames } = this.#digest.columns;
    const { startNumber, endNumber } = this.#count;
    const names = Buffer.from(typeNames.buffer, typeNames.byteOffset, typeNames.length);
    for (let type = 0, start = 0; type < this.#digest.typeCount; type++) {
      const end = typeEnds[type]!;
      this.#types[type * SUM_COUNT + Sum.firstChunk] = startNumber;
      this.#types[type * SUM_COUNT + Sum.lastChunk] = endNumber;
      const at = numberOfName(table, names, start, end);
      if (at >= 0) addSums(table.values, at * table.columnCount, this.#types, type * SUM_COUNT);
      start = end;
    }
  }

  /** The kinds of links of the log, from those of this chunk: what is of no such type is no link. */
  #sumTypes(log: LogCounts): void {
    const links = this.#links;
    const none = NO_LINK_KIND * SUM_COUNT;
    for (let type = 0; type < this.#digest.typeCount; type++) {
      if (this.#isLinkType[type] === 1) continue;
      for (let column = Sum.records; column <= Sum.discardableBytes; column++) {
        links[none + column]! += this.#types[type * SUM_COUNT + column]!;
      }
    }
    for (let row = 0; row < links.length; row += SUM_COUNT) {
      links[row + Sum.firstChunk] = this.#count.startNumber;
      links[row + Sum.lastChunk] = this.#count.endNumber;
      addSums(log.links, row, links, row);
    }
  }

  #msOf(at: number): number {
    const { timeHigh, timeLow } = this.#records;
    return (timeHigh[at]! * 4294967296 + timeLow[at]!) / 10_000;
  }

  /** From the cut-off, in whole seconds. */
  #maxAgeMs({ cutoff }: StreamVerdict): number {
    const ticks = (this.#now.high - cutoff.high) * 4294967296 + (this.#now.low - cutoff.low);
    return Math.round(ticks / 10_000_000) * 1000;
  }
}

/** Number of a type or a category in a table; -1 when it belongs to another part. */
export function numberOfName(table: GroupTable, bytes: Buffer, start: number, end: number): number {
  if (isAscii(bytes, start, end)) {
    return table.numberOf(hashOfBytes(bytes, start, end), 0, bytes, start, end);
  }
  // Names in broken UTF-8 that read the same are one name.
  const name = Buffer.from(bytes.toString('utf8', start, end));
  return table.numberOf(hashOfBytes(name, 0, name.length), 0, name, 0, name.length);
}

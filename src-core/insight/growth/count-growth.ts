/**
 * Counts what was written of late, from the digest of one chunk: record by record whether it stays, goes by its age one day, or
 * could go now, by category. The newest event of a stream stays whatever its age.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import type { ChunkDigest } from '../../digest/chunk-digest.ts';
import { DigestKind } from '../../digest/chunk-digest.ts';
import { PrepareFlag } from '../../records/log-record.ts';
import { shouldDiscardRecord, type StreamVerdict } from '../../scavenge/decisions/should-discard.ts';
import { halvesOfTicks } from '../../scavenge/decisions/tick-halves.ts';
import { numberOfName, type CountRules } from '../usage/count-digest.ts';
import { DigestStreams } from '../usage/digest-streams.ts';
import { GroupTable } from '../usage/group-table.ts';
import { StreamColumn } from '../usage/stream-row.ts';
import { dashIn, NO_CATEGORY } from '../usage/usage-tables.ts';

const STREAMS_BETWEEN_LOOKS = 1024;
const EVENT = PrepareFlag.data | PrepareFlag.streamDelete;
const NONE = Buffer.from(NO_CATEGORY);
const TICKS_PER_SECOND = 10_000_000;

/** Places in the row of a category. */
export const GrowthColumn = {
  lastingBytes: 0,
  expiringBytes: 1,
  removableBytes: 2,
  /** Events of each kind, for their index entries. */
  lastingEvents: 3,
  expiringEvents: 4,
  removableEvents: 5
} as const;
export const GROWTH_COLUMNS = 6;
type Fate = 0 | 1 | 2;
const EVENTS_FROM = GrowthColumn.lastingEvents;

export class GrowthSums {
  readonly categories = new GroupTable({ columnCount: GROWTH_COLUMNS });
  /** Of all categories, commits and system records included. */
  readonly total = new Float64Array(GROWTH_COLUMNS);
  /** Bytes of expiring records, each times the maximum age of its stream in seconds. */
  expiringByteSeconds = 0;
}

export interface CountGrowth {
  rules: CountRules;
  /** Milliseconds since the year 1. */
  fromMs: number;
  sums: GrowthSums;
  breathe: () => Promise<void>;
}

/** As far as the streams of the chunk are in the table. */
export async function countGrowth(
  chunk: Chunk,
  digest: ChunkDigest,
  { table, ...parts }: CountGrowth & { table: GroupTable }
): Promise<void> {
  const counter = new GrowthCounter(chunk, digest, parts, table);
  const [first, end] = counter.range;
  for (let ordinal = first; ordinal < end; ordinal += STREAMS_BETWEEN_LOOKS) {
    counter.count(ordinal, Math.min(end, ordinal + STREAMS_BETWEEN_LOOKS));
    await parts.breathe();
  }
}

/** Commits and system records stay, or go with what they belong to: they are few. */
export function countOtherGrowth(
  { columns, recordCount, dataSize }: ChunkDigest,
  fromMs: number,
  { total }: GrowthSums
): void {
  const { kinds, offsets, timeHigh, timeLow } = columns;
  for (let place = 0; place < recordCount; place++) {
    if (kinds[place]! <= DigestKind.prepareV0) continue;
    if ((timeHigh[place]! * 4294967296 + timeLow[place]!) / 10_000 < fromMs) continue;
    total[GrowthColumn.lastingBytes]! +=
      (place + 1 < recordCount ? offsets[place + 1]! : dataSize) - offsets[place]!;
  }
}

class GrowthCounter {
  readonly range: [number, number];
  readonly #digest: ChunkDigest;
  readonly #parts: CountGrowth;
  readonly #table: GroupTable;
  readonly #streams: DigestStreams;
  readonly #isBeforePoint: boolean;
  readonly #now: { high: number; low: number };
  readonly #facts = { flags: 0, eventNumber: 0, timeHigh: 0, timeLow: 0 };

  constructor({ startPosition }: Chunk, digest: ChunkDigest, parts: CountGrowth, table: GroupTable) {
    this.#digest = digest;
    this.#parts = parts;
    this.#table = table;
    this.#streams = new DigestStreams(digest);
    this.range = this.#streams.range(table.from, table.to);
    this.#isBeforePoint = startPosition < parts.rules.pointPosition;
    this.#now = halvesOfTicks(parts.rules.effectiveNow);
  }

  count(first: number, end: number): void {
    for (let ordinal = first; ordinal < end; ordinal++) this.#countStream(ordinal);
  }

  #countStream(ordinal: number): void {
    const { columns, names, recordCount, dataSize } = this.#digest;
    const { streamStarts, byStream, offsets, flags, timeHigh, timeLow, nameEnds } = columns;
    const { fromMs, rules, sums } = this.#parts;
    const { total, categories } = sums;
    let verdict: StreamVerdict | undefined;
    let row = -1;
    let newest = -1;
    let maxAgeSeconds = 0;
    for (let i = streamStarts[ordinal]!, end = streamStarts[ordinal + 1]!; i < end; i++) {
      const place = byStream[i]!;
      if ((timeHigh[place]! * 4294967296 + timeLow[place]!) / 10_000 < fromMs) continue;
      if (!verdict) {
        verdict = this.#streams.verdictOf(ordinal, rules.verdicts);
        row = categoryRow(categories, names, this.#digest.nameStart(ordinal), nameEnds[ordinal]!);
        newest = this.#newestOf(ordinal);
        maxAgeSeconds = verdict.isKnown && verdict.cutoff.isSet ? this.#maxAgeSeconds(verdict) : 0;
      }
      const fate = this.#fateOf(place, verdict, newest);
      const size = (place + 1 < recordCount ? offsets[place + 1]! : dataSize) - offsets[place]!;
      const events = (flags[place]! & EVENT) === 0 ? 0 : 1;
      total[fate]! += size;
      total[EVENTS_FROM + fate]! += events;
      if (fate === GrowthColumn.expiringBytes) sums.expiringByteSeconds += size * maxAgeSeconds;
      if (row < 0) continue;
      const at = row * GROWTH_COLUMNS;
      categories.values[at + fate]! += size;
      categories.values[at + EVENTS_FROM + fate]! += events;
    }
  }

  #fateOf(place: number, verdict: StreamVerdict, newest: number): Fate {
    if (!verdict.isKnown) return GrowthColumn.lastingBytes;
    const { flags, numbers, timeHigh, timeLow } = this.#digest.columns;
    const facts = this.#facts;
    facts.flags = flags[place]!;
    facts.eventNumber = numbers[place]!;
    facts.timeHigh = timeHigh[place]!;
    facts.timeLow = timeLow[place]!;
    if (this.#isBeforePoint && shouldDiscardRecord(facts, verdict, false)) return GrowthColumn.removableBytes;
    const expires = verdict.cutoff.isSet && (facts.flags & PrepareFlag.data) !== 0;
    return expires && facts.eventNumber !== newest ? GrowthColumn.expiringBytes : GrowthColumn.lastingBytes;
  }

  #newestOf(ordinal: number): number {
    const { hashHigh, hashLow, nameEnds } = this.#digest.columns;
    const table = this.#table;
    const at = table.find(
      hashHigh[ordinal]!,
      hashLow[ordinal]!,
      this.#digest.names,
      this.#digest.nameStart(ordinal),
      nameEnds[ordinal]!
    );
    return at < 0 ? -1 : table.values[at * table.columnCount + StreamColumn.lastNumber]!;
  }

  #maxAgeSeconds({ cutoff }: StreamVerdict): number {
    const ticks = (this.#now.high - cutoff.high) * 4294967296 + (this.#now.low - cutoff.low);
    return Math.max(0, Math.round(ticks / TICKS_PER_SECOND));
  }
}

function categoryRow(categories: GroupTable, names: Buffer, start: number, end: number): number {
  const dash = dashIn(names, start, end);
  return dash < 0
    ? numberOfName(categories, NONE, 0, NONE.length)
    : numberOfName(categories, names, start, dash);
}

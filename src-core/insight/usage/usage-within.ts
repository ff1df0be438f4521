/**
 * What takes the space inside one category or one stream: the streams of a category, or the event types of either. Streams
 * come from the tables of the count; types are counted per stream nowhere, so for them the records of the streams that
 * are asked about are gone through in the digests, and judged as in the count.
 */
import type { ChunkDigest } from '../../digest/chunk-digest.ts';
import { FRAME_LENGTH, PrepareFlag } from '../../records/log-record.ts';
import { shouldDiscardRecord } from '../../scavenge/decisions/should-discard.ts';
import { DigestStreams } from './digest-streams.ts';
import { LargestRows } from './largest-rows.ts';
import type { Usage } from './read-usage.ts';
import { itemOf, OTHERS_ITEM, type UsageItem, type UsageSums } from './usage-items.ts';
import { startsWith } from './name-bytes.ts';
import { addSums, Sum, SUM_COUNT } from './usage-sums.ts';
import { dashIn, NO_CATEGORY } from './usage-tables.ts';

const STREAMS_BETWEEN_LOOKS = 1024;
const { data: DATA, streamDelete: DELETE } = PrepareFlag;

/** A category as in `usage --by category`, or one stream. */
export type UsagePart = { category: string } | { stream: string };

/** At most `top` items, the largest; the rest is one more. The total is that of the part. */
export async function usageWithin(
  usage: UsageWithin,
  part: UsagePart,
  { by, top, breathe }: { by: 'stream' | 'type'; top: number; breathe: () => Promise<void> }
): Promise<UsageSums> {
  const matches = matcherOf(part);
  const largest = new LargestRows(top);
  const total = new Float64Array(SUM_COUNT);
  if (by === 'stream') {
    for await (const table of usage.tables.streams()) {
      const { values, columnCount, names } = table;
      for (let at = 0; at < table.count; at++) {
        if (at % STREAMS_BETWEEN_LOOKS === 0) await breathe();
        if (!matches(names, table.nameStart(at), table.nameEnd(at))) continue;
        addSums(total, 0, values, at * columnCount);
        largest.add(table.name(at), values, at * columnCount);
      }
    }
  } else {
    const types = await typesOf(usage, matches, breathe);
    for (const [name, row] of types) {
      addSums(total, 0, row, 0);
      largest.add(name, row, 0);
    }
  }
  return sumsOf(largest, total, top);
}

export type UsageWithin = Pick<Usage, 'tables' | 'session' | 'digests' | 'judgement' | 'point'>;

type Matcher = (names: Uint8Array, start: number, end: number) => boolean;

function matcherOf(part: UsagePart): Matcher {
  if ('stream' in part) {
    const name = Buffer.from(part.stream);
    return (names, start, end) => end - start === name.length && startsWith(names, start, end, name);
  }
  if (part.category === NO_CATEGORY) return (names, start, end) => dashIn(names, start, end) < 0;
  const prefix = Buffer.from(`${part.category}-`);
  return (names, start, end) => startsWith(names, start, end, prefix);
}

async function typesOf(
  { session, digests, judgement, point }: UsageWithin,
  matches: Matcher,
  breathe: () => Promise<void>
): Promise<Map<string, Float64Array>> {
  const types = new Map<string, Float64Array>();
  const { verdicts } = await judgement();
  for (const chunk of session.database.log.chunks) {
    const digest = digests.of(chunk);
    const streams = new DigestStreams(digest);
    const rows = new Float64Array(digest.typeCount * SUM_COUNT);
    const isBeforePoint = chunk.startPosition < (point?.position ?? 0);
    for (let ordinal = 0; ordinal < digest.streamCount; ordinal++) {
      if (ordinal % STREAMS_BETWEEN_LOOKS === 0) await breathe();
      const start = digest.nameStart(ordinal);
      if (!matches(digest.names, start, digest.columns.nameEnds[ordinal]!)) continue;
      const verdict = streams.verdictOf(ordinal, verdicts);
      countTypes(digest, ordinal, rows, isBeforePoint && verdict.isKnown ? verdict : undefined);
    }
    putTypes(digest, rows, types, { first: chunk.startNumber, last: chunk.endNumber });
  }
  return types;
}

const facts = { flags: 0, eventNumber: 0, timeHigh: 0, timeLow: 0 };

/** `verdict`: undefined where nothing of the chunk can go. */
function countTypes(
  digest: ChunkDigest,
  ordinal: number,
  rows: Float64Array,
  verdict: Parameters<typeof shouldDiscardRecord>[1] | undefined
): void {
  const { columns } = digest;
  for (let i = columns.streamStarts[ordinal]!, end = columns.streamStarts[ordinal + 1]!; i < end; i++) {
    const place = columns.byStream[i]!;
    const flags = columns.flags[place]!;
    const size = digest.lengthOf(place) + FRAME_LENGTH;
    const row = columns.types[place]! * SUM_COUNT;
    rows[row + Sum.records]!++;
    rows[row + Sum.bytes]! += size;
    if ((flags & (DATA | DELETE)) !== 0) rows[row + Sum.events]!++;
    if (!verdict) continue;
    facts.flags = flags;
    facts.eventNumber = columns.numbers[place]!;
    facts.timeHigh = columns.timeHigh[place]!;
    facts.timeLow = columns.timeLow[place]!;
    if (!shouldDiscardRecord(facts, verdict, false)) continue;
    rows[row + Sum.discardableRecords]!++;
    rows[row + Sum.discardableBytes]! += size;
  }
}

function putTypes(
  { columns: { typeEnds, typeNames }, typeCount }: ChunkDigest,
  rows: Float64Array,
  types: Map<string, Float64Array>,
  { first, last }: { first: number; last: number }
): void {
  const bytes = Buffer.from(typeNames.buffer, typeNames.byteOffset, typeNames.length);
  for (let type = 0; type < typeCount; type++) {
    const at = type * SUM_COUNT;
    if (rows[at + Sum.records] === 0) continue;
    rows[at + Sum.firstChunk] = first;
    rows[at + Sum.lastChunk] = last;
    const name = bytes.toString('utf8', type === 0 ? 0 : typeEnds[type - 1], typeEnds[type]);
    let row = types.get(name);
    if (!row) types.set(name, (row = new Float64Array(SUM_COUNT)));
    addSums(row, 0, rows, at);
  }
}

function sumsOf(largest: LargestRows, sum: Float64Array, top: number): UsageSums {
  const items: UsageItem[] = [];
  largest.forEach((row) => items.push(itemOf(row)));
  items.sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const whole = itemOf({ name: OTHERS_ITEM, values: sum, row: 0 });
  const shown = items.slice(0, top);
  if (shown.length < largest.count) shown.push(restOf(whole, shown));
  const { records, bytes, indexBytes, discardableRecords, discardableBytes } = whole;
  const total = { records, bytes, indexBytes, discardableRecords, discardableBytes };
  return { total, items: shown, itemCount: largest.count };
}

function restOf(whole: UsageItem, shown: readonly UsageItem[]): UsageItem {
  const left = (of: (item: UsageItem) => number) => shown.reduce((rest, item) => rest - of(item), of(whole));
  return {
    ...whole,
    records: left(({ records }) => records),
    bytes: left(({ bytes }) => bytes),
    indexBytes: left(({ indexBytes }) => indexBytes),
    discardableRecords: left(({ discardableRecords }) => discardableRecords),
    discardableBytes: left(({ discardableBytes }) => discardableBytes)
  };
}

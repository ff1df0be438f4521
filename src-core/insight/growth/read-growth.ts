/**
 * How fast a log grows, from the times of its own records: in all, by what will become of it, and by category. From an open
 * count; only the digests of chunks written of late are walked.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import type { Ticks } from '../../units/ticks.ts';
import { HASH_END } from '../usage/group-table.ts';
import type { Usage } from '../usage/read-usage.ts';
import { countGrowth, countOtherGrowth, GrowthColumn, GrowthSums, GROWTH_COLUMNS } from './count-growth.ts';
import type { GrowthRates } from './disk-forecast.ts';

/** Of one entry of an index table. */
const ENTRY_BYTES = 24;
const MS_PER_DAY = 86_400_000;
const SECONDS_PER_DAY = 86_400;
/** Of the log's newest records, looked back over. */
const LOOK_BACK_DAYS = 30;
const FEWEST_DAYS = 1;

/** Bytes a day of log and index. */
export interface CategoryGrowth {
  category: string;
  bytesPerDay: number;
  lastingPerDay: number;
  expiringPerDay: number;
  removablePerDay: number;
}

export interface LogGrowth extends GrowthRates {
  /** Of the records that were looked at. */
  from: Ticks;
  to: Ticks;
  days: number;
  /** Of `writtenPerDay`: the log alone, by its positions, which never move back. */
  logPerDay: number;
  /** Of what is still there: bytes a day that a scavenge could remove already. */
  removablePerDay: number;
  /** The fastest first. */
  categories: CategoryGrowth[];
  categoryCount: number;
}

type GrowingUsage = Pick<Usage, 'session' | 'digests' | 'judgement' | 'effectiveNow' | 'point' | 'tables'>;

/** undefined: the log covers less than a day. `top`: at most so many categories.
 * `entryBytes`: 0 leaves the index out. */
export async function readGrowth(
  usage: GrowingUsage,
  {
    top,
    breathe,
    entryBytes = ENTRY_BYTES
  }: { top: number; breathe: () => Promise<void>; entryBytes?: number | undefined }
): Promise<LogGrowth | undefined> {
  const { session, digests, effectiveNow, point, tables } = usage;
  const span = recentSpan(usage);
  if (!span) return undefined;
  const { chunks, fromMs, toMs, startPosition } = span;
  const sums = new GrowthSums();
  const { verdicts } = await usage.judgement();
  const rules = { verdicts, pointPosition: point?.position ?? 0, effectiveNow };
  for (const chunk of chunks) {
    countOtherGrowth(digests.of(chunk), fromMs, sums);
    await breathe();
  }
  for await (const table of tables.streams()) {
    for (const chunk of chunks) {
      await countGrowth(chunk, digests.of(chunk), { rules, fromMs, sums, breathe, table });
    }
  }
  const days = (toMs - fromMs) / MS_PER_DAY;
  const per = { days, entryBytes };
  const { total } = sums;
  const left =
    total[GrowthColumn.lastingBytes]! +
    total[GrowthColumn.expiringBytes]! +
    total[GrowthColumn.removableBytes]!;
  const events =
    total[GrowthColumn.lastingEvents]! +
    total[GrowthColumn.expiringEvents]! +
    total[GrowthColumn.removableEvents]!;
  const logBytes = session.database.log.end - startPosition;
  // Of what was removed since nobody knows how many events it was; as many to the byte as of what is left.
  const indexBytes = events * entryBytes * Math.max(1, left === 0 ? 1 : logBytes / left);
  return {
    from: ticksOf(fromMs),
    to: ticksOf(toMs),
    days,
    logPerDay: logBytes / days,
    writtenPerDay: (logBytes + indexBytes) / days,
    lastingPerDay: perDay(total, 0, 0, per),
    expiringPerDay: perDay(total, 0, 1, per),
    removablePerDay: perDay(total, 0, 2, per),
    expiringDays:
      total[GrowthColumn.expiringBytes] === 0
        ? 0
        : sums.expiringByteSeconds / total[GrowthColumn.expiringBytes]! / SECONDS_PER_DAY,
    ...categoriesOf(sums, per, top)
  };
}

interface Per {
  days: number;
  entryBytes: number;
}

/** Log and index of what becomes of it in one way (0 lasting, 1 expiring, 2 removable). */
function perDay(values: Float64Array, row: number, fate: 0 | 1 | 2, { days, entryBytes }: Per): number {
  const events = values[row + GrowthColumn.lastingEvents + fate]!;
  return (values[row + GrowthColumn.lastingBytes + fate]! + events * entryBytes) / days;
}

function categoriesOf(
  { categories, total }: GrowthSums,
  per: Per,
  top: number
): { categories: CategoryGrowth[]; categoryCount: number } {
  const rows: CategoryGrowth[] = [];
  const counted = new Float64Array(GROWTH_COLUMNS);
  for (let at = 0; at < categories.count; at++) {
    const row = at * GROWTH_COLUMNS;
    for (let column = 0; column < GROWTH_COLUMNS; column++)
      counted[column]! += categories.values[row + column]!;
    rows.push(growthOf(categories.name(at), categories.values, row, per));
  }
  rows.sort((a, b) => b.bytesPerDay - a.bytesPerDay || (a.category < b.category ? -1 : 1));
  const shown = rows.slice(0, top);
  // What a full table gave up, commits and system records, and what the limit leaves out.
  const others = total.map((bytes, column) => bytes - counted[column]!);
  const rest = growthOf('(others)', others, 0, per);
  for (const { bytesPerDay, lastingPerDay, expiringPerDay, removablePerDay } of rows.slice(top)) {
    rest.bytesPerDay += bytesPerDay;
    rest.lastingPerDay += lastingPerDay;
    rest.expiringPerDay += expiringPerDay;
    rest.removablePerDay += removablePerDay;
  }
  if (rest.bytesPerDay > 0) shown.push(rest);
  return { categories: shown, categoryCount: rows.length + (categories.to === HASH_END ? 0 : 1) };
}

function growthOf(category: string, values: Float64Array, row: number, per: Per): CategoryGrowth {
  const [lasting, expiring, removable] = [0, 1, 2].map((fate) =>
    perDay(values, row, fate as 0 | 1 | 2, per)
  ) as [number, number, number];
  return {
    category,
    bytesPerDay: lasting + expiring + removable,
    lastingPerDay: lasting,
    expiringPerDay: expiring,
    removablePerDay: removable
  };
}

interface RecentSpan {
  /** With records of it, in the order of the log. */
  chunks: Chunk[];
  fromMs: number;
  toMs: number;
  /** Of the first chunk that began within it. */
  startPosition: number;
}

/**
 * The last thirty days up to the newest record, or all of a younger log. Positions are those of whole chunks: it begins with
 * the first record of a chunk.
 */
function recentSpan({ session, digests }: GrowingUsage): RecentSpan | undefined {
  const recent: { chunk: Chunk; oldest: number }[] = [];
  let toMs = -Infinity;
  for (const chunk of session.database.log.chunks.toReversed()) {
    const { oldest, newest } = digests.of(chunk).prepareTimes();
    if (oldest === Infinity) continue;
    toMs = Math.max(toMs, newest);
    if (newest < toMs - LOOK_BACK_DAYS * MS_PER_DAY) break;
    recent.unshift({ chunk, oldest });
  }
  const begun = recent.find(({ oldest }) => oldest >= toMs - LOOK_BACK_DAYS * MS_PER_DAY) ?? recent[0];
  if (!begun || toMs - begun.oldest < FEWEST_DAYS * MS_PER_DAY) return undefined;
  return {
    chunks: recent.slice(recent.indexOf(begun)).map(({ chunk }) => chunk),
    fromMs: begun.oldest,
    toMs,
    startPosition: begun.chunk.startPosition
  };
}

function ticksOf(ms: number): Ticks {
  return BigInt(Math.round(ms * 10_000)) as Ticks;
}

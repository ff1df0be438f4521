/**
 * What the links of projections cost: bytes in the log, entries in the index, writes for each write of a user, by projection
 * and by category; how many are dead; and what a day of them takes. From an open count, whose digests are walked once.
 */
import { HASH_END, type GroupTable } from '../usage/group-table.ts';
import type { Usage } from '../usage/read-usage.ts';
import { countLinks } from './count-links.ts';
import { isProjectionState, LINK_SOURCES, linkSourceOf, STATE_SOURCE } from './link-source.ts';
import {
  CategoryColumn,
  LinkColumn,
  linksFrom,
  newCategoryTable,
  SourceColumn,
  SOURCE_COLUMNS,
  SourceSums
} from './projection-rows.ts';

/** Of one entry of an index table. */
const ENTRY_BYTES = 24;
const MS_PER_DAY = 86_400_000;
/** Looked back over from the newest record. */
const RECENT_DAYS = 30;
const STREAMS_BETWEEN_LOOKS = 4096;

export const STATE_NAME = '(checkpoints and state)';

interface Written {
  records: number;
  bytes: number;
  indexBytes: number;
}

export interface SourcePrice extends Written {
  source: string;
  streams: number;
  /** Links that stay although the event they point to is gone, or free to go. */
  deadRecords: number;
  deadBytes: number;
  /** Bytes of log and index that a day of the last ones added and are still there; null: the log covers less than a day. */
  bytesPerDay: number | null;
}

export interface LinkPrice {
  source: string;
  records: number;
  bytes: number;
  indexBytes: number;
  deadRecords: number;
  deadBytes: number;
}

export interface CategoryPrice extends Written {
  category: string;
  /** Of all links that point into streams of the category. */
  linkRecords: number;
  linkBytes: number;
  linkIndexBytes: number;
  /** Sources with links, in the order of `LINK_SOURCES`. */
  links: LinkPrice[];
}

export interface ProjectionPrices {
  /** What users wrote, links of projections and what these write about themselves left out. */
  own: Written & { bytesPerDay: number | null };
  sources: SourcePrice[];
  /** Those with the most link bytes first. */
  categories: CategoryPrice[];
  /** Before the limit. */
  categoryCount: number;
  /** Days that `bytesPerDay` is the mean of; null: not known. */
  days: number | null;
}

type PricedUsage = Pick<
  Usage,
  'session' | 'digests' | 'judgement' | 'effectiveNow' | 'point' | 'tables' | 'beside'
>;

interface PricesAsked {
  /** At most so many categories. */
  top: number;
  breathe: () => Promise<void>;
  /** Of categories in one table, for tests. */
  mostNames?: number;
}

/** Changes whenever what is priced, or how, changes. */
const KIND = 'projections 1';

/** From the digests, or as the last question found it. */
export async function projectionPrices(usage: PricedUsage, asked: PricesAsked): Promise<ProjectionPrices> {
  const name = String(asked.top);
  const known = usage.beside?.loadBeside<ProjectionPrices>(KIND, name);
  if (known) return known;
  const prices = await countPrices(usage, asked);
  usage.beside?.saveBeside(KIND, name, prices);
  return prices;
}

async function countPrices(
  usage: PricedUsage,
  { top, breathe, mostNames }: PricesAsked
): Promise<ProjectionPrices> {
  const recent = recentOf(usage);
  const sums = new SourceSums();
  const largest = new LargestCategories(top);
  const rules = await rulesOf(usage);
  for (let from = 0; from < HASH_END;) {
    const categories = newCategoryTable(from, mostNames);
    const parts = {
      rules,
      recentFromMs: recent.fromMs,
      categories,
      sums: from === 0 ? sums : undefined,
      breathe
    };
    for (const chunk of usage.session.database.log.chunks) {
      await countLinks(chunk, usage.digests.of(chunk), parts);
    }
    largest.add(categories);
    from = categories.to;
  }
  const streams = await streamsBySource(usage, sums, breathe);
  const perDay = (row: Float64Array, at: number): number | null =>
    recent.days === null
      ? null
      : (row[at + SourceColumn.recentBytes]! + row[at + SourceColumn.recentEvents]! * ENTRY_BYTES) /
        recent.days;
  return {
    own: { ...writtenOf(sums.own, 0), bytesPerDay: perDay(sums.own, 0) },
    sources: [...LINK_SOURCES, STATE_NAME].flatMap((source, at) => {
      const row = at * SOURCE_COLUMNS;
      if (sums.sources[row + SourceColumn.records] === 0) return [];
      return {
        source,
        streams: streams[at]!,
        ...writtenOf(sums.sources, row),
        deadRecords: sums.sources[row + SourceColumn.deadRecords]!,
        deadBytes: sums.sources[row + SourceColumn.deadBytes]!,
        bytesPerDay: perDay(sums.sources, row)
      };
    }),
    categories: largest.rows(),
    categoryCount: largest.count,
    days: recent.days
  };
}

async function rulesOf({ judgement, point, effectiveNow }: PricedUsage) {
  const { verdicts } = await judgement();
  return { verdicts, pointPosition: point?.position ?? 0, effectiveNow };
}

function writtenOf(row: Float64Array, at: number): Written {
  return {
    records: row[at + SourceColumn.records]!,
    bytes: row[at + SourceColumn.bytes]!,
    indexBytes: row[at + SourceColumn.events]! * ENTRY_BYTES
  };
}

/** From when on records are recent, milliseconds since the year 1, and how many days lie between that and the newest one. */
function recentOf({ session, digests }: PricedUsage): { fromMs: number; days: number | null } {
  const { chunks } = session.database.log;
  let [oldest, newest] = [Infinity, -Infinity];
  for (const chunk of chunks) {
    oldest = digests.of(chunk).prepareTimes().oldest;
    if (oldest !== Infinity) break;
  }
  for (const chunk of chunks.toReversed()) {
    newest = digests.of(chunk).prepareTimes().newest;
    if (newest !== -Infinity) break;
  }
  const fromMs = Math.max(oldest, newest - RECENT_DAYS * MS_PER_DAY);
  const days = (newest - fromMs) / MS_PER_DAY;
  return days >= 1 ? { fromMs, days } : { fromMs: Infinity, days: null };
}

/** How many streams hold what each source wrote. A name alone does not make links: a source without any has none. */
async function streamsBySource(
  { tables }: PricedUsage,
  { sources }: SourceSums,
  breathe: () => Promise<void>
): Promise<number[]> {
  const counts = new Array<number>(STATE_SOURCE + 1).fill(0);
  const other = LINK_SOURCES.length - 1;
  for await (const table of tables.streams()) {
    for (let at = 0; at < table.count; at++) {
      if (at % STREAMS_BETWEEN_LOOKS === 0) await breathe();
      const [start, end] = [table.nameStart(at), table.nameEnd(at)];
      const source = isProjectionState(table.names, start, end)
        ? STATE_SOURCE
        : linkSourceOf(table.names, start, end);
      // Most streams hold no links at all; which of them do is not in their names.
      if (source !== other && sources[source * SOURCE_COLUMNS + SourceColumn.records] !== 0)
        counts[source]!++;
    }
  }
  return counts;
}

/** The categories with the most bytes of links; of those with as many, the ones with more bytes of their own. */
class LargestCategories {
  count = 0;
  readonly #most: number;
  #rows: CategoryPrice[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(table: GroupTable): void {
    for (let at = 0; at < table.count; at++) {
      this.#rows.push(categoryPrice(table, at));
      if (this.#rows.length >= 2 * this.#most + 1024) this.#cut();
    }
    this.count += table.count;
  }

  rows(): CategoryPrice[] {
    this.#cut();
    return this.#rows;
  }

  #cut(): void {
    this.#rows.sort(
      (a, b) => b.linkBytes - a.linkBytes || b.bytes - a.bytes || (a.category < b.category ? -1 : 1)
    );
    this.#rows.length = Math.min(this.#rows.length, this.#most);
  }
}

function categoryPrice(table: GroupTable, at: number): CategoryPrice {
  const { values, columnCount } = table;
  const row = at * columnCount;
  const links = LINK_SOURCES.flatMap((source, number) => {
    const from = row + linksFrom(number);
    const records = values[from + LinkColumn.events]!;
    if (records === 0) return [];
    return {
      source,
      records,
      bytes: values[from + LinkColumn.bytes]!,
      indexBytes: records * ENTRY_BYTES,
      deadRecords: values[from + LinkColumn.deadRecords]!,
      deadBytes: values[from + LinkColumn.deadBytes]!
    };
  });
  const sum = (of: (link: LinkPrice) => number) => links.reduce((all, link) => all + of(link), 0);
  return {
    category: table.name(at),
    records: values[row + CategoryColumn.records]!,
    bytes: values[row + CategoryColumn.bytes]!,
    indexBytes: values[row + CategoryColumn.events]! * ENTRY_BYTES,
    linkRecords: sum(({ records }) => records),
    linkBytes: sum(({ bytes }) => bytes),
    linkIndexBytes: sum(({ indexBytes }) => indexBytes),
    links
  };
}

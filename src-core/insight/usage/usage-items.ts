/**
 * The counted chunks summed up by stream, category, event type or kind of link. Commits and system records are
 * items of their own, and what a limit leaves out is one more, so that the sum of all items is always the total.
 */
import { unreachable } from '../../assert.ts';
import type { RecordSum } from './count-chunk.ts';
import type { UsageStore } from './usage-store.ts';

export type UsageBy = 'stream' | 'category' | 'type' | 'link';

export interface UsageItem {
  name: string;
  records: number;
  bytes: number;
  /** Event entries in the index: one for each event. */
  indexBytes: number;
  discardableRecords: number;
  discardableBytes: number;
  /** Logical chunk numbers; both included. */
  firstChunk: number;
  lastChunk: number;
}

export interface UsageSums {
  total: RecordSum & { indexBytes: number; discardableRecords: number; discardableBytes: number };
  items: UsageItem[];
  /** Items before the limit, those of commits and system records included. */
  itemCount: number;
}

export const COMMITS_ITEM = '(commits)';
export const SYSTEM_ITEM = '(system)';
export const OTHERS_ITEM = '(others)';
export const NO_CATEGORY = '(no category)';
export const NO_LINKS = '(no links)';
export const OTHER_LINKS = '(other links)';

/** Of one entry of an index table. */
const ENTRY_BYTES = 24;
const LINK_TYPES = "'$>', '$@'";
/** What comes before the first `-`, as the server's projection by category has it. */
const CATEGORY = `CASE instr(stream, '-') WHEN 0 THEN '${NO_CATEGORY}' ELSE substr(stream, 1, instr(stream, '-') - 1) END`;
const LINK_KIND =
  `CASE WHEN Types.name NOT IN (${LINK_TYPES}) THEN '${NO_LINKS}' ` +
  "WHEN substr(stream, 1, 4) = '$ce-' THEN '$ce-' WHEN substr(stream, 1, 4) = '$et-' THEN '$et-' " +
  `WHEN stream = '$streams' THEN '$streams' ELSE '${OTHER_LINKS}' END`;
const SUMS =
  'SUM(records) AS records, SUM(events) AS events, SUM(bytes) AS bytes, ' +
  'SUM(discardableRecords) AS discardableRecords, SUM(discardableBytes) AS discardableBytes, ' +
  'MIN(startNumber) AS firstChunk, MAX(endNumber) AS lastChunk';
const TYPED = 'Pairs JOIN Types ON Types.id = Pairs.type';

function groupsOf(by: UsageBy): { name: string; from: string } {
  switch (by) {
    case 'stream':
      return { name: 'stream', from: 'Pairs' };
    case 'category':
      return { name: CATEGORY, from: 'Pairs' };
    case 'type':
      return { name: 'Types.name', from: TYPED };
    case 'link':
      return { name: LINK_KIND, from: TYPED };
    default:
      return unreachable(by);
  }
}

/** `top`: at most so many items, the largest; the rest becomes one. */
export function sumUsage(store: UsageStore, by: UsageBy, top: number): UsageSums {
  const items = recordItems(store);
  const { name, from } = groupsOf(by);
  const grouped = `SELECT ${name} AS name, ${SUMS} FROM ${from} GROUP BY 1`;
  for (const row of store.query(`SELECT * FROM (${grouped}) ORDER BY bytes DESC, name LIMIT ?`, top)) {
    items.push(itemOf(row));
  }
  items.sort((a, b) => b.bytes - a.bytes || compareText(a.name, b.name));
  const groupCount = Number([...store.query(`SELECT COUNT(*) AS count FROM (${grouped})`)][0]!['count']);
  const itemCount = groupCount + recordItems(store).length;
  const total = totalOf(store);
  const shown = items.slice(0, top);
  if (shown.length < itemCount) shown.push(restOf(total, shown, store));
  return { total, items: shown, itemCount };
}

/** The items of commits and of system records, where there are any. */
function recordItems(store: UsageStore): UsageItem[] {
  const items: UsageItem[] = [];
  for (const [name, column] of [
    [COMMITS_ITEM, 'commit'],
    [SYSTEM_ITEM, 'system']
  ] as const) {
    const rows = store.query(
      `SELECT TOTAL(${column}Records) AS records, TOTAL(${column}Bytes) AS bytes, 0 AS events, ` +
        '0 AS discardableRecords, 0 AS discardableBytes, MIN(startNumber) AS firstChunk, ' +
        `MAX(endNumber) AS lastChunk FROM Chunks WHERE ${column}Records > 0`
    );
    for (const row of rows) {
      if (Number(row['records']) > 0) items.push({ ...itemOf({ ...row, name }) });
    }
  }
  return items;
}

function totalOf(store: UsageStore): UsageSums['total'] {
  const sums =
    'TOTAL(records) AS records, TOTAL(bytes) AS bytes, TOTAL(discardableRecords) AS discardableRecords, ' +
    'TOTAL(discardableBytes) AS discardableBytes';
  const chunks = [...store.query(`SELECT ${sums} FROM Chunks`)][0]!;
  const events = Number([...store.query('SELECT TOTAL(events) AS events FROM Pairs')][0]!['events']);
  return {
    records: Number(chunks['records']),
    bytes: Number(chunks['bytes']),
    indexBytes: events * ENTRY_BYTES,
    discardableRecords: Number(chunks['discardableRecords']),
    discardableBytes: Number(chunks['discardableBytes'])
  };
}

function restOf(total: UsageSums['total'], shown: readonly UsageItem[], store: UsageStore): UsageItem {
  const left = (of: (item: UsageSums['total'] | UsageItem) => number) =>
    shown.reduce((rest, item) => rest - of(item), of(total));
  const chunks = [...store.query('SELECT MIN(startNumber) AS first, MAX(endNumber) AS last FROM Chunks')][0]!;
  return {
    name: OTHERS_ITEM,
    records: left(({ records }) => records),
    bytes: left(({ bytes }) => bytes),
    indexBytes: left(({ indexBytes }) => indexBytes),
    discardableRecords: left(({ discardableRecords }) => discardableRecords),
    discardableBytes: left(({ discardableBytes }) => discardableBytes),
    firstChunk: Number(chunks['first']),
    lastChunk: Number(chunks['last'])
  };
}

function itemOf(row: Record<string, unknown>): UsageItem {
  const number = (name: string): number => Number(row[name]);
  return {
    name: String(row['name']),
    records: number('records'),
    bytes: number('bytes'),
    indexBytes: number('events') * ENTRY_BYTES,
    discardableRecords: number('discardableRecords'),
    discardableBytes: number('discardableBytes'),
    firstChunk: number('firstChunk'),
    lastChunk: number('lastChunk')
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

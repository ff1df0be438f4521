/**
 * Index and log held against each other: every entry of a table must lead to a record of that stream and number,
 * every record up to the map's checkpoint must have its entry.
 *
 * After a scavenge both sides may lack something without harm: an entry whose record went by its age alone stays in
 * the index (hint, if its chunk is a scavenged one); a record of a chunk below the threshold stays in the log
 * although its entry is gone (hint, if it lies before a scavenge point, or at the beginning of a stream with rules:
 * see let-go-records.ts). Anything else is damage.
 */
import type { OperationControl } from '../database/operation-control.ts';
import { EntryBlock, emptyEntry } from '../index/index-entry.ts';
import type { IndexTableReader } from '../index/index-table-reader.ts';
import type { RecentEntries } from '../index/recent-entries.ts';
import { hashText } from '../index/stream-hash.ts';
import { TableScan } from '../index/table-scan.ts';
import type { LogReader } from '../log/log-reader.ts';
import {
  DELETED_STREAM_EVENT_NUMBER,
  LEGACY_DELETED_STREAM_EVENT_NUMBER,
  eventNumberToJson
} from '../units/event-number.ts';
import { damage, hint, type Finding } from './finding.ts';
import { LetGoRecords } from './let-go-records.ts';

/** More damage of one kind than this is summed up in one finding. */
const MAX_FINDINGS_OF_A_KIND = 20;
const BLOCK_ENTRIES = 4096;
/** Where an entry of the log was found: nowhere yet, behind the index, and from 2 on in the tables, newest first. */
const UNSEEN = 0;
const SOURCE_LOG = 1;
const REBUILD = { remedy: 'Rebuild the index from the log.', command: 'winnow index rebuild' };

export interface CompareIndexWithLog {
  log: LogReader;
  tables: readonly IndexTableReader[];
  /** All entries that the log alone gives, from its first record on. */
  all: RecentEntries;
  /** Those of them that no table holds yet. */
  recent: RecentEntries;
  /** Position of the newest scavenge point, -1 without one. */
  scavengePointPosition: number;
  control: OperationControl;
}

export interface Comparison {
  findings: Finding[];
  entriesChecked: number;
}

export async function compareIndexWithLog(options: CompareIndexWithLog): Promise<Comparison> {
  const { tables, all, recent, control } = options;
  const sources = new Uint16Array(all.count);
  markAll(recent, all, sources);
  const findings = new FindingList();
  let entriesChecked = 0;
  const total = tables.reduce((sum, table) => sum + table.count, 0);
  for (const [age, table] of tables.entries()) {
    const scan = new TableScan(table);
    while (scan.next()) {
      checkBlock(options, scan, { sources, source: SOURCE_LOG + 1 + age }, findings);
      entriesChecked += scan.block.count;
      control.report({ phase: 'index against log', done: entriesChecked, total, unit: 'entries' });
      if (control.isDue) await control.breathe();
    }
  }
  addUnseen(options, sources, findings);
  addDisorder(options, sources, findings);
  return { findings: findings.all(), entriesChecked };
}

function checkBlock(
  options: CompareIndexWithLog,
  scan: TableScan,
  { sources, source }: { sources: Uint16Array; source: number },
  findings: FindingList
): void {
  const { block, table } = scan;
  for (let i = 0; i < block.count; i++) {
    const at = findEntry(options.all, block, i);
    if (at >= 0) {
      sources[at] = source;
      continue;
    }
    const position = block.position[i]!;
    const chunk = options.log.chunkAt(position);
    const isScavenged = chunk?.isScavenged === true;
    const { name } = table;
    const entry = `(${hashText(block.hashHigh[i]!, block.hashLow[i]!)}, ${eventNumberToJson(block.number[i]!)})`;
    const place = { file: name, offset: table.offsetOf(scan.start + i), position };
    if (isScavenged) {
      findings.add(
        hint('indexEntryWithoutRecord', {
          ...place,
          message: `${name} has an entry ${entry} for position ${position}, whose record a scavenge removed.`,
          remedy: 'Nothing to do: readers skip it, and a later scavenge removes it.'
        })
      );
    } else {
      findings.add(
        damage('indexEntryWithoutRecord', {
          ...place,
          message: `${name} has an entry ${entry} for position ${position}, where no such record lies.`,
          ...REBUILD
        })
      );
    }
  }
}

const scratch = emptyEntry();

/** Index in `all` of the same entry, -1 when the log has none. Old tables number tombstones with 2^31-1. */
function findEntry(all: RecentEntries, block: EntryBlock, i: number): number {
  const number = block.number[i]!;
  const found = findNumber(all, block, i, number);
  if (found >= 0 || number !== LEGACY_DELETED_STREAM_EVENT_NUMBER) return found;
  return findNumber(all, block, i, DELETED_STREAM_EVENT_NUMBER);
}

function findNumber(all: RecentEntries, block: EntryBlock, i: number, number: number): number {
  const high = block.hashHigh[i]!;
  const low = block.hashLow[i]!;
  const position = block.position[i]!;
  for (let at = all.firstAtOrBelow(high, low, number); at < all.count; at++) {
    all.readEntry(at, scratch);
    if (scratch.hashHigh !== high || scratch.hashLow !== low || scratch.number !== number) return -1;
    if (scratch.position === position) return at;
  }
  return -1;
}

function markAll(recent: RecentEntries, all: RecentEntries, sources: Uint16Array): void {
  const block = new EntryBlock(BLOCK_ENTRIES);
  for (let start = 0; start < recent.count; start += block.count) {
    recent.readEntries(start, block);
    for (let i = 0; i < block.count; i++) {
      const at = findEntry(all, block, i);
      if (at >= 0) sources[at] = SOURCE_LOG;
    }
  }
}

function addUnseen(
  { all, log, scavengePointPosition }: CompareIndexWithLog,
  sources: Uint16Array,
  findings: FindingList
): void {
  const letGo = new LetGoRecords({ log, all, isIndexed: (at) => sources[at] !== UNSEEN });
  for (let at = sources.indexOf(UNSEEN); at >= 0; at = sources.indexOf(UNSEEN, at + 1)) {
    const { hashHigh, hashLow, number, position } = all.readEntry(at, scratch);
    const what = `The record at position ${position} (stream hash ${hashText(hashHigh, hashLow)}, number ${eventNumberToJson(number)})`;
    if (position < scavengePointPosition || letGo.isLetGo(at)) {
      findings.add(
        hint('recordWithoutIndexEntry', {
          position,
          message: `${what} has no index entry: a scavenge took it from the index and left it in a chunk below the threshold.`,
          remedy: 'Nothing to do; a scavenge of that chunk removes the record.'
        })
      );
    } else {
      findings.add(
        damage('recordWithoutIndexEntry', {
          position,
          message: `${what} has no entry in the index: readers of its stream do not see it.`,
          ...REBUILD
        })
      );
    }
  }
}

/**
 * Tables are asked from the newest to the oldest, and the first that knows a stream has its last number: a lower
 * number of one stream in a newer table means that tables stand in the wrong order, each of them sound by itself.
 */
function addDisorder(
  { all, log, tables }: CompareIndexWithLog,
  sources: Uint16Array,
  findings: FindingList
): void {
  const lower = emptyEntry();
  const higher = emptyEntry();
  for (let at = 1; at < all.count; at++) {
    const [newer, older] = [sources[at]!, sources[at - 1]!];
    if (newer === UNSEEN || newer >= older) continue;
    all.readEntry(at, lower);
    all.readEntry(at - 1, higher);
    const isSameHash = lower.hashHigh === higher.hashHigh && lower.hashLow === higher.hashLow;
    if (!isSameHash || lower.number === higher.number) continue;
    const stream = log.readAt(lower.position)?.stream;
    if (stream !== log.readAt(higher.position)?.stream) continue; // two streams with one hash
    const file = tables[older - SOURCE_LOG - 1]?.name ?? null;
    const name = tables[newer - SOURCE_LOG - 1]?.name ?? 'the log behind the index';
    findings.add(
      damage('tableInvalid', {
        file,
        position: higher.position,
        message:
          `${file} holds event ${eventNumberToJson(higher.number)} of stream "${stream}", but stands as older than ` +
          `${name}, which holds event ${eventNumberToJson(lower.number)}: the tables are not in the order in which they were written.`,
        ...REBUILD
      })
    );
  }
}

/**
 * Keeps the first findings of damage of each kind and counts the rest, so that a broken table does not fill the
 * memory. Hints are the normal traces of a scavenge: one for each kind, with the count.
 */
class FindingList {
  readonly #kept: Finding[] = [];
  readonly #counts = new Map<string, { count: number; first: Finding }>();

  add(finding: Finding): void {
    const kind = `${finding.severity} ${finding.code}`;
    const known = this.#counts.get(kind);
    const count = (known?.count ?? 0) + 1;
    this.#counts.set(kind, { count, first: known?.first ?? finding });
    if (finding.severity === 'damage' && count <= MAX_FINDINGS_OF_A_KIND) this.#kept.push(finding);
  }

  all(): Finding[] {
    const sums: Finding[] = [];
    for (const { count, first } of this.#counts.values()) {
      if (first.severity === 'hint') {
        sums.push(
          count === 1 ? first : { ...first, message: `${count} times, for the first time: ${first.message}` }
        );
      } else if (count > MAX_FINDINGS_OF_A_KIND) {
        const more = count - MAX_FINDINGS_OF_A_KIND;
        sums.push({ ...first, offset: null, position: null, message: `${more} more of this kind.` });
      }
    }
    return [...this.#kept, ...sums];
  }
}

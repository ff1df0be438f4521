/**
 * Compares index and log: every entry of a table must lead to a record of that stream and number,
 * every record up to the map's checkpoint must have its entry. The tables are walked side by side in their order;
 * what the log gives was gathered while its chunks were verified (log-marks.ts), so nothing is sorted here. A first
 * pass only counts; where both sides have the same, which is the rule, that is all.
 *
 * After a scavenge both sides may lack something without harm: an entry whose record went by its age alone stays in
 * the index (hint, if its chunk is a scavenged one); a record of a chunk below the threshold stays in the log
 * although its entry is gone (hint, if it lies before a scavenge point, or at the beginning of a stream with rules:
 * see scavenged-entries.ts). Anything else is damage.
 */
import type { AtNumber, AtPosition } from '../units/of-unit.ts';
import type { Chunk } from '../chunks/chunk.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { EntryBlock, type SortedEntries } from '../index/index-entry.ts';
import type { IndexTableReader } from '../index/index-table-reader.ts';
import { mergeStreams, type EntryStream, type MergeStreams } from '../index/merge-streams.ts';
import type { RecentEntries } from '../index/recent-entries.ts';
import { hashText } from '../index/stream-hash.ts';
import { TableScan } from '../index/table-scan.ts';
import type { LogReader } from '../log/log-reader.ts';
import {
  DELETED_STREAM_EVENT_NUMBER,
  LEGACY_DELETED_STREAM_EVENT_NUMBER,
  eventNumberToJson
} from '../units/event-number.ts';
import { damage, hint, REBUILD_COMMAND } from './finding.ts';
import { FindingList } from './finding-list.ts';
import { ScavengedEntries } from './scavenged-entries.ts';
import type { LogMarks } from './log-marks.ts';
import { RecordNames } from './record-names.ts';

const BLOCK_ENTRIES = 4096;
const REBUILD = { remedy: 'Rebuild the index from the log.', command: REBUILD_COMMAND };

export interface CompareIndexWithLog {
  log: LogReader;
  /** Newest first. */
  tables: readonly IndexTableReader[];
  /** All entries that the log alone gives. */
  marks: LogMarks;
  /** Those of them that no table holds yet. */
  recent: RecentEntries;
  /** Where the log ends by now: after `log.end` if a server continues writing. */
  endNow: number;
  /** Newest scavenge point by now, -1 without one. */
  scavengePoint: number;
  weightOf?: WeightOf | undefined;
  control: OperationControl;
}

/**
 * What the last scavenge left of the weight of logical chunks `first` … `last`, and the threshold it went by;
 * undefined if not known, or while a scavenge is unfinished.
 */
export type WeightOf = (first: number, last: number) => WeightLeft | undefined;

export interface WeightLeft {
  weight: number;
  threshold: number;
  /** Such a weight asks for a rewrite. */
  isReached: boolean;
}

export interface Comparison {
  findings: ReturnType<FindingList['all']>;
  entriesChecked: number;
}

export async function compareIndexWithLog(options: CompareIndexWithLog): Promise<Comparison> {
  const { tables, recent, control, log } = options;
  const list = new FindingList();
  const check = new EntryCheck(options, list);
  const total = tables.reduce((sum, table) => sum + table.count, 0);
  const walk = async (onEntry: MergeStreams['onEntry']): Promise<void> => {
    let done = 0;
    await mergeStreams({
      streams: [new EntriesInBlocks(recent), ...tables.map((table) => new ScanStream(table))],
      onEntry,
      breathe: async (count) => {
        done = Math.min(done + count, total);
        control.report({ phase: 'index against log', done, total, unit: 'entries' });
        if (control.isDue) await control.breathe();
      }
    });
  };
  await walk((high, low, number, position, stream) => check.count(high, low, number, position, stream));
  if (options.marks.isSame) return { findings: list.all(), entriesChecked: total };
  await walk((high, low, number, position, stream) => check.mark(high, low, number, position, stream));
  const names = new RecordNames(log);
  const scavenged = new ScavengedEntries({ log, sources: [recent, ...tables] });
  options.marks.forEachUnseen((position) => {
    const isDamage = position >= options.scavengePoint && !scavenged.isScavenged(position);
    // Thousands of records without an entry are one fault: the first of them are named.
    if (!list.isWanted(isDamage ? 'damage' : 'hint', 'recordWithoutIndexEntry')) return;
    const event = names.eventAt(position);
    // A scavenge has taken it since its chunk was walked.
    if (event === undefined) return;
    const what = `The record at position ${position} (${event})`;
    if (isDamage) {
      list.add(
        damage('recordWithoutIndexEntry', {
          file: log.chunkAt(position)?.fileName ?? null,
          position,
          message: `${what} has no index entry: readers of its stream do not see it.`,
          ...REBUILD
        })
      );
    } else {
      list.add(
        hint('recordWithoutIndexEntry', {
          file: log.chunkAt(position)?.fileName ?? null,
          position,
          ...whyLeft(what, log.chunkAt(position), options.weightOf)
        })
      );
    }
  });
  return { findings: list.all(), entriesChecked: total };
}

/**
 * Why a record stays whose entry a scavenge removed. A rewritten chunk loses its weight: one that still has what the
 * threshold asks for was visited, and its new file would not have been smaller.
 */
function whyLeft(
  what: string,
  chunk: Chunk | undefined,
  weightOf: WeightOf | undefined
): { message: string; remedy: string } {
  const taken = `${what} has no index entry: a scavenge removed the entry and left the record in its chunk`;
  const known = chunk && weightOf?.(chunk.startNumber, chunk.endNumber);
  if (!known) {
    return {
      message: `${taken}, whose weight was below the threshold or whose new file would not have been smaller.`,
      remedy: 'Nothing to do; a scavenge that rewrites the chunk removes the record.'
    };
  }
  const { weight, threshold, isReached } = known;
  if (isReached) {
    return {
      message: `${taken}: its weight of ${weight} reached the threshold of ${threshold}, but the new file would not have been smaller.`,
      remedy:
        'Nothing to do; a scavenge with "--always-keep-scavenged" removes the record, or a later one does when more of the chunk can go.'
    };
  }
  const least = weight === 0 ? '-1' : weight === 1 ? '0' : String(weight);
  return {
    message: `${taken}, whose weight of ${weight} is below the threshold of ${threshold === 0 ? '1, the lowest possible' : threshold}.`,
    remedy: `Nothing to do; a scavenge with "--threshold ${least}" processes the chunk again.`
  };
}

/** Checks the entries of all sources in table order; source 0 is the log after the index, then tables, newest first. */
class EntryCheck {
  readonly #options: CompareIndexWithLog;
  readonly #list: FindingList;
  readonly #names: RecordNames;
  #lastHigh = -1;
  #lastLow = -1;
  #lastNumber = 0;
  #lastPosition = 0;
  #lastSource = 0;

  constructor(options: CompareIndexWithLog, list: FindingList) {
    this.#options = options;
    this.#list = list;
    this.#names = new RecordNames(options.log);
  }

  /** Counts the entry and checks the order of tables. */
  count(high: number, low: number, number: AtNumber, position: AtPosition, source: number): void {
    this.#options.marks.countOfIndex(high, low, number, position);
    const isSameStream = high === this.#lastHigh && low === this.#lastLow;
    if (isSameStream && source < this.#lastSource && number < this.#lastNumber)
      this.#disorder(number, position, source);
    this.#lastHigh = high;
    this.#lastLow = low;
    this.#lastNumber = number;
    this.#lastPosition = position;
    this.#lastSource = source;
  }

  /** Looks for the record of an entry, where index and log differ. */
  mark(high: number, low: number, number: AtNumber, position: AtPosition, source: number): void {
    if (this.#options.marks.isSameAt(position) || this.#mark(high, low, number, position)) return;
    this.#withoutRecord(high, low, number, position, source);
  }

  /** Old tables number tombstones with 2^31-1. */
  #mark(high: number, low: number, number: AtNumber, position: AtPosition): boolean {
    const { marks } = this.#options;
    if (marks.mark(high, low, number, position)) return true;
    return (
      number === LEGACY_DELETED_STREAM_EVENT_NUMBER &&
      marks.mark(high, low, DELETED_STREAM_EVENT_NUMBER, position)
    );
  }

  #withoutRecord(high: number, low: number, number: AtNumber, position: AtPosition, source: number): void {
    const { log, tables, endNow } = this.#options;
    // Written and indexed since the writer's position was read.
    if (position >= log.end && position < endNow) return;
    const table = tables[source - 1];
    const name = table?.name ?? 'the log after the index';
    const isScavenged = log.chunkAt(position)?.isScavenged === true;
    const severity = isScavenged ? 'hint' : 'damage';
    if (!this.#list.isWanted(severity, 'indexEntryWithoutRecord')) return;
    const entry = `(${hashText(high, low)}, ${eventNumberToJson(number)})`;
    const offset = table ? table.offsetOf(table.firstAtOrBelow(high, low, number)) : null;
    const place = { file: table?.name ?? null, offset, position };
    this.#list.add(
      isScavenged
        ? hint('indexEntryWithoutRecord', {
            ...place,
            message: `${name} has an entry ${entry} for position ${position}, whose record a scavenge removed.`,
            remedy: 'Nothing to do: readers skip it, and a later scavenge removes it.'
          })
        : damage('indexEntryWithoutRecord', {
            ...place,
            message: `${name} has an entry ${entry} for position ${position}, where there is no such record (there is ${this.#names.eventAt(position) ?? 'no record'}).`,
            ...REBUILD
          })
    );
  }

  /**
   * Tables are asked from the newest to the oldest, and the first that knows a stream has its last number: a lower
   * number of one stream in a newer table means that tables are in the wrong order, each of them sound by itself.
   */
  #disorder(number: AtNumber, position: AtPosition, source: number): void {
    if (!this.#list.isWanted('damage', 'tableInvalid')) return;
    const stream = this.#names.streamAt(position);
    if (stream === undefined || stream !== this.#names.streamAt(this.#lastPosition)) return; // two streams with one hash
    const { tables } = this.#options;
    const file = tables[this.#lastSource - 1]?.name ?? null;
    const name = tables[source - 1]?.name ?? 'the log after the index';
    this.#list.add(
      damage('tableInvalid', {
        file,
        position: this.#lastPosition,
        message:
          `${file} holds event ${eventNumberToJson(this.#lastNumber)} of stream "${stream}", but is listed as older than ` +
          `${name}, which holds event ${eventNumberToJson(number)}: the tables are not in the order in which they were written.`,
        ...REBUILD
      })
    );
  }
}

class ScanStream implements EntryStream {
  readonly #scan: TableScan;
  constructor(table: IndexTableReader) {
    this.#scan = new TableScan(table);
  }
  get block(): EntryBlock {
    return this.#scan.block;
  }
  next(): boolean {
    return this.#scan.next();
  }
  close(): void {
    // The caller that opened the table closes it.
  }
}

class EntriesInBlocks implements EntryStream {
  readonly block = new EntryBlock(BLOCK_ENTRIES);
  readonly #entries: SortedEntries;
  #next = 0;
  constructor(entries: SortedEntries) {
    this.#entries = entries;
  }
  next(): boolean {
    this.#next += this.#entries.readEntries(this.#next, this.block);
    return this.block.count > 0;
  }
  close(): void {
    // In memory.
  }
}

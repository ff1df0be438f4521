/**
 * A count of the whole log, kept beside the digests: found by all that it was made of, and good until the next record may
 * expire, or the day ends (the days of expiry are counted from it). One file says what is counted of the log as a whole; the
 * tables of streams and of types have files of their own, so that one of many streams is never in memory as a whole.
 */
import { columnFileSize, decodeColumns, encodeColumns } from '../../codec/column-file.ts';
import { KEPT_TABLE, KEPT_USAGE } from '../../digest/chunk-digests.ts';
import { derivedFileName } from '../../digest/digest-identity.ts';
import { ValidSpan, type SpanFacts } from '../../scavenge/decisions/valid-span.ts';
import type { DerivedFiles } from '../../storage/derived-files.ts';
import { decodeRows, encodeRows, type GroupRowsFile, type RowsRoom } from './group-rows.ts';
import { GroupTable, HASH_END } from './group-table.ts';
import type { NewestEventsImage } from './newest-events.ts';
import { LogCounts, type LogCountsImage } from './log-counts.ts';

/** Changes whenever what is counted, or how it is kept, changes. */
const FORM = 'WNWUSE02';
const MOST_KEPT = 1;
/** Holds the description of every table. */
const HEAD_BYTES = 16_384;
const TYPES = 'types';
const CATEGORIES = 'categories';
const LARGEST = 'largest streams';
const ALL = { from: 0, to: HASH_END };

/** Of a table of streams: the upper halves of its hashes, the last one excluded. */
export interface HashRange {
  from: number;
  to: number;
}

/** What is kept besides the tables of streams. */
export interface KeptCount {
  log: LogCounts;
  types: GroupTable;
  /** undefined: there are too many for one table. */
  categories: GroupTable | undefined;
  /** The largest streams, and how many there are in all. */
  largest: { table: GroupTable; count: number };
  newest: NewestEventsImage;
  /** Of the tables of streams, rising. */
  ranges: readonly HashRange[];
  weights: [chunk: number, weight: number][];
  /** null: not counted yet. */
  indexBytesSaved: number | null;
}

interface Facts extends SpanFacts {
  log: LogCountsImage;
  hasCategories: boolean;
  streamCount: number;
  newest: NewestEventsImage;
  ranges: readonly HashRange[];
  weights: KeptCount['weights'];
  indexBytesSaved: number | null;
}

export class KeptUsage {
  readonly #files: DerivedFiles;
  readonly #identity: string;
  readonly #now: bigint;
  /** The time of the question that counted, which its tables are bound to. */
  #countedAt: string;
  #facts: Facts | undefined;

  /** `identity`: of all that the records are judged by. */
  constructor(files: DerivedFiles, identity: string, effectiveNow: bigint) {
    this.#files = files;
    this.#identity = identity;
    this.#now = effectiveNow;
    this.#countedAt = String(effectiveNow);
  }

  /** undefined: nothing is kept, or not all of it. */
  load(): KeptCount | undefined {
    const identity = this.#identity;
    const facts = this.#files.load(this.#head, (bytes) => {
      return decodeColumns<Facts>(bytes, { form: FORM, identity })?.facts;
    });
    if (!facts) return undefined;
    const log = new LogCounts(this.#now);
    if (!ValidSpan.of(facts).holds(this.#now) || facts.log.firstDay !== log.expiry.firstDay) return undefined;
    const { from, ranges, weights, newest, indexBytesSaved, streamCount } = facts;
    this.#countedAt = from;
    const types = this.#loadTable(TYPES, ALL);
    const categories = facts.hasCategories ? this.#loadTable(CATEGORIES, ALL) : undefined;
    const table = this.#loadTable(LARGEST, ALL);
    const isWhole = ranges.every((range) => this.#hasTable(nameOf(range)));
    if (!types || !table || !isWhole || (facts.hasCategories && !categories)) {
      this.#countedAt = String(this.#now);
      return undefined;
    }
    log.take(facts.log);
    this.#facts = facts;
    const largest = { table, count: streamCount };
    return { log, types, categories, largest, newest, ranges, weights, indexBytesSaved };
  }

  /** A table of streams; undefined where it is not there any more, or damaged. Valid until the room is used again. */
  loadStreams(range: HashRange, room: RowsRoom): GroupTable | undefined {
    return this.#loadTable(nameOf(range), range, room);
  }

  /** False: there is no room for it. */
  saveStreams(table: GroupTable): boolean {
    return this.#saveTable(nameOf(table), table);
  }

  /** Once all tables of streams were saved. `upTo`: the last time for which the judgement holds, ticks. */
  save(count: KeptCount, upTo: bigint): void {
    const { log, types, categories, largest, newest, ranges, weights, indexBytesSaved } = count;
    const whole: [string, GroupTable][] = [
      [TYPES, types],
      [LARGEST, largest.table],
      ...(categories ? [[CATEGORIES, categories] satisfies [string, GroupTable]] : [])
    ];
    if (!whole.every(([name, table]) => this.#saveTable(name, table))) return;
    const span = new ValidSpan(this.#now, upTo);
    span.endAfter(log.nextExpiryMs);
    this.#facts = {
      ...span.facts,
      log: log.image,
      hasCategories: categories !== undefined,
      streamCount: largest.count,
      newest,
      ranges,
      weights,
      indexBytesSaved
    };
    this.#saveHead();
    this.#files.keepNewest(KEPT_USAGE, MOST_KEPT);
    const names = [...whole.map(([name]) => name), ...ranges.map(nameOf)];
    const own = new Set(names.map((name) => this.#tableFile(name)));
    // What lies beside an earlier count goes with its tables.
    this.#files.keepOnly([KEPT_TABLE], (name) => own.has(name));
  }

  /** What was counted after the rest. */
  saveIndexBytes(indexBytesSaved: number): void {
    if (!this.#facts) return;
    this.#facts = { ...this.#facts, indexBytesSaved };
    this.#saveHead();
  }

  /**
   * What else was found of the same log by the same judgement, and is good for as long; `name`: of all that it was asked for.
   * undefined: nothing is kept.
   */
  loadBeside<T>(kind: string, name: string): T | undefined {
    if (!this.#facts) return undefined;
    const file = this.#rowsFile(`${kind} ${name}`);
    return this.#files.load(
      this.#tableFile(kind),
      (bytes) => decodeColumns<{ found: T }>(bytes, file)?.facts.found
    );
  }

  /** One of a kind: it takes the place of another one. */
  saveBeside(kind: string, name: string, found: unknown): void {
    if (!this.#facts) return;
    const file = this.#rowsFile(`${kind} ${name}`);
    this.#files.save(this.#tableFile(kind), () => encodeColumns({ ...file, facts: { found } }, []));
  }

  #saveHead(): void {
    const { identity, facts } = { identity: this.#identity, facts: this.#facts };
    this.#files.save(this.#head, () => encodeColumns({ form: FORM, identity, facts }, []));
  }

  #loadTable(name: string, range: HashRange, room?: RowsRoom): GroupTable | undefined {
    const decode = (bytes: Uint8Array<ArrayBuffer>) => decodeRows(bytes, this.#rowsFile(name), room);
    const rows = this.#files.load(this.#tableFile(name), decode, room?.bytes);
    return rows && GroupTable.over(rows, range);
  }

  #hasTable(name: string): boolean {
    const file = this.#rowsFile(name);
    return this.#files.has(this.#tableFile(name), HEAD_BYTES, (head) => columnFileSize(head, file));
  }

  #saveTable(name: string, { rows }: GroupTable): boolean {
    this.#files.save(this.#tableFile(name), () => encodeRows(this.#rowsFile(name), rows));
    return this.#hasTable(name);
  }

  get #head(): string {
    return derivedFileName(this.#identity, KEPT_USAGE);
  }

  #rowsFile(name: string): GroupRowsFile {
    return { form: FORM, identity: `${this.#identity}\n${this.#countedAt}\n${name}` };
  }

  #tableFile(name: string): string {
    return derivedFileName(`${this.#identity}\n${name}`, KEPT_TABLE);
  }
}

function nameOf({ from, to }: HashRange): string {
  return `streams ${from} ${to}`;
}

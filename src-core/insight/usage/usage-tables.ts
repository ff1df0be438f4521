/**
 * The tables of streams, types and categories of a log, part by part where they do not fit into memory at once. Streams that
 * do not fit are written to a file by hash in the pass that counts everything else, and each part is merged from it. Where
 * there is no room for a file, each part takes a pass over the digests, as types do. What was counted is kept.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import type { ChunkDigests } from '../../digest/chunk-digests.ts';
import type { ScavengeState } from '../../scavenge/state/scavenge-state.ts';
import type { DerivedFiles } from '../../storage/derived-files.ts';
import { countDigest, numberOfName, type CountInto, type CountRules } from './count-digest.ts';
import { RowsRoom } from './group-rows.ts';
import { GroupTable, HASH_END, MOST_NAMES } from './group-table.ts';
import type { HashRange, KeptCount, KeptUsage } from './kept-usage.ts';
import { LargestRows } from './largest-rows.ts';
import { LogCounts } from './log-counts.ts';
import { NewestEvents, type NewestEventsImage } from './newest-events.ts';
import { putRules } from './ruled-streams.ts';
import { addStreamRow, newStreamTable, STREAM_COLUMNS } from './stream-row.ts';
import { StreamRuns } from './stream-runs.ts';
import { addSums, SUM_COUNT } from './usage-sums.ts';

export const NO_CATEGORY = '(no category)';
const DASH = 0x2d;
const ROWS_BETWEEN_LOOKS = 4096;
/** Streams that are kept as the largest: as many as a view lists. */
const MOST_LARGEST = 5000;

/** What records are judged by. */
export interface CountJudgement {
  rules: CountRules;
  state: ScavengeState;
  /** The last time for which it holds, ticks; undefined: for this one only. */
  upTo: bigint | undefined;
}

export interface UsageTablesParts {
  /** In the order of the log. */
  chunks: readonly Chunk[];
  digests: ChunkDigests;
  effectiveNow: bigint;
  /** Made when it is asked for: a kept count needs none. */
  judgement: () => Promise<CountJudgement>;
  breathe: () => Promise<void>;
  /** Called with the bytes of each chunk that was counted in the first pass. */
  onBytes: (bytes: number) => void;
  /** In one table. */
  mostNames?: number | undefined;
  /** Where streams that do not fit in one table are written. */
  files?: DerivedFiles | undefined;
  /** What an earlier count of the same has left. */
  kept?: KeptUsage | undefined;
}

export interface CountedLog {
  tables: UsageTables;
  log: LogCounts;
  /** Of chunks that have any. */
  weights: [chunk: number, weight: number][];
  /** null: not counted yet. */
  indexBytesSaved: number | null;
}

export class UsageTables {
  readonly #parts: UsageTablesParts;
  /** The first one, where streams lie in memory. */
  #streams: GroupTable | undefined;
  /** Of the kept tables of streams. */
  #ranges: readonly HashRange[] = [];
  #runs: StreamRuns | undefined;
  #types: GroupTable;
  /** All of them, where they fit. */
  #categories: GroupTable | undefined;
  #largest: KeptCount['largest'] | undefined;
  #newest: NewestEventsImage | undefined;

  private constructor(parts: UsageTablesParts) {
    this.#parts = parts;
    this.#types = new GroupTable({ columnCount: SUM_COUNT, mostNames: parts.mostNames });
  }

  /** Counts the log. Close the tables. */
  static async count(parts: UsageTablesParts): Promise<CountedLog> {
    const tables = new UsageTables(parts);
    const known = parts.kept?.load();
    if (known) {
      tables.#take(known);
      const { log, weights, indexBytesSaved } = known;
      return { tables, log, weights, indexBytesSaved };
    }
    try {
      return await tables.#count();
    } catch (error) {
      tables.close();
      throw error;
    }
  }

  close(): void {
    this.#runs?.close();
    this.#runs = undefined;
  }

  /** What follows from the newest events of streams, where that is kept. */
  get newest(): NewestEventsImage | undefined {
    return this.#newest;
  }

  async largestStreams(most: number): Promise<LargestRows> {
    if (this.#largest && most <= MOST_LARGEST) {
      return LargestRows.of(this.#largest.table, { count: this.#largest.count, most });
    }
    const largest = new LargestRows(most);
    for await (const table of this.streams()) largest.addTable(table);
    return largest;
  }

  /** Each is valid until the next one. */
  async *streams(): AsyncGenerator<GroupTable> {
    let from = 0;
    const room = new RowsRoom();
    for (const range of this.#ranges) {
      const table = this.#parts.kept?.loadStreams(range, room);
      if (!table) break; // gone meanwhile, or damaged
      yield table;
      from = range.to;
    }
    while (from < HASH_END) {
      const table = await this.#streamsFrom(from);
      yield table;
      from = table.to;
    }
  }

  async *types(): AsyncGenerator<GroupTable> {
    yield* this.#inParts(this.#types, async (from) => {
      const types = this.#newGroups(from);
      await this.#pass({ types });
      return types;
    });
  }

  /** By what comes before the first `-`, as the server's projection by category has it. */
  async *categories(): AsyncGenerator<GroupTable> {
    yield* this.#inParts(this.#categories ?? (await this.#categoriesFrom(0)), (from) =>
      this.#categoriesFrom(from)
    );
  }

  async *#inParts(
    first: GroupTable,
    next: (from: number) => Promise<GroupTable>
  ): AsyncGenerator<GroupTable> {
    yield first;
    for (let from = first.to; from < HASH_END;) {
      const table = await next(from);
      yield table;
      from = table.to;
    }
  }

  async #count(): Promise<CountedLog> {
    const { chunks, digests, mostNames = MOST_NAMES, files, effectiveNow, onBytes } = this.#parts;
    const log = new LogCounts(effectiveNow);
    if (files) this.#runs = StreamRuns.begin(files, { chunks, digests, mostNames });
    const streams = this.#runs ? undefined : newStreamTable({ mostNames });
    await this.#pass({ streams, runs: this.#runs, types: this.#types, log }, onBytes);
    if (this.#runs?.isWhole) {
      this.#runs.endCount();
      // What is left to do is done with the file: digests and rows beside the tables would be twice as much in memory.
      digests.release();
    }
    const { state } = await this.#parts.judgement();
    if (streams) putRules(streams, state);
    this.#streams = streams;
    if (this.#runs?.isWhole === false) this.close();
    const weights = weightsOf(state);
    await this.#keep({ log, weights });
    return { tables: this, log, weights, indexBytesSaved: null };
  }

  /** All tables, unless there is no room for one of them, or they would take a pass each. */
  async #keep({ log, weights }: Pick<CountedLog, 'log' | 'weights'>): Promise<void> {
    const { kept, judgement } = this.#parts;
    const { upTo } = await judgement();
    const isWhole = this.#runs !== undefined || this.#streams?.to === HASH_END;
    if (!kept || upTo === undefined || !isWhole || this.#types.to !== HASH_END) return;
    const count = await this.#sumUp(kept, { log, weights });
    if (!count) return;
    kept.save(count, upTo);
    if (!this.#runs) return;
    this.#take(count);
    this.close();
  }

  /** Saves the tables of streams, and all that takes a look at each of them. undefined: there is no room. */
  async #sumUp(
    kept: KeptUsage,
    { log, weights }: Pick<CountedLog, 'log' | 'weights'>
  ): Promise<KeptCount | undefined> {
    const { breathe, effectiveNow } = this.#parts;
    const ranges: HashRange[] = [];
    const categories = this.#newGroups(0);
    const newest = new NewestEvents(log.expiry, effectiveNow);
    const rows = new LargestRows(MOST_LARGEST);
    for await (const table of this.streams()) {
      if (!kept.saveStreams(table)) return undefined;
      ranges.push({ from: table.from, to: table.to });
      rows.addTable(table);
      await newest.add(table, breathe);
      await this.#addCategories(table, categories);
    }
    return {
      log,
      types: this.#types,
      categories: categories.to === HASH_END ? categories : undefined,
      largest: { table: rows.table, count: rows.count },
      newest: newest.image,
      ranges,
      weights,
      indexBytesSaved: null
    };
  }

  #take({ types, categories, largest, newest, ranges }: KeptCount): void {
    this.#types = types;
    this.#categories = categories;
    this.#largest = largest;
    this.#newest = newest;
    this.#ranges = ranges;
  }

  /** The streams from a hash on, as many as fit. */
  async #streamsFrom(from: number): Promise<GroupTable> {
    if (from === 0 && this.#streams) return this.#streams;
    const table = this.#mergedFrom(from) ?? newStreamTable({ from, mostNames: this.#parts.mostNames });
    if (!this.#runs) await this.#pass({ streams: table });
    putRules(table, (await this.#parts.judgement()).state);
    return table;
  }

  #mergedFrom(from: number): GroupTable | undefined {
    const runs = this.#runs;
    if (!runs) return undefined;
    const part = runs.partFrom(from);
    const table = newStreamTable({ from, to: runs.firstOf(part + 1), mostNames: Infinity });
    table.reserve(runs.rowsOf(part));
    for (const { count, high, low, names, ends, values } of runs.blocksOf(part)) {
      const bytes = Buffer.from(names.buffer, names.byteOffset, names.length);
      for (let at = 0, start = 0; at < count; at++) {
        const end = ends[at]!;
        const row = table.numberOf(high[at]!, low[at]!, bytes, start, end);
        addStreamRow(table.values, row * STREAM_COLUMNS, values, at * STREAM_COLUMNS);
        start = end;
      }
    }
    return table;
  }

  /** Over the digests of all chunks. */
  async #pass(into: CountInto, onBytes?: (bytes: number) => void): Promise<void> {
    const { chunks, digests, judgement, breathe } = this.#parts;
    const { rules } = await judgement();
    for (const chunk of chunks) {
      await countDigest(chunk, digests.of(chunk), into, { rules, breathe });
      onBytes?.(chunk.dataSize);
      await breathe();
    }
  }

  #newGroups(from: number): GroupTable {
    return new GroupTable({ columnCount: SUM_COUNT, from, mostNames: this.#parts.mostNames });
  }

  async #categoriesFrom(from: number): Promise<GroupTable> {
    const table = this.#newGroups(from);
    for await (const streams of this.streams()) await this.#addCategories(streams, table);
    return table;
  }

  async #addCategories(streams: GroupTable, table: GroupTable): Promise<void> {
    const none = Buffer.from(NO_CATEGORY);
    const { names, values, columnCount } = streams;
    for (let stream = 0; stream < streams.count; stream++) {
      const start = streams.nameStart(stream);
      const end = dashIn(names, start, streams.nameEnd(stream));
      const at = end < 0 ? numberOfName(table, none, 0, none.length) : numberOfName(table, names, start, end);
      if (at >= 0) addSums(table.values, at * SUM_COUNT, values, stream * columnCount);
      if (stream % ROWS_BETWEEN_LOOKS === 0) await this.#parts.breathe();
    }
  }
}

function weightsOf({ weights }: ScavengeState): CountedLog['weights'] {
  const all: CountedLog['weights'] = [];
  for (let chunk = 0; chunk <= weights.lastChunk; chunk++) {
    const weight = weights.get(chunk);
    if (weight !== undefined) all.push([chunk, weight]);
  }
  return all;
}

/** Where the first dash is, -1 without one. */
export function dashIn(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === DASH) return at;
  return -1;
}

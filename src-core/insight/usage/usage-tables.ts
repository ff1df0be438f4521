/**
 * The tables of streams, types and categories of a log, part by part where they do not fit into memory at once. The
 * first part of streams and types is filled in the pass that counts everything else and kept; what lies beyond is
 * counted in a pass over the digests for each part, and again for each question.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import type { ChunkDigests } from '../../digest/chunk-digests.ts';
import { countDigest, numberOfName, type CountInto, type CountRules } from './count-digest.ts';
import { GroupTable, HASH_END } from './group-table.ts';
import type { KeptUsage } from './kept-usage.ts';
import { LogCounts } from './log-counts.ts';
import { newStreamTable } from './stream-row.ts';
import { addSums, SUM_COUNT } from './usage-sums.ts';

export const NO_CATEGORY = '(no category)';
const DASH = 0x2d;
const ROWS_BETWEEN_LOOKS = 4096;

export interface UsageTablesParts {
  /** In the order of the log. */
  chunks: readonly Chunk[];
  digests: ChunkDigests;
  rules: CountRules;
  breathe: () => Promise<void>;
  /** Called with the bytes of each chunk that was counted in the first pass. */
  onBytes: (bytes: number) => void;
  /** In one table. */
  mostNames?: number | undefined;
  /** What an earlier count of the same has left. */
  kept?: KeptUsage | undefined;
}

export class UsageTables {
  readonly #parts: UsageTablesParts;
  readonly #streams: GroupTable;
  readonly #types: GroupTable;

  private constructor(
    parts: UsageTablesParts,
    { streams, types }: { streams: GroupTable; types: GroupTable }
  ) {
    this.#parts = parts;
    this.#streams = streams;
    this.#types = types;
  }

  /** Counts the log. */
  static async count(parts: UsageTablesParts): Promise<{ tables: UsageTables; log: LogCounts }> {
    const { rules, mostNames, onBytes, kept } = parts;
    const known = kept?.load();
    if (known) return { tables: new UsageTables(parts, known), log: known.log };
    const streams = newStreamTable({ mostNames });
    const types = new GroupTable({ columnCount: SUM_COUNT, mostNames });
    const log = new LogCounts(rules.effectiveNow);
    await pass(parts, { streams, types, log }, onBytes);
    if (streams.to === HASH_END && types.to === HASH_END) kept?.save({ streams, types, log });
    return { tables: new UsageTables(parts, { streams, types }), log };
  }

  streams(): AsyncGenerator<GroupTable> {
    return this.#inParts(this.#streams, async (from) => {
      const streams = newStreamTable({ from, mostNames: this.#parts.mostNames });
      await pass(this.#parts, { streams });
      return streams;
    });
  }

  types(): AsyncGenerator<GroupTable> {
    return this.#inParts(this.#types, async (from) => {
      const types = this.#newGroups(from);
      await pass(this.#parts, { types });
      return types;
    });
  }

  /** By what comes before the first `-`, as the server's projection by category has it. */
  async *categories(): AsyncGenerator<GroupTable> {
    yield* this.#inParts(await this.#categoriesFrom(0), (from) => this.#categoriesFrom(from));
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

  #newGroups(from: number): GroupTable {
    return new GroupTable({ columnCount: SUM_COUNT, from, mostNames: this.#parts.mostNames });
  }

  async #categoriesFrom(from: number): Promise<GroupTable> {
    const table = this.#newGroups(from);
    const none = Buffer.from(NO_CATEGORY);
    for await (const streams of this.streams()) {
      const { names, values, columnCount } = streams;
      for (let stream = 0; stream < streams.count; stream++) {
        const start = streams.nameStart(stream);
        const end = dashIn(names, start, streams.nameEnd(stream));
        const at =
          end < 0 ? numberOfName(table, none, 0, none.length) : numberOfName(table, names, start, end);
        if (at >= 0) addSums(table.values, at * SUM_COUNT, values, stream * columnCount);
        if (stream % ROWS_BETWEEN_LOOKS === 0) await this.#parts.breathe();
      }
    }
    return table;
  }
}

/** Of all chunks. */
async function pass(
  { chunks, digests, rules, breathe }: UsageTablesParts,
  into: CountInto,
  onBytes?: (bytes: number) => void
): Promise<void> {
  for (const chunk of chunks) {
    await countDigest(chunk, digests.of(chunk), into, { rules, breathe });
    onBytes?.(chunk.dataSize);
    await breathe();
  }
}

/** Where the first dash is, -1 without one. */
export function dashIn(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === DASH) return at;
  return -1;
}

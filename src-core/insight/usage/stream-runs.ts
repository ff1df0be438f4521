/**
 * The streams of each chunk in the order of their hashes, written to a file in blocks of a part of all hashes: so the streams
 * of one part are found in all chunks without a pass over the digests. For a log with more streams than one table holds.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import { longerColumn } from '../../codec/longer-column.ts';
import type { ChunkDigests } from '../../digest/chunk-digests.ts';
import type { DerivedFiles } from '../../storage/derived-files.ts';
import type { OpenFile } from '../../storage/file-system.ts';
import { ScratchBlocks } from '../../storage/scratch-blocks.ts';
import { DigestStreams } from './digest-streams.ts';
import { decodeRows, encodeRows, RowsRoom, type GroupRows } from './group-rows.ts';
import { HASH_END } from './group-table.ts';
import { STREAM_COLUMNS } from './stream-row.ts';

/** One in so many hashes. */
const SAMPLED_PART = 64;
const FORM = 'WNWRUN01';
const FIRST_ROWS = 1024;
const MEAN_NAME_BYTES = 24;
/** Of a stream in a chunk: hash, name, narrow columns. */
const ROUGH_BYTES = 72;

export interface StreamRunsParts {
  chunks: readonly Chunk[];
  digests: ChunkDigests;
  /** In one part, about. */
  mostNames: number;
}

export class StreamRuns {
  readonly partCount: number;
  readonly #blocks: ScratchBlocks;
  /** Of all blocks of each part. */
  readonly #rowCounts: number[];
  #part = 0;
  /** Upper halves of hashes from here on belong to the next part. */
  #partEnd: number;
  #rows = emptyRows();

  private constructor(file: OpenFile, partCount: number) {
    this.partCount = partCount;
    this.#blocks = new ScratchBlocks(file, partCount);
    this.#rowCounts = Array.from({ length: partCount }, () => 0);
    this.#partEnd = this.firstOf(1);
  }

  /** undefined: one table holds all streams, as far as a sample tells, or there is no room for a file. */
  static begin(files: DerivedFiles, { chunks, digests, mostNames }: StreamRunsParts): StreamRuns | undefined {
    const records = chunks.reduce((sum, chunk) => sum + digests.countOf(chunk), 0);
    if (records <= mostNames) return undefined;
    const { inChunks, distinct } = sampleStreams(chunks, digests);
    if (distinct <= mostNames) return undefined;
    const file = files.scratch(inChunks * ROUGH_BYTES);
    return file && new StreamRuns(file, Math.ceil(distinct / mostNames));
  }

  /** False: the file could not be written, and nothing of it is of use. */
  get isWhole(): boolean {
    return this.#blocks.isWhole;
  }

  /** The first upper half of a hash in a part; of the part after the last one, the end of all. */
  firstOf(part: number): number {
    return Math.ceil((part * HASH_END) / this.partCount);
  }

  /** The part that begins there. */
  partFrom(first: number): number {
    return Math.floor((first * this.partCount) / HASH_END);
  }

  /** A stream of the chunk that is being counted, in the order of hashes. `row`: as in a table of streams. */
  put(high: number, low: number, row: Float64Array, name: Uint8Array, start: number, end: number): void {
    if (!this.#blocks.isWhole) return;
    while (high >= this.#partEnd) this.#nextPart();
    const rows = this.#rows;
    const at = rows.count;
    if (at === rows.high.length) growRows(rows);
    const from = at === 0 ? 0 : rows.ends[at - 1]!;
    const to = from + end - start;
    if (to > rows.names.length) rows.names = longerNames(rows.names, from, to);
    for (let i = start, into = from; i < end; i++, into++) rows.names[into] = name[i]!;
    rows.ends[at] = to;
    rows.high[at] = high;
    rows.low[at] = low;
    for (let column = 0; column < STREAM_COLUMNS; column++) {
      rows.values[at * STREAM_COLUMNS + column] = row[column]!;
    }
    rows.count = at + 1;
  }

  /** All streams of a chunk were put. */
  endChunk(): void {
    this.#write();
    this.#part = 0;
    this.#partEnd = this.firstOf(1);
  }

  /** All chunks were counted: gives back the room of the rows, which is that of a table. */
  endCount(): void {
    this.#rows = emptyRows();
  }

  /** Of all blocks of a part. */
  rowsOf(part: number): number {
    return this.#rowCounts[part]!;
  }

  /** The blocks of a part, in the order in which chunks were counted, each valid until the next one. Throws the error of a file that cannot be read. */
  blocksOf(part: number): Generator<GroupRows> {
    const room = new RowsRoom();
    return this.#blocks.of(part, (bytes, identity) => decodeRows(bytes, { form: FORM, identity }, room));
  }

  close(): void {
    this.#blocks.close();
  }

  #nextPart(): void {
    this.#write();
    this.#part++;
    this.#partEnd = this.firstOf(this.#part + 1);
  }

  #write(): void {
    const { count } = this.#rows;
    if (count === 0) return;
    this.#blocks.write(this.#part, (identity) => encodeRows({ form: FORM, identity }, this.#rows));
    this.#rowCounts[this.#part]! += count;
    this.#rows.count = 0;
  }
}

/** How many streams there are, each counted in each chunk and counted once, by those in one part of all hashes. */
function sampleStreams(
  chunks: readonly Chunk[],
  digests: ChunkDigests
): { inChunks: number; distinct: number } {
  const seen = new Set<number>();
  let inChunks = 0;
  for (const chunk of chunks) {
    const digest = digests.of(chunk);
    const { hashHigh, hashLow } = digest.columns;
    const [, end] = new DigestStreams(digest).range(0, HASH_END / SAMPLED_PART);
    for (let ordinal = 0; ordinal < end; ordinal++) {
      // Two of the same 53 bits count once: it is an estimate.
      seen.add((hashHigh[ordinal]! % 2 ** 21) * 2 ** 32 + hashLow[ordinal]!);
    }
    inChunks += digest.streamCount;
  }
  return { inChunks, distinct: seen.size * SAMPLED_PART };
}

function emptyRows(): GroupRows {
  return {
    count: 0,
    columnCount: STREAM_COLUMNS,
    high: new Uint32Array(FIRST_ROWS),
    low: new Uint32Array(FIRST_ROWS),
    ends: new Float64Array(FIRST_ROWS),
    names: new Uint8Array(FIRST_ROWS * MEAN_NAME_BYTES),
    values: new Float64Array(FIRST_ROWS * STREAM_COLUMNS)
  };
}

function growRows(rows: GroupRows): void {
  const length = rows.high.length * 2;
  rows.high = longerColumn(rows.high, length);
  rows.low = longerColumn(rows.low, length);
  rows.ends = longerColumn(rows.ends, length);
  rows.values = longerColumn(rows.values, length * STREAM_COLUMNS);
}

function longerNames(names: Uint8Array, used: number, least: number): Uint8Array {
  const longer = new Uint8Array(Math.max(least, names.length * 2));
  longer.set(names.subarray(0, used));
  return longer;
}

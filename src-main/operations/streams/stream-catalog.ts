/**
 * Every stream of a log with its physical content, from the digests of all chunks. What a reader sees of a
 * stream is computed for one stream at a time, on demand: from the walk alone if nothing was ever scavenged
 * and no rule hides anything by age, else through the index.
 *
 * A stream with only metadata is listed too. Stored in columns: there may be millions of streams.
 */
import {
  DELETED_STREAM_EVENT_NUMBER,
  EMPTY_METADATA,
  INT64_MAX,
  eventNumberToJson,
  hashStream,
  hashText,
  isReadFault,
  parseStreamMetadata,
  readStreamForward,
  type ChunkDigests,
  type Database,
  type OperationControl,
  type StreamIndex,
  type StreamMetadata,
  type RecordLog
} from '../../../src-core/index.ts';
import { requireNoHole } from '../records/log-walk.ts';
import type { OperationContext } from '../operation.ts';
import type { StreamRow } from '../../contract/operations/reports.ts';
import { gatherStreams } from './gather-streams.ts';
import { KeptStreams } from './kept-streams.ts';
import { StreamList } from './stream-list.ts';
import type { StreamRows } from './stream-rows.ts';

const METASTREAM_PREFIX = '$$';
/** Of rows: the first are there at once, and of many the index is read from one end to the other. */
const FIRST_BATCH = 128;
const LAST_BATCH = 32_768;
/** The upper 53 bits of a hash order streams well enough. */
const TWO_21 = 2 ** 21;

type StreamState = StreamRow['state'];

/** How rows are computed: as of which time, and yielding to others. */
export interface StreamView {
  records: Pick<RecordLog, 'readAt'>;
  index: StreamIndex;
  now: bigint;
  control: OperationControl;
}

/** After each stream that was looked at; what it returns is waited for. */
type Step = (rowsDone: 0 | 1) => Promise<void> | undefined;

/** What a reader sees. */
interface Visible {
  first: number | null;
  last: number | null;
  state: StreamState;
}

export class StreamCatalog {
  readonly streams: StreamList;
  /** A scavenged chunk may lack events that the walk cannot know about. */
  readonly #wasScavenged: boolean;

  private constructor(streams: StreamList, wasScavenged: boolean) {
    this.streams = streams;
    this.#wasScavenged = wasScavenged;
  }

  get count(): number {
    return this.streams.count;
  }

  /** From the digests of all chunks, or as it is kept. `mostTogether`: see gatherStreams. */
  static async read(
    database: Database,
    { control }: Pick<OperationContext, 'control'>,
    digests: ChunkDigests,
    mostTogether?: number
  ): Promise<StreamCatalog> {
    const { log } = database;
    const { chunks } = log;
    requireNoHole(database);
    const wasScavenged = chunks.some((chunk) => chunk.isScavenged);
    const kept = digests.files && new KeptStreams(digests.files, () => digests.identityOf(chunks));
    const known = kept?.load();
    if (known) return new StreamCatalog(known, wasScavenged);
    await digests.prepare(chunks, control);
    const parts: StreamRows[] = [];
    for await (const rows of gatherStreams({ log, digests, control, mostTogether })) {
      kept?.savePart(parts.length, rows);
      parts.push(rows);
    }
    kept?.saveWhole(parts.length);
    return new StreamCatalog(new StreamList(parts), wasScavenged);
  }

  /**
   * These streams as rows, in their order, in batches that grow. First the metadata of a batch, then the rest, each in the order of
   * hashes, which is that of the index: what was read of it for one stream serves the next. Where index or log are damaged, the rows
   * before the first that fails are given.
   */
  async *rows(order: Uint32Array, view: StreamView): AsyncGenerator<StreamRow[]> {
    const { control } = view;
    let size = FIRST_BATCH;
    for (let from = 0; from < order.length; size = Math.min(size * 4, LAST_BATCH)) {
      const places = order.subarray(from, from + size);
      let done = from;
      const step: Step = (rowsDone) => {
        done += rowsDone;
        if (!control.isDue) return undefined;
        control.report({ phase: 'streams', done, total: order.length, unit: 'streams' });
        return control.breathe();
      };
      const rows = await this.#together(places, view, step).catch((error: unknown) => {
        if (!isReadFault(error)) throw error;
        return undefined;
      });
      if (rows) yield rows;
      else for (const at of places) yield [await this.row(at, view)];
      from += places.length;
    }
  }

  async #together(places: Uint32Array, view: StreamView, step: Step): Promise<StreamRow[]> {
    const names = Array.from(places, (at) => this.streams.name(at));
    // In the order of the list: where that is by name, each is found beside the one before.
    const metastreams = names.map((name) => this.#metastreamOf(name));
    const metadata = new Array<StreamMetadata>(places.length);
    for (const i of byHash(names, METASTREAM_PREFIX)) {
      metadata[i] = this.#metadataOf(names[i]!, metastreams[i], view);
      const pause = step(0);
      if (pause) await pause;
    }
    const rows = new Array<StreamRow>(places.length);
    for (const i of byHash(names, '')) {
      rows[i] = await this.#rowWith(metadata[i]!, { at: places[i]!, stream: names[i]!, view });
      const pause = step(1);
      if (pause) await pause;
    }
    return rows;
  }

  /** One stream as a row. The index answers what the walk alone cannot. */
  row(at: number, view: StreamView): Promise<StreamRow> {
    const stream = this.streams.name(at);
    return this.#rowWith(this.#metadataOf(stream, this.#metastreamOf(stream), view), { at, stream, view });
  }

  async #rowWith(
    metadata: StreamMetadata,
    { at, stream, view }: { at: number; stream: string; view: StreamView }
  ): Promise<StreamRow> {
    const { streams } = this;
    const visible = await this.#visible(at, stream, metadata, view);
    const { high, low } = hashStream(stream);
    return {
      stream,
      hash: hashText(high, low),
      firstEventNumber: visible.first === null ? null : eventNumberToJson(visible.first),
      lastEventNumber: visible.last === null ? null : eventNumberToJson(visible.last),
      eventCount: streams.eventCount(at),
      bytes: streams.bytes(at),
      state: visible.state,
      metadata: metadata === EMPTY_METADATA ? null : metadataRow(metadata)
    };
  }

  /** Its place. Metastreams have no metadata of their own, their rule is fixed. */
  #metastreamOf(stream: string): number | undefined {
    return stream.startsWith(METASTREAM_PREFIX) ? undefined : this.streams.find(METASTREAM_PREFIX + stream);
  }

  /** Metadata as stored. */
  #metadataOf(
    stream: string,
    metastream: number | undefined,
    { index, records }: StreamView
  ): StreamMetadata {
    if (metastream === undefined) return EMPTY_METADATA;
    const last = this.streams.last(metastream);
    const isSure =
      !this.streams.hasExplicitTransaction(metastream) &&
      this.#isConfirmed(METASTREAM_PREFIX + stream, last, index);
    if (!isSure) return index.metadata(stream);
    const position = this.streams.metadata(metastream);
    const record = position === undefined ? undefined : records.readAt(position);
    return record ? parseStreamMetadata(record.data, { recordVersion: record.version }) : EMPTY_METADATA;
  }

  /**
   * The walk sees everything that a reader may see, and in a scavenged log perhaps more: records that a threshold
   * left in place although the index no longer has them. Checks whether this event is one of those.
   */
  #isConfirmed(stream: string, number: number, index: StreamIndex): boolean {
    return !this.#wasScavenged || index.firstWritten(stream, number) !== undefined;
  }

  async #visible(at: number, stream: string, metadata: StreamMetadata, view: StreamView): Promise<Visible> {
    const { streams } = this;
    const { index } = view;
    if (streams.bytes(at) === 0) return { first: null, last: null, state: 'metadataOnly' };
    const walked = this.#lastOf(at, stream);
    const isSure =
      !streams.hasExplicitTransaction(at) &&
      walked >= 0 &&
      walked !== DELETED_STREAM_EVENT_NUMBER &&
      this.#isConfirmed(stream, walked, index);
    const last = isSure || !this.#mayDiffer(at) ? walked : index.lastEventNumber(stream);
    if (last === DELETED_STREAM_EVENT_NUMBER) return { first: null, last: null, state: 'hardDeleted' };
    // Only transactions that were never committed: no reader has seen the stream yet.
    if (last < 0) return { first: null, last: null, state: 'live' };
    if (metadata.truncateBefore === INT64_MAX) return { first: null, last: null, state: 'softDeleted' };
    const lowest = this.#firstOf(at, stream, metadata, last);
    const isFirstSure =
      isSure &&
      metadata.maxAgeSeconds === null &&
      (lowest === null || this.#isConfirmed(stream, lowest, index));
    const first = isFirstSure ? lowest : await firstThroughIndex(stream, { last, metadata }, view);
    return { first, last, state: first === 0 ? 'live' : 'truncated' };
  }

  /** The walk alone cannot number events of explicit transactions, nor know what the index no longer has. */
  #mayDiffer(at: number): boolean {
    return this.#wasScavenged || this.streams.hasExplicitTransaction(at);
  }

  /** The stream's own last number, or "deleted" if it or the stream of this metastream is. */
  #lastOf(at: number, stream: string): number {
    let original = stream;
    while (original.startsWith(METASTREAM_PREFIX)) {
      original = original.slice(METASTREAM_PREFIX.length);
      const found = this.streams.find(original);
      if (found !== undefined && this.streams.last(found) === DELETED_STREAM_EVENT_NUMBER) {
        return DELETED_STREAM_EVENT_NUMBER;
      }
    }
    return this.streams.last(at);
  }

  #firstOf(at: number, stream: string, metadata: StreamMetadata, last: number): number | null {
    let min = this.streams.first(at);
    const maxCount = stream.startsWith(METASTREAM_PREFIX) ? 1n : metadata.maxCount;
    if (maxCount !== null) min = Math.max(min, last - Number(maxCount) + 1);
    if (metadata.truncateBefore !== null) min = Math.max(min, Number(metadata.truncateBefore));
    return min > last ? null : min;
  }
}

/** A page may be empty if events have expired or were removed: it then says where to continue. */
async function firstThroughIndex(
  stream: string,
  known: { last: number; metadata: StreamMetadata },
  { index, now, control }: StreamView
): Promise<number | null> {
  for (let from = 0; ;) {
    const page = readStreamForward(index, { stream, from, count: 32, now, known });
    if (page.error) throw page.error;
    const first = page.events[0];
    if (first) return first.number;
    if (page.isEndOfStream || page.nextEventNumber <= from) return null;
    from = page.nextEventNumber;
    // A million events may have expired.
    if (control.isDue) await control.breathe();
  }
}

/** Metadata in the form of rows. */
export function metadataRow(metadata: StreamMetadata): NonNullable<StreamRow['metadata']> {
  const number = (value: bigint | null): number | string | null =>
    value === null ? null : value > BigInt(Number.MAX_SAFE_INTEGER) ? value.toString() : Number(value);
  return {
    maxCount: number(metadata.maxCount),
    maxAgeSeconds: number(metadata.maxAgeSeconds),
    truncateBefore: number(metadata.truncateBefore),
    cacheControlSeconds: number(metadata.cacheControlSeconds),
    acl: metadata.acl
  };
}

/** Their places in the order of the hashes of their names, each with this before it. */
function byHash(names: readonly string[], prefix: string): Uint32Array {
  const keys = Float64Array.from(names, (name) => {
    const { high, low } = hashStream(prefix + name);
    return high * TWO_21 + (low >>> 11);
  });
  return Uint32Array.from(keys, (_, i) => i).sort((a, b) => keys[a]! - keys[b]!);
}

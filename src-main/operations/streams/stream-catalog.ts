/**
 * Every stream of a log with its physical content, from the digests of all chunks. What a reader sees of a
 * stream is computed for one stream at a time, on demand: from the walk alone if nothing was ever scavenged
 * and no rule hides anything by age, else through the index.
 *
 * A stream with only metadata is listed too. Stored in columns: there may be millions of streams.
 */
import {
  DELETED_STREAM_EVENT_NUMBER,
  DigestKind,
  EMPTY_METADATA,
  INT64_MAX,
  PrepareFlag,
  eventNumberToJson,
  hashStream,
  hashText,
  parseStreamMetadata,
  readStreamForward,
  type ChunkDigest,
  type ChunkDigests,
  type Database,
  type OperationControl,
  type StreamIndex,
  type StreamMetadata
} from '../../../src-core/index.ts';
import { requireNoHole } from '../records/log-walk.ts';
import type { OperationContext } from '../operation.ts';
import type { StreamRow } from '../../contract/operations/reports.ts';
import { KeptStreams } from './kept-streams.ts';
import { StreamColumns } from './stream-columns.ts';
import { orderedStreams } from './stream-order.ts';

const METASTREAM_PREFIX = '$$';
const FRAME_LENGTH = 8;
/** Of more, the list is made each time: put in order, it takes its memory twice. */
const MOST_STREAMS_KEPT = 500_000;

type StreamState = StreamRow['state'];

/** How rows are computed: as of which time, and yielding to others. */
export interface StreamView {
  log: Database['log'];
  index: StreamIndex;
  now: bigint;
  control: OperationControl;
}

/** What a reader sees. */
interface Visible {
  first: number | null;
  last: number | null;
  state: StreamState;
}

export class StreamCatalog {
  readonly columns: StreamColumns;
  /** A scavenged chunk may lack events that the walk cannot know about. */
  readonly #wasScavenged: boolean;

  private constructor(columns: StreamColumns, wasScavenged: boolean) {
    this.columns = columns;
    this.#wasScavenged = wasScavenged;
  }

  get count(): number {
    return this.columns.count;
  }

  /** From the digests of all chunks. */
  static async read(
    database: Database,
    { control }: Pick<OperationContext, 'control'>,
    digests: ChunkDigests
  ): Promise<StreamCatalog> {
    const { chunks } = database.log;
    requireNoHole(database);
    const wasScavenged = chunks.some((chunk) => chunk.isScavenged);
    const kept = digests.files && new KeptStreams(database, digests);
    const known = kept?.load();
    if (known) return new StreamCatalog(known, wasScavenged);
    await digests.prepare(chunks, control);
    const columns = new StreamColumns();
    for (const [done, chunk] of chunks.entries()) {
      seeAll(columns, digests.of(chunk));
      if (!control.isDue) continue;
      control.report({ phase: 'streams', done, total: chunks.length, unit: 'chunks' });
      await control.breathe();
    }
    addOriginals(columns);
    if (!kept || columns.count > MOST_STREAMS_KEPT) return new StreamCatalog(columns, wasScavenged);
    const order = await orderedStreams(columns, { sort: 'name', descending: false }, control);
    const image = columns.inOrder(order);
    kept.save(image);
    return new StreamCatalog(StreamColumns.over(image), wasScavenged);
  }

  /** One stream as a row. The index answers what the walk alone cannot. */
  async row(at: number, view: StreamView): Promise<StreamRow> {
    const { columns } = this;
    const stream = columns.name(at);
    const metadata = this.#metadataOf(stream, view);
    const visible = await this.#visible(at, stream, metadata, view);
    const { high, low } = hashStream(stream);
    return {
      stream,
      hash: hashText(high, low),
      firstEventNumber: visible.first === null ? null : eventNumberToJson(visible.first),
      lastEventNumber: visible.last === null ? null : eventNumberToJson(visible.last),
      eventCount: columns.eventCount(at),
      bytes: columns.bytes(at),
      state: visible.state,
      metadata: metadata === EMPTY_METADATA ? null : metadataRow(metadata)
    };
  }

  /** Metadata as stored; metastreams have none of their own, their rule is fixed. */
  #metadataOf(stream: string, { index, log }: StreamView): StreamMetadata {
    if (stream.startsWith(METASTREAM_PREFIX)) return EMPTY_METADATA;
    const metastream = this.columns.find(METASTREAM_PREFIX + stream);
    if (metastream === undefined) return EMPTY_METADATA;
    const last = this.columns.last(metastream);
    const isSure =
      !this.columns.hasExplicitTransaction(metastream) &&
      this.#isConfirmed(METASTREAM_PREFIX + stream, last, index);
    if (!isSure) return index.metadata(stream);
    const position = this.columns.metadata(metastream);
    const record = position === undefined ? undefined : log.readAt(position);
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
    const { columns } = this;
    const { index } = view;
    if (columns.bytes(at) === 0) return { first: null, last: null, state: 'metadataOnly' };
    const walked = this.#lastOf(at, stream);
    const isSure =
      !columns.hasExplicitTransaction(at) &&
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
    const first = isFirstSure ? lowest : await firstThroughIndex(stream, view);
    return { first, last, state: first === 0 ? 'live' : 'truncated' };
  }

  /** The walk alone cannot number events of explicit transactions, nor know what the index no longer has. */
  #mayDiffer(at: number): boolean {
    return this.#wasScavenged || this.columns.hasExplicitTransaction(at);
  }

  /** The stream's own last number, or "deleted" if it or the stream of this metastream is. */
  #lastOf(at: number, stream: string): number {
    let original = stream;
    while (original.startsWith(METASTREAM_PREFIX)) {
      original = original.slice(METASTREAM_PREFIX.length);
      const found = this.columns.find(original);
      if (found !== undefined && this.columns.last(found) === DELETED_STREAM_EVENT_NUMBER) {
        return DELETED_STREAM_EVENT_NUMBER;
      }
    }
    return this.columns.last(at);
  }

  #firstOf(at: number, stream: string, metadata: StreamMetadata, last: number): number | null {
    let min = this.columns.first(at);
    const maxCount = stream.startsWith(METASTREAM_PREFIX) ? 1n : metadata.maxCount;
    if (maxCount !== null) min = Math.max(min, last - Number(maxCount) + 1);
    if (metadata.truncateBefore !== null) min = Math.max(min, Number(metadata.truncateBefore));
    return min > last ? null : min;
  }
}

/** Takes all records of a chunk. */
function seeAll(columns: StreamColumns, digest: ChunkDigest): void {
  const { kinds, flags, streams, numbers } = digest.columns;
  const places = new Uint32Array(digest.streamCount);
  for (let ordinal = 0; ordinal < places.length; ordinal++) {
    places[ordinal] = columns.atBytes(
      digest.names,
      digest.nameStart(ordinal),
      digest.columns.nameEnds[ordinal]!
    );
  }
  for (let place = 0; place < kinds.length; place++) {
    if (kinds[place]! > DigestKind.prepareV0) continue;
    const at = places[streams[place]!]!;
    const flag = flags[place]!;
    const isEvent = (flag & (PrepareFlag.data | PrepareFlag.streamDelete)) !== 0;
    columns.add(at, isEvent ? 1 : 0, digest.lengthOf(place) + FRAME_LENGTH);
    if ((flag & PrepareFlag.isCommitted) === 0) columns.markExplicitTransaction(at);
    // An empty write clears the metadata for a scavenge, not for a reader; both use the last event.
    else if (isEvent && columns.addNumber(at, numbers[place]!)) {
      // A deleted metastream leaves its stream without metadata.
      const isMetadata = (flag & PrepareFlag.isJson) !== 0 && (flag & PrepareFlag.streamDelete) === 0;
      columns.setMetadata(at, isMetadata ? digest.positionOf(place) : undefined);
    }
  }
}

/** Streams of which the log contains only metadata. */
function addOriginals(columns: StreamColumns): void {
  const { count } = columns;
  for (let at = 0; at < count; at++) {
    const name = columns.name(at);
    if (!name.startsWith(METASTREAM_PREFIX) || name.length === METASTREAM_PREFIX.length) continue;
    columns.at(name.slice(METASTREAM_PREFIX.length));
  }
}

/** A page may be empty if events have expired or were removed: it then says where to continue. */
async function firstThroughIndex(
  stream: string,
  { index, now, control }: StreamView
): Promise<number | null> {
  for (let from = 0; ;) {
    const page = readStreamForward(index, { stream, from, count: 32, now });
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

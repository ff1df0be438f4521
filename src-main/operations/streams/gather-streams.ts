/**
 * All streams of a log from the digests of its chunks. More of them than are put in order at once are written to a file, chunk
 * by chunk in blocks of a range of names, and each range is put together from its blocks. Where there is no room for that
 * file, all of it is done in memory.
 */
import {
  DigestKind,
  PrepareFlag,
  ScratchBlocks,
  type ChunkDigest,
  type ChunkDigests,
  type Database,
  type OperationControl
} from '../../../src-core/index.ts';
import { sortByName } from './name-order.ts';
import { NameRanges } from './name-ranges.ts';
import { StreamColumns } from './stream-columns.ts';
import { StreamRows } from './stream-rows.ts';

const METASTREAM_PREFIX = '$$';
const FRAME_LENGTH = 8;
/** Streams that are put in order at once: some 100 MB. */
const MOST_TOGETHER = 500_000;
/** Of a stream in a chunk in the file. */
const ROUGH_BYTES = 32;

export interface GatherStreams {
  log: Database['log'];
  digests: ChunkDigests;
  control: OperationControl;
  /** Of streams; about. */
  mostTogether?: number | undefined;
}

/** In the order of names, part by part. */
export async function* gatherStreams(parts: GatherStreams): AsyncGenerator<StreamRows> {
  const { log, digests, control, mostTogether = MOST_TOGETHER } = parts;
  const ranges = await NameRanges.ofLog(log, { digests, most: mostTogether, control });
  const file = ranges.count === 1 ? undefined : digests.files?.scratch(ranges.streamsInChunks * ROUGH_BYTES);
  const blocks = file && new ScratchBlocks(file, ranges.count);
  try {
    if (blocks) await writeBlocks(blocks, ranges, parts);
    if (!blocks?.isWhole) {
      yield await allInMemory(parts);
      return;
    }
    for (let range = 0; range < ranges.count; range++) yield await rangeOf(blocks, range, parts);
  } finally {
    blocks?.close();
  }
}

async function writeBlocks(blocks: ScratchBlocks, ranges: NameRanges, parts: GatherStreams): Promise<void> {
  for await (const streams of streamsOfChunks(parts)) {
    for (const [range, order] of ranges.divide(streams).entries()) {
      if (order.length === 0) continue;
      blocks.write(range, (identity) => StreamRows.of(streams, order).encode(identity));
      if (parts.control.isDue) await parts.control.breathe();
    }
    if (!blocks.isWhole) return;
  }
}

async function* streamsOfChunks({ log, digests, control }: GatherStreams): AsyncGenerator<StreamColumns> {
  const { chunks } = log;
  for (const [done, chunk] of chunks.entries()) {
    const digest = digests.of(chunk);
    const streams = new StreamColumns(digest.streamCount);
    seeAll(streams, digest);
    addOriginals(streams);
    yield streams;
    await tellOfChunk(control, done, chunks.length);
  }
}

async function rangeOf(
  blocks: ScratchBlocks,
  range: number,
  { control }: GatherStreams
): Promise<StreamRows> {
  const streams = new StreamColumns();
  for (const rows of blocks.of(range, (bytes, identity) => StreamRows.decode(bytes, identity))) {
    addRows(streams, rows);
    if (control.isDue) await control.breathe();
  }
  return inOrder(streams, control);
}

async function allInMemory({ log, digests, control }: GatherStreams): Promise<StreamRows> {
  const streams = new StreamColumns();
  for (const [done, chunk] of log.chunks.entries()) {
    seeAll(streams, digests.of(chunk));
    await tellOfChunk(control, done, log.chunks.length);
  }
  addOriginals(streams);
  return inOrder(streams, control);
}

async function tellOfChunk(control: OperationControl, done: number, total: number): Promise<void> {
  if (!control.isDue) return;
  control.report({ phase: 'streams', done, total, unit: 'chunks' });
  await control.breathe();
}

async function inOrder(streams: StreamColumns, control: OperationControl): Promise<StreamRows> {
  const order = Uint32Array.from({ length: streams.count }, (_, at) => at);
  await sortByName(order, streams, control);
  return StreamRows.of(streams, order);
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

/** Takes what is known of streams in a later chunk. */
function addRows(columns: StreamColumns, rows: StreamRows): void {
  for (let row = 0; row < rows.count; row++) {
    const name = rows.names.bytesOf(row);
    const at = columns.atBytes(name, 0, name.length);
    columns.add(at, rows.eventCount(row), rows.bytes(row));
    if (rows.hasExplicitTransaction(row)) columns.markExplicitTransaction(at);
    const last = rows.last(row);
    if (last < 0) continue;
    if (columns.addNumber(at, last)) columns.setMetadata(at, rows.metadata(row));
    columns.addNumber(at, rows.first(row));
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

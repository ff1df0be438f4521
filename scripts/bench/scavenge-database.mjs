// The databases that are measured, in two shapes. `even`: streams that grow in random order, half of them with a
// maximum count, a twentieth deleted (every second of these for good). `skewed`, as the real server leaves them: a few
// streams hold most events, most events are short and some long, every stream has metadata and some change it, and half
// of the log is not in index tables yet. Both end with a scavenge point that completes the last chunk. The same options
// give the same bytes. Written record by record with the engine's own writers, without a map of names, so that ten
// million streams need no gigabytes.
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NodeFileSystem, openDatabase, ticksFromIso, uncontrolled } from '../../src-core/index.ts';
import { LogWriter } from '../../src-core/log/log-writer.ts';
import { encodePrepare } from '../../src-core/records/encode-record.ts';
import { PrepareFlag } from '../../src-core/records/log-record.ts';
import { Random } from '../../src-core/sample/random.ts';
import { writeSampleIndex } from '../../src-core/sample/write-sample-index.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../src-core/units/event-number.ts';

export const CHUNK_BYTES = 256 * 1024 * 1024;
const LARGE_EVENT = { least: 200, most: 2048 };
const SMALL_EVENT = { least: 20, most: 100 };
/** What a record holds beside its data. */
const HEAD_BYTES = 120;
const DELETED_SHARE = 0.05;
/** The lengths of skewed events: most are far below the middle. */
const SKEWED_EVENT = { least: 10, most: 3000 };
const LENGTH_SKEW = 1.9;
const STREAM_SKEW = 3;
const MEAN_SKEWED_RECORD = 1095;
const METADATA_CHANGES = 0.02;
const CATEGORIES = ['account', 'order', 'invoice', 'cart', 'shipment', 'customer', 'device', 'session'];
const EVENT_TYPES = ['Opened', 'Changed', 'Moved', 'Paid', 'Noted', 'Counted', 'Closed', 'Checked'];
/** Share of the log behind each index table of the skewed shape, oldest first. */
const SKEWED_INDEX_SHARES = [0.3, 0.5];
const MAX_COUNTS = [1, 2, 3, 5, 8, 12];
/** Seed of the pseudo-random story. */
const SEED = 2026;
const BEGIN = ticksFromIso('2026-01-01T00:00:00Z');
const TICKS_BETWEEN_RECORDS = 100_000n;
const NOTHING = new Uint8Array(0);
const COMMITTED = PrepareFlag.transactionBegin | PrepareFlag.transactionEnd | PrepareFlag.isCommitted;

/** Sizes of the story: enough events for the wanted bytes, small ones where there are too many streams for large. */
export function storyOf({ sizeBytes, streams, shape = 'even' }) {
  if (shape === 'skewed') {
    const records = Math.floor(sizeBytes / MEAN_SKEWED_RECORD);
    return { size: SKEWED_EVENT, events: Math.max(records - streams, streams) };
  }
  const mean = ({ least, most }) => (least + most) / 2 + HEAD_BYTES;
  const size = sizeBytes / mean(LARGE_EVENT) >= streams * 2 ? LARGE_EVENT : SMALL_EVENT;
  const events = Math.max(Math.floor(sizeBytes / mean(size)), streams);
  return { size, events: size === SMALL_EVENT ? Math.min(events, Math.floor(streams * 1.1)) : events };
}

class Story {
  #writer;
  #random = new Random(SEED);
  #ticks = BEGIN;
  #payload;
  /** Number of the last event by stream; a closed stream is at `CLOSED`. */
  #last;
  #metadataLast;
  #isSkewed;

  constructor(writer, streams, { size, shape }) {
    this.#writer = writer;
    this.#isSkewed = shape === 'skewed';
    this.#last = new Int32Array(streams).fill(-1);
    this.#metadataLast = new Int32Array(streams).fill(-1);
    this.#payload = Buffer.allocUnsafe(size.most + 65_536);
    for (let i = 0; i < this.#payload.length; i++) this.#payload[i] = 32 + this.#random.below(90);
  }

  tell(streams, { size, events }) {
    let created = 0;
    const isNewChance = streams / events;
    const deleteChance = (DELETED_SHARE * streams) / events;
    for (let event = 0; event < events || created < streams; event++) {
      const isNew =
        created < streams && (created === 0 || this.#random.chance(isNewChance) || event >= events);
      const stream = isNew ? created++ : this.#pickStream(created);
      if (this.#last[stream] !== CLOSED) this.#append(stream, size);
      const isChanged = this.#isSkewed && (isNew || this.#random.chance(METADATA_CHANGES));
      if (isNew && stream % 2 === 0)
        this.#setMetadata(stream, `{"$maxCount":${this.#random.pick(MAX_COUNTS)}}`);
      else if (isChanged && this.#last[stream] !== CLOSED)
        this.#setMetadata(stream, this.#otherMetadata(stream));
      if (this.#random.chance(deleteChance)) this.#delete(this.#random.below(created));
    }
    const end = this.#record('$scavengePoints', 0, '$scavengePoint', Buffer.from('{}'));
    this.#writer.completeChunk();
    return end;
  }

  #pickStream(created) {
    if (!this.#isSkewed) return this.#random.below(created);
    return Math.floor(created * (this.#random.next() / 2 ** 32) ** STREAM_SKEW);
  }

  #otherMetadata(stream) {
    if (stream % 2 === 0) return `{"$maxCount":${this.#random.pick(MAX_COUNTS)}}`;
    return stream % 10 === 1 ? '{"$maxAge":86400}' : '{"owner":"accounting","$cacheControl":60}';
  }

  #append(stream, { least, most }) {
    const length = this.#isSkewed
      ? least + Math.floor((most - least) * (this.#random.next() / 2 ** 32) ** LENGTH_SKEW)
      : least + this.#random.below(most - least + 1);
    const from = this.#random.below(65_536);
    const data = this.#payload.subarray(from, from + length);
    const type = this.#isSkewed ? this.#random.pick(EVENT_TYPES) : 'benchmark-event';
    this.#record(this.#nameOf(stream), ++this.#last[stream], type, data);
  }

  #nameOf(stream) {
    const category = this.#isSkewed ? CATEGORIES[stream % CATEGORIES.length] : 'account';
    return `${category}-${String(stream).padStart(8, '0')}`;
  }

  #setMetadata(stream, json) {
    this.#record(`$$${this.#nameOf(stream)}`, ++this.#metadataLast[stream], '$metadata', Buffer.from(json));
  }

  #delete(stream) {
    if (this.#last[stream] === CLOSED) return;
    if (this.#random.chance(0.5)) {
      this.#setMetadata(stream, '{"$tb":9223372036854775807}');
      return;
    }
    this.#last[stream] = CLOSED;
    this.#record(this.#nameOf(stream), DELETED_STREAM_EVENT_NUMBER, '$streamDeleted', NOTHING);
  }

  #record(stream, eventNumber, eventType, data) {
    const isTombstone = eventNumber === DELETED_STREAM_EVENT_NUMBER;
    const eventId = this.#random.guid();
    const correlationId = this.#random.guid();
    const ticks = (this.#ticks += TICKS_BETWEEN_RECORDS);
    return this.#writer.append((position) =>
      encodePrepare({
        position,
        flags: COMMITTED | (isTombstone ? PrepareFlag.streamDelete : PrepareFlag.data | PrepareFlag.isJson),
        transactionPosition: position,
        transactionOffset: 0,
        expectedVersion: isTombstone ? DELETED_STREAM_EVENT_NUMBER : eventNumber - 1,
        stream,
        eventId,
        correlationId,
        ticks,
        eventType,
        data,
        metadata: NOTHING
      })
    );
  }
}

const CLOSED = 0x7fffffff;

/** Writes log and index into `dataDirectory`, which must not exist. */
export async function writeBenchDatabase({
  dataDirectory,
  sizeBytes,
  streams,
  shape = 'even',
  chunkSizeBytes = CHUNK_BYTES
}) {
  const fileSystem = new NodeFileSystem();
  fileSystem.makeDirectory(dataDirectory);
  const guids = new Random(SEED + 1);
  const newGuid = () => guids.guid();
  const writer = LogWriter.create({ fileSystem, directory: dataDirectory, chunkSizeBytes, newGuid });
  const story = storyOf({ sizeBytes, streams, shape });
  new Story(writer, streams, { size: story.size, shape }).tell(streams, story);
  writer.close();
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    const { indexDirectory, log } = database;
    const shares = shape === 'skewed' ? { shares: SKEWED_INDEX_SHARES } : {};
    await writeSampleIndex({ fileSystem, indexDirectory, log, newGuid, control: uncontrolled(), ...shares });
  } finally {
    database.close();
  }
  // Not the writer's position: the scavenge point completes the last chunk, and the next one begins far after it.
  const logBytes = readdirSync(dataDirectory)
    .filter((name) => name.startsWith('chunk-'))
    .reduce((sum, name) => sum + statSync(path.join(dataDirectory, name)).size, 0);
  const facts = { shape, sizeBytes, streams, chunkSizeBytes, records: writer.recordCount, logBytes };
  writeFileSync(path.join(dataDirectory, FACTS_FILE), JSON.stringify(facts));
  return facts;
}

/** What was written, beside the database; the engine ignores the file. */
export const FACTS_FILE = 'bench.json';

/** A database of as many small chunks, for what grows with the number of files. */
export function writeManyChunks({ dataDirectory, chunks }) {
  const chunkSizeBytes = 16 * 1024;
  return writeBenchDatabase({
    dataDirectory,
    sizeBytes: chunks * chunkSizeBytes,
    streams: chunks,
    chunkSizeBytes
  });
}

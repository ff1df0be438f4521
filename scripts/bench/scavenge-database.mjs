// The database that the scavenger is measured on: streams that grow in random order, half of them with a maximum
// count, a twentieth deleted (every second of these for good), and a scavenge point at the end that completes the
// last chunk. The same options give the same bytes. Written record by record with the engine's own writers, without
// a map of names, so that ten million streams need no gigabytes.
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
const MAX_COUNTS = [1, 2, 3, 5, 8, 12];
/** Seed of the pseudo-random story. */
const SEED = 2026;
const BEGIN = ticksFromIso('2026-01-01T00:00:00Z');
const TICKS_BETWEEN_RECORDS = 100_000n;
const NOTHING = new Uint8Array(0);
const COMMITTED = PrepareFlag.transactionBegin | PrepareFlag.transactionEnd | PrepareFlag.isCommitted;

/** Sizes of the story: enough events for the wanted bytes, small ones where there are too many streams for large. */
export function storyOf({ sizeBytes, streams }) {
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

  constructor(writer, streams, size) {
    this.#writer = writer;
    this.#last = new Int32Array(streams).fill(-1);
    this.#metadataLast = new Int8Array(streams).fill(-1);
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
      const stream = isNew ? created++ : this.#random.below(created);
      if (this.#last[stream] !== CLOSED) this.#append(stream, size);
      if (isNew && stream % 2 === 0)
        this.#setMetadata(stream, `{"$maxCount":${this.#random.pick(MAX_COUNTS)}}`);
      if (this.#random.chance(deleteChance)) this.#delete(this.#random.below(created));
    }
    const end = this.#record('$scavengePoints', 0, '$scavengePoint', Buffer.from('{}'));
    this.#writer.completeChunk();
    return end;
  }

  #append(stream, { least, most }) {
    const length = least + this.#random.below(most - least + 1);
    const from = this.#random.below(65_536);
    const data = this.#payload.subarray(from, from + length);
    this.#record(nameOf(stream), ++this.#last[stream], 'benchmark-event', data);
  }

  #setMetadata(stream, json) {
    this.#record(`$$${nameOf(stream)}`, ++this.#metadataLast[stream], '$metadata', Buffer.from(json));
  }

  #delete(stream) {
    if (this.#last[stream] === CLOSED) return;
    if (this.#random.chance(0.5)) {
      this.#setMetadata(stream, '{"$tb":9223372036854775807}');
      return;
    }
    this.#last[stream] = CLOSED;
    this.#record(nameOf(stream), DELETED_STREAM_EVENT_NUMBER, '$streamDeleted', NOTHING);
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

function nameOf(stream) {
  return `account-${String(stream).padStart(8, '0')}`;
}

/** Writes log and index into `dataDirectory`, which must not exist. */
export async function writeBenchDatabase({
  dataDirectory,
  sizeBytes,
  streams,
  chunkSizeBytes = CHUNK_BYTES
}) {
  const fileSystem = new NodeFileSystem();
  fileSystem.makeDirectory(dataDirectory);
  const guids = new Random(SEED + 1);
  const newGuid = () => guids.guid();
  const writer = LogWriter.create({ fileSystem, directory: dataDirectory, chunkSizeBytes, newGuid });
  const story = storyOf({ sizeBytes, streams });
  new Story(writer, streams, story.size).tell(streams, story);
  writer.close();
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    const { indexDirectory, log } = database;
    await writeSampleIndex({ fileSystem, indexDirectory, log, newGuid, control: uncontrolled() });
  } finally {
    database.close();
  }
  // Not the writer's position: the scavenge point completes the last chunk, and the next one begins far after it.
  const logBytes = readdirSync(dataDirectory)
    .filter((name) => name.startsWith('chunk-'))
    .reduce((sum, name) => sum + statSync(path.join(dataDirectory, name)).size, 0);
  const facts = { sizeBytes, streams, chunkSizeBytes, records: writer.recordCount, logBytes };
  writeFileSync(path.join(dataDirectory, FACTS_FILE), JSON.stringify(facts));
  return facts;
}

/** What was written, beside the database; the engine ignores the file. */
export const FACTS_FILE = 'bench.json';

// A log written record by record, and its index: one stream, or what else a caller tells.
import { NodeFileSystem, openDatabase, ticksFromIso, uncontrolled } from '../../src-core/index.ts';
import { LogWriter } from '../../src-core/log/log-writer.ts';
import { encodePrepare } from '../../src-core/records/encode-record.ts';
import { PrepareFlag } from '../../src-core/records/log-record.ts';
import { Random } from '../../src-core/sample/random.ts';
import { writeSampleIndex } from '../../src-core/sample/write-sample-index.ts';

const BEGIN = ticksFromIso('2026-01-01T00:00:00Z');
const TICKS_BETWEEN_RECORDS = 100_000n;
const NOTHING = new Uint8Array(0);
const CHUNK_BYTES = 256 * 1024 * 1024;
const COMMITTED =
  PrepareFlag.transactionBegin |
  PrepareFlag.transactionEnd |
  PrepareFlag.isCommitted |
  PrepareFlag.data |
  PrepareFlag.isJson;

/** `tell(append)`: appends `{ stream, eventNumber, eventType, data }` one after the other. */
export async function writeLog({ dataDirectory, tell, chunkSizeBytes = CHUNK_BYTES }) {
  const fileSystem = new NodeFileSystem();
  fileSystem.makeDirectory(dataDirectory);
  const random = new Random(2026);
  const newGuid = () => random.guid();
  const writer = LogWriter.create({ fileSystem, directory: dataDirectory, chunkSizeBytes, newGuid });
  const eventId = random.guid();
  let ticks = BEGIN;
  tell(({ stream, eventNumber, eventType = 'noted', data = NOTHING }) => {
    ticks += TICKS_BETWEEN_RECORDS;
    writer.append((position) =>
      encodePrepare({
        position,
        flags: COMMITTED,
        transactionPosition: position,
        transactionOffset: 0,
        expectedVersion: eventNumber - 1,
        stream,
        eventId,
        correlationId: eventId,
        ticks,
        eventType,
        data,
        metadata: NOTHING
      })
    );
  });
  writer.completeChunk();
  writer.close();
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    const { indexDirectory, log } = database;
    await writeSampleIndex({ fileSystem, indexDirectory, log, newGuid, control: uncontrolled() });
  } finally {
    database.close();
  }
}

/** One stream with so many events of so many bytes, and metadata that keep all but the first. */
export function writeEvents({ dataDirectory, count, dataBytes, chunkSizeBytes }) {
  const data = Buffer.alloc(dataBytes, 'x');
  const tell = (append) => {
    for (let eventNumber = 0; eventNumber < count; eventNumber++)
      append({ stream: 'stream-1', eventNumber, data });
    append({
      stream: '$$stream-1',
      eventNumber: 0,
      eventType: '$metadata',
      data: Buffer.from(`{"$tb":${Math.floor(count / 2)}}`)
    });
    append({ stream: 'other', eventNumber: 0 });
  };
  return writeLog({ dataDirectory, tell, ...(chunkSizeBytes !== undefined && { chunkSizeBytes }) });
}

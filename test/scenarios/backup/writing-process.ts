/**
 * Appends to the database named on the command line until stdin ends, with the engine's own writer: small events,
 * flushed a few at a time. After each flush it says how far the log is acknowledged, one position a line.
 */
import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';

const STREAMS = 20;
const EVENTS_PER_FLUSH = 5;

const dataDirectory = process.argv[2]!;
const fileSystem = new NodeFileSystem();
const database = openDatabase({ fileSystem, dataDirectory });
const writer = LogWriter.open(
  { fileSystem, directory: dataDirectory, newGuid: () => randomUUID() },
  database.chunkSet
);
const appender = new EventAppender({
  writer,
  lastEventNumber: () => -1,
  now: () => 638_000_000_000_000_000n,
  newGuid: () => randomUUID(),
  lastEpochPosition: database.checkpoints.epoch ?? -1
});
let isEnding = false;
process.stdin.on('end', () => (isEnding = true)).resume();

for (let count = 0; !isEnding; count += EVENTS_PER_FLUSH) {
  for (let i = 0; i < EVENTS_PER_FLUSH; i++) {
    const data = Buffer.alloc(100 + ((count * 7 + i * 131) % 900), count & 0xff);
    appender.append(`written-${(count + i) % STREAMS}`, [{ eventType: 'written', data }]);
  }
  writer.flush();
  process.stdout.write(`${writer.position}\n`);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
writer.close();
database.close();

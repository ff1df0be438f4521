/**
 * A database for disks that run full: a small chunk of which nearly all goes, then large ones of which a tenth goes, or
 * another share. So there is room in which the first can be replaced and no other, before and after. Ends with a scavenge
 * point.
 */
import { join } from 'node:path';
import { openDatabase } from '../../src-core/database/database.ts';
import { EventAppender } from '../../src-core/database/event-appender.ts';
import { LogWriter } from '../../src-core/log/log-writer.ts';
import { writeSampleIndex } from '../../src-core/sample/write-sample-index.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { ticksFromIso, TICKS_PER_SECOND } from '../../src-core/units/ticks.ts';
import { guidsFrom } from './crash-database.ts';
import { scavengeEnvironment } from './scavenge-environment.ts';
import { SAMPLE_TIME } from './scavenge-sample.ts';

const CHUNK_BYTES = 65_536;
const LARGE_CHUNKS = 4;

/** Gives the data directory, a new one in `parent`. Of `outOf` records in large chunks one goes, or all but one. */
export async function writeUneven(
  parent: string,
  { outOf, goesMost }: { outOf: number; goesMost: boolean } = { outOf: 10, goesMost: false }
): Promise<string> {
  const fileSystem = new NodeFileSystem();
  const dataDirectory = join(parent, 'db');
  fileSystem.makeDirectory(dataDirectory);
  const newGuid = guidsFrom(3);
  const writer = LogWriter.create({
    fileSystem,
    directory: dataDirectory,
    chunkSizeBytes: CHUNK_BYTES,
    newGuid
  });
  let ticks = ticksFromIso(SAMPLE_TIME)! - 100_000n * TICKS_PER_SECOND;
  const appender = new EventAppender({
    writer,
    newGuid,
    now: () => (ticks += TICKS_PER_SECOND),
    lastEventNumber: () => -1
  });
  const append = (stream: string, length: number) =>
    appender.append(stream, [{ eventType: 'happened', data: Buffer.alloc(length, 'x') }]);
  for (const stream of ['burst', 'rest']) appender.setMetadata(stream, '{"$maxCount":1}');
  for (let i = 0; i < 40; i++) append('burst', 200);
  appender.writeScavengePoint(0);
  const eventBytes = 1000;
  for (let i = 0; i < (LARGE_CHUNKS * CHUNK_BYTES) / eventBytes; i++)
    append((i % outOf === 0) !== goesMost ? 'rest' : 'kept', eventBytes);
  appender.writeScavengePoint(0);
  append('after', 10);
  writer.close();
  const { indexDirectory, log, close } = opened(fileSystem, dataDirectory);
  const control = scavengeEnvironment().operation;
  await writeSampleIndex({ fileSystem, indexDirectory, log, newGuid, control });
  close();
  return dataDirectory;
}

function opened(fileSystem: NodeFileSystem, dataDirectory: string) {
  const database = openDatabase({ fileSystem, dataDirectory });
  return { log: database.log, indexDirectory: database.indexDirectory, close: () => database.close() };
}

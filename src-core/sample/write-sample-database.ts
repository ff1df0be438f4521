/**
 * Writes the sample database: the default of a first start, the seed of tests and measurements. Everything goes
 * through the same writers as real work, so it opens in the real server. The same options give the same bytes.
 */
import { EventAppender } from '../database/event-appender.ts';
import { openDatabase } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError } from '../errors.ts';
import { LogWriter } from '../log/log-writer.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import { sizeOfAll } from '../storage/file-size.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { TICKS_PER_SECOND } from '../units/ticks.ts';
import { Random } from './random.ts';
import { Story } from './sample-story.ts';
import { writeSampleIndex } from './write-sample-index.ts';

const SECONDS_PER_DAY = 86_400n;
/** The events of the sample spread over this time, up to `now`. */
const DAYS = 60n;
/** The node "restarts" this often: each start writes an epoch. */
const EPOCHS = 5;
const STEPS_BETWEEN_LOOKS = 200;

export interface WriteSample {
  fileSystem: FileSystem;
  /** Missing, or empty. */
  dataDirectory: string;
  /** Default: `index` inside the data directory. */
  indexDirectory?: string | undefined;
  /** Bytes of records to write, roughly. */
  sizeBytes: number;
  chunkSizeBytes: number;
  seed: number;
  /** Streams of a category at most; chosen from the size when absent. */
  streamCount?: number | undefined;
  /** Time of the newest event, ticks. */
  now: bigint;
  control: OperationControl;
}

export interface WrittenSample {
  chunks: number;
  records: number;
  streams: number;
  /** File bytes of log and index. */
  bytes: number;
}

export async function writeSampleDatabase(options: WriteSample): Promise<WrittenSample> {
  const { fileSystem, dataDirectory, sizeBytes, chunkSizeBytes, seed, now, control } = options;
  refuseUsedDirectory(fileSystem, dataDirectory);
  fileSystem.makeDirectory(dataDirectory);
  const random = new Random(seed);
  const newGuid = () => random.guid();
  const writer = LogWriter.create({ fileSystem, directory: dataDirectory, chunkSizeBytes, newGuid });
  const span = DAYS * SECONDS_PER_DAY * TICKS_PER_SECOND;
  const begin = now - span;
  const ticksAt = (position: number) =>
    begin + (span * BigInt(Math.min(position, sizeBytes))) / BigInt(Math.max(sizeBytes, 1));
  const appender = new EventAppender({
    writer,
    lastEventNumber: () => -1,
    now: () => ticksAt(writer.position),
    newGuid
  });
  const streamCount = options.streamCount ?? Math.max(Math.floor(sizeBytes / 40_000), 10);
  const leaderInstanceId = newGuid();
  const epoch = (number: number) => appender.writeEpoch({ number, epochId: newGuid(), leaderInstanceId });

  epoch(0);
  const story = new Story({ appender, random, streamCount });
  story.begin();
  let epochs = 1;
  let steps = 0;
  while (writer.position < sizeBytes) {
    story.step();
    if (epochs < EPOCHS && writer.position > (sizeBytes * epochs) / EPOCHS) epoch(epochs++);
    if (++steps % STEPS_BETWEEN_LOOKS === 0 && control.isDue) {
      control.report({ phase: 'log', done: writer.position, total: sizeBytes, unit: 'bytes' });
      await control.breathe();
    }
  }
  writer.close();

  const database = openDatabase(options);
  try {
    const { indexDirectory, log } = database;
    await writeSampleIndex({ fileSystem, indexDirectory, log, newGuid, control });
    fileSystem.syncDirectory(dataDirectory);
    return {
      chunks: database.chunkSet.chunks.length,
      records: writer.recordCount,
      streams: appender.streamCount,
      bytes: filesIn(fileSystem, dataDirectory) + filesIn(fileSystem, indexDirectory)
    };
  } finally {
    database.close();
  }
}

/** Bytes of the files in a directory. */
function filesIn(fileSystem: FileSystem, directory: string): number {
  const files = entriesIn(fileSystem, directory).filter(({ isDirectory }) => !isDirectory);
  return sizeOfAll(
    fileSystem,
    files.map(({ name }) => fileSystem.join(directory, name))
  );
}

function refuseUsedDirectory(fileSystem: FileSystem, dataDirectory: string): void {
  const entries = fileSystem.list(dataDirectory);
  if (!entries || entries.length === 0) return;
  throw new EngineError({
    code: 'InvalidRequest',
    message: `${dataDirectory} is not empty; the sample database needs a new or empty directory.`,
    remedy: 'Choose another directory.',
    details: { field: 'dataDirectory', file: dataDirectory }
  });
}

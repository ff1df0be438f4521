/**
 * Logs that a seed determines, written by the real writer: appends of one or several events, metadata, soft and hard
 * deletes, transactions, epochs, scavenge points. A log can go on after each scavenge; its index is written in tables
 * that end somewhere before the log does.
 */
import { openDatabase } from '../../src-core/database/database.ts';
import { readEpochs } from '../../src-core/database/epochs.ts';
import { EventAppender, type OpenTransaction } from '../../src-core/database/event-appender.ts';
import { emptyIndexMap, readIndexMap, writeIndexMap } from '../../src-core/index/index-map.ts';
import { writeIndexTable } from '../../src-core/index/index-table-writer.ts';
import { readRecentEntries } from '../../src-core/index/read-recent-entries.ts';
import type { StreamHasher } from '../../src-core/index/stream-hash.ts';
import { LogWriter } from '../../src-core/log/log-writer.ts';
import { Random } from '../../src-core/sample/random.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { ticksFromIso, TICKS_PER_SECOND, type Ticks } from '../../src-core/units/ticks.ts';
import type { Prng } from '../support/prng.ts';
import { Survivors } from './survivors.ts';

const START = ticksFromIso('2025-03-01T00:00:00Z')!;
const LONGEST_STEP_SECONDS = 3 * 3600;
const STREAM_COUNT = 11;
const CHUNK_SIZES = [8192, 16384, 16384, 32768, 65536];
const THRESHOLDS = [0, 0, -1, 6];
const fileSystem = new NodeFileSystem();

export interface GrowOptions {
  /** Writes to make. */
  steps: number;
  /** Only events and hard deletes: nothing that gives a stream room again. */
  eventsOnly?: boolean;
}

export class RandomLog {
  readonly dataDirectory: string;
  readonly hasher: StreamHasher;
  readonly survivors = new Survivors();
  /** Time of the newest record. */
  now: bigint = START;
  readonly #random: Prng;
  readonly #guids: Random;
  readonly #streams: string[];
  /** An append to one of these first gives it metadata that hide what was there before, as the server does. */
  readonly #softDeleted = new Set<string>();

  /** The directory exists and is empty. */
  constructor({
    dataDirectory,
    random,
    hasher
  }: {
    dataDirectory: string;
    random: Prng;
    hasher: StreamHasher;
  }) {
    this.dataDirectory = dataDirectory;
    this.hasher = hasher;
    this.#random = random;
    this.#guids = new Random(random.next());
    this.#streams = Array.from({ length: STREAM_COUNT }, (_, i) => `${random.pick(['a', 'bc', '$d'])}-${i}`);
    const chunkSizeBytes = random.pick(CHUNK_SIZES);
    LogWriter.create({ fileSystem, directory: dataDirectory, chunkSizeBytes, newGuid: this.newGuid }).close();
    this.#chunkSizeBytes = chunkSizeBytes;
  }
  #chunkSizeBytes: number;

  readonly newGuid = (): string => this.#guids.guid();

  get isEmpty(): boolean {
    return this.survivors.records.length === 0;
  }

  /** Opens the log as it is and continues it. */
  grow({ steps, eventsOnly = false }: GrowOptions): void {
    const { dataDirectory, newGuid } = this;
    const database = openDatabase({ fileSystem, dataDirectory });
    const { chunkSet, log, checkpoints } = database;
    const epochs = this.isEmpty ? [] : readEpochs(log, checkpoints.epoch);
    const set = this.isEmpty ? { ...chunkSet, chunkSizeBytes: this.#chunkSizeBytes } : chunkSet;
    const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid }, set);
    const appender = new EventAppender({
      writer,
      newGuid,
      now: () => this.#tick(),
      lastEventNumber: (stream) => this.survivors.lastEventNumber(stream),
      ...(epochs[0] ? { lastEpochPosition: epochs[0].position } : {})
    });
    new Growth(appender, this.#random, {
      streams: this.#streams,
      softDeleted: this.#softDeleted,
      eventsOnly,
      newGuid
    }).run(steps, epochs.length);
    writer.close();
    database.close();
    this.learn();
  }

  /** Appends a scavenge point, as a server that was asked for a scavenge. */
  writePoint(threshold = this.#random.pick(THRESHOLDS)): void {
    const { dataDirectory, newGuid } = this;
    const database = openDatabase({ fileSystem, dataDirectory });
    const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid }, database.chunkSet);
    const lastEventNumber = (stream: string) => this.survivors.lastEventNumber(stream);
    new EventAppender({ writer, newGuid, now: () => this.#tick(), lastEventNumber }).writeScavengePoint(
      threshold
    );
    writer.close();
    database.close();
    this.learn();
  }

  /** Takes note of what was appended to the log, by whomever. */
  learn(): void {
    const database = openDatabase({ fileSystem, dataDirectory: this.dataDirectory });
    this.survivors.readNew(database.log);
    database.close();
    // Time continues from there, no matter who wrote it.
    for (const { ticks } of this.survivors.records) if (ticks > this.now) this.now = ticks;
  }

  /** Writes one more index table, of a part of what the tables do not hold yet. */
  async growIndex(): Promise<void> {
    const { dataDirectory, hasher, newGuid } = this;
    const database = openDatabase({ fileSystem, dataDirectory });
    const { indexDirectory, log } = database;
    try {
      fileSystem.makeDirectory(indexDirectory);
      const map = readIndexMap(fileSystem, indexDirectory) ?? emptyIndexMap();
      const { prepareCheckpoint, commitCheckpoint } = map;
      const candidates = this.survivors.records.filter(
        ({ kind, fate, position }) => kind === 'event' && fate === 'stays' && position > commitCheckpoint
      );
      if (candidates.length === 0) return;
      const last = this.#random.pick(candidates).position;
      const entries = await readRecentEntries({
        log,
        prepareCheckpoint,
        commitCheckpoint,
        end: last + 1,
        hasher
      });
      if (entries.count === 0) return;
      const file = newGuid();
      writeIndexTable({ fileSystem, directory: indexDirectory, name: file }, entries);
      const position = map.tables.filter(({ level }) => level === 0).length;
      const tables = [{ level: 0, position, file }, ...map.tables];
      const grown = { ...map, prepareCheckpoint: last, commitCheckpoint: last, tables };
      writeIndexMap(fileSystem, indexDirectory, grown, newGuid());
    } finally {
      database.close();
    }
  }

  #tick(): Ticks {
    this.now += BigInt(1 + this.#random.below(LONGEST_STEP_SECONDS)) * TICKS_PER_SECOND;
    return this.now as Ticks;
  }
}

interface GrowthOptions {
  streams: string[];
  softDeleted: Set<string>;
  eventsOnly: boolean;
  newGuid: () => string;
}

/** The writes of one session. */
class Growth {
  readonly #appender: EventAppender;
  readonly #random: Prng;
  readonly #options: GrowthOptions;
  readonly #transactions = new Map<string, OpenTransaction>();

  constructor(appender: EventAppender, random: Prng, options: GrowthOptions) {
    this.#appender = appender;
    this.#random = random;
    this.#options = options;
  }

  run(steps: number, firstEpoch: number): void {
    const { newGuid } = this.#options;
    let epoch = firstEpoch;
    const writeEpoch = () =>
      this.#appender.writeEpoch({ number: epoch++, epochId: newGuid(), leaderInstanceId: newGuid() });
    writeEpoch();
    for (let step = 0; step < steps; step++) {
      if (this.#random.chance(0.02)) writeEpoch();
      else this.#write(this.#random.pick(this.#options.streams));
    }
  }

  #write(stream: string): void {
    const random = this.#random;
    const appender = this.#appender;
    const open = this.#transactions.get(stream);
    if (open) {
      if (random.chance(0.5)) appender.writeInTransaction(open, this.#event());
      else if (random.chance(0.8)) this.#commit(stream, open);
      return;
    }
    // 2^63: closed for good.
    if (appender.lastEventNumber(stream) === 2 ** 63) return;
    const { eventsOnly, softDeleted } = this.#options;
    if (softDeleted.delete(stream)) {
      appender.setMetadata(stream, JSON.stringify({ $tb: appender.lastEventNumber(stream) + 1 }));
    }
    const choice = random.below(100);
    if (choice < 3) appender.hardDelete(stream);
    else if (choice < 7 && !eventsOnly) this.#softDelete(stream);
    else if (choice < 22 && !eventsOnly) appender.setMetadata(stream, JSON.stringify(this.#limits()));
    else if (choice < 24 && !eventsOnly) appender.setMetadata(`$$${stream}`, '{"$maxCount":3}');
    else if (choice < 30) this.#transactions.set(stream, appender.beginTransaction(stream));
    else if (choice < 31 && !eventsOnly) appender.writeScavengePoint(random.pick(THRESHOLDS));
    else
      appender.append(
        stream,
        Array.from({ length: 1 + random.below(4) }, () => this.#event())
      );
  }

  #softDelete(stream: string): void {
    this.#appender.softDelete(stream);
    this.#options.softDeleted.add(stream);
  }

  #commit(stream: string, open: OpenTransaction): void {
    this.#appender.commitTransaction(open);
    this.#transactions.delete(stream);
  }

  #limits(): Record<string, number> {
    const random = this.#random;
    return {
      ...(random.chance(0.5) ? { $maxCount: 1 + random.below(6) } : {}),
      ...(random.chance(0.3) ? { $tb: random.below(20) } : {}),
      ...(random.chance(0.4) ? { $maxAge: 3600 * (1 + random.below(400)) } : {})
    };
  }

  #event() {
    const random = this.#random;
    const isJson = random.chance(0.7);
    const text = 'x'.repeat(random.below(random.chance(0.1) ? 900 : 90));
    return { eventType: random.pick(['made', 'changed']), isJson, data: Buffer.from(`{"is":"${text}"}`) };
  }
}

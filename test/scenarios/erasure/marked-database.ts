/**
 * Databases that a seed determines, in which a marker is planted: in the data of one stream's events, sometimes in its
 * name. Then what happens to databases happens: deletes, scavenges, backups, older chunks that stay, leftovers of work
 * that was cut, a log that was cut back.
 */
import fs from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender, type NewEvent } from '../../../src-core/database/event-appender.ts';
import { emptyIndexMap, readIndexMap, writeIndexMap } from '../../../src-core/index/index-map.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { readRecentEntries } from '../../../src-core/index/read-recent-entries.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { writeCheckpointFile } from '../../../src-core/log/checkpoint-file.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { Random } from '../../../src-core/sample/random.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso, TICKS_PER_SECOND } from '../../../src-core/units/ticks.ts';
import type { Prng } from '../../support/prng.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';

const fileSystem = new NodeFileSystem();
const OTHERS = ['account-1', 'account-2', 'account-17', '$ce-account'];
const DELETED = 2 ** 63;

export class MarkedDatabase {
  readonly dataDirectory: string;
  /** In the data of each of the stream's events. */
  readonly marker: string;
  readonly stream: string;
  /** Id of one of its events, written in the first session. */
  readonly eventId: string;
  readonly story: string[] = [];
  readonly #random: Prng;
  readonly #guids: Random;
  readonly #last = new Map<string, number>();
  #now: bigint = ticksFromIso('2025-03-01T00:00:00Z')!;

  constructor(root: string, random: Prng) {
    this.dataDirectory = path.join(root, 'data');
    this.#random = random;
    this.#guids = new Random(random.next());
    this.eventId = this.#guids.guid();
    this.marker = `marker${random.next().toString(16).padStart(8, '0')}`;
    this.stream = random.chance(0.5) ? `person-${this.marker}` : 'person-4711';
    fs.mkdirSync(this.dataDirectory);
    const chunkSizeBytes = random.pick([8192, 16384, 32768]);
    LogWriter.create({
      fileSystem,
      directory: this.dataDirectory,
      chunkSizeBytes,
      newGuid: this.#newGuid
    }).close();
    this.#chunkSizeBytes = chunkSizeBytes;
  }
  readonly #chunkSizeBytes: number;

  readonly #newGuid = (): string => this.#guids.guid();

  get isDeleted(): boolean {
    return this.#last.get(this.stream) === DELETED;
  }

  /** Appends events of several streams. */
  write(steps: number): void {
    this.#append((appender) => {
      for (let step = 0; step < steps; step++) this.#writeOne(appender);
    });
  }

  hardDelete(): void {
    if (this.isDeleted) return;
    this.story.push('hard delete');
    this.#append((appender) => appender.hardDelete(this.stream));
  }

  /** The stream of links to it goes as well. */
  hardDeleteLinks(): void {
    if (!this.#last.has('$ce-person') || this.#last.get('$ce-person') === DELETED) return;
    this.#append((appender) => appender.hardDelete('$ce-person'));
  }

  softDelete(): void {
    if (this.isDeleted) return;
    this.story.push('soft delete');
    this.#append((appender) => appender.softDelete(this.stream));
  }

  /** Everything goes that may go; older versions of chunks stay beside the new ones if wanted. */
  async scavenge(options: { keepsOld?: boolean; forgetsTombstones?: boolean } = {}): Promise<void> {
    this.story.push(`scavenge ${JSON.stringify(options)}`);
    const old = new Map(this.#chunkNames().map((name) => [name, fs.readFileSync(this.#path(name))]));
    await runScavenge(
      scavengeRequest(this.dataDirectory, {
        scavengePoint: 'new',
        singleNode: true,
        threshold: -1,
        unsafeIgnoreHardDeletes: options.forgetsTombstones === true
      }),
      scavengeEnvironment({ newGuid: this.#newGuid, now: () => this.#now as never })
    );
    this.#learn();
    if (options.keepsOld !== true) return;
    const active = this.#chunkNames().at(-1)!;
    for (const [name, bytes] of old) {
      // A file that is still there serves, and one of the active number could only confuse.
      const isReplaced = !fs.existsSync(this.#path(name)) && name.slice(0, 12) < active.slice(0, 12);
      if (isReplaced) fs.writeFileSync(this.#path(name), bytes);
    }
  }

  /** As a scavenge that was killed while it wrote: part of a chunk under a temporary name. */
  leaveTemporaryFile(): void {
    const bytes = fs.readFileSync(this.#path(this.#random.pick(this.#chunkNames())));
    const cut = this.#random.below(bytes.length);
    this.story.push(`temporary file of ${cut} bytes`);
    fs.writeFileSync(this.#path(`${this.#newGuid()}.scavenge.tmp`), bytes.subarray(0, cut));
  }

  /** As after a truncation: the log ends earlier, what was behind its end is still there. */
  cutBack(): void {
    const database = openDatabase({ fileSystem, dataDirectory: this.dataDirectory });
    const active = database.chunkSet.chunks.find((chunk) => chunk.isActive);
    const indexed = readIndexMap(fileSystem, database.indexDirectory)?.commitCheckpoint ?? -1;
    const positions: number[] = [];
    const cursor = database.log.cursor(active?.startPosition ?? Infinity);
    while (cursor.next()) if (cursor.record.position > indexed) positions.push(cursor.record.position);
    database.close();
    // The first one stays: a log may not end at the begin of a chunk that has bytes.
    if (positions.length < 3) return;
    const end = positions[1 + this.#random.below(positions.length - 1)]!;
    this.story.push(`cut back to ${end}`);
    for (const name of ['writer', 'chaser']) writeCheckpointFile(fileSystem, this.#path(`${name}.chk`), end);
    this.#learn();
  }

  /** One more table, of what the index does not hold yet. */
  async growIndex(): Promise<void> {
    const database = openDatabase({ fileSystem, dataDirectory: this.dataDirectory });
    try {
      const { indexDirectory, log, chunkSet } = database;
      fileSystem.makeDirectory(indexDirectory);
      const map = readIndexMap(fileSystem, indexDirectory) ?? emptyIndexMap();
      const { prepareCheckpoint, commitCheckpoint } = map;
      const end = chunkSet.writerPosition;
      const last =
        log.findBackward(end, (record) => record.isSelfCommitted && record.hasData)?.position ?? -1;
      if (last <= commitCheckpoint) return;
      const entries = await readRecentEntries({
        log,
        prepareCheckpoint,
        commitCheckpoint,
        end: last + 1,
        hasher: hashStream
      });
      if (entries.count === 0) return;
      const file = this.#newGuid();
      writeIndexTable({ fileSystem, directory: indexDirectory, name: file }, entries);
      const position = map.tables.filter(({ level }) => level === 0).length;
      const tables = [{ level: 0, position, file }, ...map.tables];
      const grown = { ...map, prepareCheckpoint: last, commitCheckpoint: last, tables };
      writeIndexMap(fileSystem, indexDirectory, grown, this.#newGuid());
      this.story.push('index table');
    } finally {
      database.close();
    }
  }

  #writeOne(appender: EventAppender): void {
    const random = this.#random;
    const choice = random.below(100);
    if (choice < 35 && !this.isDeleted) {
      const isFirst = !this.#last.has(this.stream);
      this.#track(appender, this.stream, [this.#event(this.marker, isFirst ? this.eventId : undefined)]);
      return;
    }
    if (choice < 40 && !this.isDeleted) {
      appender.setMetadata(this.stream, '{"$maxCount":3}');
      return;
    }
    const other = random.pick(OTHERS);
    if (choice < 45) {
      if (this.#last.get('$ce-person') === DELETED) return;
      const number = Math.max(0, this.#last.get(this.stream) ?? 0);
      const data = Buffer.from(`${number === DELETED ? 0 : number}@${this.stream}`);
      this.#track(appender, '$ce-person', [{ eventType: '$>', data }]);
    } else {
      this.#track(appender, other, [this.#event(`plain ${other}2`)]);
    }
  }

  #event(text: string, eventId?: string): NewEvent {
    const padding = 'x'.repeat(this.#random.below(600));
    const data = Buffer.from(JSON.stringify({ text, padding }));
    return { eventType: 'made', isJson: true, data, ...(eventId === undefined ? {} : { eventId }) };
  }

  #track(appender: EventAppender, stream: string, events: NewEvent[]): void {
    appender.append(stream, events);
    this.#last.set(stream, appender.lastEventNumber(stream));
  }

  #append(work: (appender: EventAppender) => void): void {
    const database = openDatabase({ fileSystem, dataDirectory: this.dataDirectory });
    const isNew = database.chunkSet.chunks.length === 0;
    const set = isNew ? { ...database.chunkSet, chunkSizeBytes: this.#chunkSizeBytes } : database.chunkSet;
    const writer = LogWriter.open({ fileSystem, directory: this.dataDirectory, newGuid: this.#newGuid }, set);
    const appender = new EventAppender({
      writer,
      newGuid: this.#newGuid,
      now: () => (this.#now += TICKS_PER_SECOND),
      lastEventNumber: (stream) => this.#last.get(stream) ?? -1
    });
    work(appender);
    writer.close();
    database.close();
    this.#learn();
  }

  /** The last numbers as the log now says; a stream of which all is gone keeps its number. */
  #learn(): void {
    const database = openDatabase({ fileSystem, dataDirectory: this.dataDirectory });
    const cursor = database.log.cursor();
    while (cursor.next()) {
      const { record } = cursor;
      if (record.kind === 'prepare') this.#last.set(record.stream, record.eventNumber);
      if (record.ticks > this.#now) this.#now = record.ticks;
    }
    database.close();
  }

  #chunkNames(): string[] {
    return fs
      .readdirSync(this.dataDirectory)
      .filter((name) => /^chunk-\d{6}\.\d{6}$/.test(name))
      .sort();
  }

  #path(name: string): string {
    return path.join(this.dataDirectory, name);
  }
}

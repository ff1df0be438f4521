/** A log of a few records that a test writes itself, and what a count says of it. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { readUsage, type Usage } from '../../../src-core/insight/usage/read-usage.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { encodePrepare, encodeSystem } from '../../../src-core/records/encode-record.ts';
import { PrepareFlag } from '../../../src-core/records/log-record.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { TICKS_PER_SECOND, ticksFromIso, type Ticks } from '../../../src-core/units/ticks.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { scavengeEnvironment, temporaryDirectory } from '../../support/scavenge-environment.ts';

const START = ticksFromIso('2026-01-01T00:00:00Z')!;

export class SmallLog {
  readonly fileSystem = new NodeFileSystem();
  readonly dataDirectory: string;
  readonly writer: LogWriter;
  readonly events: EventAppender;
  /** Days after the first of January 2026 at which is written. */
  day = 0;
  readonly #home = temporaryDirectory();
  readonly #usages: Usage[] = [];
  #isClosed = false;

  constructor(chunkSizeBytes = 65_536) {
    this.dataDirectory = join(this.#home, 'db');
    mkdirSync(this.dataDirectory);
    const newGuid = guidsFrom(5);
    const { fileSystem, dataDirectory: directory } = this;
    this.writer = LogWriter.create({ fileSystem, directory, chunkSizeBytes, newGuid });
    this.events = new EventAppender({
      writer: this.writer,
      newGuid,
      now: () => this.now,
      lastEventNumber: () => -1
    });
  }

  get now(): Ticks {
    return (START + BigInt(Math.round(this.day * 86_400)) * TICKS_PER_SECOND) as Ticks;
  }

  append(stream: string, bytes = 100): void {
    this.events.append(stream, [{ eventType: 'made', data: Buffer.alloc(bytes, 0x20), isJson: false }]);
  }

  /** A record of the server itself, without an event that tells of it. */
  appendSystem(): void {
    this.writer.append((position) => encodeSystem({ position, ticks: this.now, data: Buffer.from('{}') }));
  }

  /** What no server writes: a deletion that has the number of an event. */
  appendTombstone(stream: string, number: number): { position: number } {
    const guid = '11111111-2222-3333-4444-555555555555';
    const { streamDelete, isCommitted, transactionBegin, transactionEnd } = PrepareFlag;
    const position = this.writer.append((at) =>
      encodePrepare({
        position: at,
        flags: streamDelete | isCommitted | transactionBegin | transactionEnd,
        transactionPosition: at,
        transactionOffset: 0,
        expectedVersion: number - 1,
        stream,
        eventId: guid,
        correlationId: guid,
        ticks: this.now,
        eventType: '$streamDeleted',
        data: Buffer.alloc(0),
        metadata: Buffer.alloc(0)
      })
    );
    return { position };
  }

  completeChunk(): void {
    this.writer.completeChunk();
  }

  /** Nothing more is written. */
  close(): void {
    if (!this.#isClosed) this.writer.close();
    this.#isClosed = true;
  }

  /** Closes the log and counts it as of the day it is. `keep`: digests and tables are kept. */
  async count({ mostNames, keep = false }: { mostNames?: number; keep?: boolean } = {}): Promise<Usage> {
    this.close();
    const directory = keep ? join(this.#home, 'kept') : undefined;
    const { fileSystem, dataDirectory } = this;
    const { operation, newGuid } = scavengeEnvironment();
    const usage = await readUsage({
      fileSystem,
      dataDirectory,
      effectiveNow: this.now,
      digests: new ChunkDigests({ fileSystem, directory, newGuid, threads: 1 }),
      operation,
      newGuid,
      mostNames
    });
    this.#usages.push(usage);
    return usage;
  }

  remove(): void {
    for (const usage of this.#usages) usage.close();
    rmSync(this.#home, { recursive: true, force: true });
  }
}

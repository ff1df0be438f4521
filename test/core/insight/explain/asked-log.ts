/** A database that a test writes record by record, about whose scavenges it asks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../../src-core/database/database.ts';
import { EventAppender } from '../../../../src-core/database/event-appender.ts';
import { uncontrolled } from '../../../../src-core/database/operation-control.ts';
import { explain } from '../../../../src-core/insight/explain/explain.ts';
import type {
  ExplainedEvent,
  ExplainedStream,
  ExplainQuestion
} from '../../../../src-core/insight/explain/explanation.ts';
import { LogWriter } from '../../../../src-core/log/log-writer.ts';
import { rebuildIndex } from '../../../../src-core/repair/rebuild-index.ts';
import { Random } from '../../../../src-core/sample/random.ts';
import { runScavenge } from '../../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeEnvironment, ScavengeRequest } from '../../../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../../../src-core/storage/node-file-system.ts';
import { ticksFromIso, ticksToIso } from '../../../../src-core/units/ticks.ts';
import { scavengeEnvironment, scavengeRequest } from '../../../support/scavenge-environment.ts';

const DAY_TICKS = 864_000_000_000n;
const FIRST_DAY = ticksFromIso('2026-01-01T00:00:00Z')!;

export class AskedLog {
  readonly fileSystem = new NodeFileSystem();
  readonly directory: string;
  readonly newGuid: () => string;
  /** Days since the first of January 2026 at which is written. */
  day = 0;
  writer: LogWriter;
  events: EventAppender;
  readonly #home: string;

  constructor(chunkSizeBytes = 16_384) {
    this.#home = mkdtempSync(join(tmpdir(), 'winnow-asked-'));
    this.directory = join(this.#home, 'db');
    this.fileSystem.makeDirectory(this.directory);
    const random = new Random(7);
    this.newGuid = () => random.guid();
    const { fileSystem, directory, newGuid } = this;
    this.writer = LogWriter.create({ fileSystem, directory, chunkSizeBytes, newGuid });
    this.events = this.appender(() => -1);
  }

  /** Another one that believes a stream to end there. */
  appender(lastEventNumber: (stream: string) => number): EventAppender {
    const { writer, newGuid } = this;
    return new EventAppender({ writer, lastEventNumber, now: () => this.now, newGuid });
  }

  get now(): bigint {
    return FIRST_DAY + BigInt(this.day) * DAY_TICKS;
  }

  /** Completes the chunk and closes the log. */
  finish(): void {
    this.writer.completeChunk();
    this.writer.close();
  }

  /** Opens the log again for more, after scavenges for example. */
  reopen(): void {
    const { fileSystem, directory, newGuid } = this;
    const database = openDatabase({ fileSystem, dataDirectory: directory });
    this.writer = LogWriter.open({ fileSystem, directory, newGuid }, database.chunkSet);
    database.close();
    const { events } = this;
    this.events = this.appender((stream) => events.lastEventNumber(stream));
  }

  /** Writes an index for all of the log; without one every question reads the entries from the log. */
  async writeIndex(): Promise<void> {
    const { fileSystem, directory, newGuid } = this;
    await rebuildIndex({ fileSystem, dataDirectory: directory, control: uncontrolled(), newGuid });
  }

  async scavenge(change: Partial<ScavengeRequest> = {}): Promise<void> {
    await runScavenge(
      this.request({ scavengePoint: 'detached', alwaysKeepScavenged: true, ...change }),
      scavengeEnvironment()
    );
  }

  ask(
    question: ExplainQuestion,
    change: Partial<ScavengeRequest> = {},
    environment: Partial<ScavengeEnvironment> = {}
  ) {
    return explain(question, this.request(change), scavengeEnvironment(environment));
  }

  async event(
    stream: string,
    eventNumber: number,
    change: Partial<ScavengeRequest> = {}
  ): Promise<ExplainedEvent> {
    const answer = await this.ask({ kind: 'event', stream, eventNumber }, change);
    if (answer.kind !== 'event') throw new Error(`a ${answer.kind} was told`);
    return answer;
  }

  async stream(
    stream: string,
    change: Partial<ScavengeRequest> = {},
    environment: Partial<ScavengeEnvironment> = {}
  ): Promise<ExplainedStream> {
    const answer = await this.ask({ kind: 'stream', stream }, change, environment);
    if (answer.kind !== 'stream') throw new Error(`a ${answer.kind} was told`);
    return answer;
  }

  request(change: Partial<ScavengeRequest> = {}): ScavengeRequest {
    return scavengeRequest(this.directory, {
      scavengePoint: 'auto',
      now: ticksToIso(this.now),
      alwaysKeepScavenged: false,
      merge: false,
      winnowHome: join(this.#home, 'winnow'),
      scratchDirectory: join(this.#home, 'scratch'),
      ...change
    });
  }

  remove(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }
}

export const event = (bytes = 100) => ({ eventType: 'e', data: Buffer.alloc(bytes, 0x61), isJson: false });

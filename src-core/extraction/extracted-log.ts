/**
 * A new log that holds chosen events of another one: an epoch first, as in every database of a server, then the events in the
 * order in which they became visible, with the numbers that they have. Members of explicit transactions wait for the place of
 * their commit: only there do the numbers of a stream rise.
 *
 * It can be continued at the start of a chunk: everything before lies in completed chunks. Format: docs/format/log.md.
 */
import { assert } from '../assert.ts';
import { EngineError } from '../errors.ts';
import { openDatabase } from '../database/database.ts';
import { EventAppender } from '../database/event-appender.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { writeCheckpointFile } from '../log/checkpoint-file.ts';
import { LogWriter } from '../log/log-writer.ts';
import type { LogRecord } from '../records/log-record.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { checkPlaced, placePrepare } from './copied-prepare.ts';

/** Of members that wait for their commits, together. */
const MOST_WAITING_BYTES = 128 * 1024 * 1024;

export interface ExtractedLogParts {
  fileSystem: FileSystem;
  /** Exists; empty, or what an earlier run left. */
  directory: string;
  chunkSizeBytes: number;
  newGuid: () => string;
  /** Time of the epoch, ticks: that of the first event. */
  ticks: bigint;
}

interface Waiting {
  payload: Buffer;
  eventNumber: number;
  commitPosition: number;
}

export interface CopiedEvent {
  /** The event's prepare in the source. */
  record: LogRecord;
  eventNumber: number;
  /** In the source: where it became visible. */
  commitPosition: number;
}

export class ExtractedLog {
  readonly #writer: LogWriter;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** Scratch for payloads, as large as the largest so far. */
  #buffer = Buffer.allocUnsafe(4096);

  private constructor(writer: LogWriter) {
    this.#writer = writer;
  }

  static create(parts: ExtractedLogParts): ExtractedLog {
    const { newGuid, ticks } = parts;
    const writer = LogWriter.create(parts);
    const appender = new EventAppender({ writer, newGuid, now: () => ticks, lastEventNumber: () => -1 });
    try {
      appender.writeEpoch({ number: 0, epochId: newGuid(), leaderInstanceId: newGuid() });
    } catch (error) {
      writer.abandon();
      throw error;
    }
    return new ExtractedLog(writer);
  }

  /** `at`: the start of a chunk; what an earlier run wrote from there on is removed. */
  static continueAt(at: number, parts: Omit<ExtractedLogParts, 'ticks'>): ExtractedLog {
    const { fileSystem, directory, chunkSizeBytes } = parts;
    assert(at > 0 && at % chunkSizeBytes === 0, 'a log is continued at the start of a chunk');
    for (const { name, isDirectory } of entriesIn(fileSystem, directory)) {
      const chunk = decodeChunkFileName(name)?.chunkNumber;
      const isLater = chunk !== undefined && chunk * chunkSizeBytes >= at;
      const isTemporary = name.startsWith('chunk-') && name.endsWith('.tmp');
      if (!isDirectory && (isLater || isTemporary)) fileSystem.remove(fileSystem.join(directory, name));
    }
    for (const name of ['chaser.chk', 'writer.chk']) {
      writeCheckpointFile(fileSystem, fileSystem.join(directory, name), at);
    }
    fileSystem.syncDirectory(directory);
    const database = openDatabase({ fileSystem, dataDirectory: directory });
    try {
      database.requireWhole();
      return new ExtractedLog(LogWriter.open(parts, database.chunkSet));
    } finally {
      database.close();
    }
  }

  /** Position of the next record. */
  get position(): number {
    return this.#writer.position;
  }

  /** Nothing waits for its commit. */
  get isSettled(): boolean {
    return this.#waiting.length === 0;
  }

  /**
   * Copies an event. True: everything that was added before it lies in completed chunks, and nothing waits; the log can
   * be continued with this event at `lastChunkStart`.
   */
  add({ record, eventNumber, commitPosition }: CopiedEvent): boolean {
    this.#release(record.position);
    if (commitPosition > record.position) {
      this.#wait({ payload: Buffer.from(record.payload), eventNumber, commitPosition });
      return false;
    }
    const { length } = record;
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafe(2 * length);
    const payload = this.#buffer.subarray(0, length);
    record.payload.copy(payload);
    const position = this.#append(payload, eventNumber);
    return position > 0 && position % this.#writer.chunkSizeBytes === 0 && this.isSettled;
  }

  /** Everything is on the disk; the writer is not used again. Returns the end of the log. */
  finish(): number {
    this.#release(Infinity);
    this.#writer.close();
    return this.#writer.position;
  }

  /** After a failure or a stop. */
  abandon(): void {
    this.#writer.abandon();
  }

  #append(payload: Buffer, eventNumber: number): number {
    return this.#writer.append((position) => {
      placePrepare(payload, { position, eventNumber });
      checkPlaced(payload, { position, eventNumber });
      return payload;
    });
  }

  #wait(waiting: Waiting): void {
    this.#waiting.push(waiting);
    this.#waitingBytes += waiting.payload.length;
    if (this.#waitingBytes <= MOST_WAITING_BYTES) return;
    throw new EngineError({
      code: 'UnsupportedFormat',
      message: `Transactions that were open at the same time hold more than ${MOST_WAITING_BYTES} bytes of the chosen events.`,
      remedy: 'Choose fewer streams, or extract the events instead.',
      details: { expected: MOST_WAITING_BYTES, found: this.#waitingBytes }
    });
  }

  /** Writes what was committed before a position of the source, in the order of the commits. */
  #release(before: number): void {
    if (this.#waiting.length === 0) return;
    const ready = this.#waiting.filter(({ commitPosition }) => commitPosition < before);
    if (ready.length === 0) return;
    this.#waiting = this.#waiting.filter(({ commitPosition }) => commitPosition >= before);
    // The sort is stable: members of one commit keep their order.
    for (const { payload, eventNumber } of ready.sort((a, b) => a.commitPosition - b.commitPosition)) {
      this.#waitingBytes -= payload.length;
      this.#append(payload, eventNumber);
    }
  }
}

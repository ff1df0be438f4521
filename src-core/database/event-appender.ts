/**
 * Appends events by the server's rules: numbers that go on from the last event, a stream closed by a tombstone
 * stays closed, a scavenge point completes its chunk, an epoch is followed by its event. Stands on the log writer
 * (bytes and flushes) and on a question the index answers (the last event number of a stream).
 * Format: docs/format/records.md, "Writes".
 */
import { EngineError } from '../errors.ts';
import type { LogWriter } from '../log/log-writer.ts';
import { encodeCommit, encodePrepare, encodeSystem } from '../records/encode-record.ts';
import { PrepareFlag } from '../records/log-record.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../units/event-number.ts';
import { ticksToIso } from '../units/ticks.ts';

export interface NewEvent {
  eventType: string;
  data: Uint8Array;
  metadata?: Uint8Array;
  isJson?: boolean;
  /** Random when absent. */
  eventId?: string;
}

export interface Appended {
  /** Position of the first record. */
  position: number;
  firstEventNumber: number;
}

export interface EventAppenderParts {
  writer: LogWriter;
  /** Last event number of a stream in the log as opened: -1 none, DELETED_STREAM_EVENT_NUMBER closed. */
  lastEventNumber: (stream: string) => number;
  /** Time of the records to come. */
  now: () => bigint;
  newGuid: () => string;
  /** Position of the newest epoch record already in the log; the next one links back to it. */
  lastEpochPosition?: number;
}

export const SCAVENGE_POINTS_STREAM = '$scavengePoints';
export const SCAVENGE_POINT_TYPE = '$scavengePoint';
const EPOCH_STREAM = '$epoch-information';
const NOTHING = new Uint8Array(0);
const SINGLE_WRITE = PrepareFlag.transactionBegin | PrepareFlag.transactionEnd | PrepareFlag.isCommitted;

/** A transaction whose events become visible when it is committed; members keep the order they were written in. */
export interface OpenTransaction {
  stream: string;
  position: number;
  /** Events written so far. */
  eventCount: number;
}

export class EventAppender {
  readonly #parts: EventAppenderParts;
  readonly #last = new Map<string, number>();
  readonly #written = new Set<string>();
  #lastEpochPosition: number;

  constructor(parts: EventAppenderParts) {
    this.#parts = parts;
    this.#lastEpochPosition = parts.lastEpochPosition ?? -1;
  }

  get position(): number {
    return this.#parts.writer.position;
  }

  /** Streams that this appender has written to. */
  get streamCount(): number {
    return this.#written.size;
  }

  /** Number of the last event of a stream, appended ones included. */
  lastEventNumber(stream: string): number {
    let last = this.#last.get(stream);
    if (last === undefined) {
      last = this.#parts.lastEventNumber(stream);
      if (last < -1) throw tooManyCollisions(stream);
      this.#last.set(stream, last);
    }
    return last;
  }

  /** Appends events to a stream as one write. */
  append(stream: string, events: readonly NewEvent[]): Appended {
    const last = this.#lastOfOpenStream(stream);
    this.#written.add(stream);
    const { newGuid, now, writer } = this.#parts;
    const correlationId = newGuid();
    const ticks = now();
    const positions = writer.appendTogether(
      events.map((event, index) => {
        const eventId = event.eventId ?? newGuid();
        const flags =
          PrepareFlag.data |
          PrepareFlag.isCommitted |
          (index === 0 ? PrepareFlag.transactionBegin : 0) |
          (index === events.length - 1 ? PrepareFlag.transactionEnd : 0) |
          (event.isJson === false ? 0 : PrepareFlag.isJson);
        return (position, transactionPosition) =>
          encodePrepare({
            position,
            flags,
            transactionPosition,
            transactionOffset: index,
            expectedVersion: last + index,
            stream,
            eventId,
            correlationId,
            ticks,
            eventType: event.eventType,
            data: event.data,
            metadata: event.metadata ?? NOTHING
          });
      })
    );
    this.#last.set(stream, last + events.length);
    return { position: positions[0]!, firstEventNumber: last + 1 };
  }

  /** Sets a stream's metadata: an event in its metastream. */
  setMetadata(stream: string, json: string): Appended {
    if (this.lastEventNumber(stream) === DELETED_STREAM_EVENT_NUMBER) throw streamDeleted(stream);
    return this.append(`$$${stream}`, [{ eventType: '$metadata', data: Buffer.from(json, 'utf8') }]);
  }

  /** Hides all events of a stream; a later append continues its numbers. */
  softDelete(stream: string): Appended {
    return this.setMetadata(stream, '{"$tb":9223372036854775807}');
  }

  /** Closes a stream for ever with a tombstone. */
  hardDelete(stream: string): number {
    this.#lastOfOpenStream(stream);
    this.#written.add(stream);
    const { newGuid, now, writer } = this.#parts;
    const [eventId, correlationId, ticks] = [newGuid(), newGuid(), now()];
    const position = writer.append((at) =>
      encodePrepare({
        position: at,
        flags: SINGLE_WRITE | PrepareFlag.streamDelete,
        transactionPosition: at,
        transactionOffset: 0,
        expectedVersion: DELETED_STREAM_EVENT_NUMBER,
        stream,
        eventId,
        correlationId,
        ticks,
        eventType: '$streamDeleted',
        data: NOTHING,
        metadata: NOTHING
      })
    );
    this.#last.set(stream, DELETED_STREAM_EVENT_NUMBER);
    return position;
  }

  /** Writes a scavenge point and completes its chunk, as the server does. */
  writeScavengePoint(threshold: number): Appended {
    const data = threshold === 0 ? '{}' : `{\n  "threshold": ${threshold}\n}`;
    const appended = this.append(SCAVENGE_POINTS_STREAM, [
      { eventType: SCAVENGE_POINT_TYPE, data: Buffer.from(data, 'utf8') }
    ]);
    this.#parts.writer.completeChunk();
    return appended;
  }

  /** Writes an epoch and the event that tells of it; flushes, then names it in epoch.chk. */
  writeEpoch(epoch: { number: number; epochId: string; leaderInstanceId: string }): number {
    const { now, writer } = this.#parts;
    const ticks = now();
    let json = '';
    const previous = this.#lastEpochPosition;
    const position = writer.append((at) => {
      json = epochJson({ ...epoch, position: at, previousPosition: previous, ticks });
      return encodeSystem({ position: at, ticks, data: Buffer.from(json, 'utf8') });
    });
    this.append(EPOCH_STREAM, [{ eventType: EPOCH_STREAM, data: Buffer.from(json, 'utf8') }]);
    writer.flush();
    writer.setEpoch(position);
    writer.setProposal(epoch.number);
    this.#lastEpochPosition = position;
    return position;
  }

  /** Begins a transaction in the old style: its events count when a commit record follows. */
  beginTransaction(stream: string): OpenTransaction {
    this.#lastOfOpenStream(stream);
    const position = this.#transactionRecord(stream, PrepareFlag.transactionBegin, -1, -1);
    return { stream, position, eventCount: 0 };
  }

  writeInTransaction(transaction: OpenTransaction, event: NewEvent): number {
    const flags = PrepareFlag.data | (event.isJson === false ? 0 : PrepareFlag.isJson);
    return this.#transactionRecord(
      transaction.stream,
      flags,
      transaction.position,
      transaction.eventCount++,
      event
    );
  }

  commitTransaction(transaction: OpenTransaction): Appended {
    const last = this.#lastOfOpenStream(transaction.stream);
    const { newGuid, now, writer } = this.#parts;
    this.#transactionRecord(transaction.stream, PrepareFlag.transactionEnd, transaction.position, -1);
    const [correlationId, ticks] = [newGuid(), now()];
    writer.append((position) =>
      encodeCommit({
        position,
        transactionPosition: transaction.position,
        firstEventNumber: last + 1,
        correlationId,
        ticks
      })
    );
    this.#last.set(transaction.stream, last + transaction.eventCount);
    return { position: transaction.position, firstEventNumber: last + 1 };
  }

  #transactionRecord(stream: string, flags: number, start: number, offset: number, event?: NewEvent): number {
    this.#written.add(stream);
    const { newGuid, now, writer } = this.#parts;
    const [eventId, correlationId, ticks] = [event?.eventId ?? newGuid(), newGuid(), now()];
    return writer.append((position) =>
      encodePrepare({
        position,
        flags,
        transactionPosition: start < 0 ? position : start,
        transactionOffset: offset,
        expectedVersion: -2,
        stream,
        eventId,
        correlationId,
        ticks,
        eventType: event?.eventType ?? '',
        data: event?.data ?? NOTHING,
        metadata: event?.metadata ?? NOTHING
      })
    );
  }

  #lastOfOpenStream(stream: string): number {
    const isMetastream = stream.startsWith('$$');
    const last = this.lastEventNumber(stream);
    const isClosed =
      last === DELETED_STREAM_EVENT_NUMBER ||
      (isMetastream && this.lastEventNumber(stream.slice(2)) === DELETED_STREAM_EVENT_NUMBER);
    if (isClosed) throw streamDeleted(stream);
    return last;
  }
}

function streamDeleted(stream: string): EngineError {
  return new EngineError({
    code: 'StreamDeleted',
    message: `The stream ${stream} is hard-deleted; nothing can be appended to it.`,
    remedy: 'Use another stream name. A scavenge that ignores hard deletes would free this one.',
    details: { field: 'stream' }
  });
}

/** The index gives a stream up among too many others with its hash; a number made up here would damage the log. */
function tooManyCollisions(stream: string): EngineError {
  return new EngineError({
    code: 'UnsupportedFormat',
    message: `The last event of ${stream} cannot be found: too many events of other streams share its hash.`,
    remedy: 'Nothing can append to this stream, not even the server. Nothing was changed.',
    details: { field: 'stream' }
  });
}

interface EpochText {
  number: number;
  position: number;
  previousPosition: number;
  epochId: string;
  leaderInstanceId: string;
  ticks: bigint;
}

/** Members with their default value (position 0, number 0) are left out, as the server's writer does. */
function epochJson(epoch: EpochText): string {
  const time = ticksToIso(epoch.ticks).replace(/\.?0+Z$/, 'Z');
  const lines = [
    ...(epoch.position === 0 ? [] : [`  "epochPosition": ${epoch.position}`]),
    ...(epoch.number === 0 ? [] : [`  "epochNumber": ${epoch.number}`]),
    `  "epochId": "${epoch.epochId}"`,
    `  "prevEpochPosition": ${epoch.previousPosition}`,
    `  "timeStamp": "${time}"`,
    `  "leaderInstanceId": "${epoch.leaderInstanceId}"`
  ];
  return `{\n${lines.join(',\n')}\n}`;
}

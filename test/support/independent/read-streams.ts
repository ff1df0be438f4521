/**
 * What a reader of the log sees: events of committed writes by stream and number, and which of them the metadata of the
 * stream leave to be seen. Written from docs/format, without a line of the engine.
 */
import type { AnyRecord, ReadLog, ReadPrepare } from './read-log.ts';

const STREAM_DELETE = 0x8;
const DATA = 0x1;
const COMMITTED = 0x20;
const JSON_FLAG = 0x100;
const DELETED = 2n ** 63n - 1n;
const TICKS_PER_SECOND = 10_000_000n;

export interface SeenEvent {
  number: bigint;
  record: ReadPrepare;
}

export interface SeenStream {
  /** The tombstone is in the log. */
  isDeleted: boolean;
  /** Committed, by their numbers; of one number the last in the log. */
  events: SeenEvent[];
}

export function readStreams({ records }: ReadLog): Map<string, SeenStream> {
  const streams = new Map<string, SeenStream>();
  for (const { number, record } of committed(records)) {
    const stream = streams.get(record.stream) ?? { isDeleted: false, events: [] };
    streams.set(record.stream, stream);
    // The number is what makes a tombstone: readers ask for the last one of a stream.
    if ((record.flags & STREAM_DELETE) !== 0 && number === DELETED) stream.isDeleted = true;
    else stream.events.push({ number, record });
  }
  for (const stream of streams.values()) {
    const last = new Map(stream.events.map((event) => [event.number, event]));
    stream.events = [...last.values()].sort((a, b) => (a.number < b.number ? -1 : 1));
  }
  return streams;
}

/** Events and tombstones with their numbers, those of explicit transactions where their commit stands. */
function* committed(records: readonly AnyRecord[]): Generator<SeenEvent> {
  const open = new Map<number, ReadPrepare[]>();
  for (const record of records) {
    if (record.kind === 'commit') {
      for (const part of open.get(record.transactionPosition) ?? []) {
        const isTombstone = (part.flags & STREAM_DELETE) !== 0;
        const number = isTombstone ? DELETED : record.firstEventNumber + BigInt(part.transactionOffset);
        yield { number, record: part };
      }
      open.delete(record.transactionPosition);
    } else if (record.kind === 'prepare' && (record.flags & (DATA | STREAM_DELETE)) !== 0) {
      if ((record.flags & COMMITTED) !== 0) yield { number: record.expectedVersion + 1n, record };
      else {
        const parts = open.get(record.transactionPosition) ?? [];
        open.set(record.transactionPosition, [...parts, record]);
      }
    }
  }
}

export type Reading = 'Success' | 'NoStream' | 'StreamDeleted';

export interface SeenThrough {
  result: Reading;
  /** Numbers that a reader gets. */
  numbers: bigint[];
}

/** A stream as a client reads it forward at a moment (ticks). */
export function readStream(streams: ReadonlyMap<string, SeenStream>, name: string, now: bigint): SeenThrough {
  const stream = streams.get(name);
  const original = name.startsWith('$$') ? streams.get(name.slice(2)) : undefined;
  if (stream?.isDeleted || original?.isDeleted) return { result: 'StreamDeleted', numbers: [] };
  const last = stream?.events.at(-1)?.number;
  if (!stream || last === undefined) return { result: 'NoStream', numbers: [] };
  const { maxCount, maxAge, truncateBefore } = rulesOf(streams, name);
  if (truncateBefore === DELETED) return { result: 'NoStream', numbers: [] };
  const numbers = stream.events
    .filter(
      ({ number, record }) =>
        (maxCount === undefined || number > last - maxCount) &&
        (truncateBefore === undefined || number >= truncateBefore) &&
        (maxAge === undefined || record.ticks >= now - maxAge * TICKS_PER_SECOND)
    )
    .map(({ number }) => number);
  return { result: 'Success', numbers };
}

interface Rules {
  maxCount?: bigint;
  /** Seconds. */
  maxAge?: bigint;
  truncateBefore?: bigint;
}

/** Of plain metadata; the forms that only a lenient reader takes are tested against the server's own answers. */
function rulesOf(streams: ReadonlyMap<string, SeenStream>, name: string): Rules {
  if (name.startsWith('$$')) return { maxCount: 1n };
  const last = streams.get(`$$${name}`)?.events.at(-1)?.record;
  if (!last || (last.flags & JSON_FLAG) === 0) return {};
  let parsed: Record<string, unknown>;
  try {
    // Numbers beyond 2^53 are written as texts first: JSON.parse would round them.
    parsed = JSON.parse(last.data.toString().replace(/:\s*(-?\d{16,})/g, ':"$1"')) as Record<string, unknown>;
  } catch {
    return {};
  }
  const whole = (key: string, least: bigint): bigint | undefined => {
    const value = parsed[key];
    if (typeof value !== 'number' && typeof value !== 'string') return undefined;
    const number = BigInt(value);
    return number >= least ? number : undefined;
  };
  const [maxCount, maxAge, tb] = [whole('$maxCount', 1n), whole('$maxAge', 1n), whole('$tb', 0n)];
  return {
    ...(maxCount === undefined ? {} : { maxCount }),
    ...(maxAge === undefined ? {} : { maxAge }),
    ...(tb === undefined ? {} : { truncateBefore: tb })
  };
}

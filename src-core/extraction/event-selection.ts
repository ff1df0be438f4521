/**
 * Which events are wanted: of these streams or categories, of these types, within these times and positions. What is not
 * named is not asked. Streams of the system (their names begin with `$`) are wanted only if they are named: by stream, by
 * category, by a type of the system, or all of them. Pure, and cheap enough to ask of every record.
 */
import type { LogRecord } from '../records/log-record.ts';
import { NameSet } from './name-set.ts';

export interface EventSelection {
  /** Exact names. */
  streams?: readonly string[] | undefined;
  /** What stands before the first dash of a stream's name. */
  categories?: readonly string[] | undefined;
  types?: readonly string[] | undefined;
  /** Ticks: the earliest time that is wanted, and the first that is not. */
  fromTime?: bigint | undefined;
  toTime?: bigint | undefined;
  /** Positions of records: the first that is wanted, and the first that is not. */
  fromPosition?: number | undefined;
  toPosition?: number | undefined;
  /** Streams of the system too, where neither streams nor categories are named. */
  systemStreams?: boolean | undefined;
}

/** What is asked of a record; a head from a digest has all but the type. */
type Named = Pick<LogRecord, 'bytes' | 'streamStart' | 'streamEnd' | 'timeHigh' | 'timeLow'>;

const DASH = 0x2d;
const DOLLAR = 0x24;

export class EventMatcher {
  readonly #streams: NameSet | undefined;
  readonly #categories: NameSet | undefined;
  readonly #types: NameSet | undefined;
  readonly #withSystem: boolean;
  readonly #from: { high: number; low: number } | undefined;
  readonly #to: { high: number; low: number } | undefined;

  constructor({ streams, categories, types, fromTime, toTime, systemStreams }: EventSelection) {
    const isNamed = (names: readonly string[] | undefined): names is readonly string[] =>
      names !== undefined && names.length > 0;
    this.#streams = isNamed(streams) ? new NameSet(streams) : undefined;
    this.#categories = isNamed(categories) ? new NameSet(categories) : undefined;
    this.#types = isNamed(types) ? new NameSet(types) : undefined;
    this.#withSystem = systemStreams === true || types?.some((type) => type.startsWith('$')) === true;
    this.#from = fromTime === undefined ? undefined : halves(fromTime);
    this.#to = toTime === undefined ? undefined : halves(toTime);
  }

  /** Of a prepare: all but its position, by which the walk is bounded. */
  matches(record: LogRecord): boolean {
    if (!this.matchesHead(record)) return false;
    return this.#types === undefined || this.#types.has(record.bytes, record.typeStart, record.typeEnd);
  }

  /** The same without the type. */
  matchesHead(record: Named): boolean {
    const { timeHigh, timeLow } = record;
    if (this.#from && isBefore(timeHigh, timeLow, this.#from)) return false;
    if (this.#to && !isBefore(timeHigh, timeLow, this.#to)) return false;
    return this.matchesStream(record.bytes, record.streamStart, record.streamEnd);
  }

  /** Of a name in `bytes`, as UTF-8. */
  matchesStream(bytes: Buffer, streamStart: number, streamEnd: number): boolean {
    const [streams, categories] = [this.#streams, this.#categories];
    if (!streams && !categories) return this.#withSystem || bytes[streamStart] !== DOLLAR;
    if (streams?.has(bytes, streamStart, streamEnd)) return true;
    if (!categories) return false;
    for (let at = streamStart; at < streamEnd; at++) {
      if (bytes[at] === DASH) return categories.has(bytes, streamStart, at);
    }
    return false;
  }
}

function isBefore(timeHigh: number, timeLow: number, { high, low }: { high: number; low: number }): boolean {
  return timeHigh < high || (timeHigh === high && timeLow < low);
}

function halves(ticks: bigint): { high: number; low: number } {
  return { high: Number(BigInt.asIntN(32, ticks >> 32n)), low: Number(BigInt.asUintN(32, ticks)) };
}

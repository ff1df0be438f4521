/**
 * The streams that the links of one chunk point into, and up to where their events are gone or can go. A stream is
 * asked about once a chunk. What was gone by is kept with the numbers that were met, so that it can be told later
 * whether a newer state would say anything else.
 */
import { DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import { hashStream, hashStreamOf, type NamedRecord, type StreamHash } from '../../index/stream-hash.ts';
import type { LogRecord } from '../../records/log-record.ts';
import type { ScavengeState } from '../../scavenge/state/scavenge-state.ts';
import { NameTable } from './name-table.ts';
import { readLinkTarget, type LinkTarget } from './record-places.ts';

const FIRST_CAPACITY = 256;

/** First event number that is left of a stream: below it links are dead. */
export function firstLeftOf(stream: string, state: ScavengeState): number {
  const handle = state.handleOf(stream);
  if (state.isMetastream(stream)) {
    const data = state.metastreams.get(handle);
    return data?.isTombstoned === true ? DELETED_STREAM_EVENT_NUMBER : (data?.discardPoint ?? 0);
  }
  const data = state.originals.get(handle);
  return data?.isTombstoned === true ? DELETED_STREAM_EVENT_NUMBER : (data?.discardPoint ?? 0);
}

/** One stream that is pointed into, as it is stored. */
export interface TargetRow {
  stream: string;
  /** Lowest and highest number pointed to. */
  lowest: number;
  highest: number;
  firstLeft: number;
  /** Links that a scavenge keeps, and those of them whose event is gone, or free to go. */
  records: number;
  bytes: number;
  deadRecords: number;
  deadBytes: number;
}

/** The data of a link as something that has a name. */
class TargetName implements NamedRecord {
  bytes: Buffer = Buffer.alloc(0);
  view: DataView = new DataView(new ArrayBuffer(0));
  streamStart = 0;
  streamEnd = 0;

  get stream(): string {
    return this.bytes.toString('utf8', this.streamStart, this.streamEnd);
  }
}

export class LinkTargets {
  readonly #state: ScavengeState;
  readonly #names = new NameTable();
  #lowest = new Float64Array(FIRST_CAPACITY);
  #highest = new Float64Array(FIRST_CAPACITY);
  #firstLeft = new Float64Array(FIRST_CAPACITY);
  #records = new Float64Array(FIRST_CAPACITY);
  #bytes = new Float64Array(FIRST_CAPACITY);
  #deadRecords = new Float64Array(FIRST_CAPACITY);
  #deadBytes = new Float64Array(FIRST_CAPACITY);
  readonly #target: LinkTarget = { eventNumber: 0, nameStart: 0, nameEnd: 0 };
  readonly #name = new TargetName();
  readonly #hash: StreamHash = { high: 0, low: 0 };

  constructor(state: ScavengeState) {
    this.#state = state;
  }

  /** A link that a scavenge keeps. Data that is not a link points nowhere. */
  count(link: LogRecord, bytes: number): void {
    const target = this.#target;
    if (!readLinkTarget(link, target)) return;
    const name = this.#name;
    name.bytes = link.bytes;
    name.view = link.view;
    name.streamStart = target.nameStart;
    name.streamEnd = target.nameEnd;
    const { high, low } = hashStreamOf(name, hashStream, this.#hash);
    const known = this.#names.count;
    const at = this.#names.numberOf(high, low, link.bytes, target.nameStart, target.nameEnd);
    const { eventNumber } = target;
    if (at === known) this.#add(at, eventNumber);
    else if (eventNumber < this.#lowest[at]!) this.#lowest[at] = eventNumber;
    else if (eventNumber > this.#highest[at]!) this.#highest[at] = eventNumber;
    this.#records[at]!++;
    this.#bytes[at]! += bytes;
    if (eventNumber >= this.#firstLeft[at]!) return;
    this.#deadRecords[at]!++;
    this.#deadBytes[at]! += bytes;
  }

  rows(): TargetRow[] {
    return Array.from({ length: this.#names.count }, (_, at) => ({
      stream: this.#names.name(at),
      lowest: this.#lowest[at]!,
      highest: this.#highest[at]!,
      firstLeft: this.#firstLeft[at]!,
      records: this.#records[at]!,
      bytes: this.#bytes[at]!,
      deadRecords: this.#deadRecords[at]!,
      deadBytes: this.#deadBytes[at]!
    }));
  }

  #add(at: number, eventNumber: number): void {
    if (at === this.#lowest.length) {
      const larger = (old: Float64Array<ArrayBuffer>) => {
        const grown = new Float64Array(at * 2);
        grown.set(old);
        return grown;
      };
      this.#lowest = larger(this.#lowest);
      this.#highest = larger(this.#highest);
      this.#firstLeft = larger(this.#firstLeft);
      this.#records = larger(this.#records);
      this.#bytes = larger(this.#bytes);
      this.#deadRecords = larger(this.#deadRecords);
      this.#deadBytes = larger(this.#deadBytes);
    }
    this.#lowest[at] = eventNumber;
    this.#highest[at] = eventNumber;
    this.#firstLeft[at] = firstLeftOf(this.#names.name(at), this.#state);
  }
}

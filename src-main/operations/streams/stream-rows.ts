/**
 * Facts about streams that are all known: names in a list, each fact in as narrow a column as its values allow. Some ten
 * bytes a stream besides its name; nothing can be added. As bytes: `encodeColumns` of them.
 */
import {
  columnArray,
  decodeColumns,
  DELETED_STREAM_EVENT_NUMBER,
  encodeColumns,
  narrowColumn,
  type NarrowColumn,
  type NarrowValues
} from '../../../src-core/index.ts';
import { NameList } from './name-list.ts';
import type { StreamColumns } from './stream-columns.ts';

/** Changes whenever what is encoded, or how, changes. */
const FORM = 'WNWSTR02';
const FACTS = ['events', 'bytes', 'first', 'last', 'metadataHigh', 'metadataLow', 'marks'] as const;
/** In place of a number that needs eight bytes. */
const NONE = -1;
const DELETED = -2;
const TWO_32 = 2 ** 32;

type Fact = (typeof FACTS)[number];

interface Column {
  column: NarrowColumn;
  values: NarrowValues;
}

interface Description {
  count: number;
  columns: NarrowColumn[];
}

export class StreamRows {
  readonly names: NameList;
  readonly #columns: Record<Fact, Column>;

  private constructor(names: NameList, columns: readonly Column[]) {
    this.names = names;
    this.#columns = Object.fromEntries(FACTS.map((fact, i) => [fact, columns[i]!])) as Record<Fact, Column>;
  }

  /** The streams with these numbers, in this order. */
  static of(streams: StreamColumns, order: Uint32Array): StreamRows {
    const factOf: Record<Fact, (at: number) => number> = {
      events: (at) => streams.eventCount(at),
      bytes: (at) => streams.bytes(at),
      first: (at) => (Number.isFinite(streams.first(at)) ? shortNumber(streams.first(at)) : NONE),
      last: (at) => shortNumber(streams.last(at)),
      metadataHigh: (at) => Math.floor((streams.metadata(at) ?? NONE) / TWO_32),
      metadataLow: (at) => (streams.metadata(at) ?? 0) % TWO_32,
      marks: (at) => (streams.hasExplicitTransaction(at) ? 1 : 0)
    };
    const values = new Float64Array(order.length);
    const columns = FACTS.map((fact) => {
      for (const [i, at] of order.entries()) values[i] = factOf[fact](at);
      return narrowColumn(values);
    });
    return new StreamRows(NameList.of(streams, order), columns);
  }

  /** undefined unless the bytes are whole, unchanged and made of just this. */
  static decode(file: Uint8Array<ArrayBuffer>, identity: string): StreamRows | undefined {
    const decoded = decodeColumns<Description>(file, { form: FORM, identity });
    if (!decoded) return undefined;
    const { facts, next } = decoded;
    const wholes = next(Float64Array<ArrayBuffer>);
    const names = new NameList({ count: facts.count, wholes, bytes: next(Uint8Array<ArrayBuffer>) });
    return new StreamRows(
      names,
      facts.columns.map((column) => ({ column, values: next(columnArray(column)) }))
    );
  }

  encode(identity: string): Uint8Array {
    const { count, wholes, bytes } = this.names.image;
    const columns = FACTS.map((fact) => this.#columns[fact]);
    const facts: Description = { count, columns: columns.map(({ column }) => column) };
    return encodeColumns({ form: FORM, identity, facts }, [
      wholes,
      bytes,
      ...columns.map(({ values }) => values)
    ]);
  }

  get count(): number {
    return this.names.count;
  }

  eventCount(at: number): number {
    return valueAt(this.#columns.events, at);
  }

  bytes(at: number): number {
    return valueAt(this.#columns.bytes, at);
  }

  /** Lowest number seen, Infinity without one. */
  first(at: number): number {
    const first = valueAt(this.#columns.first, at);
    return first === NONE ? Infinity : wholeNumber(first);
  }

  /** Highest number seen, -1 without one. */
  last(at: number): number {
    return wholeNumber(valueAt(this.#columns.last, at));
  }

  /** Position of the event that holds the metadata of a stream, of its metastream. */
  metadata(at: number): number | undefined {
    const high = valueAt(this.#columns.metadataHigh, at);
    return high < 0 ? undefined : high * TWO_32 + valueAt(this.#columns.metadataLow, at);
  }

  hasExplicitTransaction(at: number): boolean {
    return valueAt(this.#columns.marks, at) !== 0;
  }
}

function valueAt({ column, values }: Column, at: number): number {
  return column.bytes === 0 ? column.base : values[at]! + column.base;
}

function shortNumber(number: number): number {
  return number === DELETED_STREAM_EVENT_NUMBER ? DELETED : number;
}

function wholeNumber(number: number): number {
  return number === DELETED ? DELETED_STREAM_EVENT_NUMBER : number;
}

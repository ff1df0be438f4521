/**
 * What original streams and metastreams in memory have in common: rows found by hash or, where that is shared, by
 * name, and gone through in the order of the stored tables. A row is never removed, it ceases to count; its stream
 * finds it again.
 */
import type { StreamHandle } from '../../decisions/stream-handle.ts';
import { bySignedHash, compareSigned } from '../../../index/hash-order.ts';
import { HashRows, type HashRowsImage } from './hash-rows.ts';
import type { HashRow, KeyRange } from '../rows-by-hash.ts';
import { assert } from '../../../assert.ts';
import { signedColumn, type SignedColumn } from '../../../codec/narrow-columns.ts';
import { lengthened, taken } from '../../../codec/longer-column.ts';
import type { StreamTable } from '../state-tables.ts';

/** The row counts. */
export const EXISTS = 1;
export const TOMBSTONED = 2;

/** The rows of one kind that count, as plain values: those by hash in their order, then those by name. */
export interface StreamsImage {
  rows: HashRowsImage;
  flags: Uint8Array<ArrayBuffer>;
  columns: SignedColumn[];
  /** Of the last rows. */
  names: string[];
}

export abstract class MemoryStreams<T> implements StreamTable<T> {
  protected rows = new HashRows();
  protected flags = new Uint8Array(this.rows.capacity);
  #byName = new Map<string, number>();
  readonly #nameByRow = new Map<number, string>();
  /** Rows by hash in order; undefined since one was added, and where they lie in that order themselves. */
  #order: Uint32Array | undefined;
  #names: string[] | undefined;
  /** Columns are those of an image, and may be too narrow for other values. */
  #isFixed = false;

  /** The columns of the kind, as long as the rows or longer. */
  protected abstract get columns(): readonly SignedColumn[];
  protected abstract set columns(columns: readonly SignedColumn[]);

  /** Of the table's own memory where all rows count: not to be changed. */
  get image(): StreamsImage {
    const { high, low, count, inOrder } = this.rows;
    const names = [...this.namesInOrder];
    if (inOrder === count && this.count === count) {
      const rows = { high: high.subarray(0, count), low: low.subarray(0, count) };
      const columns = this.columns.map((column) => column.subarray(0, count));
      return { rows, flags: this.flags.subarray(0, count), columns, names };
    }
    const kept = new Uint32Array(this.count);
    let keptCount = 0;
    for (let place = 0; place < this.hashPlaces; place++) {
      const row = this.rowInPlace(place);
      if ((this.flags[row]! & EXISTS) !== 0) kept[keptCount++] = row;
    }
    for (const name of names) kept[keptCount++] = this.rowNamed(name);
    return {
      rows: { high: taken(high, kept), low: taken(low, kept) },
      flags: taken(this.flags, kept),
      columns: this.columns.map((column) => signedColumn(taken(column, kept))),
      names
    };
  }

  /** Instead of what it holds, the rows of an image, whose columns are not copied: their values do not change any more. */
  set image({ rows, flags, columns, names }: StreamsImage) {
    const byHash = flags.length - names.length;
    this.rows = HashRows.over(rows, byHash);
    this.flags = flags;
    this.columns = columns;
    this.#isFixed = true;
    this.#byName = new Map();
    this.#nameByRow.clear();
    for (const [i, name] of names.entries()) {
      this.#byName.set(name, byHash + i);
      this.#nameByRow.set(byHash + i, name);
    }
    this.#names = names;
    this.#order = undefined;
  }

  protected abstract dataAt(row: number): T;
  /** Makes the columns as long as the rows. */
  protected abstract growColumns(capacity: number): void;
  /** Copies the columns. */
  protected abstract copyRow(from: number, to: number): void;
  /** What SQLite gives a column that is not mentioned. */
  protected abstract resetRow(row: number): void;

  get(handle: StreamHandle): T | undefined {
    const row = this.rowOf(handle);
    return row < 0 ? undefined : this.dataAt(row);
  }

  getByHash(high: number, low: number): T | undefined {
    const row = this.rowAt(high, low);
    return row < 0 ? undefined : this.dataAt(row);
  }

  get hashCount(): number {
    return this.count - this.namesInOrder.length;
  }

  get count(): number {
    let count = 0;
    for (let row = 0; row < this.rows.count; row++) count += this.flags[row]! & EXISTS;
    return count;
  }

  forEachHash(visit: (high: number, low: number, data: T) => void): void {
    for (let place = 0; place < this.hashPlaces; place++) {
      const row = this.rowInPlace(place);
      if ((this.flags[row]! & EXISTS) !== 0)
        visit(this.rows.high[row]!, this.rows.low[row]!, this.dataAt(row));
    }
  }

  hashesDownward({ most, least, limit }: KeyRange): HashRow<T>[] {
    const found: HashRow<T>[] = [];
    const { high, low } = this.rows;
    const mostHigh = Number(BigInt.asUintN(32, most >> 32n));
    const mostLow = Number(BigInt.asUintN(32, most));
    const leastHigh = Number(BigInt.asUintN(32, least >> 32n));
    const leastLow = Number(BigInt.asUintN(32, least));
    for (let at = this.placeAfter(mostHigh, mostLow) - 1; at >= 0 && found.length < limit; at--) {
      const row = this.rowInPlace(at);
      if (compareSigned(high[row]!, low[row]!, leastHigh, leastLow) < 0) break;
      if ((this.flags[row]! & EXISTS) === 0) continue;
      found.push({ high: high[row]!, low: low[row]!, value: this.dataAt(row) });
    }
    return found;
  }

  moveToCollisions(high: number, low: number, stream: string): void {
    const from = this.rowAt(high, low);
    if (from < 0) return;
    const to = this.ensureRow({ kind: 'id', stream });
    this.flags[to] = this.flags[from]!;
    this.copyRow(from, to);
    this.remove(from);
  }

  /** Streams after one in the order of the stored tables: by name in the order of its bytes, then by signed hash. */
  *handlesAfter(after: StreamHandle | null): Generator<StreamHandle> {
    if (after === null || after.kind === 'id') {
      for (const stream of this.namesAfter(after?.stream)) yield { kind: 'id', stream };
    }
    const { high, low } = this.rows;
    for (let at = this.firstPlaceAfter(after); at < this.hashPlaces; at++) {
      const row = this.rowInPlace(at);
      if ((this.flags[row]! & EXISTS) === 0) continue;
      yield { kind: 'hash', high: high[row]!, low: low[row]! };
    }
  }

  /** Bytes that the rows take. */
  abstract get bytes(): number;

  /** Of a row, flags included. */
  protected get bytesOfColumns(): number {
    return this.columns.reduce((sum, { BYTES_PER_ELEMENT }) => sum + BYTES_PER_ELEMENT, 1);
  }

  protected nameOfRow(row: number): string | undefined {
    return this.#nameByRow.get(row);
  }

  /** The row of a stream, made if need be. */
  protected ensureRow(handle: StreamHandle): number {
    assert(!this.#isFixed, 'what a question has calculated is not changed by the next one');
    let row =
      handle.kind === 'hash'
        ? this.rows.findNear(handle.high, handle.low)
        : (this.#byName.get(handle.stream) ?? -1);
    if (row < 0) {
      if (handle.kind === 'hash') {
        row = this.rows.add(handle.high, handle.low);
        this.#order = undefined;
      } else {
        row = this.rows.addUnkeyed();
        this.#byName.set(handle.stream, row);
        this.#nameByRow.set(row, handle.stream);
      }
      if (this.rows.capacity > this.flags.length) {
        this.flags = lengthened(this.flags, this.rows.capacity);
        this.growColumns(this.rows.capacity);
      }
    }
    if ((this.flags[row]! & EXISTS) === 0) {
      if (handle.kind === 'id') this.#names = undefined;
      this.flags[row] = EXISTS;
      this.resetRow(row);
    }
    return row;
  }

  protected remove(row: number): void {
    this.flags[row] = 0;
    if (this.#nameByRow.has(row)) this.#names = undefined;
  }

  /** -1: none. */
  protected rowOf(handle: StreamHandle): number {
    if (handle.kind === 'hash') return this.rowAt(handle.high, handle.low);
    const row = this.#byName.get(handle.stream) ?? -1;
    return row >= 0 && (this.flags[row]! & EXISTS) === 0 ? -1 : row;
  }

  protected rowAt(high: number, low: number): number {
    const row = this.rows.find(high, low);
    return row >= 0 && (this.flags[row]! & EXISTS) === 0 ? -1 : row;
  }

  /** The same, for those who ask in the rising order of hashes. */
  protected rowNear(high: number, low: number): number {
    const row = this.rows.findNear(high, low);
    return row >= 0 && (this.flags[row]! & EXISTS) === 0 ? -1 : row;
  }

  /** Names of rows that count, by their bytes. */
  protected get namesInOrder(): readonly string[] {
    this.#names ??= [...this.#byName]
      .filter(([, row]) => (this.flags[row]! & EXISTS) !== 0)
      .map(([stream]) => stream)
      .sort(compareBytes);
    return this.#names;
  }

  protected namesAfter(stream: string | undefined): readonly string[] {
    const names = this.namesInOrder;
    return stream === undefined ? names : names.filter((name) => compareBytes(name, stream) > 0);
  }

  protected rowNamed(stream: string): number {
    return this.#byName.get(stream) ?? -1;
  }

  /** Rows by hash, those included that do not count. */
  protected get hashPlaces(): number {
    return this.rows.count - this.#byName.size;
  }

  /** Of those in the order of their hashes. */
  protected rowInPlace(place: number): number {
    if (this.rows.inOrder === this.hashPlaces) return place;
    return (this.#order ??= this.#makeOrder())[place]!;
  }

  #makeOrder(): Uint32Array {
    const keyed = new Uint32Array(this.hashPlaces);
    let at = 0;
    for (let row = 0; row < this.rows.count; row++) {
      if (this.#nameByRow.size === 0 || !this.#nameByRow.has(row)) keyed[at++] = row;
    }
    return bySignedHash(this.rows, keyed);
  }

  /** Where the hashes begin that come after a stream. */
  protected firstPlaceAfter(after: StreamHandle | null): number {
    return after?.kind === 'hash' ? this.placeAfter(after.high, after.low) : 0;
  }

  protected placeAfter(high: number, low: number): number {
    let from = 0;
    let to = this.hashPlaces;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const row = this.rowInPlace(middle);
      if (compareSigned(this.rows.high[row]!, this.rows.low[row]!, high, low) <= 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

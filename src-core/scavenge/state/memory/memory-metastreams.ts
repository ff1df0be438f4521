/** Metastreams in memory; some 25 bytes a stream. */
import type { StreamHandle } from '../../decisions/stream-handle.ts';
import type { VerdictReader } from '../../decisions/verdict-table.ts';
import { EXISTS, MemoryStreams, TOMBSTONED } from './memory-streams.ts';
import type { SignedColumn } from '../../../codec/narrow-columns.ts';
import { WideningColumn } from '../../../codec/widening-column.ts';
import type { MetastreamTable } from '../state-tables.ts';
import type { MetastreamData } from '../stream-data.ts';

export class MemoryMetastreams extends MemoryStreams<MetastreamData> implements MetastreamTable {
  #discardPoint = new WideningColumn(this.rows.capacity);

  /** A row as it was stored. */
  put(handle: StreamHandle, { isTombstoned, discardPoint }: MetastreamData): void {
    const row = this.ensureRow(handle);
    this.flags[row] = EXISTS | (isTombstoned ? TOMBSTONED : 0);
    this.#discardPoint.put(row, discardPoint);
  }

  setTombstone(handle: StreamHandle): void {
    const row = this.ensureRow(handle);
    this.flags[row]! |= TOMBSTONED;
  }

  setDiscardPoint(handle: StreamHandle, discardPoint: number): void {
    const row = this.ensureRow(handle);
    this.#discardPoint.put(row, discardPoint);
  }

  deleteAll(): void {
    for (let row = 0; row < this.rows.count; row++) this.remove(row);
  }

  deleteTombstoned(): void {
    for (let row = 0; row < this.rows.count; row++) {
      if ((this.flags[row]! & (EXISTS | TOMBSTONED)) === (EXISTS | TOMBSTONED)) this.remove(row);
    }
  }

  /** The same at any time: metadata have no age. */
  verdictsAt(): VerdictReader {
    return {
      read: (high, low, into) => {
        const row = this.rowNear(high, low);
        into.isMetastream = true;
        into.isKnown = row >= 0;
        into.isTombstoned = row >= 0 && (this.flags[row]! & TOMBSTONED) !== 0;
        into.discardPoint = row < 0 ? 0 : this.#discardPoint.at(row);
        into.maybeDiscardPoint = 0;
        into.cutoff.isSet = false;
        return row >= 0;
      }
    };
  }

  get bytes(): number {
    return this.rows.bytes + this.rows.count * this.bytesOfColumns;
  }

  protected override dataAt(row: number): MetastreamData {
    return {
      isTombstoned: (this.flags[row]! & TOMBSTONED) !== 0,
      discardPoint: this.#discardPoint.at(row)
    };
  }

  protected override get columns(): readonly SignedColumn[] {
    return [this.#discardPoint.values];
  }

  protected override set columns(columns: readonly SignedColumn[]) {
    this.#discardPoint = new WideningColumn(columns[0]!);
  }

  protected override growColumns(capacity: number): void {
    this.#discardPoint.lengthen(capacity);
  }

  protected override copyRow(from: number, to: number): void {
    this.#discardPoint.put(to, this.#discardPoint.at(from));
  }

  protected override resetRow(row: number): void {
    this.#discardPoint.put(row, 0);
  }
}

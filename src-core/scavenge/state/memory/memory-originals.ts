/** Original streams in memory, a column for each of the stored ones; 30 to 70 bytes a stream, depending on its numbers. */
import type { StreamHash } from '../../../index/stream-hash.ts';
import { CutoffMemo } from '../../decisions/cutoff-memo.ts';
import type { StreamVerdict } from '../../decisions/should-discard.ts';
import type { StreamHandle } from '../../decisions/stream-handle.ts';
import type { VerdictReader } from '../../decisions/verdict-table.ts';
import type { ActiveStreams } from '../active-streams.ts';
import { EXISTS, MemoryStreams, TOMBSTONED } from './memory-streams.ts';
import type { SignedColumn } from '../../../codec/narrow-columns.ts';
import { WideningColumn } from '../../../codec/widening-column.ts';
import type { OriginalTable } from '../state-tables.ts';
import {
  StreamStatus,
  type DiscardPoints,
  type OriginalStreamData,
  type StreamLimits
} from '../stream-data.ts';
import { storedLimits } from '../stream-tables.ts';

/** The status lies in the flags above the other two. */
const STATUS_SHIFT = 2;
const STATUS = 3 << STATUS_SHIFT;
const STATUSES = [StreamStatus.none, StreamStatus.active, StreamStatus.archived, StreamStatus.spent];
const NOT_SET = -1;

export class MemoryOriginals extends MemoryStreams<OriginalStreamData> implements OriginalTable {
  #maxAge = new WideningColumn(this.rows.capacity);
  #maxCount = new WideningColumn(this.rows.capacity);
  #truncateBefore = new WideningColumn(this.rows.capacity);
  #discardPoint = new WideningColumn(this.rows.capacity);
  #maybeDiscardPoint = new WideningColumn(this.rows.capacity);

  /** A row as it was stored. */
  put(handle: StreamHandle, data: OriginalStreamData): void {
    const row = this.ensureRow(handle);
    this.flags[row] = EXISTS | (data.isTombstoned ? TOMBSTONED : 0);
    // A status that nobody knows makes a stream neither active nor superfluous.
    this.#setStatus(row, data.status in STATUSES ? data.status : StreamStatus.none);
    this.#maxAge.put(row, data.maxAgeSeconds);
    this.#maxCount.put(row, data.maxCount);
    this.#truncateBefore.put(row, data.truncateBefore);
    this.#discardPoint.put(row, data.discardPoint);
    this.#maybeDiscardPoint.put(row, data.maybeDiscardPoint);
  }

  setMetadata(handle: StreamHandle, limits: StreamLimits): void {
    const row = this.ensureRow(handle);
    const { maxAgeSeconds, maxCount, truncateBefore } = storedLimits(limits);
    this.#maxAge.put(row, maxAgeSeconds);
    this.#maxCount.put(row, maxCount);
    this.#truncateBefore.put(row, truncateBefore);
    this.#setStatus(row, StreamStatus.active);
  }

  setTombstone(handle: StreamHandle): void {
    const row = this.ensureRow(handle);
    this.flags[row]! |= TOMBSTONED;
    this.#setStatus(row, StreamStatus.active);
  }

  setDiscardPoints(handle: StreamHandle, { status, discardPoint, maybeDiscardPoint }: DiscardPoints): void {
    const row = this.ensureRow(handle);
    this.#setStatus(row, status);
    this.#discardPoint.put(row, discardPoint);
    this.#maybeDiscardPoint.put(row, maybeDiscardPoint);
  }

  readActive(after: StreamHandle | null, limit: number, into: ActiveStreams): void {
    into.clear();
    if (after === null || after.kind === 'id') {
      for (const stream of this.namesAfter(after?.stream)) {
        if (into.count === limit) return;
        const row = this.rowNamed(stream);
        if (!this.#isActive(row)) continue;
        into.names.push(stream);
        this.#read(row, into);
      }
    }
    const places = this.hashPlaces;
    for (let at = this.firstPlaceAfter(after); at < places && into.count < limit; at++) {
      const row = this.rowInPlace(at);
      if (this.#isActive(row)) this.#read(row, into);
    }
  }

  tombstonedHashes(hashOf: (stream: string) => StreamHash): StreamHash[] {
    const { high, low, count } = this.rows;
    const found: StreamHash[] = [];
    for (let row = 0; row < count; row++) {
      if ((this.flags[row]! & TOMBSTONED) === 0) continue;
      const name = this.nameOfRow(row);
      found.push(name === undefined ? { high: high[row]!, low: low[row]! } : hashOf(name));
    }
    return found;
  }

  get hasTombstoned(): boolean {
    for (let row = 0; row < this.rows.count; row++) if ((this.flags[row]! & TOMBSTONED) !== 0) return true;
    return false;
  }

  deleteWithStatus(status: number): void {
    for (let row = 0; row < this.rows.count; row++) {
      if ((this.flags[row]! & EXISTS) !== 0 && this.#statusOf(row) === status) this.remove(row);
    }
  }

  verdictsAt(effectiveNow: bigint): VerdictReader {
    const cutoffs = new CutoffMemo(effectiveNow);
    return {
      read: (high, low, into) => {
        const row = this.rowNear(high, low);
        into.isMetastream = false;
        return this.#readVerdict(row, cutoffs, into);
      }
    };
  }

  get bytes(): number {
    return this.rows.bytes + this.rows.count * this.bytesOfColumns;
  }

  protected override dataAt(row: number): OriginalStreamData {
    return {
      status: this.#statusOf(row),
      isTombstoned: (this.flags[row]! & TOMBSTONED) !== 0,
      discardPoint: this.#discardPoint.at(row),
      maybeDiscardPoint: this.#maybeDiscardPoint.at(row),
      maxAgeSeconds: this.#maxAge.at(row),
      maxCount: this.#maxCount.at(row),
      truncateBefore: this.#truncateBefore.at(row)
    };
  }

  protected override get columns(): readonly SignedColumn[] {
    const columns = [
      this.#maxAge,
      this.#maxCount,
      this.#truncateBefore,
      this.#discardPoint,
      this.#maybeDiscardPoint
    ];
    return columns.map(({ values }) => values);
  }

  protected override set columns(columns: readonly SignedColumn[]) {
    this.#maxAge = new WideningColumn(columns[0]!);
    this.#maxCount = new WideningColumn(columns[1]!);
    this.#truncateBefore = new WideningColumn(columns[2]!);
    this.#discardPoint = new WideningColumn(columns[3]!);
    this.#maybeDiscardPoint = new WideningColumn(columns[4]!);
  }

  /** The ages that limit streams, each once; undefined when there are more than `most`. */
  maxAges(most: number): number[] | undefined {
    const ages = new Set<number>();
    let last = -1;
    for (let row = 0; row < this.rows.count; row++) {
      const age = this.#maxAge.at(row);
      if (age < 0 || age === last || (this.flags[row]! & EXISTS) === 0) continue;
      ages.add((last = age));
      if (ages.size > most) return undefined;
    }
    return [...ages];
  }

  protected override growColumns(capacity: number): void {
    this.#maxAge.lengthen(capacity);
    this.#maxCount.lengthen(capacity);
    this.#truncateBefore.lengthen(capacity);
    this.#discardPoint.lengthen(capacity);
    this.#maybeDiscardPoint.lengthen(capacity);
  }

  protected override copyRow(from: number, to: number): void {
    this.#maxAge.put(to, this.#maxAge.at(from));
    this.#maxCount.put(to, this.#maxCount.at(from));
    this.#truncateBefore.put(to, this.#truncateBefore.at(from));
    this.#discardPoint.put(to, this.#discardPoint.at(from));
    this.#maybeDiscardPoint.put(to, this.#maybeDiscardPoint.at(from));
  }

  protected override resetRow(row: number): void {
    this.#maxAge.put(row, NOT_SET);
    this.#maxCount.put(row, NOT_SET);
    this.#truncateBefore.put(row, NOT_SET);
    this.#discardPoint.put(row, 0);
    this.#maybeDiscardPoint.put(row, 0);
  }

  #readVerdict(row: number, cutoffs: CutoffMemo, into: StreamVerdict): boolean {
    into.isKnown = row >= 0;
    if (row < 0) {
      into.isTombstoned = false;
      into.discardPoint = 0;
      into.maybeDiscardPoint = 0;
      into.cutoff.isSet = false;
      return false;
    }
    into.isTombstoned = (this.flags[row]! & TOMBSTONED) !== 0;
    into.discardPoint = this.#discardPoint.at(row);
    into.maybeDiscardPoint = this.#maybeDiscardPoint.at(row);
    cutoffs.read(this.#maxAge.at(row), into.cutoff);
    return true;
  }

  #isActive(row: number): boolean {
    return (this.flags[row]! & (STATUS | EXISTS)) === ((StreamStatus.active << STATUS_SHIFT) | EXISTS);
  }

  #statusOf(row: number): number {
    return (this.flags[row]! & STATUS) >> STATUS_SHIFT;
  }

  #setStatus(row: number, status: number): void {
    this.flags[row] = (this.flags[row]! & ~STATUS) | (status << STATUS_SHIFT);
  }

  #read(row: number, into: ActiveStreams): void {
    const at = into.next();
    into.high[at] = this.rows.high[row]!;
    into.low[at] = this.rows.low[row]!;
    into.status[at] = this.#statusOf(row);
    into.isTombstoned[at] = (this.flags[row]! & TOMBSTONED) === 0 ? 0 : 1;
    into.discardPoint[at] = this.#discardPoint.at(row);
    into.maybeDiscardPoint[at] = this.#maybeDiscardPoint.at(row);
    into.maxAgeSeconds[at] = this.#maxAge.at(row);
    into.maxCount[at] = this.#maxCount.at(row);
    into.truncateBefore[at] = this.#truncateBefore.at(row);
  }
}

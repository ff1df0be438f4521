/** Original streams in memory, a column for each of the stored ones; some 70 bytes a stream. */
import type { StreamHash } from '../../../index/stream-hash.ts';
import { CutoffMemo } from '../../decisions/cutoff-memo.ts';
import type { StreamVerdict } from '../../decisions/should-discard.ts';
import type { StreamHandle } from '../../decisions/stream-handle.ts';
import type { VerdictReader } from '../../decisions/verdict-table.ts';
import type { ActiveStreams } from '../active-streams.ts';
import { EXISTS, MemoryStreams, TOMBSTONED } from './memory-streams.ts';
import type { SignedColumn } from '../../../codec/narrow-columns.ts';
import { lengthened } from '../../../codec/longer-column.ts';
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
  #maxAge: SignedColumn = new Float64Array(this.rows.capacity);
  #maxCount: SignedColumn = new Float64Array(this.rows.capacity);
  #truncateBefore: SignedColumn = new Float64Array(this.rows.capacity);
  #discardPoint: SignedColumn = new Float64Array(this.rows.capacity);
  #maybeDiscardPoint: SignedColumn = new Float64Array(this.rows.capacity);

  /** A row as it was stored. */
  put(handle: StreamHandle, data: OriginalStreamData): void {
    const row = this.ensureRow(handle);
    this.flags[row] = EXISTS | (data.isTombstoned ? TOMBSTONED : 0);
    // A status that nobody knows makes a stream neither active nor superfluous.
    this.#setStatus(row, data.status in STATUSES ? data.status : StreamStatus.none);
    this.#maxAge[row] = data.maxAgeSeconds;
    this.#maxCount[row] = data.maxCount;
    this.#truncateBefore[row] = data.truncateBefore;
    this.#discardPoint[row] = data.discardPoint;
    this.#maybeDiscardPoint[row] = data.maybeDiscardPoint;
  }

  setMetadata(handle: StreamHandle, limits: StreamLimits): void {
    const row = this.ensureRow(handle);
    const { maxAgeSeconds, maxCount, truncateBefore } = storedLimits(limits);
    this.#maxAge[row] = maxAgeSeconds;
    this.#maxCount[row] = maxCount;
    this.#truncateBefore[row] = truncateBefore;
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
    this.#discardPoint[row] = discardPoint;
    this.#maybeDiscardPoint[row] = maybeDiscardPoint;
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
    const order = this.hashesInOrder;
    for (let at = this.firstPlaceAfter(after); at < order.length && into.count < limit; at++) {
      const row = order[at]!;
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
      discardPoint: this.#discardPoint[row]!,
      maybeDiscardPoint: this.#maybeDiscardPoint[row]!,
      maxAgeSeconds: this.#maxAge[row]!,
      maxCount: this.#maxCount[row]!,
      truncateBefore: this.#truncateBefore[row]!
    };
  }

  protected override get columns(): readonly SignedColumn[] {
    return [this.#maxAge, this.#maxCount, this.#truncateBefore, this.#discardPoint, this.#maybeDiscardPoint];
  }

  protected override set columns(columns: readonly SignedColumn[]) {
    this.#maxAge = columns[0]!;
    this.#maxCount = columns[1]!;
    this.#truncateBefore = columns[2]!;
    this.#discardPoint = columns[3]!;
    this.#maybeDiscardPoint = columns[4]!;
  }

  /** The ages that limit streams, each once; undefined when there are more than `most`. */
  maxAges(most: number): number[] | undefined {
    const ages = new Set<number>();
    let last = -1;
    for (let row = 0; row < this.rows.count; row++) {
      const age = this.#maxAge[row]!;
      if (age < 0 || age === last || (this.flags[row]! & EXISTS) === 0) continue;
      ages.add((last = age));
      if (ages.size > most) return undefined;
    }
    return [...ages];
  }

  protected override growColumns(capacity: number): void {
    this.#maxAge = lengthened(this.#maxAge, capacity);
    this.#maxCount = lengthened(this.#maxCount, capacity);
    this.#truncateBefore = lengthened(this.#truncateBefore, capacity);
    this.#discardPoint = lengthened(this.#discardPoint, capacity);
    this.#maybeDiscardPoint = lengthened(this.#maybeDiscardPoint, capacity);
  }

  protected override copyRow(from: number, to: number): void {
    this.#maxAge[to] = this.#maxAge[from]!;
    this.#maxCount[to] = this.#maxCount[from]!;
    this.#truncateBefore[to] = this.#truncateBefore[from]!;
    this.#discardPoint[to] = this.#discardPoint[from]!;
    this.#maybeDiscardPoint[to] = this.#maybeDiscardPoint[from]!;
  }

  protected override resetRow(row: number): void {
    this.#maxAge[row] = NOT_SET;
    this.#maxCount[row] = NOT_SET;
    this.#truncateBefore[row] = NOT_SET;
    this.#discardPoint[row] = 0;
    this.#maybeDiscardPoint[row] = 0;
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
    into.discardPoint = this.#discardPoint[row]!;
    into.maybeDiscardPoint = this.#maybeDiscardPoint[row]!;
    cutoffs.read(this.#maxAge[row]!, into.cutoff);
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
    into.discardPoint[at] = this.#discardPoint[row]!;
    into.maybeDiscardPoint[at] = this.#maybeDiscardPoint[row]!;
    into.maxAgeSeconds[at] = this.#maxAge[row]!;
    into.maxCount[at] = this.#maxCount[row]!;
    into.truncateBefore[at] = this.#truncateBefore[row]!;
  }
}

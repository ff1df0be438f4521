/**
 * Active streams of one batch in columns: calculation goes through all of them, so there is no object for each. Filled
 * by the table of original streams, again and again.
 */
import { longerColumn } from '../../codec/longer-column.ts';
import type { StreamHandle } from '../decisions/stream-handle.ts';
import type { OriginalStreamData } from './stream-data.ts';

const FIRST_CAPACITY = 1024;

export class ActiveStreams {
  count = 0;
  /** Only of those that are stored by name, which come first. */
  readonly names: string[] = [];
  high = new Uint32Array(FIRST_CAPACITY);
  low = new Uint32Array(FIRST_CAPACITY);
  status = new Uint8Array(FIRST_CAPACITY);
  isTombstoned = new Uint8Array(FIRST_CAPACITY);
  discardPoint = new Float64Array(FIRST_CAPACITY);
  maybeDiscardPoint = new Float64Array(FIRST_CAPACITY);
  /** -1: not set. */
  maxAgeSeconds = new Float64Array(FIRST_CAPACITY);
  maxCount = new Float64Array(FIRST_CAPACITY);
  truncateBefore = new Float64Array(FIRST_CAPACITY);

  clear(): void {
    this.count = 0;
    this.names.length = 0;
  }

  /** The next place, made if need be; its columns are still to be filled. */
  next(): number {
    if (this.count === this.high.length) this.#grow();
    return this.count++;
  }

  add(handle: StreamHandle, data: OriginalStreamData): void {
    const at = this.next();
    if (handle.kind === 'id') {
      this.names.push(handle.stream);
    } else {
      this.high[at] = handle.high;
      this.low[at] = handle.low;
    }
    this.status[at] = data.status;
    this.isTombstoned[at] = data.isTombstoned ? 1 : 0;
    this.discardPoint[at] = data.discardPoint;
    this.maybeDiscardPoint[at] = data.maybeDiscardPoint;
    this.maxAgeSeconds[at] = data.maxAgeSeconds;
    this.maxCount[at] = data.maxCount;
    this.truncateBefore[at] = data.truncateBefore;
  }

  /** A handle of its own. */
  handleAt(at: number): StreamHandle {
    if (at < this.names.length) return { kind: 'id', stream: this.names[at]! };
    return { kind: 'hash', high: this.high[at]!, low: this.low[at]! };
  }

  dataAt(at: number): OriginalStreamData {
    return {
      status: this.status[at]!,
      isTombstoned: this.isTombstoned[at] === 1,
      discardPoint: this.discardPoint[at]!,
      maybeDiscardPoint: this.maybeDiscardPoint[at]!,
      maxAgeSeconds: this.maxAgeSeconds[at]!,
      maxCount: this.maxCount[at]!,
      truncateBefore: this.truncateBefore[at]!
    };
  }

  #grow(): void {
    const length = this.high.length * 2;
    this.high = longerColumn(this.high, length);
    this.low = longerColumn(this.low, length);
    this.status = longerColumn(this.status, length);
    this.isTombstoned = longerColumn(this.isTombstoned, length);
    this.discardPoint = longerColumn(this.discardPoint, length);
    this.maybeDiscardPoint = longerColumn(this.maybeDiscardPoint, length);
    this.maxAgeSeconds = longerColumn(this.maxAgeSeconds, length);
    this.maxCount = longerColumn(this.maxCount, length);
    this.truncateBefore = longerColumn(this.truncateBefore, length);
  }
}

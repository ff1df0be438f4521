/**
 * Active streams of one batch in columns: calculation goes through all of them, so there is no object for each. Filled
 * by the table of original streams, again and again.
 */
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
    const words = (old: Uint32Array<ArrayBuffer>) => {
      const larger = new Uint32Array(length);
      larger.set(old);
      return larger;
    };
    const bytes = (old: Uint8Array<ArrayBuffer>) => {
      const larger = new Uint8Array(length);
      larger.set(old);
      return larger;
    };
    const numbers = (old: Float64Array<ArrayBuffer>) => {
      const larger = new Float64Array(length);
      larger.set(old);
      return larger;
    };
    this.high = words(this.high);
    this.low = words(this.low);
    this.status = bytes(this.status);
    this.isTombstoned = bytes(this.isTombstoned);
    this.discardPoint = numbers(this.discardPoint);
    this.maybeDiscardPoint = numbers(this.maybeDiscardPoint);
    this.maxAgeSeconds = numbers(this.maxAgeSeconds);
    this.maxCount = numbers(this.maxCount);
    this.truncateBefore = numbers(this.truncateBefore);
  }
}

/**
 * The verdicts on the streams of one chunk, by ordinal. A record costs a comparison with its stream's limit; only what lies
 * below it needs the whole verdict.
 */
import { emptyVerdict, type StreamVerdict } from './should-discard.ts';

const TOMBSTONED = 1;
const METASTREAM = 2;
const AGED = 4;

export class StreamVerdictColumns {
  /** No record of the stream with a number at or above this can be discarded. */
  readonly limits: Float64Array;
  readonly #flags: Uint8Array;
  readonly #discardPoint: Float64Array;
  readonly #maybeDiscardPoint: Float64Array;
  readonly #cutoffHigh: Int32Array;
  readonly #cutoffLow: Uint32Array;
  readonly #verdict: StreamVerdict = { ...emptyVerdict(), isKnown: true };

  /** Of each stream nothing can be discarded until its verdict is put. */
  constructor(count: number) {
    this.limits = new Float64Array(count).fill(-Infinity);
    this.#flags = new Uint8Array(count);
    this.#discardPoint = new Float64Array(count);
    this.#maybeDiscardPoint = new Float64Array(count);
    this.#cutoffHigh = new Int32Array(count);
    this.#cutoffLow = new Uint32Array(count);
  }

  put(ordinal: number, verdict: StreamVerdict): void {
    if (!verdict.isKnown) return;
    const { isTombstoned, isMetastream, discardPoint, maybeDiscardPoint, cutoff } = verdict;
    // Of a stream that was deleted for good, records go whatever their number.
    this.limits[ordinal] = isTombstoned ? Infinity : Math.max(discardPoint, maybeDiscardPoint);
    this.#flags[ordinal] =
      (isTombstoned ? TOMBSTONED : 0) | (isMetastream ? METASTREAM : 0) | (cutoff.isSet ? AGED : 0);
    this.#discardPoint[ordinal] = discardPoint;
    this.#maybeDiscardPoint[ordinal] = maybeDiscardPoint;
    this.#cutoffHigh[ordinal] = cutoff.high;
    this.#cutoffLow[ordinal] = cutoff.low;
  }

  /** Of a stream whose verdict was put as known. Valid until the next call. */
  get(ordinal: number): StreamVerdict {
    const verdict = this.#verdict;
    const flags = this.#flags[ordinal]!;
    verdict.isTombstoned = (flags & TOMBSTONED) !== 0;
    verdict.isMetastream = (flags & METASTREAM) !== 0;
    verdict.discardPoint = this.#discardPoint[ordinal]!;
    verdict.maybeDiscardPoint = this.#maybeDiscardPoint[ordinal]!;
    verdict.cutoff.isSet = (flags & AGED) !== 0;
    verdict.cutoff.high = this.#cutoffHigh[ordinal]!;
    verdict.cutoff.low = this.#cutoffLow[ordinal]!;
    return verdict;
  }
}

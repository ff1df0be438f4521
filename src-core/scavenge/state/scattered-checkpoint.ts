/**
 * The checkpoint of work that is done in an order of its own: everything up to it is finished, so it waits for the
 * first item that is not. The server goes on behind it in rising order; what was done already lies there with no
 * weight left and is passed.
 */
import { assert } from '../../assert.ts';
import type { TrailingItem } from './trailing-checkpoint.ts';

export class ScatteredCheckpoint {
  /** Checkpoints of all items in rising order. */
  readonly #checkpoints: readonly number[];
  readonly #finished = new Set<number>();
  /** Items at the front that are finished. */
  #front = 0;
  #taken = 0;

  constructor(checkpoints: readonly number[]) {
    this.#checkpoints = checkpoints;
    assert(
      checkpoints.every((checkpoint, i) => i === 0 || checkpoint > checkpoints[i - 1]!),
      'items are named in rising order'
    );
  }

  finish({ checkpoint }: TrailingItem): void {
    assert(!this.#finished.has(checkpoint), 'an item is finished once');
    this.#finished.add(checkpoint);
    while (this.#front < this.#checkpoints.length && this.#finished.has(this.#checkpoints[this.#front]!)) {
      this.#front++;
    }
  }

  /** The checkpoint to store now, or undefined if it is no progress. */
  take(): number | undefined {
    if (this.#front === this.#taken) return undefined;
    this.#taken = this.#front;
    return this.#checkpoints[this.#front - 1];
  }
}

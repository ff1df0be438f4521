/**
 * The checkpoint that several workers may store: everything up to it is finished. Work is handed out in order;
 * an item that is being worked on holds the checkpoint back to just before it.
 */
import { assert } from '../../assert.ts';

export interface TrailingItem {
  /** Checkpoint to store when this and all earlier items are done. */
  checkpoint: number;
  /** Highest checkpoint that may be stored while the item is in work; null when none may be. */
  before: number | null;
}

export class TrailingCheckpoint {
  readonly #inWork = new Set<TrailingItem>();
  #lastHanded: number | null = null;
  #stored: number | null = null;

  /** An item is taken; items come in rising order. */
  start(item: TrailingItem): void {
    assert(this.#lastHanded === null || item.checkpoint > this.#lastHanded, 'work is handed out in order');
    this.#inWork.add(item);
    this.#lastHanded = item.checkpoint;
  }

  finish(item: TrailingItem): void {
    assert(this.#inWork.delete(item), 'only an item in work can be finished');
  }

  /** The checkpoint to store now, or undefined if there is none or it is no progress. */
  take(): number | undefined {
    let lowest: number | null = this.#lastHanded;
    for (const item of this.#inWork) {
      if (item.before === null) return undefined;
      if (lowest === null || item.before < lowest) lowest = item.before;
    }
    if (lowest === null || (this.#stored !== null && lowest <= this.#stored)) return undefined;
    this.#stored = lowest;
    return lowest;
  }
}

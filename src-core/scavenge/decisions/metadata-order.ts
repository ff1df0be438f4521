/**
 * Whether a metadata record is in order: old logs have some with wrong numbers, which mean nothing. Asked of the index; weighs what
 * can go, the record itself or the one that it replaces.
 */
import type { AtNumber, AtPosition } from '../../units/of-unit.ts';
import type { StreamEntries, StreamWalk } from './stream-entries.ts';
import type { StreamHandle } from './stream-handle.ts';

/** Event numbers looked at. */
const ORDER_WINDOW = 100;

export interface MetadataOrderParts {
  entries: StreamEntries;
  /** The record at this position can go. */
  addWeight: (position: AtPosition) => void;
  /**
   * Metadata from here on, and the newest of each stream before it, stay: a later scavenge may go by what held here.
   * undefined: only the newest stays.
   */
  keepFrom: AtPosition | undefined;
}

export class MetadataOrder {
  readonly #parts: MetadataOrderParts;
  readonly #walk: StreamWalk;

  constructor(parts: MetadataOrderParts) {
    this.#parts = parts;
    this.#walk = parts.entries.newWalk();
  }

  /** Asked in the order of hashes, the index is walked once. */
  isInOrder(metastream: StreamHandle, eventNumber: AtNumber, position: AtPosition): boolean {
    const { addWeight } = this.#parts;
    const walk = this.#walk;
    const from = Math.max(0, eventNumber - 1);
    const end = from + ORDER_WINDOW;
    walk.start(metastream, from);
    let replaced = -1;
    for (let isFirst = true; walk.next() && walk.number < end; isFirst = false) {
      const isBefore = walk.position < position;
      if (isBefore && walk.number >= eventNumber) {
        addWeight(position);
        return false;
      }
      if (isFirst && isBefore) replaced = walk.position;
    }
    if (replaced >= 0 && this.replacesOthers(position)) addWeight(replaced);
    return true;
  }

  /** Older metadata of the stream can go for a record at this position. */
  replacesOthers(position: AtPosition): boolean {
    const { keepFrom } = this.#parts;
    return keepFrom === undefined || position < keepFrom;
  }
}

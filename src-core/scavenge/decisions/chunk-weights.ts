/**
 * Weight gained since the last commit, by logical chunk. Weight is about twice the number of records that can
 * go: 2 for one that certainly goes, 1 for one that may. It is added to the state in the transaction of the
 * checkpoint that stands for the same work; added apart, a resumed run would add it twice.
 */
import type { ChunkNumber, ChunkWeight, Threshold } from '../../units/of-unit.ts';
import type { WeightTable } from '../state/state-tables.ts';

export const DISCARD_WEIGHT = 2;
export const MAYBE_DISCARD_WEIGHT = 1;

export class ChunkWeights {
  readonly #pending = new Map<ChunkNumber, ChunkWeight>();

  add(chunkNumber: ChunkNumber, weight: ChunkWeight): void {
    this.#pending.set(chunkNumber, (this.#pending.get(chunkNumber) ?? 0) + weight);
  }

  /** Adds everything to the table; inside the caller's transaction. */
  flush(table: WeightTable): void {
    for (const [chunkNumber, weight] of this.#pending) table.add(chunkNumber, weight);
    this.#pending.clear();
  }

  /** The transaction was undone, and the work with it. */
  forget(): void {
    this.#pending.clear();
  }
}

/**
 * Does a chunk of this weight get rewritten? Below 0: every chunk. 0: each with some weight. Above: each whose
 * weight reaches the threshold. (The server wants more than a positive threshold; the difference decides when a
 * chunk is rewritten, never what readers see.)
 */
export function reachesThreshold(weight: ChunkWeight, threshold: Threshold): boolean {
  if (threshold < 0) return true;
  return threshold === 0 ? weight > 0 : weight >= threshold;
}

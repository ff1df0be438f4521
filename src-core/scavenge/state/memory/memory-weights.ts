/** Weights of chunks in memory. */
import type { ChunkNumber, ChunkWeight } from '../../../units/of-unit.ts';
import type { WeightTable } from '../state-tables.ts';

export class MemoryWeights implements WeightTable {
  readonly #weights = new Map<ChunkNumber, ChunkWeight>();

  add(chunkNumber: ChunkNumber, weight: ChunkWeight): void {
    this.#weights.set(chunkNumber, (this.#weights.get(chunkNumber) ?? 0) + weight);
  }

  get(chunkNumber: ChunkNumber): ChunkWeight | undefined {
    return this.#weights.get(chunkNumber);
  }

  sum(first: ChunkNumber, last: ChunkNumber): ChunkWeight {
    if (first === last) return this.#weights.get(first) ?? 0;
    let sum = 0;
    for (const [chunk, weight] of this.#weights) if (chunk >= first && chunk <= last) sum += weight;
    return sum;
  }

  get lastChunk(): number {
    let last = -1;
    for (const chunk of this.#weights.keys()) if (chunk > last) last = chunk;
    return last;
  }

  reset(first: ChunkNumber, last: ChunkNumber): void {
    if (first === last) {
      this.#weights.delete(first);
      return;
    }
    for (const chunk of this.#weights.keys())
      if (chunk >= first && chunk <= last) this.#weights.delete(chunk);
  }

  forEach(visit: (chunkNumber: ChunkNumber, weight: ChunkWeight) => void): void {
    for (const [chunk, weight] of this.#weights) visit(chunk, weight);
  }

  all(): [ChunkNumber, ChunkWeight][] {
    return [...this.#weights];
  }

  get areAllZero(): boolean {
    for (const weight of this.#weights.values()) if (weight !== 0) return false;
    return true;
  }
}

/**
 * Checks the hashes of chunks before their copies take their place, in other threads and a few chunks ahead: chunks that are
 * hashed side by side take less than half of the time. Which ones come next is told beforehand; a chunk that was not
 * expected is hashed by itself.
 */
import { partsOf, type Chunk } from '../../chunks/chunk.ts';
import { requireSameChecksum, type ChunkChecksum } from '../../chunks/chunk-checksum.ts';
import { LANES } from '../../codec/md5-lanes.ts';
import type { RewriteWorkers } from './rewrite-workers.ts';

/** What is hashed side by side is read once more soon, by the copy, and should still be in memory then. */
export const AHEAD_OF_MEMORY = 8;

type Computed = Promise<ChunkChecksum | undefined>;

export class SourceChecks {
  readonly #workers: RewriteWorkers;
  /** Places of the chunks that are expected. */
  #order: ReadonlyMap<Chunk, number> = new Map();
  /** Not asked for yet, in order. */
  #expected: readonly Chunk[] = [];
  /** Asked for, not required yet. */
  readonly #asked = new Map<Chunk, Computed>();

  constructor(workers: RewriteWorkers) {
    this.#workers = workers;
  }

  /** These will be required, in about this order. The first ones are hashed at once. */
  expect(chunks: readonly Chunk[]): void {
    this.#order = new Map(chunks.map((chunk, place) => [chunk, place]));
    for (const chunk of this.#asked.keys()) if (!this.#order.has(chunk)) this.#asked.delete(chunk);
    this.#expected = chunks.filter((chunk) => !this.#asked.has(chunk));
    if (this.#asked.size === 0) this.#askNext();
  }

  /** Rejects unless the hash that the chunk ends with is right. Asked in the order in which they were expected. */
  async require(chunk: Chunk): Promise<void> {
    if (!this.#asked.has(chunk)) this.#askFrom(chunk);
    const computed = this.#asked.get(chunk)!;
    this.#asked.delete(chunk);
    // Those before it stay as they are: their new files would not be smaller, and nobody asks about them any more.
    const at = this.#order.get(chunk) ?? 0;
    for (const other of [...this.#asked.keys()]) {
      if (this.#order.get(other)! < at) this.#asked.delete(other);
    }
    // The next ones are hashed while this one is copied.
    if (this.#asked.size === 0) this.#askNext();
    requireSameChecksum(chunk, await computed);
  }

  #askNext(): void {
    if (this.#expected.length > 0) this.#askFrom(this.#expected[0]!);
  }

  #askFrom(chunk: Chunk): void {
    const at = this.#expected.indexOf(chunk);
    const group = [chunk];
    let bytes = chunk.fileSize;
    for (const next of at < 0 ? [] : this.#expected.slice(at + 1, at + LANES)) {
      if ((bytes += next.fileSize) > this.#workers.memoryBytes / AHEAD_OF_MEMORY) break;
      group.push(next);
    }
    this.#ask(group);
  }

  #ask(group: readonly Chunk[]): void {
    this.#expected = this.#expected.filter((chunk) => !group.includes(chunk));
    const together = this.#workers.checksums(group.map(partsOf));
    group.forEach((chunk, i) => {
      // One that cannot be read fails when its turn comes, not those beside it.
      const computed = together.then(
        (checksums) => checksums[i],
        async () => (await this.#workers.checksums([partsOf(chunk)]))[0]
      );
      computed.catch(() => {}); // heard where it is required
      this.#asked.set(chunk, computed);
    });
  }
}

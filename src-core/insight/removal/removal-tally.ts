/**
 * The removal of a plan, counted while it judges what is known of its chunks. A plan that finds judgements of an earlier
 * question, or reads a chunk, or removes from more streams than fit into one table, is broken down afterwards.
 */
import { assert } from '../../assert.ts';
import type { Chunk } from '../../chunks/chunk.ts';
import type { DiscardTally, JudgedBy } from '../../scavenge/decisions/discard-tally.ts';
import type { KnownDiscards } from '../../scavenge/decisions/known-discards.ts';
import type { ScavengeReportData } from '../../scavenge/scavenge-request.ts';
import { HASH_END } from '../usage/group-table.ts';
import { KeptRemoval } from './kept-removal.ts';
import type { Removal } from './removal.ts';
import { RemovalSum } from './removal-sum.ts';
import { RemovedStreams } from './removed-streams.ts';

export class RemovalTally implements DiscardTally {
  readonly #top: number;
  readonly #mostNames: number | undefined;
  #by: JudgedBy | undefined;
  /** undefined: not all can be told any more. */
  #removed: RemovedStreams | undefined;
  readonly #chunks: Chunk[] = [];
  #removal: Removal | undefined;

  /** `top`: streams and categories named at most. `mostNames`: of streams counted at once, for tests. */
  constructor({ top, mostNames }: { top: number; mostNames?: number | undefined }) {
    this.#top = top;
    this.#mostNames = mostNames;
  }

  begin(by: JudgedBy): void {
    this.#by = by;
    this.#removed = new RemovedStreams(by, { mostNames: this.#mostNames });
  }

  async replaced(chunk: Chunk, discards: KnownDiscards | undefined): Promise<void> {
    assert(this.#by !== undefined, 'what judges was told before it judged');
    this.#chunks.push(chunk);
    if (discards) await this.#removed?.addAll(discards, this.#by.control);
    if (!discards || this.#removed?.table.to !== HASH_END) this.#removed = undefined;
  }

  end(): void {
    const [by, removed] = [this.#by, this.#removed];
    this.#removed = undefined;
    if (!by || !removed) return;
    const sum = new RemovalSum({ top: this.#top, mostNames: this.#mostNames });
    sum.add(removed.table);
    const removal = (this.#removal = sum.removal());
    const { kept, effectiveNow } = by;
    KeptRemoval.of({ kept, effectiveNow, chunks: this.#chunks, top: this.#top })?.save(removal);
  }

  /** undefined: it has to be broken down. */
  removalOf({ recordsDiscarded }: Pick<ScavengeReportData, 'recordsDiscarded'>): Removal | undefined {
    return this.#removal?.records === recordsDiscarded ? this.#removal : undefined;
  }
}

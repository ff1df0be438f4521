/** What a state in memory says of streams, in the order of the stored tables. */
import type { StreamHandle } from '../../decisions/stream-handle.ts';
import type { MemoryStreams } from './memory-streams.ts';
import type { Claim, ClaimPages, ClaimTables } from '../state-tables.ts';
import type { MetastreamData, OriginalStreamData } from '../stream-data.ts';

class MemoryClaims<T> implements ClaimPages<T> {
  readonly #table: MemoryStreams<T>;
  readonly #saysSomething: (data: T) => boolean;

  constructor(table: MemoryStreams<T>, saysSomething: (data: T) => boolean) {
    this.#table = table;
    this.#saysSomething = saysSomething;
  }

  after(after: StreamHandle | null, limit: number): Claim<T>[] {
    const page: Claim<T>[] = [];
    for (const handle of this.#table.handlesAfter(after)) {
      if (page.length === limit) break;
      const data = this.#table.get(handle)!;
      if (this.#saysSomething(data)) page.push({ handle, data });
    }
    return page;
  }
}

const isActingOriginal = ({ isTombstoned, discardPoint, maybeDiscardPoint }: OriginalStreamData): boolean =>
  isTombstoned || discardPoint !== 0 || maybeDiscardPoint !== 0;

export class MemoryClaimTables implements ClaimTables {
  readonly metastreams: ClaimPages<MetastreamData>;
  readonly #originals: ClaimPages<OriginalStreamData>;
  readonly #actingOriginals: ClaimPages<OriginalStreamData>;

  constructor(originals: MemoryStreams<OriginalStreamData>, metastreams: MemoryStreams<MetastreamData>) {
    this.#originals = new MemoryClaims(originals, () => true);
    this.#actingOriginals = new MemoryClaims(originals, isActingOriginal);
    this.metastreams = new MemoryClaims(
      metastreams,
      ({ isTombstoned, discardPoint }) => isTombstoned || discardPoint !== 0
    );
  }

  originals(isActing: boolean): ClaimPages<OriginalStreamData> {
    return isActing ? this.#actingOriginals : this.#originals;
  }
}

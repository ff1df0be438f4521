/** The streams of a digest, as verdicts and tables ask for them: one view that is moved. */
import { firstAtOrAbove } from '../../codec/first-at-or-above.ts';
import type { ChunkDigest } from '../../digest/chunk-digest.ts';
import type { StreamVerdict } from '../../scavenge/decisions/should-discard.ts';
import type { StreamVerdicts } from '../../scavenge/decisions/stream-verdicts.ts';
import { HASH_END } from './group-table.ts';
import { isMetastreamAt } from './stream-row.ts';

export class DigestStreams {
  readonly #digest: ChunkDigest;
  #ordinal = 0;

  constructor(digest: ChunkDigest) {
    this.#digest = digest;
  }

  /** Name of the current stream. */
  get stream(): string {
    return this.#digest.streamName(this.#ordinal);
  }

  /** Valid until the next call. */
  verdictOf(ordinal: number, verdicts: StreamVerdicts): StreamVerdict {
    const { hashHigh, hashLow, nameEnds } = this.#digest.columns;
    this.#ordinal = ordinal;
    const isMetastream = isMetastreamAt(
      this.#digest.names,
      this.#digest.nameStart(ordinal),
      nameEnds[ordinal]!
    );
    return verdicts.ofStream(hashHigh[ordinal]!, hashLow[ordinal]!, isMetastream, this);
  }

  /** Ordinals of the streams whose hashes have an upper half in this range: the first, and the one after the last. */
  range(from: number, to: number): [number, number] {
    return [this.#firstFrom(from), to >= HASH_END ? this.#digest.streamCount : this.#firstFrom(to)];
  }

  #firstFrom(high: number): number {
    return firstAtOrAbove(this.#digest.columns.hashHigh, high);
  }
}

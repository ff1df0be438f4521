/**
 * What a plan would remove, kept beside the digests: found by the calculation that the records were judged by, the chunks that
 * the plan replaces, and how many names were wanted. Good as long as the judgements of these chunks are: until the next of their
 * records expires.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import { decodeColumns, encodeColumns } from '../../codec/column-file.ts';
import { KEPT_REMOVAL } from '../../digest/chunk-digests.ts';
import { derivedFileName } from '../../digest/digest-identity.ts';
import { ValidSpan, type SpanFacts } from '../../scavenge/decisions/valid-span.ts';
import type { KeptCalculation } from '../../scavenge/state/memory/kept-calculation.ts';
import type { DerivedFiles } from '../../storage/derived-files.ts';
import type { Removal } from './removal.ts';

/** Changes whenever what is summed up, or how, changes. */
const FORM = 'WNWREM01';
const MOST_KEPT = 3;

interface Facts extends SpanFacts {
  removal: Removal;
}

export interface RemovalQuestion {
  kept: KeptCalculation | undefined;
  effectiveNow: bigint;
  /** The physical chunks that the plan replaces. */
  chunks: readonly Chunk[];
  top: number;
}

export class KeptRemoval {
  readonly #files: DerivedFiles;
  readonly #identity: string;
  readonly #now: bigint;
  readonly #upTo: bigint;

  private constructor(parts: { files: DerivedFiles; identity: string; now: bigint; upTo: bigint }) {
    this.#files = parts.files;
    this.#identity = parts.identity;
    this.#now = parts.now;
    this.#upTo = parts.upTo;
  }

  /** undefined: nothing can be kept, as nothing is kept of the judgements of these chunks. */
  static of({ kept, effectiveNow: now, chunks, top }: RemovalQuestion): KeptRemoval | undefined {
    const upTo = kept?.judgements(now)?.upToOf(chunks);
    if (!kept?.files || !kept.held || upTo === undefined) return undefined;
    const identity = JSON.stringify([kept.held.identity, chunks.map(({ startNumber }) => startNumber), top]);
    return new KeptRemoval({ files: kept.files, identity, now, upTo });
  }

  load(): Removal | undefined {
    const identity = this.#identity;
    const facts = this.#files.load(
      this.#name,
      (bytes) => decodeColumns<Facts>(bytes, { form: FORM, identity })?.facts
    );
    return facts && ValidSpan.of(facts).holds(this.#now) ? facts.removal : undefined;
  }

  save(removal: Removal): void {
    const identity = this.#identity;
    const facts: Facts = { ...new ValidSpan(this.#now, this.#upTo).facts, removal };
    this.#files.save(this.#name, () => encodeColumns({ form: FORM, identity, facts }, []));
    this.#files.keepNewest(KEPT_REMOVAL, MOST_KEPT);
  }

  get #name(): string {
    return derivedFileName(this.#identity, KEPT_REMOVAL);
  }
}

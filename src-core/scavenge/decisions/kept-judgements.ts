/**
 * What a question found when it judged the records of chunks, kept beside the calculation that they were judged by: what each
 * chunk would keep and lose. Good until the next of these records expires.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import { decodeColumns, encodeColumns } from '../../codec/column-file.ts';
import { KEPT_JUDGEMENTS } from '../../digest/chunk-digests.ts';
import { derivedFileName } from '../../digest/digest-identity.ts';
import type { DerivedFiles } from '../../storage/derived-files.ts';
import type { ChunkNumber } from '../../units/of-unit.ts';
import type { HeldCalculation } from './held-calculation.ts';
import { ValidSpan, type SpanFacts } from './valid-span.ts';

/** Changes whenever records are judged in another way, or what is kept of it changes. */
const FORM = 'WNWJUD01';
const MOST_KEPT = 3;

/** Of one chunk; bytes are framed. */
export interface JudgedCounts {
  keptCount: number;
  keptBytes: number;
  discardedCount: number;
  discardedBytes: number;
  /** Of the discarded, those of streams that are deleted for good. */
  hardDeletedCount: number;
}

interface Facts extends SpanFacts {
  /** By first chunk number. */
  chunks: [start: ChunkNumber, counts: JudgedCounts][];
}

export class KeptJudgements {
  readonly #files: DerivedFiles;
  readonly #identity: string;
  readonly #byStart = new Map<ChunkNumber, JudgedCounts>();
  readonly #now: bigint;
  #span: ValidSpan;
  #isChanged = false;

  /** `held`: the calculation that the records are judged by. */
  constructor(files: DerivedFiles, { identity, upTo }: HeldCalculation, effectiveNow: bigint) {
    this.#files = files;
    this.#identity = identity;
    this.#now = effectiveNow;
    this.#span = new ValidSpan(effectiveNow, upTo);
    const facts = files.load(
      this.#name,
      (bytes) => decodeColumns<Facts>(bytes, { form: FORM, identity })?.facts
    );
    const span = facts && ValidSpan.of(facts);
    if (!facts || !span?.holds(effectiveNow)) return;
    for (const [start, counts] of facts.chunks) this.#byStart.set(start, counts);
    this.#span = span;
  }

  of({ startNumber }: Chunk): JudgedCounts | undefined {
    return this.#byStart.get(startNumber);
  }

  /** Until when the judgements of all these chunks hold, ticks; undefined where one of them was not judged. */
  upToOf(chunks: readonly Chunk[]): bigint | undefined {
    return chunks.every((chunk) => this.of(chunk)) ? BigInt(this.#span.facts.upTo) : undefined;
  }

  /** `untilExpiryMs`: for so long no record of the chunk is judged in another way; Infinity: for ever. */
  add({ startNumber }: Chunk, counts: JudgedCounts, untilExpiryMs: number): void {
    this.#byStart.set(startNumber, counts);
    this.#isChanged = true;
    this.#span.endAfter(untilExpiryMs, this.#now);
  }

  save(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const identity = this.#identity;
    const facts: Facts = { ...this.#span.facts, chunks: [...this.#byStart] };
    this.#files.save(this.#name, () => encodeColumns({ form: FORM, identity, facts }, []));
    this.#files.keepNewest(KEPT_JUDGEMENTS, MOST_KEPT);
  }

  get #name(): string {
    return derivedFileName(this.#identity, KEPT_JUDGEMENTS);
  }
}

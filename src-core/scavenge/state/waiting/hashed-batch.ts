/**
 * What accumulation has met of a log whose streams are told apart by their hashes, and not yet taken into account: as MetadataBatch
 * and TombstoneBatch, without names. It may be all of a log, so that the index is walked once, and the rows of the state come in the
 * order of their hashes. Of one stream what was met stays in the order of the log.
 */
import type { StreamHash } from '../../../index/stream-hash.ts';
import type { HashedCursor, RecordHead } from '../../../records/record-head.ts';
import type { MetadataOrder } from '../../decisions/metadata-order.ts';
import type { MetadataWarnings, SeenRecord } from '../../decisions/metadata-warnings.ts';
import type { StreamEntries } from '../../decisions/stream-entries.ts';
import type { RunControl } from '../../run-control.ts';
import { HashedMetadata } from './hashed-metadata.ts';
import { HashedTombstones } from './hashed-tombstones.ts';
import { HashesInTurn } from './hashes-in-turn.ts';
import { ParsedMetadata } from './parsed-metadata.ts';
import type { ScavengeState } from '../scavenge-state.ts';

/** "$$" */
const METASTREAM_PREFIX_BYTES = 2;
/** Of settling. */
const STEPS = 3;
/** Different limits, and odd records, which take much more than others: some 80 MB. */
const MOST_LARGE = 2 ** 18;

export interface HashedBatchParts {
  entries: StreamEntries;
  order: MetadataOrder;
  state: ScavengeState;
  control: RunControl;
  warnings: MetadataWarnings;
  /** The record at this position can go. */
  addWeight: (position: number) => void;
  /** It should be settled with so many in it. */
  most: number;
  /** Nothing was ever removed and all is read from the start, so the first record met of a stream is its first. */
  isUntouched: boolean;
}

/** A record of which there is something to say, with the metadata that it has. */
interface Odd extends SeenRecord {
  at: number;
  original: string;
  metadata: ReturnType<ParsedMetadata['of']>;
}

export class HashedBatch {
  readonly #parts: HashedBatchParts;
  readonly #metadata = new HashedMetadata();
  readonly #tombstones = new HashedTombstones();
  readonly #parsed = new ParsedMetadata();
  /** From the first odd one on: what comes later may take back what is to be said of it. */
  #odd: Odd[] = [];
  #isOddMet = false;
  /** Nothing was settled yet. */
  #isFromStart = true;
  #onPart: (part: number) => void = () => undefined;
  readonly #handle = { kind: 'hash' as const, high: 0, low: 0 };

  constructor(parts: HashedBatchParts) {
    this.#parts = parts;
  }

  get isFull(): boolean {
    const { count, limitsCount } = this.#metadata;
    const large = Math.max(limitsCount, this.#odd.length);
    return count + this.#tombstones.count >= this.#parts.most || large >= MOST_LARGE;
  }

  /** A metadata record, or one that deletes a stream. */
  add({ record, about }: HashedCursor): void {
    const own = record.streamHash;
    if (record.isTombstone) {
      this.#tombstones.add(own, about);
      return;
    }
    const metadata = this.#parsed.of(record.data, record.version);
    this.#noteOdd(record, metadata);
    this.#metadata.add(record, { metastream: own, original: about, metadata });
  }

  /** Takes all of them into account. `onPart`: how far it has come, from 0 to 1. */
  async settle(onPart: (part: number) => void): Promise<void> {
    this.#onPart = onPart;
    await this.#judge();
    this.#warn();
    await this.#mark();
    await this.#weighDeleted();
    this.#isFromStart = false;
    this.#metadata.clear();
    this.#tombstones.clear();
    this.#odd = [];
  }

  #noteOdd(record: RecordHead, metadata: Odd['metadata']): void {
    const { flags, position } = record;
    this.#isOddMet ||= this.#parts.warnings.isConcerned(flags, metadata);
    if (!this.#isOddMet) return;
    const original = record.stream.slice(METASTREAM_PREFIX_BYTES);
    this.#odd.push({ at: this.#metadata.count, original, flags, position, metadata });
  }

  /** Metastreams in the order of their hashes: which metadata are in order, and what they replace. */
  async #judge(): Promise<void> {
    const { order, state, control, isUntouched } = this.#parts;
    const metadata = this.#metadata;
    const turn = new HashesInTurn(metadata.byMetastream, this.#tombstones.byMetastream);
    while (turn.next()) {
      if (control.isDue()) await this.#rest(0, turn);
      const handle = this.#handleOf(turn);
      if (turn.isOfSecond) {
        state.metastreams.setTombstone(handle);
        continue;
      }
      const at = turn.row;
      const number = metadata.eventNumberAt(at);
      const position = metadata.positionAt(at);
      const isFirst = turn.isNew && isUntouched && this.#isFromStart;
      if (!isFirst && !order.isInOrder(handle, number, position)) metadata.markOutOfOrder(at);
      else if (number !== 0 && order.replacesOthers(position))
        state.metastreams.setDiscardPoint(handle, number);
    }
    turn.release();
  }

  /** The streams that they belong to, and deleted ones. */
  async #mark(): Promise<void> {
    const { state, control } = this.#parts;
    const metadata = this.#metadata;
    const turn = new HashesInTurn(metadata.takeJudged(), this.#tombstones.byOriginal);
    while (turn.next()) {
      if (control.isDue()) await this.#rest(1, turn);
      const handle = this.#handleOf(turn);
      if (turn.isOfSecond) state.originals.setTombstone(handle);
      else state.originals.setMetadata(handle, metadata.limitsAt(turn.row));
    }
    turn.release();
  }

  /** The newest metadata of each deleted stream can go. */
  async #weighDeleted(): Promise<void> {
    const { entries, control, addWeight } = this.#parts;
    const walk = entries.newWalk();
    const turn = new HashesInTurn(this.#tombstones.byMetastream);
    while (turn.next()) {
      if (control.isDue()) await this.#rest(2, turn);
      walk.start(this.#handleOf(turn));
      if (walk.lastPosition >= 0) addWeight(walk.lastPosition);
    }
    turn.release();
  }

  #warn(): void {
    const { warnings } = this.#parts;
    for (const { at, original, metadata, ...record } of this.#odd) {
      if (this.#metadata.isCounting(at) && warnings.isConcerned(record.flags, metadata))
        warnings.see(original, record, metadata);
    }
  }

  /** In one of the steps, which are about as long. */
  async #rest(step: number, turn: HashesInTurn): Promise<void> {
    this.#onPart((step + turn.part) / STEPS);
    await this.#parts.control.rest();
  }

  #handleOf({ high, low }: StreamHash) {
    const handle = this.#handle;
    handle.high = high;
    handle.low = low;
    return handle;
  }
}

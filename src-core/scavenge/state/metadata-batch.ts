/**
 * Metadata records that accumulation has met and not yet taken into account. Whether one is in order is asked of the
 * index, whose entries lie in the order of their hashes; asked in the order of the log each question would read a
 * place of its own. So they are collected, asked about in the order of their hashes, and stored in the order of the
 * keys they are stored under. Of one stream they stay in the order of the log throughout. The first record of a stream
 * in a log of which nothing was ever removed is in order without a question.
 *
 * A batch belongs to the open transaction: it is settled before that ends, or forgotten with it.
 */
import type { StreamHash } from '../../index/stream-hash.ts';
import type { RecordHead } from '../../records/record-head.ts';
import type { MetadataWarnings } from '../decisions/metadata-warnings.ts';
import type { RunControl } from '../run-control.ts';
import type { ScavengeState } from './scavenge-state.ts';
import type { StreamEntries, StreamWalk } from '../decisions/stream-entries.ts';
import type { StreamHandle } from '../decisions/stream-handle.ts';
import { MetadataColumns } from './metadata-columns.ts';
import { ParsedMetadata } from './parsed-metadata.ts';
import type { WaitingLimits } from './waiting-limits.ts';

/** Event numbers looked at to decide whether a metadata record is in order. */
const ORDER_WINDOW = 100;
/** Ordinals fill the lower bits of a sorting key, the upper half of a hash those above. */
const ORDINAL_RANGE = 2 ** 20;

export interface MetadataBatchParts {
  entries: StreamEntries;
  state: ScavengeState;
  control: RunControl;
  warnings: MetadataWarnings;
  /** The record at this position can go. */
  addWeight: (position: number) => void;
  /**
   * Metadata from here on, and the newest of each stream before it, stay: a later scavenge may go by what held here.
   * undefined: only the newest stays.
   */
  keepFrom: number | undefined;
  waiting: WaitingLimits;
}

export class MetadataBatch {
  readonly #parts: MetadataBatchParts;
  readonly #records = new MetadataColumns();
  readonly #parsed = new ParsedMetadata();
  readonly #order: StreamWalk;
  readonly #handle = { kind: 'hash' as const, high: 0, low: 0 };

  constructor(parts: MetadataBatchParts) {
    this.#parts = parts;
    this.#order = parts.entries.newWalk();
  }

  /** It should be settled before anything is added. */
  get isFull(): boolean {
    return this.#records.count >= this.#parts.waiting.metadata;
  }

  /** The hashes are those of the metastream and of the stream that it belongs to. */
  add(record: RecordHead, found: { metastream: StreamHash; original: StreamHash; isFirst: boolean }): void {
    const metadata = this.#parsed.of(record.data, record.version);
    this.#records.add(record, { ...found, metadata });
  }

  /** Takes all of them into account. */
  async settle(): Promise<void> {
    const { state, control } = this.#parts;
    const records = this.#records;
    const { count, eventNumber, position, isInOrder, isFirst, metadata } = records;
    if (count === 0) return;
    state.settleNames();
    for (const at of inOrderOf(records.metastreamHigh, count, (i) => isFirst[i] === 0)) {
      isInOrder[at] = this.#isInOrder(at) ? 1 : 0;
      if (control.isDue()) await control.rest();
    }
    for (let at = 0; at < count; at++) {
      if (isInOrder[at] === 0 || eventNumber[at] === 0 || !this.#replacesOthers(position[at]!)) continue;
      state.metastreams.setDiscardPoint(this.#metastreamOf(at), eventNumber[at]!);
      if (control.isDue()) await control.rest();
    }
    // Metadata of a metastream mean nothing: metastreams always keep their newest record only.
    const isCounting = (at: number) => isInOrder[at] === 1 && !records.isOfMetastream(at);
    for (let at = 0; at < count; at++) if (isCounting(at)) this.#warn(at);
    for (const at of inOrderOf(records.originalHigh, count, isCounting)) {
      state.originals.setMetadata(this.#originalOf(at), metadata[at]!);
      if (control.isDue()) await control.rest();
    }
    this.forget();
  }

  forget(): void {
    this.#records.clear();
  }

  /** Guards against metadata with wrong numbers in old logs; weighs the record that is replaced. */
  #isInOrder(at: number): boolean {
    const { addWeight } = this.#parts;
    const entries = this.#order;
    const position = this.#records.position[at]!;
    const eventNumber = this.#records.eventNumber[at]!;
    const from = Math.max(0, eventNumber - 1);
    const end = from + ORDER_WINDOW;
    entries.start(this.#metastreamOf(at), from);
    let replaced = -1;
    for (let isFirst = true; entries.next() && entries.number < end; isFirst = false) {
      const isBefore = entries.position < position;
      if (isBefore && entries.number >= eventNumber) {
        addWeight(position);
        return false;
      }
      if (isFirst && isBefore) replaced = entries.position;
    }
    if (replaced >= 0 && this.#replacesOthers(position)) addWeight(replaced);
    return true;
  }

  /** How the tables name the metastream of a record. Valid until the next call. */
  #metastreamOf(at: number): StreamHandle {
    const { metastreamHigh, metastreamLow } = this.#records;
    return (
      this.#named(metastreamHigh[at]!, metastreamLow[at]!) ?? this.#byName(this.#records.metastreamAt(at))
    );
  }

  #originalOf(at: number): StreamHandle {
    const { originalHigh, originalLow } = this.#records;
    return this.#named(originalHigh[at]!, originalLow[at]!) ?? this.#byName(this.#records.originalAt(at));
  }

  /** undefined: the hash is that of several streams. */
  #named(high: number, low: number): StreamHandle | undefined {
    if (this.#parts.state.collisions.isCollidingHash(high, low)) return undefined;
    const handle = this.#handle;
    handle.high = high;
    handle.low = low;
    return handle;
  }

  #byName(stream: string): StreamHandle {
    return this.#parts.state.handleOf(stream);
  }

  #warn(at: number): void {
    const { warnings } = this.#parts;
    const { flags, position, metadata } = this.#records;
    if (!warnings.isConcerned(flags[at]!, metadata[at]!)) return;
    const record = { flags: flags[at]!, position: position[at]! };
    warnings.see(this.#records.originalAt(at), record, metadata[at]!);
  }

  #replacesOthers(position: number): boolean {
    const { keepFrom } = this.#parts;
    return keepFrom === undefined || position < keepFrom;
  }
}

/** Numbers of records by the signed upper half of a hash, which is near enough to its order; of one they stay as they were. */
function* inOrderOf(high: Uint32Array, count: number, isMeant: (at: number) => boolean): Generator<number> {
  const keys = new Float64Array(count);
  let meant = 0;
  for (let i = 0; i < count; i++) if (isMeant(i)) keys[meant++] = (high[i]! | 0) * ORDINAL_RANGE + i;
  for (const key of keys.subarray(0, meant).sort())
    yield key - Math.floor(key / ORDINAL_RANGE) * ORDINAL_RANGE;
}

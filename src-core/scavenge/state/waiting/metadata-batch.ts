/**
 * Metadata records that accumulation has met and not yet taken into account. Whether one is in order is asked of the
 * index, whose entries lie in the order of their hashes; asked in the order of the log each question would read a
 * place of its own. So they are collected, asked about in the order of their hashes, and stored in the order of the
 * keys they are stored under. Of one stream they stay in the order of the log throughout. The first record of a stream
 * in a log of which nothing was ever removed is in order without a question.
 *
 * A batch belongs to the open transaction: it is settled before that ends, or forgotten with it.
 */
import type { StreamHash } from '../../../index/stream-hash.ts';
import type { RecordHead } from '../../../records/record-head.ts';
import type { MetadataWarnings } from '../../decisions/metadata-warnings.ts';
import type { RunControl } from '../../run-control.ts';
import type { ScavengeState } from '../scavenge-state.ts';
import type { MetadataOrder } from '../../decisions/metadata-order.ts';
import type { StreamHandle } from '../../decisions/stream-handle.ts';
import { MetadataColumns } from './metadata-columns.ts';
import { ParsedMetadata } from './parsed-metadata.ts';
import type { WaitingLimits } from './waiting-limits.ts';

/** Ordinals fill the lower bits of a sorting key, the upper half of a hash those above. */
const ORDINAL_RANGE = 2 ** 20;

export interface MetadataBatchParts {
  order: MetadataOrder;
  state: ScavengeState;
  control: RunControl;
  warnings: MetadataWarnings;
  waiting: WaitingLimits;
}

export class MetadataBatch {
  readonly #parts: MetadataBatchParts;
  readonly #records = new MetadataColumns();
  readonly #parsed = new ParsedMetadata();
  readonly #handle = { kind: 'hash' as const, high: 0, low: 0 };

  constructor(parts: MetadataBatchParts) {
    this.#parts = parts;
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
    const { state, control, order } = this.#parts;
    const records = this.#records;
    const { count, eventNumber, position, isInOrder, isFirst, metadata } = records;
    if (count === 0) return;
    state.settleNames();
    for (const at of inOrderOf(records.metastreamHigh, count, (i) => isFirst[i] === 0)) {
      isInOrder[at] = order.isInOrder(this.#metastreamOf(at), eventNumber[at]!, position[at]!) ? 1 : 0;
      if (control.isDue()) await control.rest();
    }
    for (let at = 0; at < count; at++) {
      if (isInOrder[at] === 0 || eventNumber[at] === 0 || !order.replacesOthers(position[at]!)) continue;
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
}

/** Numbers of records by the signed upper half of a hash, which is near enough to its order; of one they stay as they were. */
function* inOrderOf(high: Uint32Array, count: number, isMeant: (at: number) => boolean): Generator<number> {
  const keys = new Float64Array(count);
  let meant = 0;
  for (let i = 0; i < count; i++) if (isMeant(i)) keys[meant++] = (high[i]! | 0) * ORDINAL_RANGE + i;
  for (const key of keys.subarray(0, meant).sort())
    yield key - Math.floor(key / ORDINAL_RANGE) * ORDINAL_RANGE;
}

/**
 * Streams that accumulation has met the deletion of and not yet marked as deleted, for the reasons of MetadataBatch. A
 * batch belongs to the open transaction: it is settled before that ends, or forgotten with it.
 */
import type { StreamHash } from '../../../index/stream-hash.ts';
import type { RunControl } from '../../run-control.ts';
import { metastreamOf, type StreamHandle } from '../../decisions/stream-handle.ts';
import type { StreamEntries } from '../../decisions/stream-entries.ts';
import type { WaitingLimits } from './waiting-limits.ts';
import type { ScavengeState } from '../scavenge-state.ts';

export interface TombstoneBatchParts {
  entries: StreamEntries;
  state: ScavengeState;
  control: RunControl;
  /** The record at this position can go. */
  addWeight: (position: number) => void;
  waiting: WaitingLimits;
}

export class TombstoneBatch {
  readonly #parts: TombstoneBatchParts;
  readonly #streams: string[] = [];
  /** Whether the metastream of each was known to share its hash when the deletion was met. */
  readonly #isShared: boolean[] = [];
  readonly #hash: StreamHash = { high: 0, low: 0 };

  constructor(parts: TombstoneBatchParts) {
    this.#parts = parts;
  }

  /** It should be settled before anything is added. */
  get isFull(): boolean {
    return this.#streams.length >= this.#parts.waiting.tombstones;
  }

  /** A stream that the state has taken note of. */
  add(stream: string): void {
    const metastream = metastreamOf(stream);
    const bytes = Buffer.from(metastream, 'utf8');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const name = { stream: metastream, bytes, view, streamStart: 0, streamEnd: bytes.length };
    this.#isShared.push(this.#parts.state.detectUncounted(name, this.#hash));
    this.#streams.push(stream);
  }

  /** Marks all of them; the newest metadata of each can go. */
  async settle(): Promise<void> {
    if (this.#streams.length === 0) return;
    const { state, entries, control, addWeight } = this.#parts;
    state.settleNames();
    const originals = this.#streams.map((stream) => state.handleOf(stream));
    for (const handle of originals.sort(downward)) {
      state.originals.setTombstone(handle);
      if (control.isDue()) await control.rest();
    }
    const metastreams = this.#streams.map((stream) => state.handleOf(metastreamOf(stream)));
    const asked = metastreams.map((handle, at) => this.#asItWas(handle, at));
    for (const handle of metastreams.sort(downward)) {
      state.metastreams.setTombstone(handle);
      if (control.isDue()) await control.rest();
    }
    for (const handle of asked.sort(downward)) {
      const lastMetadata = entries.last(handle);
      if (lastMetadata) addWeight(lastMetadata.position);
      if (control.isDue()) await control.rest();
    }
    this.forget();
  }

  forget(): void {
    this.#streams.length = 0;
    this.#isShared.length = 0;
  }

  /**
   * How the server named the metastream when it met the deletion: by its hash, if a stream that shares it came only
   * later. Then it weighs the newest entry of the hash, whosever it is.
   */
  #asItWas(handle: StreamHandle, at: number): StreamHandle {
    if (handle.kind === 'hash' || this.#isShared[at] === true) return handle;
    const { state } = this.#parts;
    const { high, low } = state.hashOf(handle.stream, this.#hash);
    return state.hashUsers.get(high, low) === handle.stream ? { kind: 'hash', high, low } : handle;
  }
}

/** In the order of an index table; streams that share their hash come last. */
function downward(a: StreamHandle, b: StreamHandle): number {
  if (a.kind === 'id' || b.kind === 'id') return Number(a.kind === 'id') - Number(b.kind === 'id');
  return b.high - a.high;
}

/**
 * What the scavenge state says about the stream of a record or of an index entry, as the decisions need it.
 * Rows do not change while chunks and index are executed, so they are read once into memory; a state that lies there
 * is asked itself. Where there are too many for that, answers about records are kept in a cache, and for the entries of an index table, which come in the
 * order of their hashes, rows are fetched in that order too.
 */
import { hashStreamOf, type StreamHash, type StreamHasher } from '../../index/stream-hash.ts';
import type { RecordHead } from '../../records/record-head.ts';
import { cutoffOf, emptyVerdict, type StreamVerdict } from './should-discard.ts';
import { RowsByHash } from '../state/rows-by-hash.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import type { MetastreamData, OriginalStreamData } from '../state/stream-data.ts';
import { isMetastreamName } from './stream-handle.ts';
import { VerdictTable, type SharedVerdictTable, type VerdictReader } from './verdict-table.ts';

/** What streams of both kinds may take of memory: some seven million of them. */
const VERDICT_MEMORY_BYTES = 320 * 1024 * 1024;

/** A power of two. */
const CACHE_SLOTS = 262144;
const FILLED = 1;
const KNOWN = 2;
const TOMBSTONED = 4;
const AGED = 8;
const METASTREAM = 16;

/** Direct-mapped: a stream that shares a slot with another pushes it out. */
class VerdictCache {
  readonly #high = new Uint32Array(CACHE_SLOTS);
  readonly #low = new Uint32Array(CACHE_SLOTS);
  readonly #flags = new Uint8Array(CACHE_SLOTS);
  readonly #discardPoint = new Float64Array(CACHE_SLOTS);
  readonly #maybeDiscardPoint = new Float64Array(CACHE_SLOTS);
  readonly #cutoffHigh = new Int32Array(CACHE_SLOTS);
  readonly #cutoffLow = new Uint32Array(CACHE_SLOTS);

  read(high: number, low: number, into: StreamVerdict): boolean {
    const slot = (high ^ low) & (CACHE_SLOTS - 1);
    const flags = this.#flags[slot]!;
    if ((flags & FILLED) === 0 || this.#low[slot] !== low || this.#high[slot] !== high) return false;
    into.isKnown = (flags & KNOWN) !== 0;
    into.isMetastream = (flags & METASTREAM) !== 0;
    into.isTombstoned = (flags & TOMBSTONED) !== 0;
    into.discardPoint = this.#discardPoint[slot]!;
    into.maybeDiscardPoint = this.#maybeDiscardPoint[slot]!;
    into.cutoff.isSet = (flags & AGED) !== 0;
    into.cutoff.high = this.#cutoffHigh[slot]!;
    into.cutoff.low = this.#cutoffLow[slot]!;
    return true;
  }

  write(high: number, low: number, verdict: StreamVerdict): void {
    const slot = (high ^ low) & (CACHE_SLOTS - 1);
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#flags[slot] =
      FILLED |
      (verdict.isKnown ? KNOWN : 0) |
      (verdict.isTombstoned ? TOMBSTONED : 0) |
      (verdict.cutoff.isSet ? AGED : 0) |
      (verdict.isMetastream ? METASTREAM : 0);
    this.#discardPoint[slot] = verdict.discardPoint;
    this.#maybeDiscardPoint[slot] = verdict.maybeDiscardPoint;
    this.#cutoffHigh[slot] = verdict.cutoff.high;
    this.#cutoffLow[slot] = verdict.cutoff.low;
  }
}

export interface StreamVerdictsParts {
  state: ScavengeState;
  hasher: StreamHasher;
  /** "Now" of the scavenge point. */
  effectiveNow: bigint;
  /** Streams that would take more than this much memory stay on disk. */
  memoryBytes?: number;
  /** Of the thread that has read the rows. */
  shared?: SharedVerdicts | undefined;
}

/** The tables of both kinds of streams, for threads that ask the same. */
export interface SharedVerdicts {
  originals: SharedVerdictTable;
  metastreams: SharedVerdictTable;
}

interface VerdictCaches {
  originals: VerdictCache;
  metastreams: VerdictCache;
}

function newCaches(): VerdictCaches {
  return { originals: new VerdictCache(), metastreams: new VerdictCache() };
}

interface VerdictTables {
  originals: VerdictReader;
  metastreams: VerdictReader;
}

export class StreamVerdicts {
  readonly #state: ScavengeState;
  readonly #hasher: StreamHasher;
  readonly #effectiveNow: bigint;
  /** Some 17 MB, allocated when the first answer is stored. */
  #caches: VerdictCaches | undefined;
  readonly #originalRows: RowsByHash<OriginalStreamData>;
  readonly #metastreamRows: RowsByHash<MetastreamData>;
  readonly #hash: StreamHash = { high: 0, low: 0 };
  readonly #verdict = emptyVerdict();
  readonly #memoryBytes: number;
  /** null: there are too many. undefined: not requested yet. */
  #tables: VerdictTables | null | undefined;

  constructor({ state, hasher, effectiveNow, memoryBytes, shared }: StreamVerdictsParts) {
    this.#state = state;
    this.#hasher = hasher;
    this.#effectiveNow = effectiveNow;
    this.#memoryBytes = memoryBytes ?? VERDICT_MEMORY_BYTES;
    this.#originalRows = new RowsByHash((range) => state.originals.hashesDownward(range));
    this.#metastreamRows = new RowsByHash((range) => state.metastreams.hashesDownward(range));
    this.#tables = shared && {
      originals: VerdictTable.over(shared.originals),
      metastreams: VerdictTable.over(shared.metastreams)
    };
  }

  /** undefined: there are too many streams for it, and each thread asks the rows. */
  shared(): SharedVerdicts | undefined {
    const tables = this.#tables === undefined ? this.#load() : this.#tables;
    const originals = tables?.originals;
    const metastreams = tables?.metastreams;
    if (!(originals instanceof VerdictTable) || !(metastreams instanceof VerdictTable)) return undefined;
    return { originals: originals.shared, metastreams: metastreams.shared };
  }

  /** The stream of a prepare. Valid until the next call. */
  ofRecord(record: RecordHead): StreamVerdict {
    const { high, low } = hashStreamOf(record, this.#hasher, this.#hash);
    return this.ofStream(high, low, record.isMetastream, record);
  }

  /** A stream by its hash; its name is asked for only where known streams share the hash. Valid until the next call. */
  ofStream(
    high: number,
    low: number,
    isMetastream: boolean,
    named: { readonly stream: string }
  ): StreamVerdict {
    if (this.#state.collisions.isCollidingHash(high, low)) {
      const { stream } = named;
      if (this.#state.collisions.isColliding(stream)) return this.ofCollidingStream(stream);
    }
    const tables = this.#tables === undefined ? this.#load() : this.#tables;
    if (tables) {
      (isMetastream ? tables.metastreams : tables.originals).read(high, low, this.#verdict);
      return this.#verdict;
    }
    const caches = (this.#caches ??= newCaches());
    const cache = isMetastream ? caches.metastreams : caches.originals;
    if (cache.read(high, low, this.#verdict)) return this.#verdict;
    if (isMetastream) this.#setMetastream(this.#state.metastreams.getByHash(high, low));
    else this.#setOriginal(this.#state.originals.getByHash(high, low));
    cache.write(high, low, this.#verdict);
    return this.#verdict;
  }

  /**
   * The stream of an index entry whose hash no two known streams share; asked about in the order of an index table.
   * Valid until the next call.
   */
  ofEntry(high: number, low: number): StreamVerdict {
    const tables = this.#tables === undefined ? this.#load() : this.#tables;
    if (tables) {
      const isOriginal = tables.originals.read(high, low, this.#verdict);
      if (!isOriginal) tables.metastreams.read(high, low, this.#verdict);
      return this.#verdict;
    }
    // An entry does not tell which kind of stream it belongs to, but a hash that is unique has one of the two rows.
    const original = this.#originalRows.find(high, low);
    if (original) this.#setOriginal(original);
    else this.#setMetastream(this.#metastreamRows.find(high, low));
    return this.#verdict;
  }

  /** A stream that is stored by name. */
  ofCollidingStream(stream: string): StreamVerdict {
    const handle = this.#state.handleOf(stream);
    if (isMetastreamName(stream)) this.#setMetastream(this.#state.metastreams.get(handle));
    else this.#setOriginal(this.#state.originals.get(handle));
    return this.#verdict;
  }

  #load(): VerdictTables | null {
    const { originals, metastreams } = this.#state;
    const ofOriginals = originals.verdictsAt?.(this.#effectiveNow);
    const ofMetastreams = metastreams.verdictsAt?.(this.#effectiveNow);
    if (ofOriginals && ofMetastreams) {
      return (this.#tables = { originals: ofOriginals, metastreams: ofMetastreams });
    }
    const [originalCount, metastreamCount] = [originals.hashCount, metastreams.hashCount];
    const bytes = VerdictTable.bytesFor(originalCount) + VerdictTable.bytesFor(metastreamCount);
    if (bytes > this.#memoryBytes) return (this.#tables = null);
    const tables = {
      originals: VerdictTable.withRoomFor({ count: originalCount, isMetastream: false }),
      metastreams: VerdictTable.withRoomFor({ count: metastreamCount, isMetastream: true })
    };
    originals.forEachHash((high, low, data) => {
      this.#setOriginal(data);
      tables.originals.add(high, low, this.#verdict);
    });
    metastreams.forEachHash((high, low, data) => {
      this.#setMetastream(data);
      tables.metastreams.add(high, low, this.#verdict);
    });
    this.#state.releaseRows();
    return (this.#tables = tables);
  }

  #setOriginal(data: OriginalStreamData | undefined): void {
    const verdict = this.#verdict;
    verdict.isMetastream = false;
    verdict.isKnown = data !== undefined;
    verdict.isTombstoned = data?.isTombstoned ?? false;
    verdict.discardPoint = data?.discardPoint ?? 0;
    verdict.maybeDiscardPoint = data?.maybeDiscardPoint ?? 0;
    cutoffOf(this.#effectiveNow, data?.maxAgeSeconds ?? -1, verdict.cutoff);
  }

  #setMetastream(data: MetastreamData | undefined): void {
    const verdict = this.#verdict;
    verdict.isMetastream = true;
    verdict.isKnown = data !== undefined;
    verdict.isTombstoned = data?.isTombstoned ?? false;
    verdict.discardPoint = data?.discardPoint ?? 0;
    verdict.maybeDiscardPoint = 0;
    verdict.cutoff.isSet = false;
  }
}

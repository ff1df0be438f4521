/**
 * Compares what an existing scavenge state says of streams with the log. A state decides what is deleted, and anyone who
 * can write to the index directory can write one: so before the first chunk is rewritten on its word, each stream of
 * which something could go is looked up. A stream that it calls deleted must have its tombstone in the log, limits
 * must be those of a metadata record, and the newest event that it gives up must be one that metadata let go. One or
 * two records of the log are read for a stream.
 *
 * What the log can no longer contradict passes: events that are gone already, metadata that a scavenge has removed.
 * Discard points never move back, so they may be those of metadata that was replaced since; then that record must
 * still be there, or the events be gone. A scavenge that went further than the state's point may have taken what the
 * state goes by: a stream that was hard-deleted since is passed, and its last event may be a later one.
 */
import type { StreamIndex } from '../../index/stream-index.ts';
import { EntryBlock } from '../../index/index-entry.ts';
import { hashText, type StreamHash } from '../../index/stream-hash.ts';
import type { LogReader } from '../../log/log-reader.ts';
import type { LogRecord } from '../../records/log-record.ts';
import { parseStreamMetadata } from '../../records/stream-metadata.ts';
import { DELETED_STREAM_EVENT_NUMBER, LEGACY_DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import type { Ticks } from '../../units/ticks.ts';
import { cutoffOf, isBeforeCutoff, type Cutoff } from '../decisions/should-discard.ts';
import { halvesOfTicks } from '../decisions/tick-halves.ts';
import type { ScavengeState } from './scavenge-state.ts';
import { stateUntrue } from './state-error.ts';
import type { Claim, ClaimPages } from './state-tables.ts';
import type { MetastreamData, OriginalStreamData } from './stream-data.ts';
import { storedLimits } from './stream-tables.ts';
import { StreamEntries } from '../decisions/stream-entries.ts';
import { isMetastreamName, metastreamOf, type StreamHandle } from '../decisions/stream-handle.ts';

const TOMBSTONE_NUMBERS = [DELETED_STREAM_EVENT_NUMBER, LEGACY_DELETED_STREAM_EVENT_NUMBER];
const PAGE_STREAMS = 8192;
/** Event numbers below a discard point that are read first, and then at once. */
const FIRST_LOOK = 16;
const WIDE_LOOK = 8192;
/** Metadata records of one stream that are read at most, newest first. */
const MOST_METADATA = 1000;

export interface HoldState {
  state: ScavengeState;
  log: LogReader;
  index: StreamIndex;
  /** What the state says, it says of the log before this position. */
  beforePosition: number;
  /** Time of the scavenge point; undefined when the state names none, and then no event is too young. */
  effectiveNow: Ticks | undefined;
  /**
   * Metadata from this position on replace what the state holds before anything is done by it: what they replaced may be
   * gone from the log. Infinity: the state holds all that it acts by.
   */
  replacedFrom: number;
  /** Only streams of which something can go by what is stored now; others may be told lies that do nothing yet. */
  isActing: boolean;
  /** For messages. */
  statePath: string;
  /** Streams of each kind that are looked up; all when absent. A hash is as good as chance. */
  sampleStreams?: number | undefined;
  isDue?: (() => boolean) | undefined;
  breathe?: (() => Promise<void>) | undefined;
}

/** Throws what the log contradicts. */
export async function holdStateAgainstLog(options: HoldState): Promise<void> {
  const { state, isDue = () => false, breathe = () => Promise.resolve() } = options;
  const { claims } = state;
  const held = new HeldState(options);
  const pace = () => (isDue() ? breathe() : undefined);
  await forEachPage(claims.originals(options.isActing), options, (page) => held.holdOriginals(page, pace));
  await forEachPage(claims.metastreams, options, (page) => held.holdMetastreams(page, pace));
}

async function forEachPage<T>(
  claims: ClaimPages<T>,
  { sampleStreams = Infinity }: HoldState,
  hold: (page: readonly Claim<T>[]) => Promise<void>
): Promise<void> {
  let after: StreamHandle | null = null;
  for (let left = sampleStreams; left > 0;) {
    const page: Claim<T>[] = claims.after(after, Math.min(PAGE_STREAMS, left));
    if (page.length === 0) return;
    await hold(page);
    left -= page.length;
    after = page.at(-1)!.handle;
  }
}

/** Gives way where that is due. */
type Pace = () => Promise<void> | undefined;

type Limits = ReturnType<typeof storedLimits>;

class HeldState {
  readonly #options: HoldState;
  readonly #entries: StreamEntries;
  readonly #narrow = new EntryBlock(FIRST_LOOK);
  #wide: EntryBlock | undefined;
  readonly #hash: StreamHash = { high: 0, low: 0 };
  readonly #cutoff: Cutoff = { isSet: false, high: 0, low: 0 };

  constructor(options: HoldState) {
    this.#options = options;
    const { state, log, index, beforePosition } = options;
    const readAt = (position: number) => log.readAt(position);
    this.#entries = new StreamEntries({ lookup: index.entries, state, readAt, beforePosition });
  }

  /** The index is asked in the order of its hashes and the log in that of its positions: else each look is a place. */
  async holdOriginals(page: readonly Claim<OriginalStreamData>[], pace: Pace): Promise<void> {
    const limited: LimitedStream[] = [];
    for (const { handle, data } of page) {
      await pace();
      const last = this.#entries.last(handle);
      if (last === undefined) continue; // the index knows no event of it that could go
      const stream = this.#nameOf(handle, false);
      if (stream === undefined) throw this.#nameless(handle);
      if (data.isTombstoned) {
        this.#requireTombstone(stream, this.#recordOf(stream, last.position));
      } else {
        const metadata = new KnownMetadata(this.#options, stream);
        limited.push({ handle, stream, data, last: last.number, metadata });
      }
    }
    limited.sort((a, b) => b.metadata.hash.high - a.metadata.hash.high);
    for (const { metadata } of limited) {
      metadata.find();
      await pace();
    }
    limited.sort((a, b) => a.metadata.newest - b.metadata.newest);
    for (const stream of limited) {
      this.#requireLimits(stream);
      await pace();
    }
  }

  async holdMetastreams(page: readonly Claim<MetastreamData>[], pace: Pace): Promise<void> {
    for (const { handle, data } of page) {
      this.#holdMetastream(handle, data);
      await pace();
    }
  }

  #holdMetastream(handle: StreamHandle, { isTombstoned, discardPoint }: MetastreamData): void {
    const last = this.#entries.last(handle);
    if (last === undefined) return;
    const metastream = this.#nameOf(handle, true);
    if (metastream === undefined) throw this.#nameless(handle);
    const stream = metastream.slice(2);
    if (isTombstoned) {
      this.#requireTombstone(stream, this.#recordOf(metastream, last.position));
    } else if (discardPoint > last.number && !this.#reaches(metastream, discardPoint)) {
      throw this.#untrue(`the newest metadata of ${stream} could be removed, but is in force`);
    }
  }

  /** `live`: a record of the stream that would go. */
  #requireTombstone(stream: string, live: LogRecord | undefined): void {
    if (live === undefined || live.isTombstone) return;
    const { beforePosition, log } = this.#options;
    for (const position of this.#tombstonesOf(stream)) {
      if (position > beforePosition) continue;
      const record = log.readAt(position);
      // A run that ignores hard deletes removes the tombstone before its entry.
      if (record === undefined || isTombstoneOf(stream, record)) return;
    }
    throw this.#untrue(`the stream ${stream} is marked as hard-deleted, but not in the log`);
  }

  /** Then nothing of the stream is live any more, and a detached scavenge has taken its metadata. */
  #isDeletedLater(stream: string): boolean {
    const { beforePosition, log } = this.#options;
    return this.#tombstonesOf(stream).some(
      (position) => position > beforePosition && isTombstoneOf(stream, log.readAt(position))
    );
  }

  /** Positions where a tombstone of the stream, or of one that shares its hash, is or was. */
  #tombstonesOf(stream: string): number[] {
    const { index, state } = this.#options;
    const hash = state.hashOf(stream, this.#hash);
    return TOMBSTONE_NUMBERS.flatMap((number) =>
      index.entries.range(hash, number, number).map(({ position }) => position)
    );
  }

  #requireLimits(limited: LimitedStream): void {
    const contradiction = this.#contradictionOf(limited);
    if (contradiction === undefined || this.#isDeletedLater(limited.stream)) return;
    throw this.#untrue(contradiction);
  }

  #contradictionOf({ handle, stream, data, last: found, metadata }: LimitedStream): string | undefined {
    const { maxAgeSeconds, maxCount, truncateBefore, discardPoint, maybeDiscardPoint } = data;
    const { isActing } = this.#options;
    const hasLimits = maxAgeSeconds >= 0 || maxCount >= 0 || truncateBefore >= 0;
    if (hasLimits && !metadata.some((limits) => isSame(limits, data))) {
      if (metadata.isReplaced) return undefined;
      return `the stream ${stream} has limits that its metadata does not set`;
    }
    if (!hasLimits && !isActing && !metadata.isReplaced && metadata.alwaysSetLimits()) {
      return `the metadata of ${stream} sets limits that it does not have`;
    }
    const last = Math.max(found, discardPoint, maybeDiscardPoint);
    if (last > found && !this.#reaches(stream, last)) {
      return `the last event of ${stream}, ${found}, could be removed`;
    }
    if (hasLimits && discardPoint <= numbersGivenUp(data, last)) return undefined;
    const newest = this.#newestBelow(handle, stream, discardPoint);
    if (newest === undefined) return undefined;
    const { record, number } = newest;
    const isGiven = (limits: Limits) => this.#isGivenUp(record, number, last, limits);
    if ((hasLimits && isGiven(data)) || metadata.some(isGiven)) return undefined;
    return `event ${number} of ${stream} could be removed, but is live`;
  }

  /**
   * The stream has an event of this number or a higher one, wherever it lies: the last event before the point may have
   * been taken since by a scavenge that goes further, as a detached one does.
   */
  #reaches(stream: string, number: number): boolean {
    const hash = this.#options.state.hashOf(stream, this.#hash);
    const isOfStream = (position: number) => this.#recordOf(stream, position) !== undefined;
    const latest = this.#options.index.entries.latestBefore(hash, Infinity, isOfStream);
    return latest !== undefined && latest.number >= number;
  }

  /** The event of the highest number below `number` whose record is there. */
  #newestBelow(
    handle: StreamHandle,
    stream: string,
    number: number
  ): { record: LogRecord; number: number } | undefined {
    if (number <= 0) return undefined;
    const narrow = this.#narrow;
    const near = Math.max(0, number - FIRST_LOOK);
    this.#entries.read(handle, near, number - 1, narrow);
    const found = this.#lastRecord(stream, narrow);
    if (found !== undefined || near === 0) return found;
    const wide = (this.#wide ??= new EntryBlock(WIDE_LOOK));
    this.#entries.read(handle, Math.max(0, near - WIDE_LOOK), near - 1, wide);
    const further = this.#lastRecord(stream, wide);
    if (further !== undefined) return further;
    this.#entries.read(handle, 0, near - 1, wide);
    return this.#lastRecord(stream, wide);
  }

  #lastRecord(stream: string, block: EntryBlock): { record: LogRecord; number: number } | undefined {
    for (let i = block.count - 1; i >= 0; i--) {
      const record = this.#recordOf(stream, block.position[i]!);
      // Parts of explicit transactions go by no discard point.
      if (record !== undefined && record.isSelfCommitted) return { record, number: block.number[i]! };
    }
    return undefined;
  }

  #isGivenUp(record: LogRecord, number: number, last: number, limits: Limits): boolean {
    const { maxAgeSeconds } = limits;
    if (number < numbersGivenUp(limits, last)) return true;
    if (maxAgeSeconds < 0) return false;
    const { effectiveNow } = this.#options;
    if (effectiveNow === undefined) return true;
    const { high, low } = halvesOfTicks(record.ticks);
    return isBeforeCutoff(cutoffOf(effectiveNow, maxAgeSeconds, this.#cutoff), high, low);
  }

  /** A record that is there and is of the stream. */
  #recordOf(stream: string, position: number): LogRecord | undefined {
    const record = this.#options.log.readAt(position);
    return record?.kind === 'prepare' && record.stream === stream ? record : undefined;
  }

  /** The stream's name, as far as the state has one that can be its own. */
  #nameOf(handle: StreamHandle, isMetastream: boolean): string | undefined {
    const { state } = this.#options;
    if (handle.kind === 'id')
      return isMetastreamName(handle.stream) === isMetastream ? handle.stream : undefined;
    const { high, low } = handle;
    const name = state.hashUsers.get(high, low);
    if (name === undefined || isMetastreamName(name) !== isMetastream) return undefined;
    const own = state.hashOf(name, this.#hash);
    return own.high === high && own.low === low ? name : undefined;
  }

  #nameless(handle: StreamHandle): Error {
    const which = handle.kind === 'id' ? handle.stream : hashText(handle.high, handle.low);
    return this.#untrue(`it does not know the name of the stream ${which}`);
  }

  #untrue(what: string): Error {
    return stateUntrue(this.#options.statePath, what);
  }
}

interface LimitedStream {
  handle: StreamHandle;
  stream: string;
  data: OriginalStreamData;
  /** Number of its last event. */
  last: number;
  metadata: KnownMetadata;
}

/** Metadata records of a stream that are in the log, newest first, read as far as they are asked for. */
class KnownMetadata {
  readonly hash: StreamHash;
  readonly #options: HoldState;
  readonly #metastream: string;
  #positions: number[] = [];
  readonly #read: Limits[] = [];
  /** Metadata that are parts of a transaction, which no scavenge goes by. */
  #hasParts = false;
  /** There are metadata that the state has still to take up. */
  isReplaced = false;

  constructor(options: HoldState, stream: string) {
    this.#options = options;
    this.#metastream = metastreamOf(stream);
    this.hash = options.state.hashOf(this.#metastream, { high: 0, low: 0 });
  }

  /** Asks the index where they are. */
  find(): void {
    const { index, beforePosition, replacedFrom } = this.#options;
    const all = index.entries.range(this.hash, 0, Number.POSITIVE_INFINITY, MOST_METADATA);
    const before = all.filter(({ position }) => position < beforePosition);
    this.isReplaced = all.some(({ position }) => position >= replacedFrom);
    this.#positions = before.map(({ position }) => position);
  }

  /** Position of the newest, -1 when there is none. */
  get newest(): number {
    return this.#positions[0] ?? -1;
  }

  /** There are metadata, and all of them set limits: the stream cannot be without. */
  alwaysSetLimits(): boolean {
    const hasWithout = this.some((limits) => isSame(limits, NO_LIMITS));
    return !hasWithout && this.#read.length > 0 && !this.#hasParts;
  }

  some(matches: (limits: Limits) => boolean): boolean {
    if (this.#read.some(matches)) return true;
    const positions = this.#positions;
    for (let position = positions.shift(); position !== undefined; position = positions.shift()) {
      const record = this.#options.log.readAt(position);
      if (record?.kind !== 'prepare' || record.stream !== this.#metastream) continue;
      const limits = storedLimits(parseStreamMetadata(record.data, { recordVersion: record.version }));
      this.#read.push(limits);
      this.#hasParts ||= !record.isSelfCommitted;
      if (matches(limits)) return true;
    }
    return false;
  }
}

const NO_LIMITS: Limits = { maxAgeSeconds: -1, maxCount: -1, truncateBefore: -1 };

function isTombstoneOf(stream: string, record: LogRecord | undefined): boolean {
  return record !== undefined && record.isTombstone && record.stream === stream;
}

/** Events below this number are given up by number alone. */
function numbersGivenUp({ truncateBefore, maxCount }: Limits, last: number): number {
  const byCount = maxCount < 0 ? 0 : last - maxCount + 1;
  return Math.min(Math.max(truncateBefore, byCount, 0), last);
}

function isSame(limits: Limits, data: Limits): boolean {
  return (
    limits.maxAgeSeconds === data.maxAgeSeconds &&
    limits.maxCount === data.maxCount &&
    limits.truncateBefore === data.truncateBefore
  );
}

/**
 * What is removed of each stream, in the rows of a table. A stream's limits are found with its first record: known chunks give theirs
 * stream by stream, others in the order of the log.
 */
import { hashStreamOf, type StreamHash } from '../../index/stream-hash.ts';
import { FRAME_LENGTH } from '../../records/log-record.ts';
import type { RecordHead } from '../../records/record-head.ts';
import type { JudgedBy } from '../../scavenge/decisions/discard-tally.ts';
import type { KnownDiscards } from '../../scavenge/decisions/known-discards.ts';
import type { StreamVerdict } from '../../scavenge/decisions/should-discard.ts';
import type { StreamHandle } from '../../scavenge/decisions/stream-handle.ts';
import type { RunControl } from '../../scavenge/run-control.ts';
import { REMOVAL_RULES, type RemovalRule } from '../../units/scavenge-terms.ts';
import {
  discardLimitsOf,
  reasonToDiscard,
  type DiscardLimits,
  type DiscardReason
} from '../explain/discard-reason.ts';
import { ruleOf } from '../explain/wording.ts';
import { GroupTable } from '../usage/group-table.ts';
import { putLimits, readLimits, RemovedColumn, STREAM_COLUMNS } from './removed-row.ts';

/** The name belongs to another part of the range of hashes. */
const ELSEWHERE = -1;
const NO_LIMITS: DiscardLimits = { truncate: 0, count: 0, isSoftDeleted: false };

/** Place of the rule of each reason. */
const PLACE_OF = Object.fromEntries(
  (
    [
      'tombstoneFreed',
      'hardDeleted',
      'metadataReplaced',
      'softDeleted',
      'truncated',
      'overCount',
      'expired',
      'givenUpEarlier'
    ] as const satisfies DiscardReason[]
  ).map((reason) => [reason, REMOVAL_RULES.indexOf(ruleOf(reason) as RemovalRule)])
) as Record<DiscardReason, number>;

export class RemovedStreams {
  readonly table: GroupTable;
  readonly #by: Pick<JudgedBy, 'state' | 'entries' | 'hasher'>;
  readonly #hash: StreamHash = { high: 0, low: 0 };
  readonly #limits: DiscardLimits = { ...NO_LIMITS };

  constructor(
    by: Pick<JudgedBy, 'state' | 'entries' | 'hasher'>,
    range: { from?: number; mostNames?: number | undefined }
  ) {
    this.#by = by;
    this.table = new GroupTable({ columnCount: STREAM_COLUMNS, ...range });
  }

  /** Of a known chunk. */
  async addAll(discards: KnownDiscards, control: Pick<RunControl, 'isDue' | 'breathe'>): Promise<void> {
    const walk = this.#by.entries.newWalk();
    const lastOf = (handle: StreamHandle): number => {
      walk.start(handle);
      return walk.last;
    };
    this.table.reserve(discards.streamCount);
    while (discards.nextStream()) {
      const { record, verdict } = discards;
      const at = this.#rowOf(record, verdict, lastOf);
      while (at !== ELSEWHERE && discards.next()) this.#count(at, record, verdict);
      if (control.isDue()) await control.breathe();
    }
  }

  /** A record that goes. */
  add(record: RecordHead, verdict: StreamVerdict): void {
    const at = this.#rowOf(record, verdict, (handle) => this.#by.entries.last(handle)?.number ?? -1);
    if (at !== ELSEWHERE) this.#count(at, record, verdict);
  }

  #count(at: number, record: RecordHead, verdict: StreamVerdict): void {
    const { values } = this.table;
    const row = at * STREAM_COLUMNS;
    readLimits(values, row, this.#limits);
    const rule = PLACE_OF[reasonToDiscard(record, verdict, this.#limits)];
    values[row + RemovedColumn.records + rule]!++;
    values[row + RemovedColumn.bytes + rule]! += record.length + FRAME_LENGTH;
  }

  #rowOf(record: RecordHead, verdict: StreamVerdict, lastOf: (handle: StreamHandle) => number): number {
    const { high, low } = hashStreamOf(record, this.#by.hasher, this.#hash);
    const { table } = this;
    const at = table.numberOf(high, low, record.bytes, record.streamStart, record.streamEnd);
    if (at === ELSEWHERE) return at;
    const { values } = table;
    const row = at * STREAM_COLUMNS;
    if (values[row + RemovedColumn.streams] === 0) {
      values[row + RemovedColumn.streams] = 1;
      putLimits(values, row, this.#limitsOf(record, verdict, lastOf));
    }
    return at;
  }

  /** `lastOf`: number of the last event before the point. */
  #limitsOf(
    record: RecordHead,
    { isTombstoned, isMetastream }: StreamVerdict,
    lastOf: (handle: StreamHandle) => number
  ): DiscardLimits {
    if (isTombstoned || isMetastream) return NO_LIMITS;
    const { state } = this.#by;
    const handle = this.#handleOf(record);
    const limits = state.originals.get(handle);
    if (!limits) return NO_LIMITS;
    return discardLimitsOf(limits, limits.maxCount < 0 ? -1 : lastOf(handle));
  }

  /** By the hash that was computed for the row; a name is made only where streams share one. */
  #handleOf(record: RecordHead): StreamHandle {
    const { state } = this.#by;
    const { high, low } = this.#hash;
    return state.collisions.isCollidingHash(high, low)
      ? state.handleOf(record.stream)
      : { kind: 'hash', high, low };
  }
}

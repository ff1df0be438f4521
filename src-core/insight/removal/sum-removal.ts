/**
 * What a planned scavenge removes, by rule, by category and by stream. Each record is judged by the scavenger's own
 * decision, in the chunks that the plan replaces and in no other, so the sums are those of the plan; the rule is the one
 * that an explanation names.
 *
 * Memory does not grow with the number of streams: a table that is full is summed up, and the rest counted in another pass.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import { FRAME_LENGTH } from '../../records/log-record.ts';
import type { RecordHead } from '../../records/record-head.ts';
import { hashStreamOf, type StreamHash } from '../../index/stream-hash.ts';
import { shouldDiscardRecord, type StreamVerdict } from '../../scavenge/decisions/should-discard.ts';
import { StreamVerdictColumns } from '../../scavenge/decisions/stream-verdict-columns.ts';
import { REMOVAL_RULES, type RemovalRule } from '../../units/scavenge-terms.ts';
import {
  discardLimitsOf,
  reasonToDiscard,
  type DiscardLimits,
  type DiscardReason
} from '../explain/discard-reason.ts';
import type { Decisions, PlannedScavenge } from '../explain/planned-scavenge.ts';
import { ruleOf } from '../explain/wording.ts';
import { numberOfName } from '../usage/count-digest.ts';
import { GroupTable, HASH_END } from '../usage/group-table.ts';
import { dashIn, NO_CATEGORY } from '../usage/usage-tables.ts';
import { LargestRemoved } from './largest-removed.ts';
import type { Removal, RemovedItems } from './removal.ts';
import {
  addRemoved,
  putLimits,
  readLimits,
  RemovedColumn,
  rulesOf,
  STREAM_COLUMNS,
  SUM_COLUMNS
} from './removed-row.ts';

const NOT_SEEN = -2;
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

export interface SumRemoval {
  planned: PlannedScavenge;
  decisions: Decisions;
  /** The physical chunks that the plan replaces. */
  chunks: readonly Chunk[];
  /** Streams and categories named at most; the rest is one more item. */
  top: number;
  /** Streams counted at once; for tests. */
  mostNames?: number | undefined;
}

export async function sumRemoval(parts: SumRemoval): Promise<Removal> {
  const { top, mostNames } = parts;
  const total = new Float64Array(SUM_COLUMNS);
  const streamsOf = new Float64Array(REMOVAL_RULES.length);
  const streams = new LargestRemoved(top);
  const categories = new GroupTable({ columnCount: SUM_COLUMNS, mostNames });
  for (let from = 0; from < HASH_END;) {
    const table = new GroupTable({ columnCount: STREAM_COLUMNS, from, mostNames });
    await new RemovalPass(parts, table).run();
    const { values, names } = table;
    for (let at = 0; at < table.count; at++) {
      const row = at * STREAM_COLUMNS;
      addRemoved(total, 0, values, row);
      for (let rule = 0; rule < REMOVAL_RULES.length; rule++) {
        if (values[row + RemovedColumn.records + rule]! > 0) streamsOf[rule]!++;
      }
      streams.add(values, row, () => table.name(at));
      const category = categoryOf(categories, names, table.nameStart(at), table.nameEnd(at));
      if (category !== ELSEWHERE) addRemoved(categories.values, category * SUM_COLUMNS, values, row);
    }
    from = table.to;
  }
  const byRule = rulesOf(total, 0).map((sum) => ({
    ...sum,
    streams: streamsOf[REMOVAL_RULES.indexOf(sum.rule)]!
  }));
  return {
    records: byRule.reduce((sum, { records }) => sum + records, 0),
    bytes: byRule.reduce((sum, { bytes }) => sum + bytes, 0),
    byRule,
    byCategory: itemsOf(categories, total, top),
    byStream: streams.items()
  };
}

/** A log with more categories than the table holds has those that it gave up in one item: what is left of the total. */
function itemsOf(categories: GroupTable, total: Float64Array, top: number): RemovedItems {
  const largest = new LargestRemoved(top);
  const rest = total.slice();
  const { values } = categories;
  for (let row = 0; row < categories.count * SUM_COLUMNS; row += SUM_COLUMNS) {
    largest.add(values, row, () => categories.name(row / SUM_COLUMNS));
    for (let column = 0; column < SUM_COLUMNS; column++) rest[column]! -= values[row + column]!;
  }
  if (rest[RemovedColumn.streams]! > 0) largest.addToOthers(rest, 0);
  return largest.items();
}

/** By what comes before the first `-`. */
function categoryOf(table: GroupTable, names: Buffer, start: number, end: number): number {
  const dash = dashIn(names, start, end);
  const none = Buffer.from(NO_CATEGORY);
  return dash < 0 ? numberOfName(table, none, 0, none.length) : numberOfName(table, names, start, dash);
}

/** All chunks, for the streams of one table. */
class RemovalPass {
  readonly #parts: SumRemoval;
  readonly #table: GroupTable;
  readonly #hash: StreamHash = { high: 0, low: 0 };
  readonly #limits: DiscardLimits = { ...NO_LIMITS };

  constructor(parts: SumRemoval, table: GroupTable) {
    this.#parts = parts;
    this.#table = table;
  }

  async run(): Promise<void> {
    const { planned, decisions, chunks } = this.#parts;
    for (const chunk of chunks) {
      if (decisions.judging.heads) await this.#sweep(chunk);
      else await this.#read(chunk);
      await planned.control.breatheWhenDue();
    }
  }

  /** From what is known of the chunk; a stream is looked up once. */
  async #sweep(chunk: Chunk): Promise<void> {
    const { planned, decisions } = this.#parts;
    const { verdicts, judging } = decisions;
    const { ignoreHardDeletes, pointPosition } = judging;
    const { control } = planned;
    const sweep = judging.heads!.sweepOf(chunk);
    const streams = new StreamVerdictColumns(sweep.streamCount);
    for (let ordinal = 0; ordinal < sweep.streamCount; ordinal++) {
      sweep.nameStream(ordinal);
      streams.put(ordinal, verdicts.ofRecord(sweep.record));
      if (control.isDue()) await control.breathe();
    }
    const rows = new Int32Array(sweep.streamCount).fill(NOT_SEEN);
    let end = this.#table.to;
    while (sweep.next(streams.limits)) {
      const { record, stream } = sweep;
      if (record.position >= pointPosition) break; // so do those that follow
      const verdict = streams.get(stream);
      if (shouldDiscardRecord(record, verdict, ignoreHardDeletes)) {
        if (rows[stream] === NOT_SEEN) rows[stream] = this.#rowOf(record, verdict);
        this.#count(rows[stream]!, record, verdict);
        if (this.#table.to !== end) {
          rows.fill(NOT_SEEN); // it gave up a part, and the others moved
          end = this.#table.to;
        }
      }
      if (control.isDue()) await control.breathe();
    }
  }

  async #read(chunk: Chunk): Promise<void> {
    const { planned, decisions } = this.#parts;
    const { ignoreHardDeletes, pointPosition } = decisions.judging;
    const { control } = planned;
    const { log } = planned.session.database;
    const cursor = log.heads(chunk.startPosition, Math.min(chunk.endPosition, pointPosition));
    try {
      while (cursor.next()) {
        const { record } = cursor;
        if (record.kind !== 'prepare') continue;
        const verdict = decisions.verdicts.ofRecord(record);
        if (shouldDiscardRecord(record, verdict, ignoreHardDeletes)) {
          this.#count(this.#rowOf(record, verdict), record, verdict);
        }
        if (control.isDue()) await control.breathe();
      }
    } finally {
      cursor.close();
    }
  }

  #count(at: number, record: RecordHead, verdict: StreamVerdict): void {
    if (at === ELSEWHERE) return;
    const { values } = this.#table;
    const row = at * STREAM_COLUMNS;
    readLimits(values, row, this.#limits);
    const rule = PLACE_OF[reasonToDiscard(record, verdict, this.#limits)];
    values[row + RemovedColumn.records + rule]!++;
    values[row + RemovedColumn.bytes + rule]! += record.length + FRAME_LENGTH;
  }

  /** Number of the stream in the table. */
  #rowOf(record: RecordHead, verdict: StreamVerdict): number {
    const table = this.#table;
    const { hasher } = this.#parts.planned.session.index;
    const { high, low } = hashStreamOf(record, hasher, this.#hash);
    const at = table.numberOf(high, low, record.bytes, record.streamStart, record.streamEnd);
    if (at === ELSEWHERE) return at;
    const { values } = table;
    const row = at * STREAM_COLUMNS;
    if (values[row + RemovedColumn.streams] === 0) {
      values[row + RemovedColumn.streams] = 1;
      putLimits(values, row, this.#limitsOf(record, verdict));
    }
    return at;
  }

  #limitsOf({ stream }: RecordHead, { isTombstoned, isMetastream }: StreamVerdict): DiscardLimits {
    if (isTombstoned || isMetastream) return NO_LIMITS;
    const { state, entries } = this.#parts.decisions;
    const handle = state.handleOf(stream);
    const limits = state.originals.get(handle);
    if (!limits) return NO_LIMITS;
    const last = limits.maxCount < 0 ? -1 : (entries.last(handle)?.number ?? -1);
    return discardLimitsOf(limits, last);
  }
}

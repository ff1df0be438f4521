/**
 * The streams that have rules, each with its newest event. The newest event of a stream is never discarded: what
 * depends on it is worked out here, once all chunks are known.
 */
import { CutoffMemo } from '../../scavenge/decisions/cutoff-memo.ts';
import type { ScavengeState } from '../../scavenge/state/scavenge-state.ts';
import type { OriginalStreamData } from '../../scavenge/state/stream-data.ts';
import type { GroupTable } from './group-table.ts';
import { StreamColumn } from './stream-row.ts';

const STREAMS_BETWEEN_LOOKS = 1024;

export interface RuledStream {
  lastNumber: number;
  lastBytes: number;
  /** Milliseconds since the year 1. */
  lastMs: number;
  /** -1: not set. */
  maxAgeSeconds: number;
  truncateBefore: number;
  maxCount: number;
  cutoffMs: number;
}

/** Adds to a table what the state says of its streams, once all of them were counted. */
export function putRules(table: GroupTable, state: ScavengeState): void {
  const { values, columnCount } = table;
  for (let at = 0, row = 0; at < table.count; at++, row += columnCount) {
    const data = values[row + StreamColumn.isRuled] === 0 ? undefined : rulesOf(table, at, state);
    if (!data) values[row + StreamColumn.isRuled] = 0;
    values[row + StreamColumn.maxAge] = data?.maxAgeSeconds ?? -1;
    values[row + StreamColumn.truncateBefore] = data?.truncateBefore ?? -1;
    values[row + StreamColumn.maxCount] = data?.maxCount ?? -1;
  }
}

/**
 * Visits the streams of a table that are neither metastreams nor deleted for good, and whose newest event is known. What is
 * shown is one view that is moved.
 */
export async function visitRuled(
  { values, columnCount, count }: GroupTable,
  {
    effectiveNow,
    visit,
    breathe
  }: {
    effectiveNow: bigint;
    visit: (ruled: Readonly<RuledStream>) => void;
    breathe: () => Promise<void>;
  }
): Promise<void> {
  const ruled: RuledStream = {
    lastNumber: -1,
    lastBytes: 0,
    lastMs: 0,
    maxAgeSeconds: -1,
    truncateBefore: -1,
    maxCount: -1,
    cutoffMs: 0
  };
  const cutoffs = new CutoffMemo(effectiveNow);
  const cutoff = { isSet: false, high: 0, low: 0 };
  for (let at = 0, row = 0; at < count; at++, row += columnCount) {
    if (at % STREAMS_BETWEEN_LOOKS === 0) await breathe();
    ruled.lastNumber = values[row + StreamColumn.lastNumber]!;
    if (values[row + StreamColumn.isRuled] === 0 || ruled.lastNumber < 0) continue;
    ruled.lastBytes = values[row + StreamColumn.lastBytes]!;
    ruled.lastMs = values[row + StreamColumn.lastMs]!;
    ruled.truncateBefore = values[row + StreamColumn.truncateBefore]!;
    ruled.maxCount = values[row + StreamColumn.maxCount]!;
    ruled.maxAgeSeconds = values[row + StreamColumn.maxAge]!;
    cutoffs.read(ruled.maxAgeSeconds, cutoff);
    ruled.cutoffMs = (cutoff.high * 4294967296 + cutoff.low) / 10_000;
    visit(ruled);
  }
}

function rulesOf(table: GroupTable, at: number, state: ScavengeState): OriginalStreamData | undefined {
  const high = table.hashHigh(at);
  const low = table.hashLow(at);
  return state.collisions.isCollidingHash(high, low)
    ? state.originals.get(state.handleOf(table.name(at)))
    : state.originals.getByHash(high, low);
}

/**
 * The streams that have rules, each with its newest event. The newest event of a stream is never discarded: what
 * depends on it is worked out here, once all chunks are known.
 */
import { CutoffMemo } from '../../scavenge/decisions/cutoff-memo.ts';
import type { ScavengeState } from '../../scavenge/state/scavenge-state.ts';
import type { OriginalStreamData } from '../../scavenge/state/stream-data.ts';
import type { GroupTable } from './group-table.ts';
import type { Usage } from './read-usage.ts';
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

/**
 * Visits the streams that are neither metastreams nor deleted for good, and whose newest event is known. What is shown
 * is one view that is moved.
 */
export async function forEachRuledStream(
  { tables, state, effectiveNow }: Pick<Usage, 'tables' | 'state' | 'effectiveNow'>,
  visit: (ruled: Readonly<RuledStream>) => void,
  breathe: () => Promise<void>
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
  for await (const table of tables.streams()) {
    const { values, columnCount } = table;
    for (let at = 0; at < table.count; at++) {
      if (at % STREAMS_BETWEEN_LOOKS === 0) await breathe();
      const row = at * columnCount;
      if (values[row + StreamColumn.isRuled] === 0) continue;
      ruled.lastNumber = values[row + StreamColumn.lastNumber]!;
      const data = ruled.lastNumber < 0 ? undefined : rulesOf(table, at, state);
      if (!data) continue;
      ruled.lastBytes = values[row + StreamColumn.lastBytes]!;
      ruled.lastMs = values[row + StreamColumn.lastMs]!;
      ruled.truncateBefore = data.truncateBefore;
      ruled.maxCount = data.maxCount;
      ruled.maxAgeSeconds = data.maxAgeSeconds;
      cutoffs.read(data.maxAgeSeconds, cutoff);
      ruled.cutoffMs = (cutoff.high * 4294967296 + cutoff.low) / 10_000;
      visit(ruled);
    }
  }
}

function rulesOf(table: GroupTable, at: number, state: ScavengeState): OriginalStreamData | undefined {
  const high = table.hashHigh(at);
  const low = table.hashLow(at);
  return state.collisions.isCollidingHash(high, low)
    ? state.originals.get(state.handleOf(table.name(at)))
    : state.originals.getByHash(high, low);
}

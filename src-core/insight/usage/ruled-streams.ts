/**
 * The streams that have rules, each with its newest event, from the counted chunks. The newest event of a stream is
 * never let go: what depends on it is worked out here, once all chunks are known.
 */
import type { Usage } from './read-usage.ts';
import { PairFlag } from './pair-columns.ts';

export interface RuledStream {
  stream: string;
  lastNumber: number;
  lastBytes: number;
  /** Milliseconds since the year 1. */
  lastMs: number;
  maxAgeSeconds: number;
  /** -1: not set. */
  truncateBefore: number;
  maxCount: number;
  cutoffMs: number;
}

/** Streams that are neither metastreams nor deleted for good. */
export async function* ruledStreams(
  { store, state }: Pick<Usage, 'store' | 'state'>,
  breathe: () => Promise<void>
): AsyncGenerator<RuledStream> {
  const rows = store.query(
    // The other columns are those of the row with the highest number.
    'SELECT stream, MAX(lastNumber) AS lastNumber, lastBytes, lastMs, maxAgeSeconds, cutoffHigh, cutoffLow, flags ' +
      `FROM Pairs WHERE (CAST(flags AS INTEGER) & ${PairFlag.known}) <> 0 AND ` +
      `(CAST(flags AS INTEGER) & ${PairFlag.tombstoned | PairFlag.metastream}) = 0 GROUP BY stream`
  );
  for (const row of rows) {
    const stream = String(row['stream']);
    const data = state.originals.get(state.handleOf(stream));
    await breathe();
    if (!data) continue;
    const ruled: RuledStream = {
      stream,
      lastNumber: Number(row['lastNumber']),
      lastBytes: Number(row['lastBytes']),
      lastMs: Number(row['lastMs']),
      maxAgeSeconds: Number(row['maxAgeSeconds']),
      truncateBefore: data.truncateBefore,
      maxCount: data.maxCount,
      cutoffMs: (Number(row['cutoffHigh']) * 4294967296 + Number(row['cutoffLow'])) / 10_000
    };
    yield ruled;
  }
}

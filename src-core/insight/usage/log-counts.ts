/** What is counted of the whole log besides its streams and types: by chunk, by kind of link, by cause, by day. */
import type { Chunk } from '../../chunks/chunk.ts';
import { dayOf, ExpiryDays } from './expiry-days.ts';
import { SUM_COUNT, type RecordSum } from './usage-sums.ts';

/** Of one chunk file. */
export interface ChunkCount {
  startNumber: number;
  endNumber: number;
  total: RecordSum;
  commits: RecordSum;
  system: RecordSum;
  discardable: RecordSum;
}

export function emptyChunkCount({ startNumber, endNumber }: Chunk): ChunkCount {
  const none = () => ({ records: 0, bytes: 0 });
  return { startNumber, endNumber, total: none(), commits: none(), system: none(), discardable: none() };
}

/** Kinds of links, in the order of their rows. */
export const LINK_KINDS = ['(no links)', '(other links)', '$ce-', '$et-', '$streams'] as const;

export class LogCounts {
  /** In the order of the log. */
  readonly chunks: ChunkCount[] = [];
  readonly links = new Float64Array(LINK_KINDS.length * SUM_COUNT);
  events = 0;
  readonly tombstones: RecordSum = { records: 0, bytes: 0 };
  /** Records of metastreams that stay. */
  readonly metadata: RecordSum = { records: 0, bytes: 0 };
  /** Links that stay although the event they point to is gone, or free to go. */
  readonly deadLinks: RecordSum = { records: 0, bytes: 0 };
  longNameBytes = 0;
  readonly expiry: ExpiryDays;

  constructor(effectiveNow: bigint) {
    this.expiry = new ExpiryDays(dayOf(Number(effectiveNow / 10_000n)));
  }
}

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

/** All of it as plain values. */
export interface LogCountsImage {
  chunks: ChunkCount[];
  links: number[];
  events: number;
  tombstones: RecordSum;
  metadata: RecordSum;
  deadLinks: RecordSum;
  longNameBytes: number;
  firstDay: number;
  expiry: number[];
}

export class LogCounts {
  /** In the order of the log. */
  readonly chunks: ChunkCount[] = [];
  /**
   * Milliseconds since the year 1 of the first moment at which a record that stays now may go by its age, not later than
   * that; Infinity when none does.
   */
  nextExpiryMs = Infinity;
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

  get image(): LogCountsImage {
    const { chunks, links, events, tombstones, metadata, deadLinks, longNameBytes, expiry } = this;
    return {
      chunks,
      links: [...links],
      events,
      tombstones,
      metadata,
      deadLinks,
      longNameBytes,
      firstDay: expiry.firstDay,
      expiry: [...expiry.values]
    };
  }

  /** As an image of the same day says. */
  take(image: LogCountsImage): void {
    this.chunks.push(...image.chunks);
    this.links.set(image.links);
    this.events = image.events;
    Object.assign(this.tombstones, image.tombstones);
    Object.assign(this.metadata, image.metadata);
    Object.assign(this.deadLinks, image.deadLinks);
    this.longNameBytes = image.longNameBytes;
    this.expiry.values.set(image.expiry);
  }
}

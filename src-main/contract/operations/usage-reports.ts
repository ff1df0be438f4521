/** The reports about the content of a database and how much can be freed. Members may be added, never renamed. */
import { z } from 'zod';
import { spaceSaved } from './reports.ts';

const count = z.number().int();
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
const warning = z.object({ code: z.string(), message: z.string(), remedy: z.string() });
/** null: nothing can be freed, because no chunk is completed or no scavenge can pass the log. */
const point = z.object({ position: count, effectiveNow: time }).nullable();

export const usageItem = z.object({
  name: z.string(),
  records: count,
  /** Of the records: payload plus 8 each. */
  bytes: count,
  /** 24 per event. */
  indexBytes: count,
  discardableRecords: count,
  discardableBytes: count,
  /** Logical chunk numbers, both included. */
  firstChunk: count,
  lastChunk: count
});
export type UsageItemRow = z.infer<typeof usageItem>;

export const usageReport = z.object({
  by: z.enum(['stream', 'category', 'type', 'link']),
  total: z.object({
    records: count,
    bytes: count,
    indexBytes: count,
    discardableRecords: count,
    discardableBytes: count
  }),
  /** The largest first. Commits, system records and the rest are items; the sum of all is the total. */
  items: z.array(usageItem),
  /** Number before the limit. */
  itemCount: count,
  point,
  /** Of files, by a detached scavenge of now with threshold 0. */
  spaceSaved,
  /** From the bytes of records that can go to the bytes of files that are freed; the sum is the total of `spaceSaved`. */
  savings: z.array(
    z.object({
      cause: z.enum(['records', 'keptLarger', 'positionMaps', 'padding', 'merging', 'index']),
      bytes: count
    })
  ),
  /** Sizes of files. */
  files: z.object({ logBytes: count, indexBytes: count }),
  unfreeable: z.array(
    z.object({
      cause: z.enum([
        'lastEvents',
        'tombstones',
        'deadLinks',
        'metadata',
        'commits',
        'system',
        'positionMaps',
        'headersAndFooters',
        'padding',
        'longNames'
      ]),
      /** null: it does not consist of records. */
      records: count.nullable(),
      bytes: count
    })
  ),
  /** What expires by age; days in UTC, today first. */
  calendar: z.array(
    z.object({ day: z.string().regex(/^\d{4}-\d\d-\d\d$/), records: count, bytes: count, sumBytes: count })
  ),
  whatIf: z.array(
    z.object({
      category: z.string(),
      maxAgeSeconds: count.nullable(),
      maxCount: count.nullable(),
      streams: count,
      bytes: count,
      /** With the current rules. */
      discardableBytes: count,
      /** With the rule, in addition to the current ones. */
      likelyBytes: count,
      leastBytes: count,
      mostBytes: count
    })
  ),
  /** For their digest. */
  chunksRead: count,
  /** With a digest from earlier. */
  chunksKnown: count,
  warnings: z.array(warning)
});
export type UsageReport = z.infer<typeof usageReport>;

export const thresholdsReport = z.object({
  rows: z.array(
    z.object({
      threshold: count,
      /** Rewritten. */
      chunks: count,
      /** Read for it; some may not become smaller. */
      chunksJudged: count,
      recordsDiscarded: count,
      /** The total of `spaceSaved`. */
      bytesFreed: count,
      spaceSaved,
      /** Needed besides the old files meanwhile. */
      scratchBytes: count,
      /** null: the speed of this machine is not known. */
      estimatedMs: count.nullable()
    })
  ),
  /** The basis of the estimates. */
  rate: z.object({ source: z.enum(['history', 'measured']), bytesPerSecond: count }).nullable(),
  point,
  warnings: z.array(warning)
});
export type ThresholdsReport = z.infer<typeof thresholdsReport>;

export const USAGE_SCHEMAS = { usage: usageReport, thresholds: thresholdsReport } as const;

export interface UsageSurvey extends Pick<
  UsageReport,
  | 'total'
  | 'point'
  | 'spaceSaved'
  | 'savings'
  | 'files'
  | 'unfreeable'
  | 'calendar'
  | 'chunksRead'
  | 'chunksKnown'
  | 'warnings'
> {
  stream: Pick<UsageReport, 'items' | 'itemCount'>;
  category: Pick<UsageReport, 'items' | 'itemCount'>;
  type: Pick<UsageReport, 'items' | 'itemCount'>;
  link: Pick<UsageReport, 'items' | 'itemCount'>;
  thresholds: Pick<ThresholdsReport, 'rows' | 'rate'>;
}

/** What is inside a category or a stream; the total is its own. */
export type UsagePartReport = Pick<UsageReport, 'total' | 'items' | 'itemCount'>;

/** What a scavenge of all completed chunks would remove of a stream or category now. */
export interface NamedRemoval {
  name: string;
  discardableRecords: number;
  discardableBytes: number;
}

export interface NamedUsageReport {
  /** False: chunks would have to be read for an answer, and only what is known was wanted. */
  known: boolean;
  streams: NamedRemoval[];
  categories: NamedRemoval[];
}

export interface UsageReplies {
  usageOfStreams: NamedUsageReport;
  usageWithin: UsagePartReport;
  surveyUsage: UsageSurvey;
  exportUsage: { text: string };
  readUsage: UsageReport;
  compareThresholds: ThresholdsReport;
}

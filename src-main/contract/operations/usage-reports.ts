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

/** `indexBytes`: 24 for each event. */
const written = { records: count, bytes: count, indexBytes: count };
const dead = {
  /** Links that stay although the event they point to is gone, or free to go. */
  deadRecords: count,
  deadBytes: count
};
/** Of log and index, a day, of what is still there; null: the log covers less than a day. */
const bytesPerDay = z.number().nonnegative().nullable();

export const projectionsReport = z.object({
  /** What users wrote: everything but links and what projections write about themselves. */
  own: z.object({ ...written, bytesPerDay }),
  /** Only those that are in the log. */
  sources: z.array(
    z.object({
      source: z.enum(['$ce-', '$et-', '$bc-', '$streams', '(other links)', '(checkpoints and state)']),
      /** The server's projection that writes such links; null: several, or one of the users' own. */
      projection: z.string().nullable(),
      /** Streams that hold them; null: their names do not say it. */
      streams: count.nullable(),
      ...written,
      ...dead,
      bytesPerDay
    })
  ),
  /** Of everything that projections wrote, for each byte and each index entry of the users' own; null: there are none. */
  amplification: z.object({ bytes: z.number(), entries: z.number() }).nullable(),
  /** By the category that the links point into, those with the most bytes of links first. */
  categories: z.array(
    z.object({
      category: z.string(),
      ...written,
      linkRecords: count,
      linkBytes: count,
      linkIndexBytes: count,
      /** Bytes of log and index that were written for each of the category's own; null: it has none. */
      amplification: z.number().nullable(),
      links: z.array(z.object({ source: z.string(), ...written, ...dead }))
    })
  ),
  /** Number before the limit. */
  categoryCount: count,
  /** What would be saved, bytes of log and index. */
  savings: z.array(
    z.object({
      /** `switchOff`: the projection that writes this source; `secondaryIndexes`: those for categories and event types. */
      measure: z.enum(['switchOff', 'secondaryIndexes']),
      source: z.string().nullable(),
      /** Not written any more. */
      bytesPerDay,
      /** Once the streams of links are deleted and scavenged as well. */
      bytes: count
    })
  ),
  /** Days that the bytes per day are the mean of; null: not known. */
  days: z.number().nullable(),
  point,
  warnings: z.array(warning)
});
export type ProjectionsReport = z.infer<typeof projectionsReport>;

const perDay = z.number().nonnegative();
export const growthReport = z.object({
  /** Why nothing is known: the log covers less than a day, or chunks would have to be read first; null: it is known. */
  unknown: z.enum(['tooShort', 'notRead']).nullable(),
  /** Of the volume with the log. */
  freeBytes: count,
  /** Where the index is on a volume of its own, it is left out of all sums: this is what is free there. */
  indexFreeBytes: count.nullable(),
  /** null: not known. */
  growth: z
    .object({
      from: time,
      to: time,
      days: z.number(),
      /** All that was written, bytes a day of log and index; of it the log alone. */
      writtenPerDay: perDay,
      logPerDay: perDay,
      /** Of what is still there: nothing limits it; its maximum age does; a scavenge could remove it already. */
      lastingPerDay: perDay,
      expiringPerDay: perDay,
      removablePerDay: perDay,
      /** Mean maximum age of what expires, days. */
      expiringDays: z.number().nonnegative(),
      /** The fastest first; what is not shown, commits and system records are `(others)`. */
      categories: z.array(
        z.object({
          category: z.string(),
          bytesPerDay: perDay,
          lastingPerDay: perDay,
          expiringPerDay: perDay,
          removablePerDay: perDay
        })
      ),
      categoryCount: count
    })
    .nullable(),
  /** By a scavenge of all completed chunks now. */
  freedNowBytes: count.nullable(),
  /** When the volume is full if the log goes on like this; null: not known, or not within a hundred years. */
  full: z.object({
    withoutScavenges: z.object({ days: z.number(), at: time }).nullable(),
    withScavenges: z.object({ days: z.number(), at: time }).nullable()
  }),
  /** Bytes taken beyond now at the end of each day (UTC), from today; negative: less than now. */
  curve: z.array(z.object({ day: z.string().regex(/^\d{4}-\d\d-\d\d$/), without: count, with: count })),
  warnings: z.array(warning)
});
export type GrowthReport = z.infer<typeof growthReport>;

const growthOfLog = growthReport.shape.growth.unwrap();

/** The growth report as `winnow forecast --json` prints it: the categories stand at the top. */
export const forecastDocument = growthReport.extend({
  /** When the volume is full if the log goes on like this, without scavenges and with regular ones; null as in `full`. */
  fullAt: time.nullable(),
  fullAtAfterScavenges: time.nullable(),
  /** All that was written, of log and index; null: not known. */
  bytesPerDay: perDay.nullable(),
  byCategory: z.array(
    growthOfLog.shape.categories.element.omit({ category: true }).extend({ name: z.string() })
  ),
  growth: growthOfLog.omit({ categories: true }).nullable()
});
export type ForecastDocument = z.infer<typeof forecastDocument>;

export const USAGE_SCHEMAS = {
  forecast: forecastDocument,
  usage: usageReport,
  thresholds: thresholdsReport,
  projections: projectionsReport
} as const;

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
  priceProjections: ProjectionsReport;
  forecastGrowth: GrowthReport;
}

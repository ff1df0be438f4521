/** Requests of the operations that count the content of a database. */
import { z } from 'zod';

/** Categories or projections in one answer. */
export const MOST_LISTED = 100_000;
/** Days of a forecast's curve. */
export const MOST_CURVE_DAYS = 365;

const place = {
  dataDirectory: z.string().min(1),
  indexDirectory: z.string().min(1).optional(),
  /** Ages are judged as of this time. ISO 8601. */
  now: z.string().optional(),
  /** Threads that read chunks, at most; default: one per processor, at most four. */
  threads: z.number().int().min(1).optional(),
  /** Digests of chunks are kept here for the next time; default: nowhere. */
  winnowHome: z.string().optional(),
  /** Directory for temporary files. */
  scratchDirectory: z.string().optional()
};

const whatIfRule = z.object({
  category: z.string().min(1),
  maxAgeSeconds: z.number().int().nonnegative().nullable(),
  maxCount: z.number().int().positive().nullable()
});

export const usageRequests = {
  readUsage: () =>
    z.object({
      ...place,
      by: z.enum(['stream', 'category', 'type', 'link']).default('stream'),
      /** Maximum number of items; the rest is one more. */
      top: z.number().int().min(1).max(1_000_000).default(1_000_000),
      /** Days of the calendar; 0: none. */
      calendarDays: z.number().int().min(0).max(90).default(0),
      whatIf: z.array(whatIfRule).default([])
    }),
  /** For the window: everything that it shows, from one count. */
  surveyUsage: () => z.object({ ...place, top: z.number().int().min(1).max(5000).default(1000) }),
  /** For the window: what is inside one category or stream, by stream or by event type. Exactly one of both is named. */
  usageWithin: () =>
    z.object({
      ...place,
      category: z.string().min(1).nullable().default(null),
      stream: z.string().min(1).nullable().default(null),
      by: z.enum(['stream', 'type']),
      top: z.number().int().min(1).max(5000).default(1000)
    }),
  /** For the window: what could be freed of the streams and categories on screen. */
  usageOfStreams: () =>
    z.object({
      ...place,
      streams: z.array(z.string().max(100_000)).max(1000).default([]),
      categories: z.array(z.string().max(100_000)).max(1000).default([]),
      /** The answer is "not known" where chunks would have to be read for it. */
      onlyKnown: z.boolean().default(false)
    }),
  /** For the window: the items as text. */
  exportUsage: () =>
    z.object({
      ...place,
      by: z.enum(['stream', 'category', 'type', 'link']).default('stream'),
      format: z.enum(['csv', 'json', 'ncdu']),
      top: z.number().int().min(1).max(20_000).default(20_000)
    }),
  forecastGrowth: () =>
    z.object({
      ...place,
      /** Categories at most, those that grow fastest. */
      top: z.number().int().min(1).max(MOST_LISTED).default(1000),
      /** Of the curve. */
      days: z.number().int().min(1).max(MOST_CURVE_DAYS).default(90),
      /** Read at most, in the engine's own thread; 0 or absent: as fast as it goes, in several. */
      bytesPerSecond: z.number().int().nonnegative().optional(),
      /** The answer is "not known" where chunks would have to be read for it. */
      onlyKnown: z.boolean().default(false)
    }),
  priceProjections: () =>
    z.object({
      ...place,
      /** Categories at most, those with the most bytes of links. */
      top: z.number().int().min(1).max(MOST_LISTED).default(10_000)
    }),
  compareThresholds: () =>
    z.object({
      ...place,
      /** Thresholds to compare; default: -1, 0 and those at which the result changes. */
      thresholds: z.array(z.number().int().min(-1)).default([])
    })
} as const;

export interface UsagePlace {
  dataDirectory: string;
  indexDirectory?: string | undefined;
  now?: string | undefined;
  threads?: number | undefined;
  winnowHome?: string | undefined;
  scratchDirectory?: string | undefined;
}

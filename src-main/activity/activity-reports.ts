/**
 * What is kept of an operation after it ended: what, when, by which door, how it went. Never the content of events, and
 * of what was asked no names of streams: a stream may be called after a person.
 */
import { z } from 'zod';

export const DOORS = ['window', 'browser', 'commandLine', 'http', 'schedule'] as const;
/** How an operation was asked for. */
export type Door = (typeof DOORS)[number];

/** `deletesLog`: the node starts, and its start deletes part of the log. */
export const VERDICTS = ['damage', 'willNotStart', 'deletesLog', 'errored'] as const;
export type Verdict = (typeof VERDICTS)[number];

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Scalar = z.infer<typeof scalar>;

export const activityEntry = z.object({
  /** Of work in the window: the id that it has there. */
  id: z.string(),
  operation: z.string(),
  door: z.enum(DOORS),
  /** null: it is about no database (a backup by itself, for example). */
  dataDirectory: z.string().nullable(),
  /** Where its backups are, when that was named. */
  target: z.string().nullable(),
  /** ISO 8601 with seven fraction digits, as all times. */
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  elapsedMs: z.number().nullable(),
  /** `interrupted`: nothing tells of an end, and the process is gone. */
  outcome: z.enum(['running', 'done', 'stopped', 'failed', 'interrupted']),
  /**
   * What an operation that ended had to say against its database or backup: a verification that found damage was done,
   * and its end is no good news. null: nothing, or it was asked for no judgement. Absent in records of older versions.
   */
  verdict: z.enum(VERDICTS).nullable().default(null),
  /** What was asked, without what names streams or events. */
  options: z.record(z.string(), scalar),
  /** Single values of the report: counts, sizes, times. */
  figures: z.record(z.string(), scalar),
  /** The last lines of its log. */
  log: z.array(z.string()),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      remedy: z.string(),
      details: z.record(z.string(), z.unknown())
    })
    .nullable(),
  version: z.string(),
  hostName: z.string(),
  pid: z.number().int()
});
export type ActivityEntry = z.infer<typeof activityEntry>;

export const activityReport = z.object({
  /** Newest first. */
  activities: z.array(activityEntry)
});
export type ActivityReport = z.infer<typeof activityReport>;

export const ACTIVITY_SCHEMAS = { activity: activityReport };

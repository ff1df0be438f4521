/**
 * What is kept of an operation after it ended: what, when, requested where, with which result. Never the content of events, and
 * no names of streams from the request: a stream may be named after a person.
 */
import { z } from 'zod';

export const DOORS = ['window', 'browser', 'commandLine', 'http', 'schedule'] as const;
/** Where an operation was requested. */
export type Door = (typeof DOORS)[number];

/** `deletesLog`: the node starts, and its start deletes part of the log. */
export const VERDICTS = ['damage', 'willNotStart', 'deletesLog', 'errored'] as const;
export type Verdict = (typeof VERDICTS)[number];

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Scalar = z.infer<typeof scalar>;

export const activityEntry = z.object({
  /** For work in the window: its id there. */
  id: z.string(),
  operation: z.string(),
  door: z.enum(DOORS),
  /** null: it concerns no database (only a backup, for example). */
  dataDirectory: z.string().nullable(),
  /** The location of its backups, if named. */
  target: z.string().nullable(),
  /** ISO 8601 with seven fraction digits, like all times. */
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  elapsedMs: z.number().nullable(),
  /** `interrupted`: no end is recorded, and the process is gone. */
  outcome: z.enum(['running', 'done', 'stopped', 'failed', 'interrupted']),
  /**
   * The negative verdict of an ended operation about its database or backup: a verification that found damage is done,
   * but its result is bad news. null: none, or the operation does not judge. Absent in records of older versions.
   */
  verdict: z.enum(VERDICTS).nullable().default(null),
  /** The request, without names of streams or events. */
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

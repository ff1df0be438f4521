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

export type Scalar = string | number | boolean | null;
const scalar: z.ZodType<Scalar> = z.lazy(() => z.union([z.string(), z.number(), z.boolean(), z.null()]));

// Each is made when it is first asked for: every command writes entries, few read them.
export const activityEntry = z.lazy(() =>
  z.object({
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
    pid: z.number().int(),
    /**
     * Where that process runs, whatever its machine is called: the machine (a hash; null: not known), its start, and whose
     * process numbers they are. null or absent: not known.
     */
    place: z.object({ machine: z.string().nullable(), boot: z.string(), processes: z.string() }).nullish()
  })
);
export type ActivityEntry = z.infer<typeof activityEntry>;

export const activityReport = z.lazy(() =>
  z.object({
    /** Newest first. */
    activities: z.array(activityEntry)
  })
);
export type ActivityReport = z.infer<typeof activityReport>;

export const supportLogReport = z.lazy(() =>
  z.object({
    madeAt: z.string(),
    /** Such as `Node`: `24.1.0`. */
    versions: z.array(z.object({ name: z.string(), version: z.string() })),
    machine: z.object({
      processors: z.number().int(),
      memoryBytes: z.number(),
      homeFreeBytes: z.number().nullable()
    }),
    /** What lies in WINNOW_HOME, the names that Winnow gives; anything else is counted as `other`. */
    home: z.array(z.object({ name: z.string(), files: z.number().int(), bytes: z.number() })),
    /** Those that do not have their default; a text is only said to be set. */
    settings: z.array(z.object({ name: z.string(), value: z.string(), source: z.string() })),
    /** Why the settings could not be read; null: they were. */
    settingsProblem: z.string().nullable(),
    /** Of all that are recorded, so many are here. */
    recorded: z.number().int(),
    /** Newest first. */
    operations: z.array(z.object({ id: z.string(), details: z.string() }))
  })
);
export type SupportLogReport = z.infer<typeof supportLogReport>;

export const ACTIVITY_SCHEMAS = { activity: activityReport, 'support-log': supportLogReport };

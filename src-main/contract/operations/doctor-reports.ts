/** The reports of the doctor, and of the next start and its preparation. Members may be added, never renamed. */
import { z } from 'zod';
import { finding } from './finding-report.ts';
import { planId } from './plan-option.ts';

const count = z.number().int();

export const startFinding = finding.extend({
  /** What it does to the start. */
  effect: z.enum(['refuses', 'diesLater', 'truncates', 'rebuildsIndex', 'none']),
  /** What the server would do about it. */
  wouldDo: z.string(),
  /** The server's own words, as far as they are known. */
  serverSays: z.string().nullable()
});
export type StartFindingRow = z.infer<typeof startFinding>;

const startRate = z.object({
  perSecond: count,
  of: z.enum(['bytes', 'records', 'entries', 'files']),
  /** `measured`: on this disk, for this answer. */
  basis: z.enum(['measured', 'assumed'])
});

const startWork = z.object({
  what: z.enum([
    'openChunks',
    'hashTables',
    'copyIndexAside',
    'readLogIntoIndex',
    'loadFilter',
    'rebuildFilter',
    'readLogIntoFilter',
    'hashChunks'
  ]),
  why: z.string(),
  bytes: count,
  records: count.nullable(),
  entries: count.nullable(),
  files: count.nullable(),
  ms: count,
  /** The rate that decides how long it takes. */
  rate: startRate,
  isInBackground: z.boolean()
});

export const doctorReport = z.object({
  prediction: z.object({
    /** The node starts and keeps running; after a truncation perhaps only at the second start. */
    starts: z.boolean(),
    then: z.enum(['runs', 'truncatesAndRuns', 'truncatesAndExits', 'rebuildsIndex', 'refuses', 'diesLater']),
    words: z.string(),
    /** Chunk files that the start deletes because of truncate.chk, in this order. */
    deletes: z.array(z.object({ file: z.string(), bytes: count }))
  }),
  findings: z.array(startFinding),
  estimate: z.object({
    work: z.array(startWork),
    /** Until the node is ready. */
    readyMs: count,
    /** Assumed, not measured. */
    rates: z.object({ hashBytesPerSecond: count, recordsPerSecond: count })
  }),
  server: z.object({ version: z.string(), isInferred: z.boolean() }),
  checked: z.object({ files: count, bytes: count, records: count, indexEntries: count }),
  notChecked: z.array(z.string()),
  /** Some of what the server reads was skipped for speed; named in `notChecked`. */
  isPartial: z.boolean(),
  /** The identity of the checked files, as in the health of an inspection. */
  directory: z.string(),
  ok: z.boolean()
});
export type DoctorReport = z.infer<typeof doctorReport>;

const preparationStep = z.object({
  code: z.enum([
    'applyTruncation',
    'rebuildIndex',
    'catchUpIndex',
    'mergeTables',
    'rebuildExistenceFilter',
    'catchUpExistenceFilter'
  ]),
  why: z.string(),
  /** Bytes that are written; of a truncation those that are cut off. A plan estimates them. */
  bytes: count,
  /** Index entries that are written; null where none are. */
  entries: count.nullable(),
  done: z.boolean()
});

export const startupReport = z.object({
  /** Until the node is ready; background work is not part of it. */
  estimatedMs: count,
  /** The same after the preparation that is planned here. */
  preparedMs: count,
  words: z.string(),
  prediction: doctorReport.shape.prediction,
  parts: z.array(
    startWork.extend({
      /** A preparation does it beforehand. */
      isPreparable: z.boolean(),
      /** What is left of it after the planned preparation. */
      afterMs: count,
      advice: z.string()
    })
  ),
  /** `bytes`: read and hashed. `records`: read into the index. `entries`: added to a filter. `files`: opened. */
  rates: z.object({ bytes: startRate, records: startRate, entries: startRate, files: startRate }),
  preparation: z.object({
    steps: z.array(preparationStep),
    /** Why nothing can be prepared. */
    refusal: z.object({ code: z.string(), message: z.string(), remedy: z.string() }).nullable(),
    notes: z.array(z.string())
  }),
  server: doctorReport.shape.server,
  notChecked: z.array(z.string()),
  /** Only after a preparation; the members above are then those of the start that is left. */
  prepared: z
    .object({
      steps: z.array(preparationStep),
      notes: z.array(z.string()),
      /** What the start would have taken before. */
      estimatedMsBefore: count,
      /** Where a scavenge state was moved to that a truncation left ahead of the log. */
      stateMovedTo: z.string().nullable()
    })
    .optional(),
  /** Of the preparation; only where there is one. */
  planId: planId.optional()
});
export type StartupReport = z.infer<typeof startupReport>;

export const DOCTOR_SCHEMAS = { doctor: doctorReport, startup: startupReport } as const;

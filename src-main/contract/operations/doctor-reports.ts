/** The report of the doctor. Members may be added, never renamed. */
import { z } from 'zod';
import { finding } from './finding-report.ts';

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
    work: z.array(
      z.object({
        what: z.enum(['hashTables', 'copyIndexAside', 'readLogIntoIndex', 'hashChunks']),
        bytes: count,
        records: count.nullable(),
        ms: count,
        isInBackground: z.boolean()
      })
    ),
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

export const DOCTOR_SCHEMAS = { doctor: doctorReport } as const;

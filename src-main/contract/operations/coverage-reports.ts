/** How much of a log was verified, and how long ago, in reports. Members may be added, never renamed. */
import { z } from 'zod';

const count = z.number().int();
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);

const covered = {
  files: count,
  bytes: count,
  /** Within `withinMs`. */
  verifiedFiles: count,
  verifiedBytes: count,
  /** Damaged when they were read last, and unchanged since. */
  damagedFiles: count,
  /** Never verified as they are now. */
  unknownFiles: count,
  /** When the reading of the one verified longest ago began, however long ago; null: none is verified. */
  oldest: time.nullable()
};

/** The log: its completed chunks. The chunk that is being written has no hash and is not counted. */
export const logCoverageReport = z.object({
  ...covered,
  withinMs: count,
  /** Every file was verified within that time. */
  isWhole: z.boolean()
});
export type LogCoverageReport = z.infer<typeof logCoverageReport>;

export const coverageReport = logCoverageReport.extend({
  /** The tables of the index, which follow from the log and are not counted in it. */
  index: z.object(covered)
});
export type CoverageReport = z.infer<typeof coverageReport>;

/** Members of a verification that was given a budget, or asked for the coverage. */
export const budgetMembers = {
  /** Only with a budget: `stopped` when its time was over before all files had their turn. */
  result: z.enum(['done', 'stopped']).optional(),
  budget: z
    .object({
      budgetMs: count,
      usedMs: count,
      verifiedFiles: count,
      waitingFiles: count,
      waitingBytes: count,
      /** The file whose turn is next; null: all had theirs. */
      next: z.string().nullable()
    })
    .optional(),
  coverage: coverageReport.optional()
};

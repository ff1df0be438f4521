/** Reports of the operations that restore. Member names and meanings are the contract's; members may be added. */
import { z } from 'zod';
import { planId } from './plan-option.ts';
import { checkReport, warning } from './reports.ts';

const count = z.number().int();

/** A chunk file that a truncation deletes. */
const removedFile = z.object({ file: z.string(), bytes: count });

export const restorePlanReport = z.object({
  backup: z.string(),
  dataDirectory: z.string(),
  indexDirectory: z.string(),
  files: count,
  bytes: count,
  leftOut: z.array(
    z.object({
      file: z.string(),
      why: z.enum(['behindTheLog', 'scavengeState', 'madeByTheServer', 'rewrittenHere'])
    })
  ),
  /** Directories that the old files will be moved to. */
  movesAside: z.array(z.string()),
  /** Future end of the log. */
  truncatesTo: count,
  /** Bytes of the copied log after that. */
  cutBytes: count,
  /** Chunk files of the backup that the cut deletes. */
  removes: z.array(removedFile),
  appliesTruncation: z.boolean(),
  /** What the target contains; null if it is empty or missing. */
  replaces: z
    .object({
      writer: count,
      /** Bytes of its log that are not in the backup; null if the two cannot be compared. */
      lostBytes: count.nullable(),
      isSameHistory: z.boolean().nullable(),
      hasScavengeState: z.boolean()
    })
    .nullable(),
  space: z.array(z.object({ directory: z.string(), neededBytes: count, freeBytes: count })),
  nextStart: z.string(),
  warnings: z.array(warning),
  planId
});
export type RestorePlanReport = z.infer<typeof restorePlanReport>;

export const restoreReport = z.object({
  backup: z.string(),
  dataDirectory: z.string(),
  indexDirectory: z.string(),
  /** By this run; does not count what an earlier attempt copied. */
  filesCopied: count,
  bytesCopied: count,
  /** Directories with the old files. */
  movedAside: z.array(z.string()),
  truncatesTo: count,
  appliedTruncation: z.boolean(),
  /** What the next start of the server does, in a sentence. */
  nextStart: z.string(),
  /** The target is the node that was backed up. */
  fullBackupAdvised: z.boolean(),
  warnings: z.array(warning)
});
export type RestoreReport = z.infer<typeof restoreReport>;

export const undoneRestoreReport = z.object({
  backup: z.string(),
  dataDirectory: z.string(),
  undone: z.literal(true)
});
export type UndoneRestoreReport = z.infer<typeof undoneRestoreReport>;

export const cutLogReport = z.object({
  dataDirectory: z.string(),
  /** False: a dry run, or nothing to cut. */
  applied: z.boolean(),
  /** The value of truncate.chk; null if it was not set. */
  requested: count.nullable(),
  /** End of the log; null if there was nothing to cut. */
  truncatesTo: count.nullable(),
  cutBytes: count,
  /** Deleted chunk files, in this order, with their sizes. */
  removed: z.array(removedFile),
  bytesRemoved: count,
  /** The chunk that becomes the active one again. */
  reopened: z.string().nullable(),
  nextStart: z.string(),
  warnings: z.array(warning)
});
export type CutLogReport = z.infer<typeof cutLogReport>;

export const rehearseReport = checkReport.extend({
  backup: z.string(),
  /** Streams of which the last event was read. */
  streams: count,
  truncatesTo: count
});
export type RehearseReport = z.infer<typeof rehearseReport>;

/** By command, as in reports.ts. */
export const RESTORE_SCHEMAS = {
  restore: restoreReport,
  'restore-plan': restorePlanReport,
  'restore-undo': undoneRestoreReport,
  'restore-finish': cutLogReport,
  'backup-rehearse': rehearseReport
} as const;

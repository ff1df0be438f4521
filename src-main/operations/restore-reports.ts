/** Reports of the operations that restore. Member names and meanings are the contract's; members may be added. */
import { z } from 'zod';
import { planId } from './plan-option.ts';
import { verifyReport, warning } from './reports.ts';

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
  /** Directories that will hold the old files. */
  movesAside: z.array(z.string()),
  /** Where the log will end. */
  truncatesTo: count,
  /** Bytes of the copied log behind that. */
  cutBytes: count,
  /** Chunk files of the backup that the cut deletes. */
  removes: z.array(removedFile),
  appliesTruncation: z.boolean(),
  /** What the target holds; null when it is empty or missing. */
  replaces: z
    .object({
      writer: count,
      /** Bytes of its log that the backup does not hold; null where the two cannot be compared. */
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
  /** By this run; what an earlier attempt had copied is not counted again. */
  filesCopied: count,
  bytesCopied: count,
  /** Directories that hold the old files. */
  movedAside: z.array(z.string()),
  truncatesTo: count,
  appliedTruncation: z.boolean(),
  /** What the next start of the server does, in a sentence. */
  nextStart: z.string(),
  /** The target is the node that the backup was taken of. */
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
  /** What truncate.chk said; null when it asked for nothing. */
  requested: count.nullable(),
  /** Where the log ends; null when nothing was to be cut. */
  truncatesTo: count.nullable(),
  cutBytes: count,
  /** Chunk files that go, in this order, with their sizes. */
  removed: z.array(removedFile),
  bytesRemoved: count,
  /** The chunk that becomes the active one again. */
  reopened: z.string().nullable(),
  nextStart: z.string(),
  warnings: z.array(warning)
});
export type CutLogReport = z.infer<typeof cutLogReport>;

export const rehearseReport = verifyReport.extend({
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

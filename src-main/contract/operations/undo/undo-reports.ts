/** Reports about what a scavenge replaced and kept: put back, or removed. Members may be added, never renamed. */
import { z } from 'zod';
import { planId } from '../plan-option.ts';

const count = z.number().int();
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
const warning = z.object({ code: z.string(), message: z.string(), remedy: z.string() });

/** What is kept of one scavenge. */
export const keptReplaced = z.object({
  id: z.string(),
  /** null, like all but id and bytes: what is kept cannot be read; `problem` says why. */
  keptAt: time.nullable(),
  expiresAt: time.nullable(),
  /** null: the scavenge has not reached its end. */
  finishedAt: time.nullable(),
  scavengePoint: count.nullable(),
  /** Freed if this alone were removed. */
  bytes: count,
  /** Kept files that are no longer in their place. */
  replacedFiles: count,
  problem: z.string().nullable()
});
export type KeptReplaced = z.infer<typeof keptReplaced>;

/** Oldest first. */
export const replacedUse = z.object({ bytes: count, kept: z.array(keptReplaced) });

export const undoReport = z.object({
  dataDirectory: z.string(),
  indexDirectory: z.string(),
  /** What is undone, in this order; the numbers below are those of the first. */
  steps: z.array(z.string()),
  /** Id of what was kept. */
  id: z.string(),
  keptAt: time.nullable(),
  scavengePoint: count.nullable(),
  /** `exact`: the directory is as it was. `joined`: the old files, and what was appended since. */
  kind: z.enum(['exact', 'joined']),
  /** Position where the log ends then. */
  end: count,
  /** An undo that had been cut was finished; the numbers of its files are not known any more. */
  resumed: z.boolean(),
  files: z.object({ putBack: count, bytesPutBack: count, removed: count, bytesRemoved: count }).nullable(),
  /** Appended since the scavenge, and kept; `from` is null if nothing was. */
  later: z.object({ records: count, bytes: count, from: count.nullable() }).nullable(),
  /** Chunks that stay scavenged although their old files are kept: they cannot be joined with what came later. */
  notPutBack: z.array(z.object({ from: count, to: count })),
  /** Position from which the server reads the log again for its index at its next start; null: it need not. */
  indexFrom: count.nullable(),
  warnings: z.array(warning),
  /** Only in a plan. */
  planId: planId.optional()
});
export type UndoReport = z.infer<typeof undoReport>;

export const forgetReport = z.object({
  dryRun: z.boolean(),
  dataDirectory: z.string(),
  /** Ids of what is no longer kept. */
  forgotten: z.array(z.string()),
  freedBytes: count
});
export type ForgetReport = z.infer<typeof forgetReport>;

export const UNDO_SCHEMAS = { 'scavenge-undo': undoReport, 'scavenge-forget': forgetReport } as const;

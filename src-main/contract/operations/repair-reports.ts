/** The report of a repair, planned or done. Members may be added, never renamed. */
import { z } from 'zod';
import { finding } from './finding-report.ts';
import { planId } from './plan-option.ts';

const count = z.number().int();

export const repairReport = z.object({
  dryRun: z.boolean(),
  /** In the order of execution. `code` is that of the finding which an action repairs. */
  actions: z.array(
    z.object({
      code: z.string(),
      file: z.string(),
      done: z.boolean(),
      why: z.string(),
      /** What becomes of each file; see `docs/operations/repair.md`. */
      changes: z.array(
        z.object({
          file: z.string(),
          kind: z.enum(['checkpoint', 'bytes', 'zeros', 'length', 'name', 'derived']),
          offset: count.nullable(),
          old: z.union([count, z.string()]).nullable(),
          new: z.union([count, z.string()]).nullable()
        })
      )
    })
  ),
  /** What stays unrepaired, why, and which data is affected. */
  unrepaired: z.array(
    z.object({
      code: z.string(),
      file: z.string().nullable(),
      why: z.string(),
      lost: z
        .object({
          /** Log positions, half-open. */
          from: count,
          to: count,
          /** Records of the range that can still be read: "winnow records --salvage" exports them. */
          readableRecords: count,
          streams: z.array(z.string()),
          moreStreams: count,
          indexEntries: count
        })
        .nullable()
    })
  ),
  /** From the verification after the last action; in a plan, from the one before. */
  findings: z.array(finding),
  /** The folder with what was moved; null if nothing was. */
  setAside: z.string().nullable(),
  /** No damage remains. */
  ok: z.boolean(),
  /** Only in a plan that goes by an earlier verification, since no file has changed: when that one ended. */
  verifiedAt: z.string().optional(),
  /** Only in a plan that was made of lists of files, heads and checkpoints: chunks and tables were not read. */
  isQuick: z.literal(true).optional(),
  /** Only in a plan. */
  planId: planId.optional()
});
export type RepairReport = z.infer<typeof repairReport>;

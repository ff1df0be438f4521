/** The report of a repair, planned or done. Members may be added, never renamed. */
import { z } from 'zod';
import { planId } from './plan-option.ts';

const count = z.number().int();

const finding = z.object({
  severity: z.enum(['damage', 'hint']),
  code: z.string(),
  file: z.string().nullable(),
  offset: count.nullable(),
  position: count.nullable(),
  message: z.string(),
  remedy: z.string(),
  command: z.string().nullable()
});

export const repairReport = z.object({
  dryRun: z.boolean(),
  /** In the order in which they are done. `code` is that of the finding which an action answers. */
  actions: z.array(z.object({ code: z.string(), file: z.string(), done: z.boolean(), why: z.string() })),
  /** What stays as it is, why, and what of the data that concerns. */
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
          /** Records of the range that still read: "winnow records --salvage" exports them. */
          readableRecords: count,
          streams: z.array(z.string()),
          moreStreams: count,
          indexEntries: count
        })
        .nullable()
    })
  ),
  /** Of the verification after the last action; of a plan, of the one before. */
  findings: z.array(finding),
  /** The folder that holds what was moved away; null when nothing was. */
  setAside: z.string().nullable(),
  /** Nothing damaged remains. */
  ok: z.boolean(),
  /** Of a plan. */
  planId: planId.optional()
});
export type RepairReport = z.infer<typeof repairReport>;

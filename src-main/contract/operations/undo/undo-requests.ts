/** Requests of the operations about what a scavenge replaced and kept. */
import { z } from 'zod';
import { planOption } from '../plan-option.ts';

const kept = {
  dataDirectory: z.string().min(1),
  indexDirectory: z.string().min(1).optional(),
  /** Id of what is kept. Undo: back to before that scavenge, those after it first. Absent: the newest, or all to forget. */
  to: z.string().min(1).max(40).optional()
};

export const undoRequests = {
  planUndoScavenge: () => z.object(kept),
  /** `winnowHome`: our own data, where the state of a detached scavenge lies. */
  undoScavenge: () =>
    z.object({
      ...kept,
      winnowHome: z.string().optional(),
      assumeStopped: z.boolean().default(false),
      plan: planOption
    }),
  forgetReplaced: () =>
    z.object({
      ...kept,
      assumeStopped: z.boolean().default(false),
      /** Only what has expired, and only if nothing speaks against it now. */
      expired: z.boolean().default(false),
      /** Only says what would be removed. */
      dryRun: z.boolean().default(false)
    })
} as const;

/** The request of a repair. */
import { z } from 'zod';
import { targetAccess } from './backup-requests.ts';
import { planOption } from './plan-option.ts';

export const repairRequests = {
  repairDatabase: () =>
    z.object({
      dataDirectory: z.string().min(1),
      indexDirectory: z.string().min(1).optional(),
      /** Shows the plan and changes nothing. */
      dryRun: z.boolean().default(false),
      /** Only actions that repair these findings. */
      only: z.array(z.string()).default([]),
      /** Source for damaged or missing chunks. */
      fromBackup: z
        .object({ target: z.string().min(1), id: z.string().optional(), ...targetAccess })
        .optional(),
      /** Truncate the log where damage requires it, although that loses records. */
      acceptLoss: z.boolean().default(false),
      assumeStopped: z.boolean().default(false),
      /** Our own data, where the result of the last verification is kept. */
      winnowHome: z.string().optional(),
      plan: planOption
    })
} as const;

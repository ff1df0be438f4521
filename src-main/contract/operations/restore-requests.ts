/** Requests of the operations that restore: plan, run, continue, undo, rehearse; and the truncation of a log. */
import { z } from 'zod';
import { targetAccess } from './backup-requests.ts';
import { planOption } from './plan-option.ts';

const database = {
  dataDirectory: z.string().min(1),
  indexDirectory: z.string().min(1).optional()
};
const assumeStopped = z.boolean().default(false);

const backup = {
  /** A backup target, or a copy of a directory made by hand. */
  target: z.string().min(1),
  /** Default: the newest. */
  id: z.string().min(1).optional(),
  ...targetAccess
};

const restoreOptions = () =>
  z.object({
    ...backup,
    ...database,
    /** Cut the log now, so that the server needs only one start. */
    applyTruncation: z.boolean().default(false),
    assumeStopped
  });

export const restoreRequests = {
  planRestore: restoreOptions,
  runRestore: () => restoreOptions().extend({ plan: planOption }),
  continueRestore: () => z.object({ dataDirectory: z.string().min(1), ...targetAccess, assumeStopped }),
  undoRestore: () => z.object({ dataDirectory: z.string().min(1), assumeStopped }),
  /** What the server's first start does if truncate.chk is set. */
  cutLog: () =>
    z.object({
      ...database,
      /** -1: any amount. */
      maxTruncationBytes: z.number().int().min(-1).optional(),
      dryRun: z.boolean().default(false),
      assumeStopped
    }),
  rehearseBackup: () =>
    z.object({
      ...backup,
      /** Directory for the test restore; default: the system's temporary directory. */
      scratchDirectory: z.string().min(1).optional()
    })
} as const;

/** Requests of the operations that restore: planned, run, gone on with, undone, rehearsed; and the cut of a log. */
import { z } from 'zod';
import { targetAccess } from './backup-requests.ts';
import { planOption } from './plan-option.ts';

const database = {
  dataDirectory: z.string().min(1),
  indexDirectory: z.string().min(1).optional()
};
const assumeStopped = z.boolean().default(false);

const backup = {
  /** A backup target, or a directory that somebody copied by hand. */
  target: z.string().min(1),
  /** The newest otherwise. */
  id: z.string().min(1).optional(),
  ...targetAccess
};

const restoreOptions = z.object({
  ...backup,
  ...database,
  /** Cut the log here, so that one start of the server suffices. */
  applyTruncation: z.boolean().default(false),
  assumeStopped
});

export const restoreRequests = {
  planRestore: restoreOptions,
  runRestore: restoreOptions.extend({ plan: planOption }),
  continueRestore: z.object({ dataDirectory: z.string().min(1), ...targetAccess, assumeStopped }),
  undoRestore: z.object({ dataDirectory: z.string().min(1), assumeStopped }),
  /** What the server's first start does with a truncate.chk that is set. */
  cutLog: z.object({
    ...database,
    /** -1: any amount. */
    maxTruncationBytes: z.number().int().min(-1).optional(),
    dryRun: z.boolean().default(false),
    assumeStopped
  }),
  rehearseBackup: z.object({
    ...backup,
    /** Where the backup is restored for a moment; the system's temporary directory otherwise. */
    scratchDirectory: z.string().min(1).optional()
  })
} as const;

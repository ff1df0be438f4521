/** Requests of the operations that rebuild the index. */
import { z } from 'zod';
import { planOption } from './plan-option.ts';

const database = {
  dataDirectory: z.string().min(1),
  indexDirectory: z.string().min(1).optional()
};

export const rebuildRequests = {
  planIndexRebuild: () => z.object(database),
  rebuildIndex: () => z.object({ ...database, assumeStopped: z.boolean().default(false), plan: planOption })
} as const;

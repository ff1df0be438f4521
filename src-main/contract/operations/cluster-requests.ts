/** Requests about all members of a stopped cluster at once. */
import { z } from 'zod';

export const clusterRequests = {
  writeClusterPoint: () =>
    z.object({
      members: z
        .array(z.object({ dataDirectory: z.string().min(1), indexDirectory: z.string().min(1).optional() }))
        .min(1),
      /** Of a new point; one that some members already have keeps its own. */
      threshold: z.number().int().min(-1).default(0),
      /** Effective time of the point. ISO 8601. */
      now: z.string().optional(),
      /** Compares the logs, reports what would be written, and writes nothing. */
      dryRun: z.boolean().default(false)
    })
} as const;

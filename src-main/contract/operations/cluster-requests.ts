/** Requests about all members of a stopped cluster at once. */
import { z } from 'zod';
import { PLACEMENTS_WITHOUT_WRITE } from '../../../src-core/units/scavenge-terms.ts';

const member = () => ({ dataDirectory: z.string().min(1), indexDirectory: z.string().min(1).optional() });

export const clusterRequests = {
  writeClusterPoint: () =>
    z.object({
      members: z.array(z.object(member())).min(1),
      /** Of a new point; one that some members already have keeps its own. */
      threshold: z.number().int().min(-1).default(0),
      /** Effective time of the point. ISO 8601. */
      now: z.string().optional(),
      /** Compares the logs, reports what would be written, and writes nothing. */
      dryRun: z.boolean().default(false)
    }),
  planCluster: () =>
    z.object({
      /** The member that is scavenged first. */
      ...member(),
      /** Those after it, in this order. */
      others: z.array(z.object(member())).max(99).default([]),
      /** `02:00-04:00`, local time. */
      window: z.string().max(40),
      scavengePoint: z.enum(PLACEMENTS_WITHOUT_WRITE).default('detached'),
      threshold: z.number().int().min(-1).default(0),
      winnowHome: z.string().optional()
    })
} as const;

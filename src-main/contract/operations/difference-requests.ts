/** The request of the comparison of nodes and backups. */
import { z } from 'zod';

/** The members of a cluster and a few backups; more are more questions. */
export const MOST_SIDES = 16;

/** `dataDirectory`: a data directory, or a backup (`DIR@ID`, `s3://BUCKET/PREFIX@ID`, a target: its newest backup). */
const side = () =>
  z.object({
    dataDirectory: z.string().min(1),
    indexDirectory: z.string().min(1).optional(),
    /** For the report; default: the place. */
    name: z.string().max(1000).optional()
  });

export const differenceRequests = {
  compareDatabases: () =>
    side().extend({
      /** Each is compared with the first. */
      others: z
        .array(side())
        .min(1)
        .max(MOST_SIDES - 1),
      /** Read files whose stored hashes are equal as well. */
      readAll: z.boolean().default(false),
      /** For backups. */
      keyFile: z.string().optional(),
      password: z.string().optional(),
      s3Endpoint: z.string().optional(),
      /** Read at most; 0 or absent: as fast as it goes. */
      bytesPerSecond: z.number().int().nonnegative().optional(),
      /** For decoded chunks; default: the system's temporary directory. */
      scratchDirectory: z.string().min(1).optional(),
      winnowHome: z.string().optional()
    })
} as const;

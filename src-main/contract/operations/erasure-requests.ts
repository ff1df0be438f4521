/** The request of an erasure report. */
import { z } from 'zod';
import { targetAccess } from './backup-requests.ts';

export const erasureRequests = {
  reportErasure: () =>
    z.object({
      dataDirectory: z.string().min(1),
      indexDirectory: z.string().min(1).optional(),
      streams: z.array(z.string().min(1)).default([]),
      /** The part of a stream's name before the first hyphen. */
      categories: z.array(z.string().min(1)).default([]),
      eventIds: z.array(z.string().min(1)).default([]),
      /** Directories or `s3://BUCKET/PREFIX` with backups, each object store with its own address. */
      backupTargets: z
        .array(z.object({ target: z.string().min(1), s3Endpoint: targetAccess.s3Endpoint }))
        .default([]),
      keyFile: targetAccess.keyFile,
      /** Our own data: states of detached scavenges. */
      winnowHome: z.string().optional(),
      /** An earlier report, whose files are compared. */
      recheck: z
        .object({
          takenAt: z.string(),
          files: z.array(z.object({ file: z.string(), sha256: z.string() }))
        })
        .optional()
    })
} as const;

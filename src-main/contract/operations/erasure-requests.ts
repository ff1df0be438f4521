/** The requests of an erasure report, of a redaction, and of erasure inside a backup, with their plans. */
import { z } from 'zod';
import { targetAccess } from './backup-requests.ts';
import { planOption } from './plan-option.ts';

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

const redaction = {
  dataDirectory: z.string().min(1),
  indexDirectory: z.string().min(1).optional(),
  eventIds: z.array(z.string().min(1)).max(10_000).default([]),
  /** As the records number them: members of explicit transactions are found by their id only. */
  events: z
    .array(z.object({ stream: z.string().min(1), number: z.number().int().nonnegative() }))
    .max(10_000)
    .default([])
};

export const redactionRequests = {
  planRedaction: () => z.object(redaction),
  redactEvents: () => z.object({ ...redaction, assumeStopped: z.boolean().default(false), plan: planOption })
} as const;

/** What is done to the log of the backup. */
const erase = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('scavenge'),
    /** `auto`: the newest point that the log of the backup holds, or a detached one if it holds none. */
    scavengePoint: z.enum(['auto', 'existing', 'detached']).default('auto'),
    /** Of a detached point; an existing one keeps its own. */
    threshold: z.number().int().min(-1).default(0)
  }),
  z.object({
    kind: z.literal('redaction'),
    eventIds: z.array(z.string().min(1)).max(10_000).default([]),
    events: z
      .array(z.object({ stream: z.string().min(1), number: z.number().int().nonnegative() }))
      .max(10_000)
      .default([])
  })
]);

const inBackup = {
  target: z.string().min(1),
  id: z.string().min(1),
  ...targetAccess,
  erase,
  /** Where the backup is gathered; the temporary directory without. */
  scratchDirectory: z.string().min(1).optional(),
  /** Remove the generation that is replaced, once the new one is verified. */
  removeOld: z.boolean().default(false)
};

export const backupErasureRequests = {
  planBackupErasure: () => z.object(inBackup),
  eraseInBackup: () => z.object({ ...inBackup, plan: planOption })
} as const;

/** Answers of the operations on backups: the JSON of `winnow backup`. */
import { z } from 'zod';
import { planId } from './plan-option.ts';
import { checkReport } from './reports.ts';

const count = z.number().int();
const note = z.object({ code: z.string(), message: z.string(), remedy: z.string() });
const checkResult = z.object({ at: z.string(), ok: z.boolean(), damage: count });

/** Who signed it. `claimed`: no key was given to compare it with; `key`: the fingerprint, where one is known. */
const signature = z
  .object({
    state: z.enum(['signed', 'notSigned', 'wrong', 'otherKey', 'claimed']),
    key: z.string().nullable()
  })
  .optional();

export const backupRow = z.object({
  id: z.string(),
  mode: z.enum(['full', 'differential', 'snapshot']),
  startedAt: z.string(),
  endedAt: z.string(),
  basedOn: z.string().nullable(),
  node: z.object({
    address: z.string().nullable(),
    dataDirectory: z.string(),
    role: z.string().nullable(),
    serverVersion: z.string().nullable(),
    databaseTag: z.string().nullable()
  }),
  writer: count,
  chaser: count,
  chunkCount: count,
  fileCount: count,
  /** Size of all files once restored. */
  bytes: count,
  /** Read from the source for this backup. */
  bytesCopied: count,
  verified: checkResult.nullable(),
  rehearsed: checkResult.nullable(),
  /** How its files are stored: `zstd`, `age:` and the public keys with commas between. None for a plain backup. */
  encodings: z.array(z.string()),
  /** The generation that this one was made of, by a scavenge or a redaction inside it, or for other keys; null for a copy of a node. */
  rewrites: z
    .object({ of: z.string(), at: z.string(), work: z.enum(['scavenge', 'redaction', 'rekey']) })
    .nullable(),
  /** Absent where the backup is not signed and no key was given. */
  signature,
  notes: z.array(note)
});
export type BackupRow = z.infer<typeof backupRow>;

/** Oldest first, in the order in which they were taken. */
export const backupsReport = z.object({
  target: z.string(),
  backups: z.array(backupRow),
  /** Interrupted, or being written: the next `create` resumes the newest, `prune` removes the others. */
  unfinished: z.array(z.string()),
  damaged: z.array(z.object({ id: z.string(), message: z.string() })),
  /** What is wrong with the dates of the backups. */
  warnings: z.array(note)
});
export type BackupsReport = z.infer<typeof backupsReport>;

export const backupPlanReport = z.object({
  target: z.string(),
  mode: z.enum(['full', 'differential', 'snapshot']),
  basedOn: z.string().nullable(),
  /** The unfinished backup that is resumed. */
  resumes: z.string().nullable(),
  /** Every file of the backup, as its manifest will list them; `bytesToCopy` is 0 for what an earlier backup has. */
  files: z.array(
    z.object({ area: z.enum(['data', 'index']), name: z.string(), bytes: count, bytesToCopy: count })
  ),
  fileCount: count,
  bytes: count,
  bytesToCopy: count,
  freeBytes: count.nullable(),
  notes: z.array(note)
});
export type BackupPlanReport = z.infer<typeof backupPlanReport>;

export const backupVerifyReport = checkReport.extend({ backup: z.string(), signature });
export type BackupVerifyReport = z.infer<typeof backupVerifyReport>;

/** For all backups of a target. Each of `findings` names its backup. */
export const backupVerifyAllReport = z.object({
  target: z.string(),
  findings: z.array(checkReport.shape.findings.element.extend({ backup: z.string() })),
  checked: checkReport.shape.checked,
  notChecked: z.array(z.string()),
  ok: z.boolean(),
  backups: z.array(z.object({ backup: z.string(), ok: z.boolean(), damage: count, signature })),
  /** Without a manifest: there is nothing to compare them with. */
  unfinished: z.array(z.string())
});
export type BackupVerifyAllReport = z.infer<typeof backupVerifyAllReport>;

export const pruneReport = z.object({
  target: z.string(),
  kept: z.array(z.object({ id: z.string(), startedAt: z.string(), rules: z.array(z.string()) })),
  removed: z.array(z.object({ id: z.string(), startedAt: z.string(), bytes: count })),
  /** Unfinished backups and leftovers that are removed too. */
  leftovers: z.array(z.string()),
  bytesFreed: count,
  warnings: z.array(note),
  dryRun: z.boolean(),
  /** Only in a plan. */
  planId: planId.optional()
});
export type PruneReport = z.infer<typeof pruneReport>;

/** Backups are named by the ids they had before, but for those of `rekeyed`. */
export const rekeyReport = z.object({
  target: z.string(),
  /** `exists`: every encrypted backup is encrypted for these keys alone already. */
  result: z.enum(['planned', 'exists', 'rekeyed']),
  /** The public keys that open the backups from then on. */
  recipients: z.array(z.string()),
  /** Oldest first. */
  due: z.array(z.string()),
  done: z.array(z.string()),
  plain: z.array(z.string()),
  unfinished: z.array(z.string()),
  /** Stored bytes to read, and about as many to write. */
  bytes: count,
  /** Of the target; null where it does not say. */
  freeBytes: count.nullable(),
  /** Files that were encrypted again, and those shared with an earlier backup that was. */
  rekeyed: z.array(z.object({ of: z.string(), id: z.string(), stored: count, shared: count })),
  warnings: z.array(note),
  /** Only in a plan. */
  planId: planId.optional()
});
export type RekeyReport = z.infer<typeof rekeyReport>;

/** The same for the command line and over HTTP. */
export const backupScheduleReport = z.object({
  dataDirectory: z.string(),
  target: z.string().nullable(),
  schedule: z
    .object({
      expression: z.string(),
      words: z.string(),
      timeZone: z.string(),
      compress: z.boolean(),
      retention: z.object({ last: count, daily: count, weekly: count, monthly: count }),
      next: z.array(z.string()),
      /** Times that have passed and wait for a window or a service to make them up, in one backup. */
      waiting: z.object({ since: z.string(), times: count }).nullable(),
      last: z
        .object({
          dueAt: z.string().nullable(),
          startedAt: z.string().nullable(),
          endedAt: z.string(),
          missed: count,
          message: z.string().nullable()
        })
        .nullable()
    })
    .nullable()
});
export type BackupScheduleReport = z.infer<typeof backupScheduleReport>;

export const backupKeyReport = z.object({ file: z.string(), publicKey: z.string() });
export type BackupKeyReport = z.infer<typeof backupKeyReport>;

/** The secret key lies in the target, sealed with a password. */
export const sealedKeyReport = z.object({ target: z.string(), publicKey: z.string() });
export type SealedKeyReport = z.infer<typeof sealedKeyReport>;

export interface BackupReplies {
  createBackup: BackupsReport;
  planBackup: BackupPlanReport;
  adoptBackup: BackupsReport;
  listBackups: BackupsReport;
  verifyBackup: BackupVerifyReport;
  verifyAllBackups: BackupVerifyAllReport;
  pruneBackups: PruneReport;
  rekeyBackups: RekeyReport;
  makeBackupKey: BackupKeyReport;
  sealBackupKey: SealedKeyReport;
}

/** JSON Schemas by command. */
export const BACKUP_SCHEMAS = {
  'backup-create': backupsReport,
  'backup-list': backupsReport,
  'backup-adopt': backupsReport,
  'backup-verify': backupVerifyReport,
  'backup-verify-all': backupVerifyAllReport,
  'backup-prune': pruneReport,
  'backup-rekey': rekeyReport,
  'backup-key': backupKeyReport,
  'backup-schedule': backupScheduleReport
} as const;

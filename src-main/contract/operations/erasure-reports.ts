/** The reports of `erasure` and of erasure inside a backup. Member names and meanings are the contract's; members may be added. */
import { z } from 'zod';
import { backupRow } from './backup-reports.ts';
import { planId } from './plan-option.ts';
import { redactionReport } from './redaction-reports.ts';
import { scavengeReport } from './reports.ts';

const count = z.number().int();
const note = z.object({ code: z.string(), message: z.string(), remedy: z.string() });
const remark = z.object({ place: z.string(), why: z.string() });

export const erasureReport = z.object({
  dataDirectory: z.string(),
  indexDirectory: z.string(),
  backupTargets: z.array(z.string()),
  /** When the first file was opened, and when the last one had been read. */
  takenAt: z.string(),
  endedAt: z.string(),
  toolVersion: z.string(),
  streams: z.array(
    z.object({
      /** Name of the stream or category, or the event's id. */
      stream: z.string(),
      asked: z.enum(['stream', 'category', 'event']),
      /** Not in any byte of the examined files. Proof only if the report is complete. */
      erased: z.boolean(),
      /** No data of its events is left; names or index entries may be. */
      dataErased: z.boolean(),
      /** For a category: its streams of which something was found. */
      names: z.array(z.string()),
      places: z.array(
        z.object({
          kind: z.enum([
            'log',
            'index',
            'scavengeState',
            'backup',
            'supersededChunk',
            'temporaryFile',
            'slack',
            'other'
          ]),
          what: z.enum([
            'event',
            'redacted',
            'tombstone',
            'metadata',
            'link',
            'mention',
            'indexEntry',
            'name',
            'bytes'
          ]),
          file: z.string(),
          records: count,
          /** In the plain bytes of the file. */
          firstOffset: count,
          remedy: z.string()
        })
      )
    })
  ),
  notExamined: z.array(remark),
  /** Limits of such a report. */
  notes: z.array(remark),
  /** Everything was examined. */
  complete: z.boolean(),
  files: z.array(z.object({ file: z.string(), sha256: z.string(), bytes: count })),
  /** The comparison with an earlier report; null without one. */
  recheck: z
    .object({
      takenAt: z.string(),
      unchanged: count,
      changes: z.array(z.object({ file: z.string(), state: z.enum(['changed', 'gone', 'new']) }))
    })
    .nullable()
});
export type ErasureReport = z.infer<typeof erasureReport>;

/** Its plan, and what was done. */
export const backupErasureReport = z.object({
  target: z.string(),
  /** Id of the generation that is to be replaced. */
  backup: z.string(),
  work: z.enum(['scavenge', 'redaction']),
  /** `unchanged`: there was nothing to remove, so nothing was stored. `exists`: the new generation was there already. */
  result: z.enum(['planned', 'rewritten', 'unchanged', 'exists']),
  /** As the list of backups has it; null until it is stored. In a plan: the one that an earlier run stored. */
  newBackup: backupRow.nullable(),
  old: z.object({
    mode: z.enum(['full', 'differential', 'snapshot']),
    startedAt: z.string(),
    bytes: count,
    files: count,
    /** Files that may be made again. */
    completedChunks: count
  }),
  /** Of a scavenge: where it ends, in words; the number is known once the backup has been gathered. */
  scavengePoint: z.string().nullable(),
  /** The scavenge of the gathered backup; null in a plan. */
  scavenge: scavengeReport.nullable(),
  /** The certificate of a redaction of the gathered backup; null in a plan. */
  redaction: redactionReport.nullable(),
  files: z
    .object({
      shared: count,
      sharedBytes: count,
      stored: count,
      storedBytes: count,
      /** Names of the files of the old generation that the new one does not have. */
      replaced: z.array(z.string())
    })
    .nullable(),
  /** Check of every byte of the new generation; null until then. */
  verified: z.object({ ok: z.boolean(), damage: count, files: count, bytes: count }).nullable(),
  oldRemoved: z.boolean(),
  /** Stored bytes that no backup names any more. */
  bytesFreed: count,
  /** Other backups that share files which were replaced: what was erased is still in them. */
  stillHeldBy: z.array(z.object({ id: z.string(), files: count })),
  scratch: z.object({ directory: z.string(), neededBytes: count, freeBytes: count }),
  /** In the target: the most that the new generation can take, and what is free (null: the target cannot tell). */
  targetSpace: z.object({ neededBytes: count, freeBytes: count.nullable() }),
  warnings: z.array(note),
  /** Only in a plan. */
  planId: planId.optional()
});
export type BackupErasureReport = z.infer<typeof backupErasureReport>;

/** File names in resources/schemas. */
export const ERASURE_SCHEMAS = { erasure: erasureReport, 'backup-scavenge': backupErasureReport } as const;

export interface ErasureReplies {
  reportErasure: ErasureReport;
  planBackupErasure: BackupErasureReport;
  eraseInBackup: BackupErasureReport;
}

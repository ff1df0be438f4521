/** The report of `erasure`. Member names and meanings are the contract's; members may be added. */
import { z } from 'zod';

const count = z.number().int();
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

/** File names in resources/schemas. */
export const ERASURE_SCHEMAS = { erasure: erasureReport } as const;

export interface ErasureReplies {
  reportErasure: ErasureReport;
}

/**
 * The report of a redaction: its plan, and afterwards its certificate. Members may be added, never renamed.
 */
import { z } from 'zod';
import { planId } from './plan-option.ts';

const count = z.number().int();
const remark = z.object({ place: z.string(), why: z.string() });
const asked = z.object({
  /** null: named by stream and number. */
  eventId: z.string().nullable(),
  stream: z.string().nullable(),
  number: count.nullable()
});

export const redactionReport = z.object({
  dataDirectory: z.string(),
  indexDirectory: z.string(),
  /** `stopped`: between two chunks; the same request does the rest. */
  result: z.enum(['planned', 'redacted', 'stopped']),
  startedAt: z.string(),
  endedAt: z.string(),
  toolVersion: z.string(),
  /** The operating system's user who ran it, and the machine. */
  by: z.object({ user: z.string(), host: z.string() }),
  asked: z.array(asked),
  /** Of what was asked for: the log holds no record of it. */
  notFound: z.array(asked),
  /** Every record of the events, in the order of the log. */
  events: z.array(
    z.object({
      eventId: z.string(),
      stream: z.string(),
      /** As the record has it; -1 for members of explicit transactions after the first. */
      eventNumber: z.union([count, z.string()]),
      eventType: z.string(),
      position: count,
      /** Where the record lies after the run, or before it in a plan. */
      file: z.string(),
      fileOffset: count,
      time: z.string(),
      dataLength: count,
      /** Not overwritten. */
      metadataLength: count,
      state: z.enum(['toRedact', 'redacted', 'alreadyRedacted', 'empty', 'refused']),
      refusal: z
        .object({
          reason: z.enum(['activeChunk', 'systemStream', 'link', 'noEvent']),
          why: z.string(),
          remedy: z.string()
        })
        .nullable()
    })
  ),
  /** Chunks that are made again. */
  chunks: z.array(
    z.object({
      chunkStart: count,
      chunkEnd: count,
      oldFile: z.string(),
      /** null until it is done. */
      newFile: z.string().nullable(),
      records: count,
      /** Of data that are overwritten. */
      dataBytes: count,
      fileSize: count,
      sha256Before: z.string().nullable(),
      sha256After: z.string().nullable(),
      md5Before: z.string().nullable(),
      md5After: z.string().nullable()
    })
  ),
  /** Older versions of these chunks and temporary files: removed, or in a plan to be removed. */
  swept: z.array(z.string()),
  /** Free space that the largest copy needs. */
  scratchBytes: count,
  freeBytes: count,
  /** Other files of this database in which the ids were found. */
  elsewhere: z.array(
    z.object({
      eventId: z.string(),
      kind: z.string(),
      what: z.string(),
      file: z.string(),
      records: count,
      remedy: z.string()
    })
  ),
  /** What a redaction does not reach. */
  notCovered: z.array(remark),
  /** Only in a plan. */
  planId: planId.optional()
});
export type RedactionReport = z.infer<typeof redactionReport>;

/** File names in resources/schemas. */
export const REDACTION_SCHEMAS = { redact: redactionReport } as const;

export interface RedactionReplies {
  planRedaction: RedactionReport;
  redactEvents: RedactionReport;
}

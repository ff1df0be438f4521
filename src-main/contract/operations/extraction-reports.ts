/** The reports of an extraction. Positions are those of the log, ends exclusive. */
import { z } from 'zod';
import { EXTRACT_FORMATS } from './extraction-requests.ts';

const count = z.number().int();
const position = z.number().int();

export const extractionSource = z.object({
  /** As it was named. */
  name: z.string(),
  kind: z.enum(['database', 'backup']),
  backup: z.string().nullable(),
  /** A server has it open: its log up to the writer checkpoint of the beginning. */
  inUse: z.boolean(),
  /** End of its log. */
  end: position
});

/** What could not be read of the log. */
export const unreadableRange = z.object({ file: z.string(), from: position, to: position, why: z.string() });

const named = z.object({ name: z.string(), events: count, bytes: count });

/** By name; those with the most events first. */
export const countsByName = z.object({
  /** Names that were counted one by one. */
  count,
  /** Every name was; else what is left over was counted together. */
  isComplete: z.boolean(),
  largest: z.array(named)
});

/** What was named and of which no event was found, within the bounds that were given. */
export const absentNames = z.object({ streams: z.array(z.string()), categories: z.array(z.string()) });

/** The number of events by another road: from what is known of the chunks. */
export const countCheck = z.object({
  by: z.enum(['digests']).nullable(),
  events: count.nullable(),
  /** null: not compared. */
  agrees: z.boolean().nullable(),
  because: z.string()
});

const partReport = z.object({
  /** Name of the file, without its directory. */
  file: z.string(),
  events: count,
  bytes: count,
  sha256: z.string()
});
export type PartReport = z.infer<typeof partReport>;

export const extractReport = z.object({
  dryRun: z.boolean(),
  /** Everything that was asked for was there and could be read, and no second count says otherwise. */
  ok: z.boolean(),
  summary: z.string(),
  source: extractionSource,
  to: z.string(),
  format: z.enum(EXTRACT_FORMATS),
  /** The part of the log that was walked. */
  from: position,
  end: position,
  /** Bytes of the chunk files that hold it. */
  sourceBytes: count,
  /** Where an unfinished extraction was continued, or would be; null: from the beginning. */
  resumedAt: position.nullable(),
  events: count,
  /** Of their records: payload and both length fields. */
  bytes: count,
  /** Members of transactions that were asked for and never committed: no events. */
  notCommitted: count,
  streams: countsByName,
  types: countsByName,
  absent: absentNames,
  files: z.array(partReport),
  outputBytes: count,
  check: countCheck,
  /** The first ranges; `unreadableCount` and `unreadableBytes` count all. */
  unreadable: z.array(unreadableRange),
  unreadableCount: count,
  unreadableBytes: count
});
export type ExtractReport = z.infer<typeof extractReport>;

export const exportReport = z.object({
  dryRun: z.boolean(),
  ok: z.boolean(),
  summary: z.string(),
  source: extractionSource,
  dataDirectory: z.string(),
  from: position,
  end: position,
  sourceBytes: count,
  resumedAt: position.nullable(),
  /** Of the chosen streams and their metadata, tombstones too. */
  events: count,
  bytes: count,
  notCommitted: count,
  streams: countsByName,
  types: countsByName,
  absent: absentNames,
  /** Of the new database; null: it is not there yet. */
  written: z
    .object({
      chunks: count,
      chunkSize: count,
      /** End of the new log. */
      end: position,
      indexEntries: count
    })
    .nullable(),
  /** Events that point to another one; `dangling`: of a stream that was not chosen. */
  links: z.object({ total: count, dangling: count }),
  check: countCheck,
  unreadable: z.array(unreadableRange),
  unreadableCount: count,
  unreadableBytes: count
});
export type ExportReport = z.infer<typeof exportReport>;

/** File names in resources/schemas. */
export const EXTRACTION_SCHEMAS = { extract: extractReport, export: exportReport } as const;

export interface ExtractionReplies {
  extractEvents: ExtractReport;
  exportDatabase: ExportReport;
}

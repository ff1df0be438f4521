/** The requests of an extraction of events. */
import { z } from 'zod';

/** Columns of one row are the same in each. */
export const EXTRACT_FORMATS = ['jsonl', 'csv', 'parquet'] as const;
export type ExtractFormat = (typeof EXTRACT_FORMATS)[number];

/** Names in one question; what is longer is a category, or several questions. */
export const MOST_EXTRACTED_NAMES = 10_000;

const names = () => z.array(z.string().min(1)).max(MOST_EXTRACTED_NAMES).default([]);
const position = () => z.number().int().nonnegative().optional();

/** Where from, and how. */
const extractedSource = () => ({
  /** A data directory, or a backup (`DIR@ID`, `s3://BUCKET/PREFIX@ID`, a target: its newest backup). */
  dataDirectory: z.string().min(1),
  indexDirectory: z.string().min(1).optional(),
  /** For backups. */
  keyFile: z.string().optional(),
  password: z.string().optional(),
  s3Endpoint: z.string().optional(),
  /** Read and written at most; 0 or absent: as fast as it goes. */
  bytesPerSecond: z.number().int().nonnegative().optional(),
  /** For decoded chunks; default: the system's temporary directory. */
  scratchDirectory: z.string().min(1).optional(),
  /** Counts the events a second time, also where chunks have to be read for it. */
  check: z.boolean().default(false),
  /** Shows what would be done and writes nothing. */
  dryRun: z.boolean().default(false),
  /** Our own data: what is known of chunks, by which the count is checked. */
  winnowHome: z.string().optional()
});

/** Which events of which source. */
const extractedEvents = () => ({
  ...extractedSource(),
  /** Exact names. Streams and categories together: events of the one or the other. */
  streams: names(),
  /** What stands before the first dash. */
  categories: names(),
  types: names(),
  /** ISO 8601. `from…` belongs to it, `to…` no longer. */
  fromTime: z.string().optional(),
  toTime: z.string().optional(),
  fromPosition: position(),
  toPosition: position(),
  /** Streams of the system as well, where none are named. */
  systemStreams: z.boolean().default(false)
});

/** Of an exported database: bytes of a chunk. */
export const LEAST_CHUNK_BYTES = 4096;
export const MOST_CHUNK_BYTES = 1024 * 1024 * 1024;
/** As a server is configured by default. */
const SERVER_CHUNK_BYTES = 256 * 1024 * 1024;

export const extractionRequests = {
  exportDatabase: () =>
    z.object({
      ...extractedSource(),
      streams: names(),
      categories: names(),
      /** New or empty. */
      toDatabase: z.string().min(1),
      chunkSizeBytes: z
        .number()
        .int()
        .min(LEAST_CHUNK_BYTES)
        .max(MOST_CHUNK_BYTES)
        .default(SERVER_CHUNK_BYTES),
      /** Forgets an unfinished export to the same place. */
      startAfresh: z.boolean().default(false)
    }),
  extractEvents: () =>
    z.object({
      ...extractedEvents(),
      /** A file, or a directory: one that exists, or a name that ends in a slash. Then parts are written into it. */
      to: z.string().min(1),
      format: z.enum(EXTRACT_FORMATS).default('jsonl'),
      /** Replaces the file once the new one is whole. */
      overwrite: z.boolean().default(false),
      /** Forgets an unfinished extraction to the same place. */
      startAfresh: z.boolean().default(false),
      /** Of a directory: bytes after which the next part begins. */
      partBytes: z
        .number()
        .int()
        .min(1)
        .default(256 * 1024 * 1024),
      /** Output after which the state is made durable: what a kill costs at most. */
      checkpointBytes: z
        .number()
        .int()
        .min(1)
        .default(64 * 1024 * 1024),
      /** Of a Parquet file: rows of a row group at most. */
      groupRows: z.number().int().min(1).default(50_000)
    })
} as const;

/** Requests of the operations that read a database in depth: records by a filter, streams, tables, chunks. */
import { z } from 'zod';
import { targetAccess } from './backup-requests.ts';

const whole = z.number().int().nonnegative();
const location = {
  dataDirectory: z.string().min(1),
  indexDirectory: z.string().min(1).optional()
};

export const readingRequests = {
  /** A page of the records that match a filter; of one chunk, or of the whole log. */
  searchRecords: () =>
    z.object({
      ...location,
      /** For what is kept of chunks. */
      winnowHome: z.string().optional(),
      /** See record-query.ts. */
      filter: z.string().max(4096).default(''),
      chunk: whole.optional(),
      /** `nextFrom` of the previous page. */
      from: whole.default(0),
      limit: z.number().int().min(1).max(1000).default(200)
    }),
  /** The record at a position or the next one, with its index in its chunk. */
  locateRecord: () => z.object({ ...location, position: whole }),
  /** When the first and the last record of each chunk were written. */
  readTimeline: () => z.object({ ...location }),
  /** Where a stream is stored, and every version of its metadata that the index still has. */
  describeStream: () =>
    z.object({ ...location, winnowHome: z.string().optional(), stream: z.string().min(1) }),
  /** What the index knows about a stream, table by table. */
  lookUpStream: () => z.object({ ...location, winnowHome: z.string().optional(), stream: z.string().min(1) }),
  /** One table of the index: its filter, and a page of its entries. */
  describeIndexTable: () =>
    z.object({
      ...location,
      table: z.string().min(1),
      offset: whole.default(0),
      limit: z.number().int().min(1).max(1000).default(200)
    }),
  /** The text of the index map. */
  readIndexMap: () => z.object({ ...location }),
  /** Compares a chunk with another version of it: an older file, that of a backup, or what a scavenge would leave. */
  compareChunk: () =>
    z.object({
      ...location,
      chunk: whole,
      with: z.enum(['file', 'backup', 'plan']),
      /** For `file`: its name in the data directory. */
      file: z.string().min(1).optional(),
      /** For `backup`. */
      fromBackup: z
        .object({ target: z.string().min(1), id: z.string().optional(), ...targetAccess })
        .optional(),
      now: z.string().optional()
    })
} as const;

/** The requests of the operations that explain what a scavenge does with events, a stream or a chunk. */
import { z } from 'zod';
import { POINT_PLACEMENTS } from '../../../src-core/units/scavenge-terms.ts';

const whole = z.number().int().nonnegative();
/** More than the rows of a page. */
const MOST_POSITIONS = 1000;

/** The database, and the scavenge that is explained. */
const explained = () =>
  z.object({
    /** A data directory, or the directory of an unencoded backup. */
    dataDirectory: z.string().min(1),
    indexDirectory: z.string().min(1).optional(),
    /**
     * The scavenge to explain, with the options of a plan. `auto` here never asks for permission to write a point:
     * if none may be written it means a detached scavenge.
     */
    scavengePoint: z.enum(POINT_PLACEMENTS).default('auto'),
    threshold: z.number().int().min(-1).default(0),
    syncOnly: z.boolean().default(false),
    unsafeIgnoreHardDeletes: z.boolean().default(false),
    alwaysKeepScavenged: z.boolean().default(false),
    startAfresh: z.boolean().default(false),
    singleNode: z.boolean().optional(),
    cacheSizeBytes: z.number().int().positive().optional(),
    hashUsersCacheCapacity: z.number().int().positive().optional(),
    /** Effective time of a detached or new point. ISO 8601. */
    now: z.string().optional(),
    scratchDirectory: z.string().optional(),
    winnowHome: z.string().optional()
  });

export const explainRequests = {
  /** One of `stream` (with or without `eventNumber`), `position` and `chunk`. */
  explain: () =>
    explained().extend({
      stream: z.string().min(1).optional(),
      /** As digits if it exceeds a JSON number: that of a tombstone. */
      eventNumber: z.union([whole, z.string().regex(/^\d{1,19}$/)]).optional(),
      position: whole.optional(),
      chunk: whole.optional()
    }),
  /** The records at these positions, each with its verdict. */
  explainRecords: () =>
    explained().extend({
      positions: z.array(whole).max(MOST_POSITIONS),
      /** The answer is "not known" where chunks would have to be read for it. */
      onlyKnown: z.boolean().default(false)
    })
} as const;

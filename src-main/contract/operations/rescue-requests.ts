/** Requests of the rescue of a full disk: a scavenge within limits. What a rescue never does cannot be requested. */
import { z } from 'zod';
import { PLACEMENTS_WITHOUT_WRITE } from '../../../src-core/units/scavenge-terms.ts';
import { planOption } from './plan-option.ts';

/** Always left free: a server or the system beside it must still be able to write a line. */
export const DEFAULT_RESERVE_BYTES = 16 * 1024 * 1024;

export const rescueOptions = () =>
  z.object({
    dataDirectory: z.string().min(1),
    indexDirectory: z.string().min(1).optional(),
    /** `auto`: finishes an unfinished scavenge, else `detached`. */
    scavengePoint: z.enum(['auto', ...PLACEMENTS_WITHOUT_WRITE]).default('auto'),
    /** For a detached point. */
    threshold: z.number().int().min(-1).default(0),
    /** Additional bytes that may be used; default: free space less the reserve. */
    scratchBytes: z.number().int().nonnegative().optional(),
    reserveBytes: z.number().int().nonnegative().default(DEFAULT_RESERVE_BYTES),
    /** For the state of a detached run and of a plan; default: our own data, and the system's temporary directory. */
    scratchDirectory: z.string().min(1).optional(),
    cacheSizeBytes: z.number().int().positive().optional(),
    hashUsersCacheCapacity: z.number().int().positive().optional(),
    /** Effective time of a detached point. ISO 8601. */
    now: z.string().optional(),
    /** A run stops at its next checkpoint once this time has come; the next one resumes it. ISO 8601. */
    until: z.string().optional(),
    /** Read and written at most; 0 or absent: as fast as it goes. */
    bytesPerSecond: z.number().int().nonnegative().optional(),
    assumeStopped: z.boolean().default(false),
    startAfresh: z.boolean().default(false),
    winnowHome: z.string().optional(),
    plan: planOption
  });

export const rescueRequests = { planRescue: rescueOptions, runRescue: rescueOptions } as const;

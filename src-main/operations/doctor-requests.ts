/** The request of the doctor. */
import { z } from 'zod';

export const doctorRequests = {
  examineStart: z.object({
    dataDirectory: z.string().min(1),
    indexDirectory: z.string().min(1).optional(),
    /** The server that is to start; without it what the newest chunk tells. */
    serverVersion: z.string().min(1).optional(),
    /** Words of the server's command line. */
    serverArguments: z.array(z.string()).default([]),
    /** Reads everything that the server reads, however much that is. */
    thorough: z.boolean().default(false),
    /** A window looks by itself after it has opened a directory: no activity of a person. */
    unasked: z.boolean().default(false),
    /** Our own data, where the answer is kept. */
    winnowHome: z.string().optional()
  })
} as const;

/** The request of the doctor. */
import { z } from 'zod';

export const doctorRequests = {
  examineStart: () =>
    z.object({
      dataDirectory: z.string().min(1),
      indexDirectory: z.string().min(1).optional(),
      /** Version of the server to be started; default: inferred from the newest chunk. */
      serverVersion: z.string().min(1).optional(),
      /** Words of the server's command line. */
      serverArguments: z.array(z.string()).default([]),
      /** Reads everything that the server reads, without a limit. */
      thorough: z.boolean().default(false),
      /** The window checks by itself after it has opened a directory: not an activity of a person. */
      unasked: z.boolean().default(false),
      /** Our own data, where the result is kept. */
      winnowHome: z.string().optional()
    })
} as const;

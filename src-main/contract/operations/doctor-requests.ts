/** The requests of the doctor, and about the next start. */
import { z } from 'zod';
import { planOption } from './plan-option.ts';

const start = {
  dataDirectory: z.string().min(1),
  indexDirectory: z.string().min(1).optional(),
  /** Version of the server to be started; default: inferred from the newest chunk. */
  serverVersion: z.string().min(1).optional(),
  /** Words of the server's command line. */
  serverArguments: z.array(z.string()).default([]),
  /** Does what truncate.chk asks for as well, as the start would. */
  applyTruncation: z.boolean().default(false),
  /** Merges index tables as the running server would. */
  mergeTables: z.boolean().default(false)
};

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
    }),
  forecastStartup: () =>
    z.object({
      ...start,
      /** The window forecasts by itself where the next start is looked at: not an activity of a person. */
      unasked: z.boolean().optional()
    }),
  prepareStartup: () => z.object({ ...start, assumeStopped: z.boolean().default(false), plan: planOption })
} as const;

/** The requests of a redaction and of its plan. */
import { z } from 'zod';
import { planOption } from './plan-option.ts';

const what = {
  dataDirectory: z.string().min(1),
  indexDirectory: z.string().min(1).optional(),
  eventIds: z.array(z.string().min(1)).max(10_000).default([]),
  /** As the records number them: members of explicit transactions are found by their id only. */
  events: z
    .array(z.object({ stream: z.string().min(1), number: z.number().int().nonnegative() }))
    .max(10_000)
    .default([])
};

export const redactionRequests = {
  planRedaction: () => z.object(what),
  redactEvents: () => z.object({ ...what, assumeStopped: z.boolean().default(false), plan: planOption })
} as const;

/** One finding: of a verification, a repair, a prediction of a start. Members may be added, never renamed. */
import { z } from 'zod';

const count = z.number().int();

export const finding = z.object({
  severity: z.enum(['damage', 'hint']),
  code: z.string(),
  file: z.string().nullable(),
  offset: count.nullable(),
  position: count.nullable(),
  message: z.string(),
  remedy: z.string(),
  command: z.string().nullable()
});
export type FindingRow = z.infer<typeof finding>;

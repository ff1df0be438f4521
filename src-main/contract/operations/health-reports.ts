/** The health of a database in reports. Members may be added, never renamed. */
import { z } from 'zod';

const count = z.number().int();
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
const by = z.enum(['inspect', 'doctor', 'verify']);
const checkedState = z.enum(['sound', 'findings', 'willNotStart', 'unclean']);
export const HEALTH_STATES = ['notChecked', ...checkedState.options] as const;

export const healthFinding = z.object({
  code: z.string(),
  file: z.string().nullable(),
  message: z.string(),
  remedy: z.string()
});

export const healthReport = z.object({
  /** `notChecked`: never, or not since the directory changed. `unclean`: the last stop was not orderly. */
  state: z.enum(HEALTH_STATES),
  /** null: nothing was checked. */
  checkedAt: time.nullable(),
  by,
  /** The finding that decided; null if there is none. */
  code: z.string().nullable(),
  /** One sentence. */
  words: z.string(),
  /** The check that decided. */
  damageCount: count,
  /** That check skipped something for speed. */
  isPartial: z.boolean(),
  /** What was known before the directory changed. */
  before: z.object({ state: checkedState, checkedAt: time, by }).nullable(),
  /** The identity of the checked files: the same as long as none of them has changed. */
  directory: z.string()
});
export type HealthReport = z.infer<typeof healthReport>;

/** What is kept of one check. Bounded, because it is read back from a file that may have been changed. */
const text = z.string().max(20_000);
export const keptCheckFile = z.object({
  dataDirectory: text,
  indexDirectory: text,
  directory: text,
  check: z.object({
    by,
    checkedAt: time,
    state: checkedState,
    words: text,
    code: text.nullable(),
    damage: z.array(z.object({ code: text, file: text.nullable(), message: text, remedy: text })).max(100),
    damageCount: count.nonnegative(),
    isPartial: z.boolean()
  }),
  /** Damaged files as they were: size and modification time. */
  damagedFiles: z.array(z.object({ file: text, size: z.number(), modifiedMs: z.number() })).max(100)
});
export type KeptCheckFile = z.infer<typeof keptCheckFile>;

/** The health of a database, as reports have it. Members may be added, never renamed. */
import { z } from 'zod';

const count = z.number().int();
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
const by = z.enum(['inspect', 'doctor', 'verify']);
const checkedState = z.enum(['sound', 'findings', 'willNotStart', 'unclean']);

export const healthFinding = z.object({
  code: z.string(),
  file: z.string().nullable(),
  message: z.string(),
  remedy: z.string()
});

export const healthReport = z.object({
  /** `notChecked`: by nobody, or not since the directory has changed. `unclean`: the last stop was not in order. */
  state: z.enum(['notChecked', ...checkedState.options]),
  /** null: nothing was checked. */
  checkedAt: time.nullable(),
  by,
  /** The finding that decided; null where there is none. */
  code: z.string().nullable(),
  /** One sentence. */
  words: z.string(),
  /** Of the check that decided. */
  damageCount: count,
  /** That check left something out to be quick. */
  isPartial: z.boolean(),
  /** What was known before the directory changed. */
  before: z.object({ state: checkedState, checkedAt: time, by }).nullable(),
  /** The identity of the files that this is about: the same as long as none of them has changed. */
  directory: z.string()
});
export type HealthReport = z.infer<typeof healthReport>;

/** What is kept of one check. Bounded, because it is read back from a file that anybody may have changed. */
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
  /** Damaged files as they were: size and time of the last change. */
  damagedFiles: z.array(z.object({ file: text, size: z.number(), modifiedMs: z.number() })).max(100)
});
export type KeptCheckFile = z.infer<typeof keptCheckFile>;

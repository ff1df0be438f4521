/** The report of a rebuild of the index, planned or done. Members may be added, never renamed. */
import { z } from 'zod';
import { planId } from './plan-option.ts';

const count = z.number().int();

export const indexRebuildReport = z.object({
  actions: z.array(
    z.object({
      code: z.enum(['writeTable', 'replaceIndexMap', 'removeFile', 'removeExistenceFilter']),
      /** In the index directory; null: a new file whose name is not known yet. */
      file: z.string().nullable(),
      done: z.boolean()
    })
  ),
  /** In the new index. A plan estimates them, and the bytes that follow from them. */
  entries: count,
  isEstimate: z.boolean(),
  /** New table and filter. */
  bytes: count,
  /** Needed on the volume of the index meanwhile, including the new files. */
  scratchBytes: count,
  /** The index reaches up to here, exclusive: the chaser's position. */
  end: count,
  /** Only in a plan. */
  planId: planId.optional()
});
export type IndexRebuildReport = z.infer<typeof indexRebuildReport>;

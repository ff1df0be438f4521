/** Which field a byte belongs to: the narrowest one, because a field may lie inside a larger one. */
import type { DescribedField } from '../../../src-main/contract/verbs/workbench-contract.ts';

export function fieldAt(fields: readonly DescribedField[], offset: number): number | null {
  let best: number | null = null;
  let bestLength = Infinity;
  fields.forEach((field, index) => {
    const holds = offset >= field.offset && offset < field.offset + field.length;
    if (holds && field.length < bestLength) [best, bestLength] = [index, field.length];
  });
  return best;
}

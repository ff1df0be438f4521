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

/** The class of a byte's colour by what its field is about; empty between fields. */
export function tonesOf(fields: readonly DescribedField[]): (at: number) => string {
  // Bytes are asked for in order: the field of the last one is nearly always that of the next.
  let known: DescribedField | undefined;
  return (at) => {
    if (!known || at < known.offset || at >= known.offset + known.length) {
      const index = fieldAt(fields, at);
      known = index === null ? undefined : fields[index];
    }
    return known?.meaning === undefined ? '' : `tone-${known.meaning}`;
  };
}

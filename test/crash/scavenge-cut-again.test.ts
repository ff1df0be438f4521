/** The power goes during a scavenge, and again during the run that resumes it. */
import { it } from 'vitest';
import { cutScavengeAgain } from './scavenge-cuts.ts';
import { SCAVENGE_VARIANTS, type VariantName } from './scavenge-subject.ts';

it.each(Object.keys(SCAVENGE_VARIANTS) as VariantName[])(
  'a scavenge that is cut again while it is resumed: %s',
  async (variant) => {
    await cutScavengeAgain(variant, { every: 24, seed: 3 });
  }
);

/** A scavenge of each kind, cut; `cutScavenge` throws where something is lost or W fell. */
import { it } from 'vitest';
import { cutScavenge } from './scavenge-cuts.ts';

it.each(['merging', 'unmerged', 'newPoint', 'detached', 'history', 'hardDeletes'] as const)(
  'a scavenge can be cut at any call: %s',
  async (variant) => {
    await cutScavenge(variant, { seed: 4 });
  }
);

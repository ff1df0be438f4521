/** Every sixth call, and others with each seed; exhaustive.ts has all of them. */
import { it } from 'vitest';
import { cutScavenge } from './scavenge-cuts.ts';

it.each(['history', 'hardDeletes'] as const)('a scavenge can be cut: %s', async (variant) => {
  await cutScavenge(variant, console.log, { every: 6, seed: 4 });
});

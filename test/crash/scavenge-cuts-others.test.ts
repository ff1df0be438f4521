/** Every sixth call, and others with each seed; `npm run crash -- --all` has all of them. */
import { it } from 'vitest';
import { cutScavenge } from './scavenge-cuts.ts';

it.each(['history', 'hardDeletes'] as const)('a scavenge can be cut: %s', async (variant) => {
  await cutScavenge(variant, { every: 6, seed: 4 });
});

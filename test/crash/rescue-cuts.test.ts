/** A rescue executes chunks in an order of its own; cut anywhere it must end as any scavenge does. */
import { expect, it } from 'vitest';
import { cutScavenge, refuseScavenge } from './scavenge-cuts.ts';

it.each(['rescueDetached', 'rescueExisting'] as const)(
  'a rescue can be cut at any call: %s',
  async (variant) => {
    await cutScavenge(variant);
  }
);

it('a rescue that finds no space at any call ends with a named error, loses nothing, and the next one ends it', async () => {
  const report = await refuseScavenge('rescueDetached', { osCodes: ['ENOSPC'] });
  expect(report.endedWell).toBe(0);
});

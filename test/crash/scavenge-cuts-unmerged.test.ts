import { expect, it } from 'vitest';
import { cutScavenge } from './scavenge-cuts.ts';

it('a scavenge with a threshold and without merging can be cut at every call', async () => {
  const report = await cutScavenge('unmerged');
  expect(report.cutCalls).toBe(report.calls);
});

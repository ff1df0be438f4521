import { expect, it } from 'vitest';
import { cutScavenge } from './scavenge-cuts.ts';

it('a scavenge with merging can be cut at every call', async () => {
  const report = await cutScavenge('merging');
  expect(report.cutCalls).toBe(report.calls);
});

import { expect, it } from 'vitest';
import { cutScavenge } from './scavenge-cuts.ts';

it('a scavenge that writes its point can be cut at every call', async () => {
  const report = await cutScavenge('newPoint');
  expect(report.cutCalls).toBe(report.calls);
});

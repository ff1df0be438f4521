import { expect, it } from 'vitest';
import { cutScavenge } from './scavenge-cuts.ts';

it('a scavenge that writes its point can be cut at every call', async () => {
  const report = await cutScavenge('newPoint', console.log);
  expect(report.cutCalls).toBe(report.calls);
});

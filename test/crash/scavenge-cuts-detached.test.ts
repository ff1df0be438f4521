import { expect, it } from 'vitest';
import { cutScavenge } from './scavenge-cuts.ts';

it('a scavenge with a detached point can be cut at every call', async () => {
  const report = await cutScavenge('detached');
  expect(report.cutCalls).toBe(report.calls);
});

/** A rescue executes chunks in an order of its own; cut anywhere it must end as any scavenge does. */
import { expect, it } from 'vitest';
import { cutScavenge, refuseScavenge } from './scavenge-cuts.ts';

it('a rescue with a detached point can be cut at every call', async () => {
  const report = await cutScavenge('rescueDetached');
  expect(report.cutCalls).toBe(report.calls);
});

it('a rescue with a point of the log can be cut at every call', async () => {
  const report = await cutScavenge('rescueExisting');
  expect(report.cutCalls).toBe(report.calls);
});

it('a rescue that finds no space at any call ends with a named error, loses nothing, and the next one ends it', async () => {
  const report = await refuseScavenge('rescueDetached', { osCodes: ['ENOSPC'] });
  expect(report.runs).toBe(report.calls * 2);
  expect(report.endedWell).toBe(0);
});

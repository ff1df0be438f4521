/** The threads that prepare the chunks of a scavenge are cut and refused as the run itself is. */
import { expect, it } from 'vitest';
import { cutScavenge, refuseScavenge } from './scavenge-cuts.ts';

it('a scavenge with two threads can be cut at any call, also of those that rewrite', async () => {
  await cutScavenge('twoThreads');
});

it('a scavenge with two threads of which any call fails ends with a named error, and loses nothing', async () => {
  const report = await refuseScavenge('twoThreads', { oneCodeEach: true, every: 3 });
  expect(report.endedWell).toBe(0);
});

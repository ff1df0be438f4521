/** Each call fails once and for ever with one of the system's words; exhaustive.ts has all three for all variants. */
import { expect, it } from 'vitest';
import { refuseScavenge } from './scavenge-cuts.ts';

it('a scavenge of which any call fails ends with a named error, loses nothing, and the next one ends it', async () => {
  const report = await refuseScavenge('merging', console.log, { oneCodeEach: true });
  expect(report.runs).toBe(report.calls * 2);
  expect(report.endedWell).toBe(0);
});

it('a scavenge never ends well after a failed flush of its history', async () => {
  await refuseScavenge('history', console.log, { oneCodeEach: true, every: 12, seed: 11 });
});

it('a scavenge that cannot read ends with a named error and loses nothing', async () => {
  const report = await refuseScavenge('merging', console.log, {
    calls: 'reading',
    osCodes: ['EIO'],
    every: 40
  });
  expect(report.endedWell).toBe(0);
});

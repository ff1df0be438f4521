/** Each call fails once and for ever with one of the system's words; `npm run crash -- --all` has every call. */
import { expect, it } from 'vitest';
import { refuseScavenge } from './scavenge-cuts.ts';

it('a scavenge of which any call fails ends with a named error, loses nothing, and the next one ends it', async () => {
  const report = await refuseScavenge('merging', { oneCodeEach: true });
  expect(report.endedWell).toBe(0);
});

it('a scavenge never ends well after a failed flush of its history', async () => {
  await refuseScavenge('history', { oneCodeEach: true, every: 12, seed: 11 });
});

it.each(['unmerged', 'newPoint', 'detached', 'hardDeletes', 'rescueExisting'] as const)(
  'a scavenge of which some calls fail: %s',
  async (variant) => {
    await refuseScavenge(variant, { oneCodeEach: true, every: 9, seed: 5 });
  }
);

it('a scavenge that cannot read ends with a named error and loses nothing', async () => {
  const report = await refuseScavenge('merging', {
    calls: 'reading',
    osCodes: ['EIO'],
    every: 40
  });
  expect(report.endedWell).toBe(0);
});

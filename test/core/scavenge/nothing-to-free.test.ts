/** When a plan says that a scavenge would free nothing, so that it need not be run. */
import { expect, it } from 'vitest';
import { freesNothing } from '../../../src-core/scavenge/nothing-to-free.ts';
import type { ScavengeOutcome } from '../../../src-core/scavenge/scavenge-result.ts';
import type { ChosenPlacement } from '../../../src-core/units/scavenge-terms.ts';

const isNothing = (
  placement: ChosenPlacement,
  { records = 0, entries = 0, bytes = 0 }: { records?: number; entries?: number; bytes?: number }
): boolean => {
  const sums = { recordsDiscarded: records, indexEntriesDiscarded: entries, spaceSaved: { total: bytes } };
  return freesNothing(sums as ScavengeOutcome, placement);
};

it.each(['existing', 'detached', 'new'] as const)(
  'a record or an index entry that goes is something: %s',
  (placement) => {
    expect(isNothing(placement, {})).toBe(true);
    expect(isNothing(placement, { bytes: -100 })).toBe(true);
    expect(isNothing(placement, { records: 1, bytes: -100 })).toBe(false);
    expect(isNothing(placement, { entries: 1 })).toBe(false);
  }
);

it('bytes that go are something, but for those of the chunk that a point of its own completes', () => {
  expect(isNothing('existing', { bytes: 1 })).toBe(false);
  expect(isNothing('detached', { bytes: 1 })).toBe(false);
  expect(isNothing('new', { bytes: 8192 })).toBe(true);
  expect(isNothing('new', { bytes: 8193 })).toBe(false);
});

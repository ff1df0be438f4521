import { expect, test } from 'vitest';
import {
  DEFAULT_FORM,
  effectivePlacement,
  isNatureKnown,
  requestOf
} from '../../../src-renderer/state/scavenge/scavenge-options.ts';
import type { InspectReport } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { inspection, node, unfinishedInspection } from '../fake-database.ts';

const unknown = { ...node, isSingleNode: null };
const member = { ...node, isSingleNode: false };

/** Nothing is left to reach, and no point may be written to a member's log. */
const reached: InspectReport = {
  ...inspection,
  scavengeState: { stage: 'done', scavengePoint: 0 },
  nextScavenge: { kind: 'refused', point: null, because: 'A new scavenge point is needed.' }
};

test('writes no point where it is not known that the node is the only one', () => {
  expect(effectivePlacement('auto', node, reached)).toBe('auto');
  expect(effectivePlacement('auto', unknown, reached)).toBe('detached');
  expect(effectivePlacement('auto', member, reached)).toBe('detached');
  expect(effectivePlacement('existing', member, reached)).toBe('existing');
});

test('takes a member to a point that its log has and no scavenge has reached', () => {
  expect(effectivePlacement('auto', member, inspection)).toBe('existing');
  expect(effectivePlacement('auto', member, null)).toBe('detached');
});

test('resumes a member’s unfinished scavenge', () => {
  expect(effectivePlacement('auto', member, unfinishedInspection)).toBe('existing');
});

test('goes by what the engine foretells, not by how the state looks', () => {
  const unbelieved: InspectReport = {
    ...reached,
    scavengeState: { stage: 'executingChunks', scavengePoint: 0 }
  };
  expect(effectivePlacement('auto', member, unbelieved)).toBe('detached');
  const withoutCheckpoint: InspectReport = {
    ...reached,
    scavengeState: { stage: 'none', scavengePoint: null }
  };
  expect(effectivePlacement('auto', member, withoutCheckpoint)).toBe('detached');
});

test("takes the configuration's cluster size for an answer, and the person's before it", () => {
  expect(isNatureKnown(unknown)).toBe(false);
  expect(isNatureKnown({ ...unknown, clusterSize: 3 })).toBe(true);
  expect(effectivePlacement('auto', { ...unknown, clusterSize: 1 }, reached)).toBe('auto');
  expect(effectivePlacement('auto', { ...member, clusterSize: 1 }, reached)).toBe('detached');
});

test('limits the speed with one thread only', () => {
  expect(
    requestOf({ ...DEFAULT_FORM, threads: 4, throttlePercent: 30 }, node, inspection).throttlePercent
  ).toBe(100);
  expect(requestOf({ ...DEFAULT_FORM, throttlePercent: 30 }, node, inspection).throttlePercent).toBe(30);
});

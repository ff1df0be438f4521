import { expect, test } from 'vitest';
import {
  DEFAULT_FORM,
  effectivePlacement,
  isNatureKnown,
  requestOf,
  runRequest
} from '../../../src-renderer/state/scavenge-options.ts';
import { node, plan } from '../fake-database.ts';

const unknown = { ...node, isSingleNode: null };
const member = { ...node, isSingleNode: false };

test('writes no point where it is not known that the node is the only one', () => {
  expect(effectivePlacement('auto', node)).toBe('auto');
  expect(effectivePlacement('auto', unknown)).toBe('detached');
  expect(effectivePlacement('auto', member)).toBe('detached');
  expect(effectivePlacement('existing', member)).toBe('existing');
});

test("takes the configuration's cluster size for an answer, and the person's before it", () => {
  expect(isNatureKnown(unknown)).toBe(false);
  expect(isNatureKnown({ ...unknown, clusterSize: 3 })).toBe(true);
  expect(effectivePlacement('auto', { ...unknown, clusterSize: 1 })).toBe('auto');
  expect(effectivePlacement('auto', { ...member, clusterSize: 1 })).toBe('detached');
});

test('limits the speed with one thread only', () => {
  expect(requestOf({ ...DEFAULT_FORM, threads: 4, throttlePercent: 30 }, node).throttlePercent).toBe(100);
  expect(requestOf({ ...DEFAULT_FORM, throttlePercent: 30 }, node).throttlePercent).toBe(30);
});

test('runs a plan with the present it was made with, unless the log gave it', () => {
  const request = { threshold: 0 };
  expect(runRequest(request, plan)).toEqual({ threshold: 0, now: plan.scavengePoint!.effectiveNow });
  const existing = { ...plan, scavengePoint: { ...plan.scavengePoint!, placement: 'existing' as const } };
  expect(runRequest(request, existing)).toEqual({ threshold: 0 });
});

import { expect, test } from 'vitest';
import type { WorkSnapshot } from '../../../src-main/ipc/contract.ts';
import {
  DEFAULT_FORM,
  effectivePlacement,
  isNatureKnown,
  requestOf,
  resumeRequest,
  runRequest
} from '../../../src-renderer/state/scavenge-options.ts';
import { inspection, node, plan } from '../fake-database.ts';

const work: WorkSnapshot = {
  id: 'work-1',
  name: 'runScavenge',
  nodeId: 'node-1',
  title: '',
  state: 'stopped',
  startedMs: 0,
  endedMs: 1,
  progress: null,
  ratePerSecond: null,
  remainingMs: null,
  phases: [],
  log: [],
  error: null,
  request: {},
  writerCheckpoint: null,
  backupTarget: null
};
const unknown = { ...node, isSingleNode: null };
const member = { ...node, isSingleNode: false };

const reached = { ...inspection, scavengeState: { stage: 'done', scavengePoint: 0 } };

test('writes no point where it is not known that the node is the only one', () => {
  expect(effectivePlacement('auto', node, reached)).toBe('auto');
  expect(effectivePlacement('auto', unknown, reached)).toBe('detached');
  expect(effectivePlacement('auto', member, reached)).toBe('detached');
  expect(effectivePlacement('existing', member, reached)).toBe('existing');
});

test('takes a member to a point that its log has and no scavenge has reached', () => {
  expect(effectivePlacement('auto', member, inspection)).toBe('existing');
  expect(effectivePlacement('auto', member, { ...inspection, scavengePoints: [] })).toBe('detached');
  expect(effectivePlacement('auto', member, null)).toBe('detached');
});

test('goes on with a member’s unfinished scavenge', () => {
  const unfinished = { ...inspection, scavengeState: { stage: 'executingChunks', scavengePoint: 0 } };
  expect(effectivePlacement('auto', member, unfinished)).toBe('existing');
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

test('runs a plan with the present it was made with, unless the log gave it', () => {
  const request = { threshold: 0 };
  expect(runRequest(request, plan)).toEqual({ threshold: 0, now: plan.scavengePoint!.effectiveNow });
  const existing = { ...plan, scavengePoint: { ...plan.scavengePoint!, placement: 'existing' as const } };
  expect(runRequest(request, existing)).toEqual({ threshold: 0 });
});

test('goes on with a stopped run as it was, and finds one without a point of its own by the same request', () => {
  const stopped = {
    ...work,
    request: { scavengePoint: 'new', now: '2026-01-01T00:00:00Z', threshold: 7, throttlePercent: 10 }
  };
  expect(resumeRequest(undefined, undefined)).toEqual({ scavengePoint: 'existing' });
  expect(resumeRequest({ ...stopped, state: 'failed' }, undefined)).toEqual({ scavengePoint: 'existing' });
  expect(resumeRequest(stopped, plan, 60)).toEqual({
    scavengePoint: 'existing',
    threshold: 7,
    throttlePercent: 60
  });
  const detached = { ...plan, scavengePoint: { ...plan.scavengePoint!, placement: 'detached' as const } };
  expect(resumeRequest(stopped, detached)).toEqual({ ...stopped.request, scavengePoint: 'detached' });
});

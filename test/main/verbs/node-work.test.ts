import { describe, expect, test } from 'vitest';
import type { NodeEntry } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { callContext, refuseWithoutPlan, workContext } from '../../../src-main/verbs/node-work.ts';
import { joinedRequest, takenFromWindow } from '../../../src-main/contract/verbs/validate.ts';
import { checkedRequest } from '../../../src-main/engine/engine-door.ts';
import { planIdOf } from '../../../src-main/operations/plan/plan-identity.ts';

const node: NodeEntry = {
  id: 'n',
  name: 'orders',
  dataDirectory: '/data/orders',
  isSingleNode: true,
  isSample: false,
  lastOpenedMs: 0,
  backupTarget: '/backups'
};
const without: NodeEntry = { ...node };
delete without.backupTarget;

describe('work on backups', () => {
  test('gets its target from the node, never from the page', () => {
    const asked = takenFromWindow('runRestore', {
      id: 'b1',
      target: '/etc',
      keyFile: '/k',
      assumeStopped: true
    });
    expect(asked).toEqual({ id: 'b1' });
    expect(
      checkedRequest(
        'runRestore',
        joinedRequest('runRestore', asked, workContext({ name: 'runRestore', node, home: '/home', asked }))
      )
    ).toEqual({
      id: 'b1',
      target: '/backups',
      dataDirectory: '/data/orders',
      applyTruncation: false,
      assumeStopped: false
    });
  });

  test('is refused while the node has no target', () => {
    expect(() => callContext('listBackups', without)).toThrow(/No directory for backups of orders/);
    expect(() => workContext({ name: 'createBackup', node: without, home: '', asked: {} })).toThrow(
      /No directory for backups/
    );
  });

  test('lets a repair take chunks from the backups only where that was asked for', () => {
    const repair = (asked: Record<string, unknown>): unknown =>
      workContext({ name: 'repairDatabase', node, home: '', asked });
    expect(repair({})).toEqual({ dataDirectory: '/data/orders', winnowHome: '' });
    expect(repair({ usesBackups: true })).toMatchObject({ fromBackup: { target: '/backups' } });
  });
});

test('an inspection foretells the scavenge that the window would plan for this node', () => {
  const location = { dataDirectory: '/data/orders' };
  expect(callContext('inspectDatabase', node)).toEqual({ ...location, singleNode: true, forPlan: true });
  const member: NodeEntry = { ...node, isSingleNode: false };
  expect(callContext('inspectDatabase', member)).toEqual({ ...location, singleNode: false, forPlan: true });
  expect(callContext('listChunks', node)).toEqual(location);
});

describe('what cannot be undone', () => {
  const restore = { dataDirectory: '/data/orders', target: '/backups', id: 'b1', applyTruncation: false };
  const plan = planIdOf({ operation: 'planRestore', request: restore, state: [] }, '2026-01-01T00:00:00Z');

  test('is started by the plan of the same request, directory and target', () => {
    expect(() => refuseWithoutPlan('runRestore', { ...restore, assumeStopped: true, plan })).not.toThrow();
  });

  test.each([
    ['no plan', { plan: undefined }, 'InvalidRequest'],
    ['what is no plan', { plan: 'work-1' }, 'PlanStale'],
    ['a plan of another backup', { id: 'b2' }, 'PlanStale'],
    ['a plan of another node', { dataDirectory: '/data/others' }, 'PlanStale'],
    ['a plan of another target', { target: '/others' }, 'PlanStale'],
    ['a plan with other options', { applyTruncation: true }, 'PlanStale'],
    ['a plan of something else', { plan: plan.replace('restore', 'repair') }, 'PlanStale']
  ])('is refused with %s', (_what, change, code) => {
    const attempt = () => refuseWithoutPlan('runRestore', { ...restore, plan, ...change });
    expect(attempt).toThrow(expect.objectContaining({ code }) as Error);
    expect(attempt).toThrow(/Nothing was written/);
  });

  test.each(['runScavenge', 'pruneBackups', 'repairDatabase', 'rebuildIndex'] as const)(
    '%s is refused without a plan',
    (name) => {
      expect(() => refuseWithoutPlan(name, { dataDirectory: '/data' })).toThrow(/There is no plan/);
    }
  );

  test('needs no plan to be planned', () => {
    expect(() => refuseWithoutPlan('repairDatabase', { dryRun: true })).not.toThrow();
    expect(() => refuseWithoutPlan('planScavenge', {})).not.toThrow();
  });
});

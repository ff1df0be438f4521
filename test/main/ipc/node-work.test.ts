import { describe, expect, test } from 'vitest';
import type { NodeEntry, WorkSnapshot } from '../../../src-main/ipc/contract.ts';
import { callContext, refuseWithoutPlan, workContext } from '../../../src-main/ipc/node-work.ts';
import { engineRequest, takenFromWindow } from '../../../src-main/ipc/validate.ts';

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

function work(changes: Partial<WorkSnapshot>): WorkSnapshot {
  return {
    id: 'w',
    name: 'planRestore',
    nodeId: 'n',
    title: '',
    state: 'done',
    startedMs: 0,
    endedMs: 1,
    progress: null,
    ratePerSecond: null,
    remainingMs: null,
    phases: [],
    log: [],
    error: null,
    request: { id: 'b1' },
    writerCheckpoint: 100,
    backupTarget: '/backups',
    ...changes
  };
}

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
      engineRequest('runRestore', asked, workContext({ name: 'runRestore', node, home: '/home', asked }))
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
    expect(repair({})).toEqual({ dataDirectory: '/data/orders' });
    expect(repair({ usesBackups: true })).toMatchObject({ fromBackup: { target: '/backups' } });
  });
});

describe('what cannot be undone', () => {
  const restore = work({ name: 'runRestore', state: 'running' });

  test('is run with the plan of the same request, target and log', () => {
    expect(() => refuseWithoutPlan(restore, work({}))).not.toThrow();
    const prune = work({ name: 'pruneBackups', request: { retention: { last: 3 }, dryRun: false } });
    const plan = work({ name: 'pruneBackups', request: { retention: { last: 3 }, dryRun: true } });
    expect(() => refuseWithoutPlan(prune, plan)).not.toThrow();
  });

  test.each([
    ['no plan', undefined],
    ['a plan that is not there any more', 'gone' as const],
    ['a plan that has not ended', work({ state: 'running' })],
    ['a plan of another backup', work({ request: { id: 'b2' } })],
    ['a plan of another node', work({ nodeId: 'm' })],
    ['a plan of another target', work({ backupTarget: '/others' })],
    ['a plan of a log that has grown since', work({ writerCheckpoint: 90 })],
    ['a plan of something else', work({ name: 'planBackup' })]
  ])('is refused with %s', (_what, plan) => {
    expect(() => refuseWithoutPlan(restore, plan)).toThrow(/Nothing was written/);
  });

  test.each(['pruneBackups', 'repairDatabase', 'rebuildIndex'] as const)(
    '%s is refused without a plan',
    (name) => {
      expect(() => refuseWithoutPlan(work({ name, request: {} }), undefined)).toThrow(/No plan/);
    }
  );

  test('needs no plan to be planned', () => {
    const planned = work({ name: 'repairDatabase', request: { dryRun: true } });
    expect(() => refuseWithoutPlan(planned, undefined)).not.toThrow();
  });
});

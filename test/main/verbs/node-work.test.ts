import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { NodeEntry } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { ChosenPaths } from '../../../src-main/verbs/chosen-paths.ts';
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
const chosen = new ChosenPaths();
const nodes = new Map([[node.id, node]]);
const choices = { chosen, nodeNamed: (id: string) => nodes.get(id) };

describe('work on backups', () => {
  test('gets its target from the node, never from the page', () => {
    const asked = takenFromWindow('runRestore', {
      id: 'b1',
      target: '/etc',
      keyFile: '/k',
      password: 'secret',
      dataDirectory: '/etc',
      assumeStopped: true
    });
    expect(asked).toEqual({ id: 'b1', assumeStopped: true });
    expect(
      checkedRequest(
        'runRestore',
        joinedRequest(
          'runRestore',
          asked,
          workContext({ name: 'runRestore', node, home: '/home', asked, choices })
        )
      )
    ).toEqual({
      id: 'b1',
      target: '/backups',
      dataDirectory: '/data/orders',
      applyTruncation: false,
      assumeStopped: true
    });
  });

  const filled = (asked: Record<string, unknown>, of: NodeEntry | null = node): unknown =>
    workContext({ name: 'planRestore', node: of, home: '', asked, choices });

  test('gets directories, stores and keys by the ids of what a person chose, each for its purpose', () => {
    const to = chosen.keep('restoreTo', { path: '/new', nodeId: null });
    const index = chosen.keep('index', { path: '/fast/index', nodeId: null });
    const store = chosen.keep('backups', { path: 's3://b/p', endpoint: 'https://store', nodeId: null });
    const key = chosen.keep('keyFile', { path: '/keys/a', nodeId: null });
    const places = { fromPlace: store.id, toPlace: to.id, indexPlace: index.id, keyPlace: key.id };
    expect(filled(places, null)).toEqual({
      target: 's3://b/p',
      s3Endpoint: 'https://store',
      keyFile: '/keys/a',
      dataDirectory: '/new',
      indexDirectory: '/fast/index'
    });
    expect(() => filled({ ...places, toPlace: key.id })).toThrow(/no longer known/);
    expect(() => filled({ ...places, toPlace: '/etc' })).toThrow(/no longer known/);
    expect(() => filled({}, null)).toThrow(/No directory to restore to/);
  });

  test('restores the backups of one node to another', () => {
    const other: NodeEntry = { ...without, id: 'm', dataDirectory: '/data/other', indexDirectory: '/idx' };
    expect(filled({ fromNode: 'n' }, other)).toEqual({
      target: '/backups',
      dataDirectory: '/data/other',
      indexDirectory: '/idx'
    });
    expect(() => filled({ fromNode: 'gone' }, other)).toThrow(/no longer in the list/);
  });

  test('gives the node’s own key file, another that was chosen, or a password that was kept', () => {
    const encrypted: NodeEntry = { ...node, backupKey: { kind: 'file', file: '/keys/n' } };
    const sealed: NodeEntry = { ...node, backupKey: { kind: 'password', file: '/home/k.txt' } };
    expect(filled({}, encrypted)).toMatchObject({ keyFile: '/keys/n' });
    expect(filled({}, sealed)).not.toHaveProperty('keyFile');
    const { id } = chosen.keepPassword('correct horse');
    const withPassword = filled({ passwordId: id }, sealed);
    expect(withPassword).toMatchObject({ password: 'correct horse' });
    expect(withPassword).not.toHaveProperty('keyFile');
    const creating = { name: 'createBackup' as const, home: '', asked: {}, choices };
    expect(workContext({ ...creating, node: encrypted })).toMatchObject({ keyFile: '/keys/n' });
    expect(workContext({ ...creating, node: sealed })).toMatchObject({ keyFile: '/home/k.txt' });
  });

  test('is refused while the node has no target', () => {
    expect(() => callContext('listBackups', without)).toThrow(/No directory for backups of orders/);
    expect(() => workContext({ name: 'createBackup', node: without, home: '', asked: {}, choices })).toThrow(
      /No directory for backups/
    );
  });

  test('erases inside a backup of the node with the key that was given, in a directory that was chosen', () => {
    const scratch = chosen.keep('scratch', { path: '/room', nodeId: null });
    const { id: passwordId } = chosen.keepPassword('correct horse');
    const asked = takenFromWindow('eraseInBackup', {
      id: 'b1',
      erase: { kind: 'scavenge' },
      removeOld: true,
      scratchPlace: scratch.id,
      passwordId,
      fromPlace: '/elsewhere',
      target: '/etc',
      keyFile: '/k',
      scratchDirectory: '/etc'
    });
    expect(Object.keys(asked)).toEqual(['id', 'erase', 'removeOld', 'scratchPlace', 'passwordId']);
    const filledIn = workContext({ name: 'eraseInBackup', node, home: '', asked, choices });
    expect(checkedRequest('eraseInBackup', joinedRequest('eraseInBackup', asked, filledIn))).toEqual({
      target: '/backups',
      id: 'b1',
      erase: { kind: 'scavenge', scavengePoint: 'auto', threshold: 0 },
      removeOld: true,
      scratchDirectory: '/room',
      password: 'correct horse'
    });
    const ofNode: NodeEntry = { ...node, backupKey: { kind: 'file', file: '/keys/n' } };
    expect(workContext({ name: 'planBackupErasure', node: ofNode, home: '', asked: {}, choices })).toEqual({
      target: '/backups',
      keyFile: '/keys/n'
    });
  });

  test('encrypts the backups of the node for the keys in a chosen file, else for those of its next backups', () => {
    const { id: newKeysPlace } = chosen.keep('keyFile', { path: '/keys/team.pub', nodeId: null });
    const { id: passwordId } = chosen.keepPassword('correct horse');
    const given = {
      newKeysPlace,
      passwordId,
      dryRun: true,
      newKeys: '/etc/passwd',
      target: '/etc',
      signKey: '/k'
    };
    const asked = takenFromWindow('rekeyBackups', given);
    expect(asked).toEqual({ newKeysPlace, passwordId, dryRun: true });
    const filledIn = workContext({ name: 'rekeyBackups', node, home: '', asked, choices });
    expect(checkedRequest('rekeyBackups', joinedRequest('rekeyBackups', asked, filledIn))).toEqual({
      target: '/backups',
      newKeys: '/keys/team.pub',
      password: 'correct horse',
      dryRun: true
    });
    const sealed: NodeEntry = { ...node, backupKey: { kind: 'password', file: '/home/k.txt' } };
    const own = workContext({ name: 'rekeyBackups', node: sealed, home: '', asked: {}, choices });
    expect(own).toEqual({ target: '/backups', newKeys: '/home/k.txt' });
    expect(() => workContext({ name: 'rekeyBackups', node, home: '', asked: {}, choices })).toThrow(
      'No file with the new keys was chosen.'
    );
  });

  test('lets a repair take chunks from the backups only where that was asked for', () => {
    const repair = (asked: Record<string, unknown>): unknown =>
      workContext({ name: 'repairDatabase', node, home: '', asked, choices });
    expect(repair({})).toEqual({ dataDirectory: '/data/orders', winnowHome: '' });
    expect(repair({ usesBackups: true })).toMatchObject({ fromBackup: { target: '/backups' } });
    const { id } = choices.chosen.keep('backups', { path: '/copies/orders', nodeId: null });
    expect(repair({ fromPlace: id })).toMatchObject({ fromBackup: { target: '/copies/orders' } });
    expect(() => repair({ fromPlace: '/etc' })).toThrow('This path is no longer known.');
  });
});

describe('work that writes something new', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'winnow-output-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const output = chosen.keep('output', { path: folder, nodeId: null });
  const today = new Date().toISOString().slice(0, 10);
  const filledFor = (
    name: 'extractEvents' | 'exportDatabase' | 'runBundle',
    from: Record<string, unknown>,
    of = node
  ): Record<string, unknown> => {
    const asked = takenFromWindow(name, { outputPlace: output.id, ...from });
    return workContext({ name, node: of, home: '/home', asked, choices });
  };
  const BACKUP = '20261121T050000Z-4f2a';

  test('puts it into a directory that was chosen, under a name that is free there', () => {
    const place = path.join(folder, `orders-export-${today}`);
    expect(filledFor('exportDatabase', { toDatabase: '/etc', dataDirectory: '/etc' })).toEqual({
      dataDirectory: '/data/orders',
      winnowHome: '/home',
      toDatabase: place
    });
    mkdirSync(place);
    expect(filledFor('exportDatabase', {})).toMatchObject({ toDatabase: `${place}-2` });
    expect(() => filledFor('exportDatabase', { outputPlace: '/etc' })).toThrow(/no longer known/);
  });

  test('reads a backup of the node or of a chosen place, with what opens it', () => {
    const own: NodeEntry = { ...node, indexDirectory: '/idx', backupKey: { kind: 'file', file: '/keys/n' } };
    expect(filledFor('extractEvents', { usesBackups: true, backupId: BACKUP }, own)).toMatchObject({
      dataDirectory: `/backups@${BACKUP}`,
      keyFile: '/keys/n'
    });
    expect(filledFor('extractEvents', { usesBackups: true }, own)).not.toHaveProperty('indexDirectory');
    const store = chosen.keep('backups', { path: 's3://b/p', endpoint: 'https://store', nodeId: null });
    const { id: passwordId } = chosen.keepPassword('correct horse');
    const filled = filledFor('exportDatabase', { fromPlace: store.id, backupId: BACKUP, passwordId }, own);
    expect(filled).toMatchObject({
      dataDirectory: `s3://b/p@${BACKUP}`,
      s3Endpoint: 'https://store',
      password: 'correct horse'
    });
    expect(filled).not.toHaveProperty('keyFile');
    expect(() => filledFor('exportDatabase', { usesBackups: true }, without)).toThrow(
      /No directory for backups/
    );
  });

  test.each(['../../etc', 'x', '', `${BACKUP}/../../etc`, `../../etc@${BACKUP}`, 7])(
    'takes no name of a backup that is none: %s',
    (backupId) => {
      expect(() => filledFor('extractEvents', { usesBackups: true, backupId })).toThrow(
        /no backup of that name/
      );
    }
  );

  test('gives a bundle the key, the table of names and the configuration that were chosen', () => {
    const to = path.join(folder, `orders-bundle-${today}`);
    const key = chosen.keep('bundleKey', { path: '/keys/names', nodeId: null });
    const conf = chosen.keep('configuration', { path: '/etc/other.conf', nodeId: null });
    const own: NodeEntry = { ...node, configurationFile: '/etc/kurrentdb.conf' };
    const names = {
      keyFile: '/etc/shadow',
      namesFile: '/etc/x',
      configuration: '/etc/shadow',
      packFile: '/x'
    };
    expect(filledFor('runBundle', names, own)).toEqual({ dataDirectory: '/data/orders', to });
    const choices = { packs: true, listsNames: true, bundleKeyPlace: key.id };
    expect(filledFor('runBundle', { ...choices, usesConfiguration: true }, own)).toEqual({
      dataDirectory: '/data/orders',
      to,
      packFile: `${to}.tar.zst`,
      namesFile: `${to}.names.jsonl`,
      keyFile: '/keys/names',
      configuration: '/etc/kurrentdb.conf'
    });
    expect(
      filledFor('runBundle', { usesConfiguration: true, configurationPlace: conf.id }, own)
    ).toMatchObject({
      configuration: '/etc/other.conf'
    });
    expect(() => filledFor('runBundle', { bundleKeyPlace: conf.id })).toThrow(/no longer known/);
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

  test.each([
    'runScavenge',
    'pruneBackups',
    'repairDatabase',
    'rebuildIndex',
    'eraseInBackup',
    'rekeyBackups'
  ] as const)('%s is refused without a plan', (name) => {
    expect(() => refuseWithoutPlan(name, { dataDirectory: '/data' })).toThrow(/There is no plan/);
  });

  test('needs no plan to be planned', () => {
    expect(() => refuseWithoutPlan('repairDatabase', { dryRun: true })).not.toThrow();
    expect(() => refuseWithoutPlan('planScavenge', {})).not.toThrow();
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EngineError } from '../../../src-core/index.ts';
import type { WindowEvent } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { EngineKeeper } from '../../../src-main/verbs/engine-keeper.ts';
import type { VerbHandlers } from '../../../src-main/contract/verbs/verb-handler.ts';
import { planIdOf } from '../../../src-main/operations/plan/plan-identity.ts';
import { verbHandlers } from '../../../src-main/verbs/verb-handlers.ts';
import { WorkKeeper } from '../../../src-main/verbs/work-keeper.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { fakeEngine, type FakeEngine } from './fake-engine.ts';

let home: string;
let engine: FakeEngine;
let handlers: VerbHandlers;
let registry: NodeRegistry;
let events: WindowEvent[];
let chosen: string | undefined;
let shown: string[];

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'winnow-verbs-'));
  engine = fakeEngine();
  writeWriter(100);
  events = [];
  registry = new NodeRegistry(home, () => 1000);
  shown = [];
  const send = (event: WindowEvent): void => void events.push(event);
  const keeper = new EngineKeeper(engine, (state) => send({ kind: 'engine', engine: state }));
  handlers = verbHandlers({
    version: '1.0.0',
    platform: 'linux',
    home,
    engine,
    engineState: () => keeper.state,
    restartEngine: () => keeper.restart(),
    registry,
    work: new WorkKeeper({
      clock: () => 5,
      onChange: (snapshot) => send({ kind: 'work', snapshot }),
      onForget: () => undefined
    }),
    openNodeId: null,
    theme: () => 'system',
    setTheme: () => undefined,
    chooseDirectory: async () => chosen,
    chooseConfiguration: async () => chosen,
    chooseBackupTarget: async () => chosen,
    choosePath: async () => chosen,
    chooseSaveFile: () => Promise.resolve(undefined),
    copyText: () => undefined,
    showDirectory: (directory) => Promise.resolve(void shown.push(directory)),
    send
  });
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

/** writer.chk of the database in `home`. */
function writeWriter(position: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(position));
  writeFileSync(path.join(home, 'writer.chk'), bytes);
}

describe('opening', () => {
  test('registers the directory that was chosen in the dialog', async () => {
    chosen = path.join(home, 'prod-1');
    mkdirSync(chosen);
    const node = await handlers.openDirectory({});
    expect(node).toMatchObject({ name: 'prod-1', dataDirectory: chosen, isSingleNode: null });
    expect(events).toEqual([{ kind: 'nodes', nodes: [node] }]);
  });

  test('does nothing when nothing was chosen', async () => {
    chosen = undefined;
    expect(await handlers.openDirectory({})).toBeNull();
    expect(registry.list()).toEqual([]);
  });

  test('registers nothing that the engine does not know as a database', async () => {
    chosen = home;
    engine.answers.inspectDatabase = () => {
      throw new EngineError({ code: 'DatabaseNotFound', message: 'no', remedy: 'other' });
    };
    await expect(handlers.openDirectory({})).rejects.toThrow('no');
    expect(registry.list()).toEqual([]);
  });

  test('takes directories and cluster size from a server configuration', async () => {
    mkdirSync(path.join(home, 'data'));
    chosen = path.join(home, 'kurrentdb.conf');
    writeFileSync(chosen, 'Db: ./data\nIndex: ./idx\nClusterSize: 3\n');
    expect(await handlers.openConfiguration({})).toMatchObject({
      dataDirectory: path.join(home, 'data'),
      indexDirectory: path.join(home, 'idx'),
      clusterSize: 3,
      configurationFile: chosen
    });
  });
});

describe('the directory of backups', () => {
  test('is chosen in a dialog, kept with the node, and filled into what is asked', async () => {
    const node = registry.open({ dataDirectory: home });
    chosen = path.join(home, 'backups');
    mkdirSync(chosen);
    expect(await handlers.chooseBackupTarget({ nodeId: node.id })).toMatchObject({ backupTarget: chosen });
    engine.answers.listBackups = () => 'listed';
    const request = { target: '/etc' };
    expect(await handlers.call({ name: 'listBackups', nodeId: node.id, request })).toBe('listed');
    expect(engine.asked.at(-1)).toEqual({ name: 'listBackups', request: { target: chosen } });
  });

  test('may be a place in an object store, with the address of a store that is not Amazon’s', async () => {
    const node = registry.open({ dataDirectory: home });
    const store = { location: 's3://backups/orders', endpoint: 'https://store.example:9000' };
    expect(await handlers.nameBackupStore({ nodeId: node.id, ...store })).toMatchObject({
      backupTarget: store.location,
      backupEndpoint: store.endpoint
    });
    engine.answers.listBackups = () => 'listed';
    await handlers.call({
      name: 'listBackups',
      nodeId: node.id,
      request: { s3Endpoint: 'http://elsewhere' }
    });
    expect(engine.asked.at(-1)).toEqual({
      name: 'listBackups',
      request: { target: store.location, s3Endpoint: store.endpoint }
    });
    await expect(async () =>
      handlers.nameBackupStore({ nodeId: node.id, location: 'ftp://user:secret@host' })
    ).rejects.toThrow('does not name a place in an object store');
    chosen = path.join(home, 'backups');
    mkdirSync(chosen);
    await handlers.chooseBackupTarget({ nodeId: node.id });
    expect(registry.find(node.id)).not.toHaveProperty('backupEndpoint');
  });

  test('is removed and put back with the key of its backups', async () => {
    const node = registry.open({ dataDirectory: home });
    const store = { location: 's3://backups/orders', endpoint: 'https://store.example:9000' };
    await handlers.nameBackupStore({ nodeId: node.id, ...store });
    registry.edit(node.id, { backupKey: { kind: 'password', file: '/keys/orders.txt' } });
    const before = registry.find(node.id);
    await handlers.forgetBackupTarget({ nodeId: node.id });
    expect(registry.find(node.id)).not.toHaveProperty('backupTarget');
    expect(registry.find(node.id)).not.toHaveProperty('backupKey');
    await handlers.recallBackupTarget({ nodeId: node.id });
    expect(registry.find(node.id)).toEqual(before);
    expect(() => handlers.recallBackupTarget({ nodeId: node.id })).toThrow();
  });

  test('stays as it was when nothing was chosen', async () => {
    const node = registry.open({ dataDirectory: home });
    chosen = undefined;
    expect(await handlers.chooseBackupTarget({ nodeId: node.id })).toBeNull();
    expect(registry.find(node.id)).not.toHaveProperty('backupTarget');
  });
});

describe('asking the engine', () => {
  test('names nodes, never paths', async () => {
    const node = registry.open({ dataDirectory: home });
    engine.answers.describeRecord = () => 'described';
    const request = { position: 128, dataDirectory: '/etc' };
    expect(await handlers.call({ name: 'describeRecord', nodeId: node.id, request })).toBe('described');
    expect(engine.asked.at(-1)).toEqual({
      name: 'describeRecord',
      request: { position: 128, dataDirectory: home }
    });
  });

  test('lists the history of our own home, whatever the page names', async () => {
    const node = registry.open({ dataDirectory: home });
    engine.answers.listHistory = () => ({ runs: [] });
    const request = { winnowHome: '/etc' };
    expect(await handlers.call({ name: 'listHistory', nodeId: node.id, request })).toEqual({ runs: [] });
    expect(engine.asked.at(-1)).toEqual({
      name: 'listHistory',
      request: { dataDirectory: home, winnowHome: home }
    });
  });

  test('of a node that was taken off the list is refused', async () => {
    await expect(async () =>
      handlers.call({ name: 'listChunks', nodeId: 'gone', request: {} })
    ).rejects.toMatchObject({ code: 'DatabaseNotFound' });
  });

  test('looks up a stream in the index, a bounded number of entries', async () => {
    const node = registry.open({ dataDirectory: home });
    const batch = Array.from({ length: 300 }, (_, eventNumber) => ({ eventNumber }));
    engine.answers.listIndexEntries = () => [batch, batch, batch];
    expect(await handlers.lookUpIndex({ nodeId: node.id, stream: 'order-1' })).toHaveLength(500);
  });
});

describe('a scavenge', () => {
  test.each([
    [{}, undefined, {}],
    [{ clusterSize: 1 }, undefined, { singleNode: true }],
    [{ clusterSize: 3 }, undefined, { singleNode: false }],
    [{ clusterSize: 3 }, true, { singleNode: true }],
    [{ clusterSize: 1 }, false, { singleNode: false }],
    [{}, false, { singleNode: false }]
  ])('of a node opened with %j and answered %j is asked with %j', async (opened, answer, expected) => {
    const node = registry.open({ dataDirectory: home, ...opened });
    if (answer !== undefined) registry.edit(node.id, { isSingleNode: answer });
    await handlers.startWork({ name: 'planScavenge', nodeId: node.id, request: { singleNode: true } });
    const request = engine.asked.at(-1)!.request as Record<string, unknown>;
    const { singleNode } = request;
    expect(singleNode === undefined ? {} : { singleNode }).toEqual(expected);
    expect(request['clusterSize']).toBeUndefined();
    expect(request['winnowHome']).toBe(home);
  });
});

describe('a scavenge that writes', () => {
  const planOf = (request: object): string =>
    planIdOf({ operation: 'planScavenge', request, state: [] }, '2026-01-01T00:00:00Z');
  const runs = () => engine.asked.filter(({ name }) => name === 'runScavenge');

  test('is started by the plan of the same node with the same options, which the engine hears of', async () => {
    const node = registry.open({ dataDirectory: home });
    await handlers.startWork({ name: 'planScavenge', nodeId: node.id, request: { threshold: 3 } });
    const planId = planOf(engine.asked.at(-1)!.request as object);
    const request = { threshold: 3, throttlePercent: 50 };
    const snapshot = await handlers.startWork({ name: 'runScavenge', nodeId: node.id, request, planId });
    expect(snapshot).toMatchObject({ name: 'runScavenge', writerCheckpoint: 100 });
    expect(runs()).toMatchObject([{ request: { threshold: 3, plan: planId } }]);
  });

  test('is refused without a plan, with one of other options, and with one of another node', async () => {
    const node = registry.open({ dataDirectory: home });
    const other = registry.open({ dataDirectory: path.join(home, 'other') });
    await handlers.startWork({ name: 'planScavenge', nodeId: node.id, request: {} });
    const planId = planOf(engine.asked.at(-1)!.request as object);
    const start = async (nodeId: string, request: Record<string, unknown>, plan?: string): Promise<unknown> =>
      handlers.startWork({
        name: 'runScavenge',
        nodeId,
        request,
        ...(plan === undefined ? {} : { planId: plan })
      });
    await expect(start(node.id, {})).rejects.toMatchObject({ code: 'InvalidRequest' });
    await expect(start(node.id, { plan: planId })).rejects.toMatchObject({ code: 'InvalidRequest' });
    await expect(start(node.id, { threshold: 5 }, planId)).rejects.toMatchObject({ code: 'PlanStale' });
    await expect(start(node.id, { unsafeIgnoreHardDeletes: true }, planId)).rejects.toMatchObject({
      code: 'PlanStale',
      details: { differs: 'options' }
    });
    await expect(start(other.id, {}, planId)).rejects.toMatchObject({
      code: 'PlanStale',
      details: { differs: 'directory' }
    });
    await expect(start(node.id, {}, 'none')).rejects.toMatchObject({ code: 'PlanStale' });
    expect(runs()).toEqual([]);
  });
});

describe('the sample database', () => {
  test('lies in our own home, becomes a node when it is written, and is opened', async () => {
    engine.answers.writeSample = () => ({ chunks: 1 });
    const snapshot = await handlers.createSample({});
    await vi.waitFor(() => expect(events.some((event) => event.kind === 'open')).toBe(true));
    const [node] = registry.list();
    expect(node).toMatchObject({ isSample: true, isSingleNode: true });
    expect(node!.dataDirectory).toBe(path.join(home, 'samples', 'sample'));
    expect(await handlers.workResult({ id: snapshot.id })).toEqual({ chunks: 1 });
  });

  test('never takes a directory that is there already', async () => {
    mkdirSync(path.join(home, 'samples', 'sample'), { recursive: true });
    await handlers.createSample({});
    expect(engine.asked.at(-1)!.request).toMatchObject({
      dataDirectory: path.join(home, 'samples', 'sample-2')
    });
  });
});

test('the death of the engine is an event, and a restart another', async () => {
  engine.die('its process ended with code 9');
  expect(events.at(-1)).toEqual({
    kind: 'engine',
    engine: { isAlive: false, reason: 'its process ended with code 9' }
  });
  expect((await handlers.start({})).engine.isAlive).toBe(false);
  await handlers.restartEngine({});
  expect(engine.restarts).toBe(1);
  expect((await handlers.start({})).engine).toEqual({ isAlive: true, reason: null });
});

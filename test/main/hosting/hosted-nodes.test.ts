/** The admin API of a node, hosted by the window: over HTTP as an operator's scripts see it. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterVerbHandlers } from '../../../src-main/verbs/absent-cluster-verbs.ts';
import { UserStore } from '../../../src-main/access/user-store.ts';
import { removeUnpacked } from '../../support/golden.ts';
import { basic } from '../http/running-server.ts';
import { HostWorld } from './host-world.ts';

const PASSWORD = 'correct horse';
const PATIENCE = { timeout: 60_000 };
let world: HostWorld;
let verbs: ClusterVerbHandlers;
let nodeId: string;

beforeEach(() => {
  world = new HostWorld();
  const node = world.node('orders');
  world.nodes.edit(node.id, { isSingleNode: true });
  nodeId = node.id;
  verbs = world.start();
});
afterEach(() => world.end());
afterAll(removeUnpacked);

async function addUser(): Promise<void> {
  await new UserStore(path.join(world.home, 'users.json')).add('ops', ['$ops'], PASSWORD);
}

async function asked(
  url: string | null,
  what: string,
  body?: string
): Promise<{ status: number; text: string }> {
  const [method = 'GET', target = '/'] = what.split(' ');
  const answer = await fetch(`${url}${target}`, {
    method,
    headers: { authorization: basic('ops', PASSWORD), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body })
  });
  return { status: answer.status, text: await answer.text() };
}

describe('the service of a node in the window', () => {
  it('listens on this machine, tells the page, and ends when it is asked to', async () => {
    await addUser();
    expect(await verbs.nodeServiceState({ nodeId })).toMatchObject({
      state: 'stopped',
      url: null,
      userCount: 1
    });
    const running = await verbs.startNodeService({ nodeId });
    expect(running).toMatchObject({ state: 'running', host: '127.0.0.1', passwordFile: null });
    expect(running.url).toBe(`http://127.0.0.1:${running.port}`);
    expect((await asked(running.url, 'GET /info')).status).toBe(200);
    expect(await verbs.startNodeService({ nodeId }), 'a second start changes nothing').toEqual(running);
    expect(await verbs.stopNodeService({ nodeId })).toMatchObject({ state: 'stopped', url: null });
    await expect(fetch(`${running.url}/info`)).rejects.toThrow();
    const told = world.events.flatMap((event) => (event.kind === 'nodeService' ? [event.service.state] : []));
    expect(told).toEqual(['starting', 'running', 'stopping', 'stopped']);
  });

  it('makes an administrator when nobody could log in, and says where the password is', async () => {
    const { passwordFile, userCount } = await verbs.startNodeService({ nodeId });
    expect(userCount).toBe(1);
    expect(fs.statSync(passwordFile ?? '').mode & 0o777).toBe(0o600);
    const password = fs.readFileSync(passwordFile ?? '', 'utf8').trim();
    const logIn = async (given: string): Promise<number> => {
      const { url } = await verbs.nodeServiceState({ nodeId });
      return (await fetch(`${url}/metrics`, { headers: { authorization: basic('admin', given) } })).status;
    };
    expect(await logIn('not the password')).toBe(401);
    expect(fs.existsSync(passwordFile ?? ''), 'a wrong password').toBe(true);
    expect(await logIn(password)).toBe(200);
    expect(fs.existsSync(passwordFile ?? ''), 'the first log-in').toBe(false);
    expect(await verbs.nodeServiceState({ nodeId })).toMatchObject({ passwordFile: null });
    expect(await logIn(password), 'the password itself still holds').toBe(200);
  });

  it('says why it could not be started', async () => {
    await addUser();
    const { port } = await verbs.startNodeService({ nodeId });
    const other = world.node('other');
    await expect(verbs.startNodeService({ nodeId: other.id, port })).rejects.toThrow('the port is in use');
    const failed = await verbs.nodeServiceState({ nodeId: other.id });
    expect(failed).toMatchObject({ state: 'failed', url: null });
    expect(failed.error).toContain('the port is in use');
    await expect(verbs.startNodeService({ nodeId: other.id, host: '0.0.0.0' })).rejects.toThrow(
      'could be read'
    );
    expect(await verbs.startNodeService({ nodeId: other.id })).toMatchObject({
      state: 'running',
      error: null
    });
  });

  it('starts scavenges through the engine of the window, which its schedule knows of', async () => {
    await addUser();
    const { url } = await verbs.startNodeService({ nodeId });
    expect((await asked(url, 'POST /admin/scavenge')).status).toBe(200);
    const { name } = await verbs.clusterOfNode({ nodeId });
    await world.until(name, ({ members }) => members[0]?.role === 'Stopped' && members[0].progress === null);
    expect(JSON.parse((await asked(url, 'GET /admin/scavenge/last')).text)).toMatchObject({
      scavengeResult: 'Success'
    });
  });

  it('what a caller starts is work of the window, with who started it, and is stopped there', async () => {
    await addUser();
    const { url } = await verbs.startNodeService({ nodeId });
    // Slow enough to be seen and stopped.
    const started = asked(url, 'POST /admin/verify?throttle=20KiB');
    await expect.poll(() => world.work.running(), PATIENCE).toHaveLength(1);
    const [running] = world.work.running();
    expect(running).toMatchObject({
      name: 'verifyDatabase',
      nodeId,
      title: 'Verify orders',
      startedBy: { door: 'http', user: 'ops' }
    });
    expect((await started).status).toBe(200);
    world.work.stop(running?.id ?? '');
    await expect.poll(() => world.work.running(), PATIENCE).toHaveLength(0);
    expect(world.work.find(running?.id ?? '')).toMatchObject({ state: 'stopped' });
    const last = await asked(url, 'GET /admin/verify/last');
    expect(JSON.parse(last.text)).toMatchObject({ runResult: 'Stopped' });
  });

  it('a scavenge of a caller is work of the window too, and excludes another one', async () => {
    await addUser();
    const { url } = await verbs.startNodeService({ nodeId });
    expect((await asked(url, 'POST /admin/scavenge')).status).toBe(200);
    await expect.poll(() => world.work.running(), PATIENCE).toHaveLength(0);
    expect(world.work.list()).toMatchObject([
      { name: 'runScavenge', nodeId, state: 'done', startedBy: { door: 'http', user: 'ops' } }
    ]);
  });

  it('has the schedule of the window, and changes it', async () => {
    await addUser();
    const { name } = await verbs.clusterOfNode({ nodeId });
    const { url } = await verbs.startNodeService({ nodeId });
    expect((await asked(url, 'GET /auto-scavenge/status')).status).toBe(503);
    await verbs.chooseLicence({ choice: 'evaluation' });
    expect(JSON.parse((await asked(url, 'GET /auto-scavenge/enabled')).text)).toEqual({ enabled: true });
    expect((await asked(url, 'POST /auto-scavenge/configure', '{"schedule":"0 3 * * *"}')).status).toBe(200);
    expect(await verbs.autoScavengeStatus({ cluster: name })).toMatchObject({
      coordinatedBy: 'window',
      schedule: '0 3 * * *'
    });
    await verbs.pauseAutoScavenge({ cluster: name });
    expect(JSON.parse((await asked(url, 'GET /auto-scavenge/status')).text)).toMatchObject({
      state: 'Paused'
    });
  });

  it('ends with the window', async () => {
    await addUser();
    const { url } = await verbs.startNodeService({ nodeId });
    await world.stop();
    await expect(fetch(`${url}/info`)).rejects.toThrow();
  });
});

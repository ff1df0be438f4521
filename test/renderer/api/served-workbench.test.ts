import { node } from '../fake-database.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WindowEvent, WorkSnapshot } from '../../../src-main/contract/verbs/workbench-contract.ts';
import type { ConnectionState } from '../../../src-renderer/api/served-connection.ts';
import { createServedWorkbench, type ServedWorkbench } from '../../../src-renderer/api/served-workbench.ts';
import { FakeNodeServer, FORBIDDEN } from './fake-node-server.ts';

// A loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

let service: FakeNodeServer;
let served: ServedWorkbench;
let state: ConnectionState;
let events: WindowEvent[];
let stop: () => void;

beforeEach(() => {
  service = new FakeNodeServer().install();
  service.hasSession = true;
  served = createServedWorkbench();
  events = [];
  served.followConnection((next) => (state = next));
  stop = served.workbench.follow((event) => events.push(event));
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

const LONG = { timeout: 30_000 };
const becomes = (wanted: ConnectionState): Promise<void> =>
  vi.waitFor(() => expect(state).toBe(wanted), LONG);

function work(id: string): WorkSnapshot {
  return { id, name: 'verifyDatabase', nodeId: 'node-1', state: 'running', endedMs: null } as WorkSnapshot;
}

describe('a page that a service sent', () => {
  test('marks each request as its own', async () => {
    await served.workbench.start({});
    expect(service.requests.length).toBeGreaterThan(0);
    for (const { init } of service.requests) {
      expect((init.headers as Record<string, string>)['x-requested-with']).toBe('winnow');
    }
  });

  test('gets values, and bytes as bytes', async () => {
    const reply = await served.workbench.call({ name: 'describeRecord', nodeId: 'node-1', request: {} });
    expect(reply).toEqual({ ok: true, value: { bytes: new TextEncoder().encode('abc') } });
  });

  test('gets the words of a refusal', async () => {
    expect(await served.workbench.restartEngine({})).toEqual({ ok: false, error: FORBIDDEN });
  });

  test('hears events, however the network cuts them', async () => {
    await becomes('open');
    service.send({ kind: 'open', nodeId: 'a' });
    service.sendInPieces({ kind: 'open', nodeId: 'ä' });
    await vi.waitFor(
      () => expect(events.slice(-2).map((event) => 'nodeId' in event && event.nodeId)).toEqual(['a', 'ä']),
      LONG
    );
  });

  test('follows by one connection, however many of its views listen', async () => {
    await becomes('open');
    const stopListening = served.workbench.follow(() => undefined);
    stopListening();
    service.send({ kind: 'open', nodeId: 'a' });
    await vi.waitFor(() => expect(events).toContainEqual({ kind: 'open', nodeId: 'a' }), LONG);
    expect(state).toBe('open');
    expect(service.requests.filter(({ path }) => path === '/ui/events')).toHaveLength(1);
  });

  test('keeps its theme itself', async () => {
    await served.workbench.setTheme({ theme: 'dark' });
    expect(document.documentElement.style.colorScheme).toBe('dark');
    expect(await served.workbench.start({})).toMatchObject({ value: { theme: 'dark' } });
    expect(service.answered).not.toContain('setTheme');
    await served.workbench.setTheme({ theme: 'system' });
    expect(document.documentElement.style.colorScheme).toBe('');
  });
});

describe('a question that is stopped', () => {
  const question = (name: 'listChunks' | 'searchRecords', callId: string) =>
    served.workbench.call({ name, nodeId: 'node-1', request: {}, callId });

  test('ends its connection, which says nothing of the service; others go on', async () => {
    await becomes('open');
    service.slow.add('searchRecords');
    const slow = question('searchRecords', '1');
    const other = question('searchRecords', '2');
    await vi.waitFor(() => expect(service.answered.filter((verb) => verb === 'call')).toHaveLength(2), LONG);
    await served.workbench.stopCall('1');
    expect(await slow).toMatchObject({ ok: false });
    const signals = service.requests
      .filter(({ path }) => path === '/ui/verbs/call')
      .map(({ init }) => init.signal);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
    expect(state).toBe('open');
    expect(await question('listChunks', '3')).toMatchObject({ ok: true });
    await served.workbench.stopCall('2');
    expect(await other).toMatchObject({ ok: false });
  });

  test('while it waits for a log-in is not asked again', async () => {
    await becomes('open');
    service.hasSession = false;
    const asked = question('listChunks', '1');
    await becomes('loggedOut');
    await served.workbench.stopCall('1');
    expect(await asked).toMatchObject({ ok: false });
    await served.logIn('ops', 'right');
    await becomes('open');
    expect(service.answered).not.toContain('call');
  });
});

describe('when a session has ended', () => {
  test('a question waits for the log-in and is asked again', async () => {
    await becomes('open');
    service.hasSession = false;
    const asked = served.workbench.call({ name: 'listChunks', nodeId: 'node-1', request: {} });
    await becomes('loggedOut');
    expect(await served.logIn('ops', 'wrong')).toEqual({ kind: 'wrong' });
    expect(await served.logIn('ops', 'guess')).toEqual({ kind: 'throttled', retryAfterSeconds: 42 });
    expect(await served.logIn('ops', 'right')).toEqual({ kind: 'done' });
    expect(await asked).toMatchObject({ ok: true });
    await becomes('open');
  });

  test('what does something is not asked again', async () => {
    await becomes('open');
    service.hasSession = false;
    const reply = await served.workbench.stopWork({ id: '1' });
    expect(reply).toMatchObject({
      ok: false,
      error: { message: 'The session had ended. Nothing was done.' }
    });
    await served.logIn('ops', 'right');
    await becomes('open');
    expect(service.answered).not.toContain('stopWork');
  });

  test('the service says so by itself', async () => {
    await becomes('open');
    service.endSession();
    await becomes('loggedOut');
  });
});

describe('when the service has gone', () => {
  test('it is asked until it is back, and what happened meanwhile is told', async () => {
    await becomes('open');
    service.send({ kind: 'work', snapshot: work('old') });
    service.send({ kind: 'work', snapshot: work('kept') });
    await vi.waitFor(() => expect(events.filter(({ kind }) => kind === 'work')).toHaveLength(2), LONG);
    expect(events.some(({ kind }) => kind === 'changed')).toBe(false);
    service.stop();
    await becomes('lost');
    const asked = served.workbench.call({ name: 'listChunks', nodeId: 'node-1', request: {} });
    expect(await served.workbench.stopWork({ id: '1' })).toMatchObject({
      ok: false,
      error: { code: 'RemoteNodeFailed' }
    });
    events.length = 0;
    service.state = {
      ...service.state,
      nodes: [{ ...node, id: 'node-1' }],
      work: [work('kept'), work('new')]
    };
    service.isThere = true;
    await becomes('open');
    expect(await asked).toMatchObject({ ok: true });
    expect(events).toContainEqual({ kind: 'workForgotten', id: 'old' });
    expect(events.filter(({ kind }) => kind === 'work')).toHaveLength(2);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'changed', nodeId: 'node-1' }));
  });

  test('a log-in says that it is not there', async () => {
    await becomes('open');
    service.endSession();
    await becomes('loggedOut');
    service.isThere = false;
    expect(await served.logIn('ops', 'right')).toEqual({ kind: 'lost' });
  });
});

/** What `POST /auto-scavenge/configure` says besides the server's own answer, which names no field. */
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseWallTime } from '../../../src-core/index.ts';
import { AutoScavenge } from '../../../src-main/cluster/auto-scavenge.ts';
import { startAdminServer, type RunningServer } from '../../../src-main/http/admin-server.ts';

let service: RunningServer;
let isStoreDown: boolean;

beforeEach(async () => {
  isStoreDown = false;
  const autoScavenge = new AutoScavenge({
    kind: 'here',
    parts: {
      options: { clusterSize: 1, order: 'registered', self: undefined, afterStoreFailure: 'recover' },
      store: {
        load: () => Promise.resolve({ configuration: undefined, history: [] }),
        append: () => (isStoreDown ? Promise.reject(new Error('disk full')) : Promise.resolve('stored')),
        probe: () => (isStoreDown ? Promise.reject(new Error('disk full')) : Promise.resolve())
      },
      scavenger: () => Promise.resolve({ kind: 'failed' }),
      gossip: () => Promise.resolve([]),
      now: () => parseWallTime('2026-08-01T10:17:25.5+02:00')!,
      newId: () => 'c1',
      log: () => undefined
    }
  });
  service = await startAdminServer({
    host: '127.0.0.1',
    port: 0,
    publicNames: [],
    tls: undefined,
    credentials: {
      identify: () => Promise.resolve({ kind: 'user', caller: { name: 'ops', roles: ['$ops'] } })
    },
    node: undefined,
    autoScavenge,
    logger: pino({ level: 'silent' }),
    clock: () => 0
  });
});
afterEach(() => service.close());

async function post(
  path: string,
  body: string,
  accept = 'application/json'
): Promise<{ status: number; warning: string | null; text: string }> {
  const headers = { 'content-type': 'application/json', accept };
  const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body });
  return { status: answer.status, warning: answer.headers.get('warning'), text: await answer.text() };
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

async function quietHours(): Promise<unknown> {
  const answer = await fetch(`${service.url}/auto-scavenge/status`);
  const { quietHours: found } = (await answer.json()) as { quietHours?: Record<string, unknown> };
  return found && { from: found['from'], to: found['to'], days: found['days'] };
}

const configure = (body: string, accept?: string) => post('/auto-scavenge/configure', body, accept);

describe('a schedule that is refused over HTTP', () => {
  it.each([
    ['{"schedule":"0 0 * * 7"}', /7 is too high for the day of week: 0 to 6/],
    ['{"schedule":"0 24 * * *"}', /24 is too high for the hour/],
    ['{"schedule":"0 0 * *"}', /five fields/],
    ['{"schedule":7}', /^299 - "schedule: it is a number/],
    ['{"schedule":null}', /schedule: it is null/],
    ['{"schedule":"0 3 * * 0","timeZone":"Mars/Olympus"}', /timeZone: 'Mars\/Olympus'/],
    ['{}', /'schedule' is missing/]
  ])('%s is answered with the field at fault in a header', async (body, words) => {
    const answer = await configure(body);
    expect(answer.status).toBe(400);
    expect(answer.warning).toMatch(words);
  });

  it("keeps the server's body, and is a problem document for clients that accept one", async () => {
    expect((await configure('{"schedule":"0 0 * * 7"}')).text).toBe('"Invalid CRON expression"');
    const problem = await configure('{"schedule":"0 0 * * 7"}', 'application/problem+json, application/json');
    expect(JSON.parse(problem.text)).toMatchObject({
      status: 400,
      detail: expect.stringContaining('day of week') as string
    });
  });

  it('puts nothing into the header that does not belong there', async () => {
    const answer = await configure(JSON.stringify({ schedule: 'é\r\nX: 1" 0 * * *' }));
    expect(answer.status).toBe(400);
    expect(answer.warning).toMatch(/^299 - "[^"\\]*"$/);
  });

  it('a body that is no quiet hours is told their form', async () => {
    const answer = await post('/auto-scavenge/quiet-hours', '{"from":"nine"}');
    expect(answer).toMatchObject({ status: 400, text: '"Invalid quiet hours"' });
    expect(answer.warning).toContain("'from'");
  });

  it.each([
    '{"window":"02:00"}',
    '{"window":"02:00-02:00"}',
    '{"window":"25:00-04:00"}',
    '{"window":null}',
    '{"window":["02:00-04:00"]}',
    '{"window":"","from":"08:00","to":"20:00"}'
  ])('what is no maintenance window is refused, and leaves the quiet hours: %s', async (body) => {
    await post('/auto-scavenge/quiet-hours', '{"from":"08:00","to":"20:00"}');
    const answer = await post('/auto-scavenge/quiet-hours', body);
    expect(answer).toMatchObject({ status: 400, text: '"Invalid quiet hours"' });
    expect(answer.warning).toContain("'window':'02:00-04:00'");
    expect(await quietHours()).toEqual({ from: '08:00', to: '20:00', days: EVERY_DAY });
  });
});

describe('quiet hours that are taken', () => {
  it.each([
    ['02:00-04:00', { from: '04:00', to: '02:00' }],
    ['22:00 - 02:00', { from: '02:00', to: '22:00' }],
    ['22:00-24:00', { from: '00:00', to: '22:00' }]
  ])('the maintenance window %s is quiet at all other hours, every day', async (window, hours) => {
    expect((await post('/auto-scavenge/quiet-hours', JSON.stringify({ window }))).status).toBe(200);
    expect(await quietHours()).toEqual({ ...hours, days: EVERY_DAY });
    expect((await post('/auto-scavenge/quiet-hours', 'null')).status).toBe(200);
    expect(await quietHours()).toBeUndefined();
  });
});

describe('a schedule that is taken', () => {
  it('has a warning only where a range is reversed', async () => {
    expect(await configure('{"schedule":"0 3 * * 0"}')).toEqual({ status: 200, warning: null, text: '{}' });
    const reversed = await configure('{"schedule":"0 3 * * Fri-Mon"}');
    expect(reversed).toMatchObject({ status: 200, text: '{}' });
    expect(reversed.warning).toContain('means Monday to Friday');
  });

  it('cannot be stored: the answer is that of the server', async () => {
    isStoreDown = true;
    for (const body of ['{"schedule":"0 3 * * 0"}', '{"schedule":"0 3 * * 0"}']) {
      const answer = await configure(body);
      expect(answer.status).toBe(500);
      expect(JSON.parse(answer.text)).toMatchObject({ detail: 'AutoScavenge is no longer running' });
    }
  });
});

/** The page over HTTP as a browser meets it, and as somebody meets it who should not. */
import http from 'node:http';
import https from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StartState, WorkSnapshot } from '../../../../src-main/contract/verbs/workbench-contract.ts';
import type { ScavengeReport } from '../../../../src-main/contract/operations/reports.ts';
import { CONTENT_SECURITY_POLICY } from '../../../../src-main/contract/content-security-policy.ts';
import { MOST_STREAMS_OF_USER } from '../../../../src-main/http/event-seats.ts';
import { whyAbsent } from '../../../../src-main/http/ui/verb-access.ts';
import { IDLE_MS, LIFE_MS } from '../../../../src-main/http/ui/sessions.ts';
import { PASSWORD, basic } from '../running-server.ts';
import { Browser, eventsUntil, loggedIn, startPage, type PageRun } from './served-page-run.ts';

let run: PageRun;
beforeAll(async () => {
  run = await startPage();
}, 60_000);
afterAll(() => run.close());

async function stateOf(browser: Browser): Promise<StartState> {
  return (await (await browser.verb('start')).json()) as StartState;
}

describe('the files of the page', () => {
  it.each(['/', '/assets/index-1.js'])(
    '%s is there for anyone, under the policy of the window',
    async (url) => {
      const answer = await new Browser(run).ask(`GET ${url}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(answer.headers.has('set-cookie')).toBe(false);
    }
  );

  it.each([
    '/assets/../../beside.js',
    '/assets/..%2f..%2fbeside.js',
    '/assets/%2e%2e/%2e%2e/beside.js',
    '/assets/..\\..\\beside.js',
    '/assets/index-1.js%00',
    '/assets/index-1.js/',
    '/assets//index-1.js',
    '/assets/notes.map',
    '/assets/',
    '/beside.js',
    '/package.json',
    '//etc/passwd'
  ])('%s is not there', async (target) => {
    // By hand: fetch would straighten the path first.
    const { hostname, port } = new URL(run.url);
    const status = await new Promise((resolve, reject) => {
      const asked = http.get({ hostname, port, path: target }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.on('error', reject);
    });
    expect([400, 404]).toContain(status);
  });
});

describe('the log-in', () => {
  it('keeps a session in a cookie that no script and no other site gets', async () => {
    const answer = await new Browser(run).logIn('ops');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ user: 'ops' });
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      new RegExp(`^winnow-session-${new URL(run.url).port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`)
    );
  });

  it.each([
    ['a wrong password', { name: 'ops', password: 'wrong password' }, 401],
    ['an unknown user', { name: 'nobody', password: PASSWORD }, 401],
    ['a name with a colon', { name: 'ops:x', password: PASSWORD }, 401],
    ['no password', { name: 'ops' }, 400],
    ['more than asked for', { name: 'ops', password: PASSWORD, role: '$admins' }, 400],
    ['no JSON', 'name=ops', 400]
  ])('%s is refused without a challenge', async (_what, body, status) => {
    const answer = await new Browser(run).ask('POST /ui/session', body);
    expect(answer.status).toBe(status);
    expect(answer.headers.has('www-authenticate')).toBe(false);
    expect(answer.headers.has('set-cookie')).toBe(false);
  });

  it('gives a new token each time and ends the one before', async () => {
    const browser = await loggedIn(run, 'ops');
    const earlier = new Browser(run);
    earlier.cookie = browser.cookie;
    await browser.logIn('ops');
    expect(browser.cookie).not.toBe(earlier.cookie);
    expect((await earlier.verb('start')).status).toBe(401);
    expect((await browser.verb('start')).status).toBe(200);
  });

  it('ends with the log-out', async () => {
    const browser = await loggedIn(run, 'ops');
    const answer = await browser.ask('DELETE /ui/session');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
    expect((await browser.verb('start')).status).toBe(401);
  });

  it('ends when nobody has asked for an hour, and after half a day at the latest', async () => {
    const idle = await loggedIn(run, 'ops');
    run.pass(IDLE_MS);
    expect((await idle.verb('start')).status).toBe(401);
    const busy = await loggedIn(run, 'ops');
    for (let passed = 0; passed + IDLE_MS / 2 < LIFE_MS; passed += IDLE_MS / 2) {
      expect((await busy.verb('start')).status).toBe(200);
      run.pass(IDLE_MS / 2);
    }
    run.pass(IDLE_MS / 2);
    expect((await busy.verb('start')).status).toBe(401);
  });

  it('ends when the user gets another password or is removed', async () => {
    await run.users.add('temp', ['$ops'], PASSWORD);
    const browser = await loggedIn(run, 'temp');
    await run.users.changePassword('temp', 'another password');
    expect((await browser.verb('start')).status).toBe(401);
    await browser.logIn('temp', 'another password');
    run.users.remove('temp');
    expect((await browser.verb('start')).status).toBe(401);
  });

  it('never writes a password or a token to the log', async () => {
    const browser = await loggedIn(run, 'ops');
    await browser.verb('start');
    expect(run.log()).toContain('/ui/session');
    expect(run.log()).not.toContain(PASSWORD);
    expect(run.log()).not.toContain(browser.cookie!.split('=')[1]);
  });
});

describe('who may not ask', () => {
  const EVERYTHING = ['POST /ui/verbs/start', 'GET /ui/events', 'POST /ui/session', 'DELETE /ui/session'];

  it.each(EVERYTHING)('%s without the mark of the page is refused, with a session too', async (what) => {
    const browser = await loggedIn(run, 'admin');
    const body = what.startsWith('POST') ? {} : undefined;
    for (const mark of [undefined, '', 'XMLHttpRequest']) {
      const answer = await browser.ask(what, body, { 'x-requested-with': mark });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
    }
  });

  it.each(EVERYTHING)('%s from another origin is refused, with a session too', async (what) => {
    const browser = await loggedIn(run, 'admin');
    const body = what.startsWith('POST') ? {} : undefined;
    for (const origin of [
      'https://example.org',
      'null',
      'http://127.0.0.1:1',
      run.url.replace('http', 'https')
    ]) {
      expect((await browser.ask(what, body, { origin })).status).toBe(403);
    }
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect((await browser.ask(what, body, { 'sec-fetch-site': site })).status).toBe(403);
    }
  });

  it('what could change something has to name its origin', async () => {
    const browser = await loggedIn(run, 'admin');
    expect((await browser.ask('POST /ui/verbs/start', {}, { origin: undefined })).status).toBe(403);
  });

  it('a name that is made to lead here is refused', async () => {
    const { hostname, port } = new URL(run.url);
    const status = await new Promise((resolve, reject) => {
      http
        .get({ hostname, port, path: '/', headers: { host: `example.org:${port}` } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
        .on('error', reject);
    });
    expect(status).toBe(403);
  });

  it('nobody without a session, and without a challenge', async () => {
    for (const what of ['POST /ui/verbs/start', 'POST /ui/verbs/nothing', 'GET /ui/events']) {
      const browser = new Browser(run);
      const body = what.startsWith('POST') ? {} : undefined;
      for (const cookie of [undefined, 'winnow-session=x', `winnow-session-${new URL(run.url).port}=x`]) {
        const answer = await browser.ask(what, body, { cookie });
        expect(answer.status).toBe(401);
        expect(answer.headers.has('www-authenticate')).toBe(false);
      }
    }
  });

  it('a password in a header is no session, and a session is no password', async () => {
    const authorization = basic('admin', PASSWORD);
    expect((await new Browser(run).ask('POST /ui/verbs/start', {}, { authorization })).status).toBe(401);
    const browser = await loggedIn(run, 'admin');
    expect((await browser.ask('GET /admin/scavenge/current')).status).toBe(401);
    expect((await browser.ask('POST /admin/scavenge', {})).status).toBe(401);
  });

  it('a request that is too long, and one of another type', async () => {
    const browser = await loggedIn(run, 'admin');
    expect((await browser.verb('lookUpIndex', { stream: 'x'.repeat(2_100_000) })).status).toBe(413);
    const files = Array.from({ length: 5000 }, (_, i) => ({ file: `chunk-${i}`, sha256: '0'.repeat(64) }));
    const report = { streams: ['x'], recheck: { takenAt: '2026-01-01T00:00:00Z', files } };
    const { openNodeId: nodeId } = await stateOf(browser);
    const work = { name: 'reportErasure', nodeId, request: report };
    expect((await browser.verb('startWork', work)).status).toBe(200);
    const nobody = new Browser(run);
    expect((await nobody.verb('startWork', work)).status).toBe(401);
    const answer = await browser.ask('POST /ui/verbs/start', '{}', { 'content-type': 'text/plain' });
    expect(answer.status).toBe(400);
  });
});

describe('the verbs', () => {
  it('begin with the node of the service and what its user may do', async () => {
    const state = await stateOf(await loggedIn(run, 'ops'));
    expect(state.nodes).toHaveLength(1);
    expect(state.nodes[0]).toMatchObject({ dataDirectory: run.database, isSingleNode: true });
    expect(state.openNodeId).toBe(state.nodes[0]!.id);
    expect(state.capabilities).toEqual({
      choosesPaths: true,
      isWindow: false,
      writes: true,
      administers: false,
      user: 'ops'
    });
    expect((await stateOf(await loggedIn(run, 'joe'))).capabilities.writes).toBe(false);
  });

  it('answer with values, bytes among them', async () => {
    const browser = await loggedIn(run, 'joe');
    const { openNodeId: nodeId } = await stateOf(browser);
    const request = { name: 'describeRecord', nodeId, request: { position: 0 } };
    const answer = await browser.verb('call', request);
    expect(answer.status).toBe(200);
    const { bytes } = (await answer.json()) as { bytes: { $bytes: string } };
    expect(Buffer.from(bytes.$bytes, 'base64').length).toBeGreaterThan(0);
  });

  it('answer with the report of a failure and its status', async () => {
    const browser = await loggedIn(run, 'ops');
    const { openNodeId: nodeId } = await stateOf(browser);
    const gone = await browser.verb('call', { name: 'inspectDatabase', nodeId: 'other', request: {} });
    expect(gone.status).toBe(404);
    expect(await gone.json()).toMatchObject({ code: 'DatabaseNotFound' });
    const wrong = await browser.verb('call', { name: 'readChunkPage', nodeId, request: { chunk: 'x' } });
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ code: 'InvalidRequest' });
    expect((await browser.verb('nothing')).status).toBe(404);
    expect((await browser.verb('constructor')).status).toBe(404);
  });

  it('take no path from the page', async () => {
    const browser = await loggedIn(run, 'admin');
    const { openNodeId: nodeId } = await stateOf(browser);
    const request = { dataDirectory: '/etc', indexDirectory: '/etc' };
    const answer = await browser.verb('call', { name: 'inspectDatabase', nodeId, request });
    expect(await answer.json()).toMatchObject({ dataDirectory: run.database });
  });

  it.each(['openConfiguration', 'openDropped', 'startNodeService', 'copyText', 'setTheme'] as const)(
    '%s is not there in a browser, for nobody',
    async (verb) => {
      const answer = await (await loggedIn(run, 'admin')).verb(verb);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({
        message: `This is not available in a browser. ${whyAbsent(verb)}`
      });
    }
  );

  it('refuse what writes to a user without a role, in words', async () => {
    const browser = await loggedIn(run, 'joe');
    const { openNodeId: nodeId } = await stateOf(browser);
    for (const [verb, request] of [
      ['startWork', { name: 'runScavenge', nodeId, request: {} }],
      ['startWork', { name: 'rebuildIndex', nodeId, request: {}, planId: 'x' }],
      ['changeNode', { id: nodeId, isSingleNode: false }],
      ['restartEngine', {}]
    ] as const) {
      const answer = await browser.verb(verb, request);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({
        message: 'The user joe may read and verify, but not change anything.',
        remedy: expect.stringContaining('$ops') as string
      });
    }
    expect((await stateOf(browser)).nodes[0]!.isSingleNode).toBe(true);
  });
});

describe('the events', () => {
  it('begin with the state and tell of work until its end, also to a page that comes later', async () => {
    const browser = await loggedIn(run, 'joe');
    const { openNodeId: nodeId } = await stateOf(browser);
    const early = await browser.ask('GET /ui/events');
    expect(early.headers.get('content-type')).toContain('text/event-stream');
    expect(early.headers.get('cache-control')).toBe('no-store');
    const started = await browser.verb('startWork', { name: 'verifyDatabase', nodeId, request: {} });
    const { id } = (await started.json()) as WorkSnapshot;
    const late = await browser.ask('GET /ui/events');
    const isEnd = ({ data }: { data: unknown }): boolean => {
      const event = data as { snapshot?: WorkSnapshot };
      return event.snapshot?.id === id && event.snapshot.endedMs !== null;
    };
    const heard = await eventsUntil(early, isEnd);
    expect(heard[0]).toMatchObject({ name: 'state', data: { capabilities: { user: 'joe' } } });
    expect(heard.at(-1)).toMatchObject({ data: { snapshot: { state: 'done' } } });
    const state = (await eventsUntil(late, () => true))[0]!.data as StartState;
    expect(state.work.some((work) => work.id === id)).toBe(true);
    const result = await browser.verb('workResult', { id });
    expect(await result.json()).toMatchObject({ ok: true });
  });

  it('end with the session', async () => {
    const browser = await loggedIn(run, 'ops');
    const answer = await browser.ask('GET /ui/events');
    const heard = eventsUntil(answer, ({ name }) => name === 'sessionEnded');
    await browser.ask('DELETE /ui/session');
    expect((await heard).map(({ name }) => name)).toEqual(['state', 'sessionEnded']);
  });

  it('show a scavenge that was started over the admin API, and who started it', async () => {
    const browser = await loggedIn(run, 'joe');
    const answer = await browser.ask('GET /ui/events');
    const heard = eventsUntil(answer, ({ data }) => {
      const event = data as { snapshot?: WorkSnapshot };
      return event.snapshot?.name === 'runScavenge' && event.snapshot.endedMs !== null;
    });
    const started = await fetch(`${run.url}/admin/scavenge`, {
      method: 'POST',
      headers: { authorization: basic('ops', PASSWORD) }
    });
    expect(started.status).toBe(200);
    expect((await heard).at(-1)).toMatchObject({
      data: { snapshot: { state: 'done', startedBy: { door: 'http', user: 'ops' } } }
    });
  });

  it('say who started work on a page', async () => {
    const browser = await loggedIn(run, 'joe');
    const { openNodeId: nodeId } = await stateOf(browser);
    const started = await browser.verb('startWork', {
      name: 'verifyDatabase',
      nodeId,
      request: { quick: true }
    });
    expect(await started.json()).toMatchObject({ startedBy: { door: 'page', user: 'joe' } });
  });
});

/** Makes a plan as the page does and gives its identity. */
async function planned(browser: Browser, nodeId: string, request: object): Promise<string> {
  const events = await browser.ask('GET /ui/events');
  const started = await browser.verb('startWork', { name: 'planScavenge', nodeId, request });
  const { id } = (await started.json()) as WorkSnapshot;
  await eventsUntil(events, ({ data }) => {
    const { work, snapshot } = data as { work?: WorkSnapshot[]; snapshot?: WorkSnapshot };
    return [...(work ?? []), ...(snapshot ? [snapshot] : [])].some(
      (one) => one.id === id && one.endedMs !== null
    );
  });
  const result = await browser.verb('workResult', { id });
  return ((await result.json()) as ScavengeReport).planId!;
}

describe('a scavenge of the page', () => {
  it('is refused without a plan, and with a plan of other options', async () => {
    const browser = await loggedIn(run, 'ops');
    const { openNodeId: nodeId } = await stateOf(browser);
    const request = { scavengePoint: 'detached' };
    const planId = await planned(browser, nodeId!, request);
    const without = await browser.verb('startWork', { name: 'runScavenge', nodeId, request });
    expect(without.status).toBe(400);
    const other = { name: 'runScavenge', nodeId, request: { ...request, merge: false }, planId };
    const refused = await browser.verb('startWork', other);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: 'PlanStale' });
  });

  it('excludes one over the admin API, and is stopped by those who may start it', async () => {
    const browser = await loggedIn(run, 'ops');
    const { openNodeId: nodeId } = await stateOf(browser);
    const request = { scavengePoint: 'new', threshold: -1, throttlePercent: 1 };
    const planId = await planned(browser, nodeId!, request);
    const started = await browser.verb('startWork', { name: 'runScavenge', nodeId, request, planId });
    expect(started.status).toBe(200);
    const { id } = (await started.json()) as WorkSnapshot;
    const other = await fetch(`${run.url}/admin/scavenge`, {
      method: 'POST',
      headers: { authorization: basic('ops', PASSWORD) }
    });
    expect(other.status).toBe(400);
    expect(await other.text()).toMatch(/is still running/);
    const joe = await loggedIn(run, 'joe');
    expect((await joe.verb('stopWork', { id })).status).toBe(403);
    expect((await browser.verb('stopWork', { id })).status).toBe(200);
    const heard = await eventsUntil(await browser.ask('GET /ui/events'), ({ data }) => {
      const { work, snapshot } = data as { work?: WorkSnapshot[]; snapshot?: WorkSnapshot };
      return [...(work ?? []), ...(snapshot ? [snapshot] : [])].some(
        (known) => known.id === id && known.endedMs !== null
      );
    });
    expect(heard.length).toBeGreaterThan(0);
  });
});

describe('many pages', () => {
  it('of one user are bounded, and another user follows all the same', async () => {
    const browser = await loggedIn(run, 'ops');
    const joe = await loggedIn(run, 'joe');
    const open = new AbortController();
    const follow = (): Promise<Response> =>
      fetch(`${run.url}/ui/events`, {
        headers: { 'x-requested-with': 'winnow', cookie: browser.cookie! },
        signal: open.signal
      });
    // Those of earlier tests may not all have gone yet.
    const answers = await Promise.all(Array.from({ length: MOST_STREAMS_OF_USER + 5 }, follow));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(MOST_STREAMS_OF_USER);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(5);
    expect((await browser.verb('start')).status).toBe(200);
    const ofAdminApi = await fetch(`${run.url}/scavenges/current/events`, {
      headers: { authorization: basic('ops', PASSWORD) }
    });
    expect(ofAdminApi.status, 'the same bound').toBe(503);
    const other = await joe.ask('GET /ui/events');
    expect(other.status, 'another user').toBe(200);
    await other.body?.cancel();
    open.abort();
  });
});

describe('over TLS', () => {
  it('the cookie belongs to this host and to TLS alone', async () => {
    const secure = await startPage({ isTls: true });
    try {
      expect(secure.url).toMatch(/^https:/);
      const cookie = await new Promise<string | undefined>((resolve, reject) => {
        const asked = https.request(
          `${secure.url}/ui/session`,
          {
            method: 'POST',
            rejectUnauthorized: false,
            headers: {
              'x-requested-with': 'winnow',
              'content-type': 'application/json',
              origin: secure.url
            }
          },
          (answer) => {
            answer.resume();
            resolve(answer.headers['set-cookie']?.[0]);
          }
        );
        asked.on('error', reject);
        asked.end(JSON.stringify({ name: 'ops', password: PASSWORD }));
      });
      expect(cookie).toMatch(
        /^__Host-winnow-session-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/
      );
    } finally {
      await secure.close();
    }
  });
});

describe('guessing', () => {
  it('is slowed down, together with the attempts at the admin API', async () => {
    const browser = new Browser(run);
    let last = await browser.logIn('ops', 'guess');
    for (let attempt = 0; attempt < 12 && last.status === 401; attempt++) {
      const guess = { name: 'ops', password: `guess ${attempt}` };
      // Who says that it only passes something on is not believed.
      last = await browser.ask('POST /ui/session', guess, { 'x-forwarded-for': `10.0.0.${attempt}` });
    }
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    const admin = await fetch(`${run.url}/metrics`, { headers: { authorization: basic('ops', 'other') } });
    expect(admin.status).toBe(429);
  });
});

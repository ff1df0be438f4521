/** The node service as an operator's scripts meet it: a real process, real directories, real requests. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWinnow } from '../cli/run-winnow.ts';
import { PASSWORD, ask, basic, startServer, type RunningServer } from './running-server.ts';

const MAKE_LICENCE = fileURLToPath(new URL('../../../scripts/make-license-key.mjs', import.meta.url));

let directory: string;
let sample: string;
let service: RunningServer;

beforeAll(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-service-'));
  sample = path.join(directory, 'sample');
  await runWinnow(['sample', sample, '--size', '2MiB', '--chunk-size', '256KiB', '--yes']);
  service = await startServer({
    home: path.join(directory, 'home'),
    words: [copyOfSample('served'), '--single-node', '--licensing:license-file', 'evaluation']
  });
}, 60_000);
afterAll(async () => {
  await service.stop();
  fs.rmSync(directory, { recursive: true, force: true });
});

function copyOfSample(name: string): string {
  const copy = path.join(directory, name);
  fs.cpSync(sample, copy, { recursive: true });
  return copy;
}

function jsonOf({ text }: { text: string }): unknown {
  return JSON.parse(text);
}

describe('who may call what', () => {
  const OPERATOR = [
    'POST /admin/scavenge?threads=0',
    'GET /admin/scavenge/current',
    'GET /admin/scavenge/last',
    'DELETE /admin/scavenge/00000000-0000-0000-0000-000000000001',
    'GET /streams/%24scavenges',
    'GET /scavenges/current/events?none',
    'POST /auto-scavenge/resume',
    'POST /auto-scavenge/configure'
  ];
  const USER = ['GET /auto-scavenge/enabled', 'GET /auto-scavenge/status', 'GET /metrics'];
  const ANYONE = ['GET /info', 'GET /health/live', 'GET /openapi.json', 'GET /nowhere'];

  it.each([...OPERATOR, ...USER])('%s needs credentials', async (what) => {
    const answer = await ask(service, what, { as: 'nobody' });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Winnow"');
    expect(answer.text).toBe('');
  });

  it.each(OPERATOR)('%s is forbidden without a role', async (what) => {
    const answer = await ask(service, what, { as: 'joe' });
    expect(answer.status).toBe(403);
    expect(answer.text).toBe('');
  });

  it.each(USER)('%s is for any user', async (what) => {
    expect((await ask(service, what, { as: 'joe' })).status).toBe(200);
  });

  it.each(ANYONE)('%s is for anyone, whatever the credentials', async (what) => {
    const wrong = await ask(service, what, {
      as: 'nobody',
      headers: { authorization: basic('admin', 'no') }
    });
    expect([200, 204, 404]).toContain(wrong.status);
  });

  it('a page that asks by itself gets no challenge', async () => {
    const answer = await ask(service, 'GET /metrics', { as: 'nobody', headers: { 'x-requested-with': 'x' } });
    expect(answer.status).toBe(401);
    expect(answer.headers.has('www-authenticate')).toBe(false);
  });

  it.each([
    ['another scheme', `Bearer ${Buffer.from('admin:x').toString('base64')}`],
    ['no base64', 'Basic !!!'],
    ['no colon', `Basic ${Buffer.from('admin').toString('base64')}`],
    ['an endless header', `Basic ${'QQ'.repeat(4000)}`]
  ])('%s counts as no credentials', async (_what, authorization) => {
    const answer = await ask(service, 'GET /metrics', { as: 'nobody', headers: { authorization } });
    expect([401, 431]).toContain(answer.status);
  });
});

describe('starting and stopping over HTTP', () => {
  it.each([
    ['threads=0', 'threads must be a 1 or above'],
    ['threads=1.5', 'threads must be a 1 or above'],
    ['threads=99999999999', 'threads must be a 1 or above'],
    ['THREADS=0', 'threads must be a 1 or above'],
    ['threads=', 'threads must be a 1 or above'],
    ['threshold=2147483648', 'threshold must be an integer'],
    ['threshold=-2', 'threshold must be -1 or above'],
    ['throttlePercent=0', 'throttlePercent must be between 1 and 100 inclusive'],
    ['throttlePercent=50&threads=2', 'throttlePercent must be 100 for a multi-threaded scavenge'],
    ['syncOnly=1', 'syncOnly must be a boolean'],
    ['startFromChunk=-1&threads=0', 'startFromChunk must be a positive integer']
  ])('%s is refused with the words of the server', async (query, words) => {
    const answer = await ask(service, `POST /admin/scavenge?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.text).toBe(words);
    expect(answer.headers.get('content-type')).toContain('text/plain');
  });

  it('a run has one id in the start, in current, in the stop, in last and in its stream', async () => {
    const started = await ask(service, 'POST /admin/scavenge?throttlePercent=1&bogus=%0d%0a');
    expect(started.status).toBe(200);
    expect(started.text).toBe('');
    expect(started.headers.get('warning')).toContain('bogus');
    const scavengeId = started.headers.get('x-scavenge-id')!;
    expect(jsonOf(await ask(service, 'GET /admin/scavenge/current'))).toEqual({
      scavengeId,
      scavengeLink: `/admin/scavenge/${scavengeId}`
    });
    const text = await ask(service, 'GET /admin/scavenge/current', { headers: { accept: 'text/plain' } });
    expect(text.text).toBe(`ScavengeId: ${scavengeId}, ScavengeLink: /admin/scavenge/${scavengeId}`);
    const second = await ask(service, 'POST /admin/scavenge');
    expect([second.status, second.text]).toEqual([400, 'Scavenge is already running']);
    const foreign = await ask(service, 'DELETE /admin/scavenge/00000000-0000-0000-0000-000000000001');
    expect([foreign.status, foreign.text]).toEqual([404, 'Scavenge Id does not exist']);
    expect(jsonOf(await ask(service, `DELETE /admin/scavenge/${scavengeId}`))).toBe(scavengeId);
    expect((await ask(service, 'DELETE /admin/scavenge/current')).status).toBe(404);
    expect(jsonOf(await ask(service, 'GET /admin/scavenge/current'))).toEqual({
      scavengeId: '',
      scavengeLink: ''
    });
    expect(jsonOf(await ask(service, 'GET /admin/scavenge/last'))).toMatchObject({
      scavengeId,
      scavengeResult: 'Stopped'
    });

    const resumed = await ask(service, 'POST /admin/scavenge?threads=2');
    const resumedId = resumed.headers.get('x-scavenge-id')!;
    await expect
      .poll(async () => jsonOf(await ask(service, 'GET /admin/scavenge/last')), { timeout: 30_000 })
      .toMatchObject({
        scavengeId: resumedId,
        scavengeResult: 'Success'
      });
    const accept = { headers: { accept: 'application/json' } };
    const feed = jsonOf(await ask(service, 'GET /streams/$scavenges?embed=body', accept)) as {
      entries: { eventType: string; streamId: string; data: string }[];
    };
    expect(feed.entries[0]).toMatchObject({
      eventType: '$scavengeCompleted',
      streamId: `$scavenges-${resumedId}`
    });
    expect(JSON.parse(feed.entries[0]!.data)).toMatchObject({
      scavengeId: resumedId,
      result: 'Success',
      error: null
    });
    // The first run wrote the point and tells the log; the events of the one that resumed it are from our history.
    const eventsOf = async (id: string): Promise<string[]> => {
      const run = jsonOf(await ask(service, `GET /streams/%24scavenges/${id}/head/100?embed=body`, accept));
      return (run as typeof feed).entries.map(({ eventType }) => eventType);
    };
    expect((await eventsOf(scavengeId)).at(-1)).toBe('$scavengeStarted');
    const resumedEvents = await eventsOf(resumedId);
    expect([resumedEvents[0], resumedEvents.at(-1)]).toEqual(['$scavengeCompleted', '$scavengeStarted']);
  });

  it('other streams are not served, nor other forms than JSON', async () => {
    const xml = { headers: { accept: 'application/atom+xml' } };
    expect((await ask(service, 'GET /streams/%24scavenges', xml)).status).toBe(406);
    const accept = { headers: { accept: 'application/json' } };
    expect((await ask(service, 'GET /streams/%24all', accept)).status).toBe(404);
    expect((await ask(service, 'GET /streams/%24scavenges/x/y/5', accept)).text).toBe(
      "'y' is not valid event number"
    );
    expect((await ask(service, 'GET /streams/%24scavenges/x/head/0', accept)).text).toContain(
      'is not valid count'
    );
  });

  it.each([
    'GET /admin/scavenge',
    'PUT /admin/scavenge',
    'DELETE /admin/scavenge',
    'POST /auto-scavenge/status'
  ])('%s is answered with 405', async (what) => {
    const answer = await ask(service, what);
    expect([answer.status, answer.text]).toEqual([405, '']);
  });

  it('its progress comes as events, to who is there and to who comes late', async () => {
    const events = await fetch(`${service.url}/scavenges/current/events`, {
      headers: { authorization: basic('ops', PASSWORD) }
    });
    expect(events.headers.get('content-type')).toContain('text/event-stream');
    const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    await ask(service, 'POST /admin/scavenge?threshold=-1&throttlePercent=5');
    while (!text.includes('event: ended')) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
    }
    await reader.cancel();
    expect(text).toMatch(/^event: idle\n/);
    expect(text).toContain('event: started');
    expect(text).toContain('event: progress');
  });
});

describe('auto-scavenge', () => {
  it('goes through its states', async () => {
    const status = async (): Promise<unknown> =>
      jsonOf(await ask(service, 'GET /auto-scavenge/status', { as: 'joe' }));
    expect(await status()).toEqual({ state: 'NotConfigured', schedule: null, timeUntilNextCycle: null });
    const configured = await ask(service, 'POST /auto-scavenge/configure', {
      headers: { 'content-type': 'application/json' },
      body: '{"schedule":"0 3 29 feb *"}'
    });
    expect([configured.status, configured.text]).toEqual([200, '{}']);
    expect(await status()).toMatchObject({
      state: 'Waiting',
      schedule: '0 3 29 2 *',
      configuredSchedule: '0 3 29 feb *'
    });
    expect((await ask(service, 'POST /auto-scavenge/pause')).status).toBe(200);
    expect(await status()).toMatchObject({ state: 'Paused' });
    expect((await ask(service, 'POST /auto-scavenge/resume')).status).toBe(200);
    expect(await status()).toMatchObject({ state: 'Waiting' });
  });

  it('is coordinated by one process; another one of the same home passes the calls on', async () => {
    const other = await startServer({
      home: path.join(directory, 'home'),
      words: [path.join(directory, 'served'), '--single-node', '--licensing:license-file', 'evaluation']
    });
    try {
      expect(jsonOf(await ask(other, 'GET /auto-scavenge/enabled'))).toEqual({ enabled: true });
      expect(jsonOf(await ask(other, 'GET /auto-scavenge/status'))).toMatchObject({ schedule: '0 3 29 2 *' });
      const refused = await ask(other, 'POST /auto-scavenge/configure', {
        headers: { 'content-type': 'application/json' },
        body: '{"schedule":"nonsense"}'
      });
      expect([refused.status, refused.text]).toEqual([400, '"Invalid CRON expression"']);
    } finally {
      await other.stop();
    }
  });
});

describe('what is not meant for it', () => {
  function raw(head: string): Promise<string> {
    const { hostname, port } = new URL(service.url);
    return new Promise((resolve) => {
      const socket = net.connect(Number(port), hostname, () => socket.write(head));
      let text = '';
      socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
      socket.on('close', () => resolve(text));
      socket.on('error', () => resolve(text));
    });
  }

  it('a foreign name in Host or Origin is refused', async () => {
    const { port } = new URL(service.url);
    const statusWith = (headers: http.OutgoingHttpHeaders): Promise<number | undefined> =>
      new Promise((resolve) => {
        http.get({ port, path: '/info', headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
      });
    expect(await statusWith({ host: 'evil.example' })).toBe(403);
    expect(await statusWith({ host: `localhost:${port}` })).toBe(200);
    expect(await statusWith({ host: `127.0.0.1:${port}`, origin: 'http://evil.example' })).toBe(403);
    expect(await statusWith({ host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` })).toBe(200);
  });

  it('a body beyond 64 KiB is refused, one that is no JSON too', async () => {
    const headers = { 'content-type': 'application/json' };
    const huge = await ask(service, 'POST /auto-scavenge/configure', { headers, body: 'x'.repeat(70_000) });
    expect(huge.status).toBe(413);
    expect((await ask(service, 'POST /auto-scavenge/configure', { headers, body: '{' })).status).toBe(400);
    expect((await ask(service, 'POST /auto-scavenge/configure', { body: '{}' })).status).toBe(415);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    [
      'two lengths',
      'POST /admin/scavenge HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'
    ],
    [
      'a length and chunks',
      'POST /admin/scavenge HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
    ],
    ['a header of 100 KB', `GET /info HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`]
  ])('%s ends the connection with an error', async (_what, head) => {
    expect(await raw(head)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await ask(service, 'GET /info')).status).toBe(200);
  });

  it('thousands of wrong log-ins are throttled; who is known already goes on', async () => {
    await ask(service, 'GET /metrics', { as: 'ops' });
    const statuses: number[] = [];
    for (let batch = 0; batch < 15; batch++) {
      const attempts = Array.from({ length: 20 }, (_, index) => {
        const authorization = basic('admin', `guess-${batch}-${index}`);
        return ask(service, 'GET /metrics', { as: 'nobody', headers: { authorization } });
      });
      statuses.push(...(await Promise.all(attempts)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
    expect((await ask(service, 'GET /metrics', { as: 'ops' })).status).toBe(200);
  });

  it('no secret stands in the log', () => {
    expect(service.log()).not.toContain(PASSWORD);
    expect(service.log()).not.toContain(basic('ops', PASSWORD).slice(6));
  });
});

describe('starting and ending', () => {
  const serve = (...words: string[]) =>
    runWinnow(['serve', ...words, '--json'], {
      environment: { WINNOW_HOME: path.join(directory, 'home-2') }
    });

  it.each([
    ['no database', [], 2, 'No database is named'],
    ['an address others reach, without TLS', ['DB', '--host', '0.0.0.0'], 2, 'could be read in transit'],
    ['a certificate without its key', ['DB', '--cert', 'x.pem'], 2, 'needs its key'],
    [
      'auto-scavenge in dev mode',
      ['DB', '--dev', '--auto-scavenge:enabled', 'true'],
      2,
      'not compatible with dev mode'
    ],
    ['a wrong setting', ['DB', '--cluster-size', 'three'], 2, 'must be a whole number'],
    ['a directory without a database', ['EMPTY'], 10, '']
  ])('%s is refused', async (_what, words, exitCode, message) => {
    const empty = path.join(directory, 'empty');
    fs.mkdirSync(empty, { recursive: true });
    const found = await serve(
      ...words.map((word) => (word === 'DB' ? sample : word === 'EMPTY' ? empty : word))
    );
    expect(found.exitCode).toBe(exitCode);
    expect(found.stdout).toContain(message);
  });

  it('without a licence it serves everything but the schedule; without users it makes an administrator', async () => {
    const home = path.join(directory, 'home-3');
    fs.mkdirSync(home);
    fs.writeFileSync(path.join(home, 'users.json'), '{"users":[]}');
    const unlicensed = await startServer({ home, words: [sample] });
    try {
      const password = fs.readFileSync(path.join(home, 'admin-password.txt'), 'utf8').trim();
      const headers = { authorization: basic('admin', password) };
      const as = { as: 'nobody', headers } as const;
      expect((await ask(unlicensed, 'GET /metrics', { as: 'nobody' })).status).toBe(401);
      expect(fs.existsSync(path.join(home, 'admin-password.txt')), 'before the first log-in').toBe(true);
      expect(jsonOf(await ask(unlicensed, 'GET /auto-scavenge/enabled', as))).toEqual({ enabled: false });
      const status = await ask(unlicensed, 'GET /auto-scavenge/status', as);
      expect(status.status).toBe(503);
      expect(status.headers.get('content-type')).toContain('application/problem+json');
      expect(jsonOf(status)).toMatchObject({ status: 503, detail: 'AutoScavenge is not enabled' });
      // Nobody said that it is a single node: a new point is not written by itself.
      const refused = await ask(unlicensed, 'POST /admin/scavenge', as);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('--single-node');
      expect(unlicensed.log()).toContain('not licensed');
      expect(fs.existsSync(path.join(home, 'admin-password.txt')), 'after it').toBe(false);
    } finally {
      await unlicensed.stop();
    }
  });

  it('a licence that is put in place while it runs counts at once, and so does its removal', async () => {
    const licences = path.join(directory, 'licences');
    const file = path.join(licences, 'given.jwt');
    execFileSync(process.execPath, [MAKE_LICENCE, licences]);
    const words = ['--licensing:license-file', file, '--trust-license-key', `${licences}/public-key.json`];
    const home = path.join(directory, 'home-7');
    const late = await startServer({ home, words: [sample, '--single-node', ...words] });
    const isEnabled = async () => jsonOf(await ask(late, 'GET /auto-scavenge/enabled'));
    try {
      expect(await isEnabled()).toEqual({ enabled: false });
      const before = await ask(late, 'GET /auto-scavenge/status');
      expect(before.status).toBe(503);
      expect(before.headers.get('warning')).toContain('there is no such file');
      expect(before.headers.get('warning'), 'to whom no path is told').not.toContain('given.jwt');

      fs.copyFileSync(path.join(licences, 'license.jwt'), file);
      expect((await ask(late, 'GET /auto-scavenge/status')).status).toBe(200);
      expect(await isEnabled()).toEqual({ enabled: true });
      expect(late.log()).toMatch(/plugin enabled/);
      const lease = path.join(home, 'clusters');
      expect(fs.readdirSync(lease, { recursive: true }).join(' ')).toContain('coordinator.json');

      fs.rmSync(file);
      expect(await isEnabled()).toEqual({ enabled: false });
      expect((await ask(late, 'POST /auto-scavenge/resume')).status).toBe(503);
      expect(late.log()).toContain('No further cycle will begin');
    } finally {
      await late.stop();
    }
  });

  it('AutoScavenge: Enabled: false leaves one route', async () => {
    const home = path.join(directory, 'home-4');
    const off = await startServer({ home, words: [sample, '--auto-scavenge:enabled', 'false'] });
    try {
      expect(jsonOf(await ask(off, 'GET /auto-scavenge/enabled'))).toEqual({ enabled: false });
      expect((await ask(off, 'GET /auto-scavenge/status')).status).toBe(404);
    } finally {
      await off.stop();
    }
  });

  it('ends with exit code 130 after Ctrl+C, as every command', async () => {
    const short = await startServer({
      home: path.join(directory, 'home-6'),
      words: [copyOfSample('interrupted'), '--single-node']
    });
    expect(await short.stop('SIGINT')).toBe(130);
  });

  it('ends in order while a scavenge runs: it is stopped where it can go on', async () => {
    const database = copyOfSample('ended');
    const home = path.join(directory, 'home-5');
    const short = await startServer({ home, words: [database, '--scavenge-point', 'new', '--single-node'] });
    expect((await ask(short, 'POST /admin/scavenge?throttlePercent=1')).status).toBe(200);
    expect(await short.stop('SIGTERM')).toBe(0);
    const resumed = await runWinnow(
      ['scavenge', database, '--scavenge-point', 'existing', '--yes', '--json'],
      {
        environment: { WINNOW_HOME: home }
      }
    );
    expect(JSON.parse(resumed.stdout)).toMatchObject({ result: 'success', resumed: true });
  });

  it('serves over TLS', async () => {
    const certificate = path.join(directory, 'cert.pem');
    const key = path.join(directory, 'key.pem');
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...[
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=DNS:localhost',
        '-keyout',
        key,
        '-out',
        certificate
      ]
    ]);
    expect(made.status).toBe(0);
    const home = path.join(directory, 'home-6');
    const secure = await startServer({
      home,
      words: [sample, '--cert', certificate, '--key', key, '--host', 'localhost']
    });
    try {
      expect(secure.url).toMatch(/^https:\/\/localhost:/);
      const probe = fileURLToPath(new URL('./tls-probe.mjs', import.meta.url));
      const found = spawnSync(process.execPath, [probe, `${secure.url}/info`], {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
        encoding: 'utf8'
      });
      expect(found.stdout).toBe('200');
    } finally {
      await secure.stop();
    }
  });
});

// npm run http-transcript: calls every endpoint of a served golden database with curl, and writes the
// exchanges to docs/transcripts/http.md. Ports, ids, times and directories are replaced, so that it only changes when
// the answers do.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PASSWORD, startServer } from '../test/main/http/running-server.ts';
import { NodeRegistry } from '../src-main/settings/node-registry.ts';
import { runWinnow } from '../test/main/cli/run-winnow.ts';
import { removeUnpacked, unpackDatabase } from '../test/support/golden.ts';
import { SimulatedCluster } from '../test/support/simulated-cluster.ts';

const OUTPUT = fileURLToPath(new URL('../docs/transcripts/http.md', import.meta.url));
const SHOWN_HEADERS =
  /^(content-type|www-authenticate|x-scavenge-id|x-run-id|warning|allow|retry-after|location|cache-control):/i;
const MOST_LINES = 60;
const NO_ID = '00000000-0000-0000-0000-000000000000';
const LICENSED = ['--licensing:license-file', 'evaluation'];
const curl = promisify(execFile);

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-transcript-'));
const text = ['# The node service, called with curl', ''];
const ids = new Map();
const servers = [];

function say(line) {
  text.push(line, '');
}

async function serve(home, words, environment = {}) {
  const server = await startServer({ home: path.join(directory, home), words, environment });
  servers.push(server);
  return server;
}

/** `what`: method and path. Returns the status, the X-Scavenge-Id if there is one, and the body. */
async function exchange(
  server,
  what,
  { as = 'ops', password = PASSWORD, headers = [], body, isQuiet = false } = {}
) {
  const [method, target] = what.split(' ');
  const words = ['-sS', '-i', '--max-time', '20'];
  const shown = ['curl -i'];
  if (method !== 'GET') words.push('-X', method);
  if (method !== 'GET') shown.push(`-X ${method}`);
  if (as !== 'nobody') words.push('-u', `${as}:${password}`);
  if (as !== 'nobody') shown.push(password === PASSWORD ? `-u ${as}` : `-u ${as}:wrong`);
  for (const header of headers) words.push('-H', header);
  for (const header of headers) shown.push(`-H '${header}'`);
  if (body !== undefined) words.push('--data-binary', body);
  if (body !== undefined)
    shown.push(body.length > 200 ? `--data-binary (${body.length} bytes)` : `--data-binary '${body}'`);
  const { stdout } = await curl('curl', [...words, `${server.url}${target}`]);
  const [head = '', ...rest] = stdout.split('\r\n\r\n');
  const content = rest.join('\r\n\r\n');
  const [status = '', ...fields] = head.split('\r\n');
  if (!isQuiet) {
    const lines = content.split('\n');
    const kept = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), '…'] : lines;
    const answer = [
      status,
      ...fields.filter((field) => SHOWN_HEADERS.test(field)).sort(),
      ...(content === '' ? [] : ['', ...kept])
    ];
    text.push(
      '```',
      replaced(`$ ${shown.join(' ')} 'http://127.0.0.1:2113${target}'`),
      ...answer.map(replaced),
      '```',
      ''
    );
  }
  const id = fields
    .find((field) => /^x-scavenge-id:/i.test(field))
    ?.slice('x-scavenge-id:'.length)
    .trim();
  return { status: Number(status.split(' ')[1]), id, content };
}

/** What differs from run to run, in a form that does not. */
function replaced(line) {
  return line
    .replaceAll(directory, '/data')
    .replaceAll(/\/tmp\/winnow-golden-\w+/g, '/data/golden')
    .replaceAll(os.hostname(), 'node-1')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:2113')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (id === NO_ID) return id;
      if (!ids.has(id)) ids.set(id, `00000000-0000-0000-0000-${String(ids.size + 1).padStart(12, '0')}`);
      return ids.get(id);
    })
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-08-01T08:17:24.0000000Z')
    .replaceAll(/"\d\d:\d\d:\d\d(?:\.\d+)?"/g, '"00:00:30"')
    .replaceAll(/(?<![\dT])(\d+\.)?\d\d:\d\d:\d\d\.\d+/g, '00:00:00.5000000')
    .trimEnd();
}

async function until(what, isThere) {
  for (let left = 900; left > 0; left--) {
    if (await isThere()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what} did not come about`);
}

async function stateOf(server) {
  return JSON.parse((await exchange(server, 'GET /auto-scavenge/status', { isQuiet: true })).content).state;
}

/** Of rescues, verifications and rebuilds. */
async function runEnded(server, kind) {
  await until(`the end of ${kind}`, async () => {
    const { content } = await exchange(server, `GET /admin/${kind}/last`, { isQuiet: true });
    return JSON.parse(content).runResult !== 'InProgress';
  });
}

async function idle(server) {
  await until('the end of the scavenge', async () => {
    const { content } = await exchange(server, 'GET /admin/scavenge/current', { isQuiet: true });
    return JSON.parse(content).scavengeId === '';
  });
}

const JSON_TYPE = 'Content-Type: application/json';

async function openToAll(server) {
  say('## Open to everybody');
  for (const what of ['GET /health/live', 'GET /health/live?liveCode=200', 'GET /info', 'GET /nowhere']) {
    await exchange(server, what, { as: 'nobody' });
  }
  const { content } = await exchange(server, 'GET /openapi.json', { as: 'nobody', isQuiet: true });
  say(`\`GET /openapi.json\` describes ${Object.keys(JSON.parse(content).paths).length} paths.`);
}

async function access(server) {
  say('## Who may call');
  for (const what of ['GET /metrics', 'POST /admin/scavenge', 'GET /auto-scavenge/status']) {
    await exchange(server, what, { as: 'nobody' });
  }
  await exchange(server, 'GET /metrics', { password: 'no' });
  await exchange(server, 'GET /metrics', { as: 'nobody', headers: ['X-Requested-With: XMLHttpRequest'] });
  const denied = ['POST /admin/scavenge', 'GET /admin/scavenge/current', 'GET /admin/scavenge/last'];
  const others = [
    `DELETE /admin/scavenge/${NO_ID}`,
    'GET /streams/$scavenges',
    'GET /scavenges/current/events'
  ];
  for (const what of [...denied, ...others, 'POST /auto-scavenge/pause', 'POST /auto-scavenge/resume']) {
    await exchange(server, what, { as: 'joe' });
  }
  await exchange(server, 'POST /auto-scavenge/configure', {
    as: 'joe',
    headers: [JSON_TYPE],
    body: '{"schedule":"0 3 * * *"}'
  });
  await exchange(server, 'GET /auto-scavenge/enabled', { as: 'joe' });
  await exchange(server, 'GET /info', { as: 'nobody', headers: ['Host: elsewhere.example'] });
  await exchange(server, 'GET /info', { as: 'nobody', headers: ['Origin: https://elsewhere.example'] });
}

async function wrongRequests(server) {
  say('## Wrong requests');
  for (const query of [
    'startFromChunk=-1',
    'threads=0',
    'threshold=x',
    'throttlePercent=0',
    'throttlePercent=50&threads=2',
    'syncOnly=perhaps'
  ]) {
    await exchange(server, `POST /admin/scavenge?${query}`);
  }
  await exchange(server, `DELETE /admin/scavenge/${NO_ID}`);
  await exchange(server, 'DELETE /admin/scavenge/current');
  await exchange(server, 'PUT /admin/scavenge/current');
  await exchange(server, 'GET /streams/orders', { headers: ['Accept: application/json'] });
  await exchange(server, 'GET /streams/$scavenges');
  const bodies = ['', '{}', '{"schedule":null}', '{"schedule":5}', '{"schedule":"every night"}'];
  for (const body of bodies)
    await exchange(server, 'POST /auto-scavenge/configure', { headers: [JSON_TYPE], body });
  await exchange(server, 'POST /auto-scavenge/configure', {
    headers: ['Content-Type: text/plain'],
    body: '{"schedule":"0 3 * * *"}'
  });
  await exchange(server, 'POST /auto-scavenge/configure', { headers: [JSON_TYPE], body: 'x'.repeat(70_000) });
}

async function scavenge(server) {
  say('## A scavenge of a database that a server has written');
  await exchange(server, 'GET /admin/scavenge/current');
  await exchange(server, 'GET /admin/scavenge/last');
  const { id } = await exchange(
    server,
    'POST /admin/scavenge?threads=1&threshold=0&startFromChunk=0&colour=red'
  );
  await idle(server);
  await exchange(server, 'GET /admin/scavenge/current', { headers: ['Accept: text/plain'] });
  await exchange(server, 'GET /admin/scavenge/last');
  const headers = ['Accept: application/json'];
  await exchange(server, 'GET /streams/$scavenges?embed=body', { headers });
  await exchange(server, `GET /streams/$scavenges/${id}/head/1?embed=body`, { headers });
}

async function stopped(server) {
  say('## A scavenge that is stopped and resumed');
  const { id } = await exchange(server, 'POST /admin/scavenge?throttlePercent=1');
  await exchange(server, 'POST /admin/scavenge');
  await exchange(server, 'GET /admin/scavenge/current');
  await exchange(server, `DELETE /admin/scavenge/${id}`);
  await exchange(server, 'GET /admin/scavenge/last');
  say('The next one resumes where it stopped:');
  await exchange(server, 'POST /admin/scavenge');
  await idle(server);
  await exchange(server, 'GET /admin/scavenge/last');
}

async function otherRuns(server, slow) {
  say('## Rescues, verifications and rebuilds of the index');
  await exchange(server, 'POST /admin/verify', { as: 'nobody' });
  await exchange(server, 'POST /admin/rescue', { as: 'joe' });
  await exchange(server, 'GET /admin/verify/current');
  await exchange(server, 'GET /admin/verify/last');
  for (const what of ['verify?threads=none', 'rescue?until=soon', 'rebuild?assumeStopped=perhaps'])
    await exchange(server, `POST /admin/${what}`);
  for (const kind of ['verify', 'rebuild', 'rescue']) {
    await exchange(server, `POST /admin/${kind}${kind === 'verify' ? '?quick=true&colour=red' : ''}`);
    await runEnded(server, kind);
    await exchange(server, `GET /admin/${kind}/last`);
  }
  await exchange(server, `DELETE /admin/rescue/${NO_ID}`);
  say('One that is stopped:');
  await exchange(slow, 'POST /admin/verify?throttle=64KiB');
  await exchange(slow, 'POST /admin/verify');
  await exchange(slow, 'GET /admin/verify/current');
  await exchange(slow, 'DELETE /admin/verify/current');
  await exchange(slow, 'GET /admin/verify/last');
}

async function states(server, cluster) {
  say('## The states of auto-scavenge');
  say('Of a cluster of two running nodes, coordinated from outside.');
  const schedule = (expression) => ({ headers: [JSON_TYPE], body: JSON.stringify({ schedule: expression }) });
  await exchange(server, 'GET /auto-scavenge/enabled', { as: 'joe' });
  await exchange(server, 'GET /auto-scavenge/status', { as: 'joe' });
  await exchange(server, 'POST /auto-scavenge/configure', schedule('0 3 * * sun'));
  await exchange(server, 'GET /auto-scavenge/status');
  say('Paused while nothing runs, and resumed:');
  await exchange(server, 'POST /auto-scavenge/pause');
  await exchange(server, 'GET /auto-scavenge/status');
  await exchange(server, 'POST /auto-scavenge/resume');
  say('A schedule that is due:');
  await exchange(server, 'POST /auto-scavenge/configure', schedule('* * * * *'));
  await until('a cycle', async () => cluster.nodes.some(({ running }) => running !== undefined));
  await exchange(server, 'GET /auto-scavenge/status');
  say('A node that takes longer than a second to stop: 202, and the state says that it is being stopped:');
  for (const node of cluster.nodes) node.faults.delayMs = 1500;
  await exchange(server, 'POST /auto-scavenge/pause');
  await exchange(server, 'GET /auto-scavenge/status');
  await exchange(server, 'POST /auto-scavenge/resume');
  for (const node of cluster.nodes) node.faults.delayMs = 0;
  await until('the pause', async () => (await stateOf(server)) === 'Paused');
  await exchange(server, 'GET /auto-scavenge/status');
  await exchange(server, 'POST /auto-scavenge/resume');
  say('One that stops within a second: 200:');
  await until('the cycle to go on', async () => cluster.nodes.some(({ running }) => running !== undefined));
  await exchange(server, 'POST /auto-scavenge/pause');
  await exchange(server, 'GET /auto-scavenge/status');
}

async function backupSchedule(server, { home, database }) {
  say('## The schedule of backups');
  const put = (body) => exchange(server, 'PUT /backups/schedule', { headers: [JSON_TYPE], body });
  await exchange(server, 'GET /backups/schedule', { as: 'joe' });
  await put('{"expression":"0 1 * * *"}');
  const registry = new NodeRegistry(home, Date.now);
  registry.edit(registry.open({ dataDirectory: database }).id, {
    backupTarget: path.join(directory, 'backups')
  });
  say('Once the node has a place for its backups:');
  await put('{"expression":"every night"}');
  await put('{"expression":"0 1 * * *","timeZone":"UTC","retention":{"daily":7}}');
  await exchange(server, 'DELETE /backups/schedule');
  await exchange(server, 'GET /backups/schedule');
}

async function withoutFeature(unlicensed, disabled, undecided) {
  say('## Without a licence');
  const calls = [
    'GET /auto-scavenge/enabled',
    'GET /auto-scavenge/status',
    'POST /auto-scavenge/pause',
    'POST /auto-scavenge/resume'
  ];
  for (const what of calls) await exchange(unlicensed, what);
  await exchange(unlicensed, 'POST /auto-scavenge/configure', {
    headers: [JSON_TYPE],
    body: '{"schedule":"0 3 * * *"}'
  });
  say('## Switched off by `AutoScavenge: Enabled: false`');
  for (const what of calls) await exchange(disabled, what);
  say('## A directory not known to be a single node');
  await exchange(undecided, 'POST /admin/scavenge');
  await exchange(undecided, 'POST /admin/scavenge?syncOnly=true');
}

const cluster = new SimulatedCluster();
try {
  const slow = path.join(directory, 'sample');
  await runWinnow(['sample', slow, '--size', '24MiB', '--chunk-size', '1MiB', '--yes']);
  await cluster.start(2);
  for (const node of cluster.nodes) node.polls = 1_000_000;
  const live = path.join(directory, 'live');
  fs.mkdirSync(live);
  const urls = cluster.nodes.map(({ url }) => url);
  fs.writeFileSync(
    path.join(live, 'clusters.json'),
    JSON.stringify({ clusters: [{ kind: 'remote', name: 'live', urls, clusterSize: 2, user: 'ops' }] })
  );
  const golden = () => unpackDatabase({ name: 'rules', folder: 'before' });
  const database = golden();
  const first = await serve('first', [database, '--single-node', ...LICENSED]);
  say('Written by `npm run http-transcript`. Passwords are left out; ports, ids and times are replaced.');
  await openToAll(first);
  await access(first);
  await wrongRequests(first);
  await scavenge(first);
  await backupSchedule(first, { home: path.join(directory, 'first'), database });
  const slowServer = await serve('slow', [slow, '--single-node', ...LICENSED]);
  await stopped(slowServer);
  await otherRuns(first, slowServer);
  const password = { WINNOW_CLUSTER_PASSWORD: 'changeit' };
  await states(await serve('live', ['--cluster', 'live', ...LICENSED], password), cluster);
  const off = ['--auto-scavenge:enabled', 'false'];
  await withoutFeature(
    await serve('unlicensed', [golden(), '--single-node']),
    await serve('disabled', [golden(), '--single-node', ...off]),
    await serve('undecided', [golden()])
  );
  fs.mkdirSync(path.dirname(OUTPUT), { recursive: true });
  fs.writeFileSync(OUTPUT, `${text.join('\n').trimEnd()}\n`);
  console.log(`${OUTPUT}: ${text.filter((line) => line === '```').length / 2} exchanges`);
} finally {
  for (const server of servers) await server.stop();
  await cluster.close();
  removeUnpacked();
  fs.rmSync(directory, { recursive: true, force: true });
}

/**
 * Random requests over raw sockets against a served database: malformed JSON, wrong types, huge bodies and headers,
 * wrong methods, path tricks, smuggled lengths, credentials of all kinds. Whatever is sent, the answer is a status
 * below 500, or 503 for auto-scavenge, or the connection ends; the server stays up and its memory bounded.
 */
import net from 'node:net';
import { Prng } from '../support/prng.ts';

export interface HttpCampaign {
  url: string;
  requests: number;
  seed: number;
  /** Values of the header Authorization that are right. */
  credentials: string[];
  /** Cookies of users who are logged in to the page, if it is served; and a folder that it may choose from. */
  page?: { cookies: string[]; folder: string };
}

export interface HttpCampaignEnd {
  statuses: Map<string, number>;
  /** What must not be: a status of 500 and above, or no answer in time. */
  faults: string[];
}

const AT_A_TIME = 12;
const ANSWER_MS = 8000;

export async function runHttpCampaign(campaign: HttpCampaign): Promise<HttpCampaignEnd> {
  const end: HttpCampaignEnd = { statuses: new Map(), faults: [] };
  const { hostname, port } = new URL(campaign.url);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < campaign.requests) {
      const index = next++;
      const prng = new Prng(campaign.seed * 1_000_003 + index);
      const host = `${hostname}:${port}`;
      const request =
        campaign.page && prng.chance(0.3)
          ? pageRequest(prng, campaign.page, host)
          : randomRequest(prng, campaign.credentials, host);
      const answer = await exchange(hostname, Number(port), request);
      const status =
        /^HTTP\/1\.1 (\d{3})/.exec(answer ?? '')?.[1] ?? (answer === undefined ? 'late' : 'closed');
      end.statuses.set(status, (end.statuses.get(status) ?? 0) + 1);
      const isBad =
        status === 'late' ||
        (status.startsWith('5') && status !== '503' && status !== '501' && status !== '505');
      if (isBad)
        end.faults.push(
          `request ${index} (seed ${campaign.seed}): ${status} for ${JSON.stringify(request.slice(0, 300))}: ${JSON.stringify((answer ?? '').slice(-300))}`
        );
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return end;
}

/** What came back until the connection ended or an answer was whole enough; undefined: nothing in time. */
export function exchange(host: string, port: number, request: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect(port, host, () => socket.end(Buffer.from(request, 'latin1')));
    let text = '';
    const finish = (answer: string | undefined): void => {
      socket.destroy();
      resolve(answer);
    };
    const patience = setTimeout(() => finish(text === '' ? undefined : text), ANSWER_MS);
    socket.setEncoding('latin1').on('data', (piece: string) => {
      text += piece;
      if (text.includes('text/event-stream') || text.length > 1_000_000) finish(text);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(patience);
      resolve(text);
    });
  });
}

const METHODS = [
  'GET',
  'POST',
  'DELETE',
  'PUT',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'get',
  'BREW',
  ''
];
const PATHS = [
  ...['/admin/scavenge', '/admin/scavenge/current', '/admin/scavenge/last', '/admin/scavenge/'],
  ...['/auto-scavenge/status', '/auto-scavenge/pause', '/auto-scavenge/resume', '/auto-scavenge/configure'],
  ...[
    '/auto-scavenge/enabled',
    '/streams/%24scavenges',
    '/streams/%24scavenges/x/head/20',
    '/metrics',
    '/info'
  ],
  ...['/health/live', '/openapi.json', '/scavenges/current/events', '/', '*', '//', '/../../etc/passwd'],
  ...[
    '/%2e%2e/%2e%2e/etc/passwd',
    '/admin%2fscavenge',
    '/admin/scavenge;x=1',
    '/%00',
    '/%',
    '/%zz',
    '/\u00ff\u00fe'
  ]
];
const QUERIES = [
  '',
  '?',
  '?threads=',
  '?threads=-1',
  '?threshold=1e9',
  '?throttlePercent=50&threads=2',
  '?syncOnly=true&syncOnly=no',
  '?__proto__=1',
  '?a[b]=c',
  '?%00=%00',
  '?liveCode=299',
  '?liveCode=999999',
  '?embed=%F0%9F%98%80',
  '?until=25:00',
  '?until=%00&throttle=1e400MiB',
  '?throttle=-1&stopAfter=x',
  '?scavengePoint=__proto__',
  '?now=9999-99-99&pageSize=0'
];
const BODIES = [
  '',
  '{}',
  '{',
  '[]',
  'null',
  '0',
  '"x"',
  '{"schedule":"* * * * *"}',
  '{"schedule":null}',
  '{"schedule":{}}',
  '{"schedule":"99999999999999 * * * *"}',
  '{"__proto__":{"schedule":"x"}}',
  '\u0000\u0001\u00ff'
];
const TYPES = [
  'application/json',
  'application/x+json',
  'text/plain',
  'multipart/form-data; boundary=',
  '',
  'a/b; charset=\u00ff'
];

function randomRequest(prng: Prng, credentials: string[], host: string): string {
  if (prng.chance(0.05)) return randomBytes(prng, prng.below(2000));
  const method = prng.chance(0.7) ? prng.pick(['GET', 'POST', 'DELETE']) : prng.pick(METHODS);
  const path =
    prng.pick(PATHS) +
    (prng.chance(0.1) ? randomBytes(prng, prng.below(300)).replaceAll(/[\r\n ]/g, '') : '');
  const body = randomBody(prng);
  const version = prng.chance(0.95) ? 'HTTP/1.1' : prng.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', '']);
  const lines = [
    `${method} ${path}${prng.pick(QUERIES)} ${version}`,
    ...randomHeaders(prng, credentials, host, body)
  ];
  const text = `${lines.join('\r\n')}\r\n\r\n${body}`;
  return prng.chance(0.1) ? mutated(prng, text) : text;
}

/** What the folder chooser asks, with paths that lead anywhere. */
function pageRequest(
  prng: Prng,
  { cookies, folder }: NonNullable<HttpCampaign['page']>,
  host: string
): string {
  const names = [
    '..',
    '.',
    '',
    'a',
    'link',
    'etc',
    'passwd',
    '\\',
    '%2e%2e',
    '\u0000',
    '\ud800',
    'x'.repeat(256)
  ];
  const from = prng.pick([folder, folder, '/', '', '//', 'C:\\', '\\\\?\\', '/proc/self/fd']);
  const place = [from, ...Array.from({ length: prng.below(6) }, () => prng.pick(names))].join('/');
  const odd = prng.pick<unknown>([null, 7, [], {}, 'x'.repeat(40_000)]);
  const asked = prng.chance(0.9) ? place : odd;
  const [verb, request] = prng.pick<[string, object]>([
    [
      'listFolder',
      { path: asked, showsHidden: prng.chance(0.5), extensions: prng.pick<unknown>([[], ['key'], ['*'], 7]) }
    ],
    ['listFolder', { path: null, showsHidden: true, extensions: [] }],
    ['choosePath', { purpose: prng.pick(['backups', 'index', 'keyFile', '']), chosenPath: asked }],
    ['chooseBackupTarget', { nodeId: 'none', chosenPath: asked }],
    ['inspectDatabase', { chosenPath: asked }]
  ]);
  const body = Buffer.from(JSON.stringify(request)).toString('latin1');
  const text = [
    `POST /ui/verbs/${verb} HTTP/1.1`,
    'Connection: close',
    `Host: ${host}`,
    `Origin: http://${host}`,
    'X-Requested-With: winnow',
    'Content-Type: application/json',
    `Cookie: ${prng.chance(0.9) ? prng.pick(cookies) : 'winnow-session-1=x'}`,
    `Content-Length: ${Buffer.byteLength(body, 'latin1')}`,
    '',
    body
  ].join('\r\n');
  return prng.chance(0.05) ? mutated(prng, text) : text;
}

function randomHeaders(prng: Prng, credentials: string[], host: string, body: string): string[] {
  const headers = ['Connection: close'];
  if (prng.chance(0.95))
    headers.push(
      `Host: ${prng.chance(0.9) ? host : prng.pick(['evil.example', '', 'localhost', 'a:b:c', '[::1'])}`
    );
  if (prng.chance(0.8))
    headers.push(`Authorization: ${prng.chance(0.8) ? prng.pick(credentials) : randomCredentials(prng)}`);
  if (prng.chance(0.7)) headers.push(`Content-Type: ${prng.pick(TYPES)}`);
  if (prng.chance(0.9)) headers.push(`Content-Length: ${Buffer.byteLength(body, 'latin1')}`);
  if (prng.chance(0.05))
    headers.push(`Content-Length: ${prng.pick(['-1', '1e3', '99999999999999999999', '0x10', ''])}`);
  if (prng.chance(0.05))
    headers.push(`Transfer-Encoding: ${prng.pick(['chunked', 'gzip', 'chunked, chunked', ' chunked'])}`);
  if (prng.chance(0.3))
    headers.push(
      `Accept: ${prng.pick(['application/json', 'text/plain', '*/*;q=x', ',,,', 'a/b;q=0', 'text/*;q=0.1, application/*;q=0.2'])}`
    );
  if (prng.chance(0.1))
    headers.push(`Origin: ${prng.pick(['http://evil.example', 'null', `http://${host}`])}`);
  if (prng.chance(0.05)) headers.push(`X-Long: ${'y'.repeat(prng.below(40_000))}`);
  if (prng.chance(0.05)) headers.push(randomBytes(prng, 50));
  if (prng.chance(0.05)) headers.push('Expect: 100-continue');
  return headers;
}

function randomCredentials(prng: Prng): string {
  return prng.pick([
    'Basic',
    'Basic ',
    `Basic ${Buffer.from('ops:wrong').toString('base64')}`,
    `Basic ${Buffer.from('\u0000:\u0000').toString('base64')}`,
    `Bearer ${'x'.repeat(5000)}`,
    'Basic ====',
    'Digest username="ops"'
  ]);
}

function randomBody(prng: Prng): string {
  if (prng.chance(0.03)) return 'x'.repeat(60_000 + prng.below(20_000));
  if (prng.chance(0.03)) return `{"schedule":${'['.repeat(20_000)}`;
  if (prng.chance(0.1)) return randomBytes(prng, prng.below(500));
  return prng.pick(BODIES);
}

function randomBytes(prng: Prng, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += String.fromCharCode(prng.below(256));
  return text;
}

function mutated(prng: Prng, text: string): string {
  const at = prng.below(text.length);
  const kind = prng.below(3);
  if (kind === 0) return text.slice(0, at);
  const middle = kind === 1 ? randomBytes(prng, 1 + prng.below(4)) : '';
  return text.slice(0, at) + middle + text.slice(at + 1);
}

/** The options of a scavenge over HTTP: those of the command line, with values that are wrong named by their parameter. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readScavengeQuery } from '../../../src-main/http/scavenge-query.ts';
import { temporaryDirectory } from '../../support/scavenge-environment.ts';
import { runWinnow } from '../cli/run-winnow.ts';
import { ask, startServer } from './running-server.ts';

const NOON = new Date(2026, 4, 10, 12, 0, 0);
const read = (query: string) => readScavengeQuery(new URLSearchParams(query), NOON);
const DEFAULTS = { threads: 1, threshold: 0, throttlePercent: 100, syncOnly: false };

it('nothing that is not given replaces a setting of the service', () => {
  expect(read('')).toEqual({ query: DEFAULTS, unknownNames: [] });
});

it.each([
  ['until=2026-05-10T18:00:00Z', { until: '2026-05-10T18:00:00.0000000Z' }],
  ['until=13:30', { until: new Date(2026, 4, 10, 13, 30).toISOString() }],
  ['until=05:00', { until: new Date(2026, 4, 11, 5, 0).toISOString() }],
  ['window=02:00-04:00', { window: '02:00-04:00' }],
  ['window=22:00-02:00&threads=1', { window: '22:00-02:00' }],
  ['throttle=50MiB', { bytesPerSecond: 52_428_800 }],
  ['Throttle=65536', { bytesPerSecond: 65_536 }],
  ['stopAfter=accumulation', { stopAfter: 'accumulation' }],
  ['scavengePoint=detached', { scavengePoint: 'detached' }],
  ['now=2026-01-01T00:00:00Z', { now: '2026-01-01T00:00:00.0000000Z' }],
  ['keepReplaced=7d', { keepReplacedMs: 604_800_000 }],
  ['merge=false&alwaysKeepScavenged=true', { merge: false, alwaysKeepScavenged: true }],
  ['unsafeIgnoreHardDeletes=TRUE', { unsafeIgnoreHardDeletes: true }],
  ['startAfresh=true&assumeStopped=true', { startAfresh: true, assumeStopped: true }],
  ['pageSize=4&cacheSize=64MiB', { pageSize: 4, cacheSizeBytes: 67_108_864 }],
  ['hashUsersCacheCapacity=1000', { hashUsersCacheCapacity: 1000 }],
  ['scavengeHistoryMaxAge=7', { scavengeHistoryMaxAgeDays: 7 }]
])('%s is taken', (query, options) => {
  expect(read(query)).toEqual({ query: { ...DEFAULTS, ...options }, unknownNames: [] });
});

it.each([
  'until=soon',
  'until=25:00',
  'window=02:00',
  'window=02:00-02:00',
  'window=24:30-02:00',
  'throttle=fast',
  'throttle=-1',
  'throttle=9999999999TiB',
  'stopAfter=later',
  'scavengePoint=anywhere',
  'scavengePoint=__proto__',
  'now=yesterday',
  'merge=1',
  'pageSize=0',
  'cacheSize=0',
  'cacheSize=',
  'hashUsersCacheCapacity=1.5',
  'scavengeHistoryMaxAge=36501'
])('%s is refused, with the name of the parameter', (query) => {
  const [name = ''] = query.split('=');
  expect(read(query)).toEqual({ fault: expect.stringMatching(new RegExp(`^${name} must be `)) as string });
});

it('what the server checks is checked first, in its words', () => {
  expect(read('until=soon&threads=0')).toEqual({ fault: 'threads must be a 1 or above' });
});

/** One that does not hold the present minute, nor one near it. */
function windowAhead(): string {
  const hour = (new Date().getHours() + 6) % 24;
  const clock = (of: number): string => `${String(of % 24).padStart(2, '0')}:00`;
  return `${clock(hour)}-${clock(hour + 1)}`;
}

it('a service does with them what the command line does', async () => {
  const directory = temporaryDirectory();
  const database = path.join(directory, 'db');
  await runWinnow(['sample', database, '--size', '1MiB', '--chunk-size', '256KiB', '--yes']);
  const service = await startServer({
    home: path.join(directory, 'home'),
    words: [database, '--single-node']
  });
  try {
    const { paths } = JSON.parse((await ask(service, 'GET /openapi.json')).text) as {
      paths: Record<string, { post: { parameters: { name: string }[] } }>;
    };
    const names = paths['/admin/scavenge']!.post.parameters.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['threads', 'until', 'throttle', 'stopAfter', 'merge']));
    const late = await ask(service, 'POST /admin/scavenge?until=2020-01-01T00:00:00Z');
    expect([late.status, late.text]).toEqual([400, expect.stringContaining('2020-01-01') as string]);
    const shut = await ask(service, `POST /admin/scavenge?window=${windowAhead()}`);
    expect([shut.status, shut.text]).toEqual([400, expect.stringContaining('window') as string]);
    const started = await ask(service, 'POST /admin/scavenge?threshold=-1&stopAfter=accumulation');
    expect([started.status, started.headers.get('warning')]).toEqual([200, null]);
    const scavengeId = started.headers.get('x-scavenge-id')!;
    await expect
      .poll(async () => JSON.parse((await ask(service, 'GET /admin/scavenge/last')).text) as unknown, {
        timeout: 30_000
      })
      .toMatchObject({ scavengeId, scavengeResult: 'Stopped' });
  } finally {
    await service.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}, 60_000);

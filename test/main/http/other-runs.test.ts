/** Rescues, verifications, rebuilds and long questions over HTTP: roles, values, ids, results, and their commands' options. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOtherRunQuery } from '../../../src-main/http/other-run-options.ts';
import { RUN_KINDS, type RunKind } from '../../../src-main/http/node-runs.ts';
import { temporaryDirectory } from '../../support/scavenge-environment.ts';
import type { StartupReport } from '../../../src-main/contract/operations/doctor-reports.ts';
import type { FleetReport } from '../../../src-main/contract/operations/fleet-reports.ts';
import type { ScavengeReport } from '../../../src-main/contract/operations/reports.ts';
import type { ForecastDocument } from '../../../src-main/contract/operations/usage-reports.ts';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { runWinnow } from '../cli/run-winnow.ts';
import { ask, clientOf, startServer, type RunningServer } from './running-server.ts';

const KINDS = RUN_KINDS;
const NOON = new Date(2026, 4, 10, 12, 0, 0);
const read = (kind: RunKind, query: string) => readOtherRunQuery(kind, new URLSearchParams(query), NOON);

describe('the query', () => {
  it.each([
    [
      'rescue',
      'threshold=-1&scratch=64MiB&reserve=1MiB',
      { threshold: -1, scratchBytes: 67_108_864, reserveBytes: 1_048_576 }
    ],
    [
      'rescue',
      'scavengePoint=detached&assumeStopped=true',
      { scavengePoint: 'detached', assumeStopped: true }
    ],
    [
      'rescue',
      'until=13:30&throttle=50MiB',
      { until: expect.any(String) as string, bytesPerSecond: 52_428_800 }
    ],
    ['verify', 'quick=true&threads=2&Throttle=1MiB', { quick: true, threads: 2, bytesPerSecond: 1_048_576 }],
    ['verify', 'budget=10min&within=30d', { budgetMs: 600_000, withinMs: 2_592_000_000 }],
    ['rebuild', 'assumeStopped=true', { assumeStopped: true }],
    ['diff', 'node=one&Node=two&backup=newest', { nodes: ['one', 'two'], backup: 'newest' }],
    ['diff', 'readAll=TRUE&throttle=1MiB', { readAll: true, bytesPerSecond: 1_048_576 }],
    ['plan', 'window=02:00-04:00&members=3&threads=2', { window: '02:00-04:00', members: 3, threads: 2 }],
    ['plan', 'scavengePoint=detached&breakdown=true', { scavengePoint: 'detached', breakdown: true }],
    ['projections', 'top=5', { top: 5 }],
    ['startup', 'serverVersion=24.10&mergeTables=true', { serverVersion: '24.10', mergeTables: true }]
  ] as const)('of a %s takes %s', (kind, query, options) => {
    expect(read(kind, query)).toEqual({ options, unknownNames: [] });
  });

  it.each([
    ['rescue', 'threshold=-2'],
    ['rescue', 'scavengePoint=new'],
    ['rescue', 'scavengePoint=__proto__'],
    ['rescue', 'scratch=/mnt/usb'],
    ['rescue', 'reserve=much'],
    ['verify', 'quick=yes'],
    ['verify', 'threads=0'],
    ['verify', 'budget=10'],
    ['verify', 'within=0d'],
    ['rebuild', 'assumeStopped=1'],
    ['diff', 'node='],
    ['diff', `node=${'a&node='.repeat(15)}a`],
    ['diff', 'backup=../../etc'],
    ['diff', 'backup=%00'],
    ['plan', 'window=night'],
    ['plan', 'members=101'],
    ['plan', 'throttlePercent=0'],
    ['projections', 'top=100001'],
    ['startup', 'serverVersion=newest'],
    ['startup', `serverVersion=${'9.'.repeat(5000)}`]
  ] as const)('of a %s refuses %s, with the name of the parameter', (kind, query) => {
    const [name = ''] = query.split('=');
    expect(read(kind, query)).toEqual({
      fault: expect.stringMatching(new RegExp(`^${name} must be `)) as string
    });
  });

  it('names what it does not know, a directory for example', () => {
    expect(read('rescue', 'scratchDirectory=/etc&dataDirectory=/etc')).toEqual({
      options: {},
      unknownNames: ['scratchDirectory', 'dataDirectory']
    });
  });
});

describe('a service', () => {
  let directory: string;
  let database: string;
  let service: RunningServer;
  beforeAll(async () => {
    directory = temporaryDirectory();
    database = path.join(directory, 'db');
    await runWinnow(['sample', database, '--size', '2MiB', '--chunk-size', '256KiB', '--yes']);
    const home = path.join(directory, 'home');
    const registry = new NodeRegistry(home, Date.now);
    registry.edit(registry.open({ dataDirectory: database }).id, {
      backupTarget: path.join(directory, 'to')
    });
    // The same log, but for what a later rebuild or rescue of the first one changes.
    fs.cpSync(database, path.join(directory, 'copy'), { recursive: true });
    registry.open({ dataDirectory: path.join(directory, 'copy') });
    const words = [database, '--single-node', '--learn-growth=false'];
    service = await startServer({ home, words });
  }, 90_000);
  afterAll(async () => {
    await service.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  });

  const lastOf = async (kind: RunKind): Promise<unknown> =>
    JSON.parse((await ask(service, `GET /admin/${kind}/last`)).text);

  it.each(KINDS)('starts no %s for a user without a role, nor without one', async (kind) => {
    for (const what of [
      `POST /admin/${kind}`,
      `GET /admin/${kind}/current`,
      `DELETE /admin/${kind}/current`
    ]) {
      expect((await ask(service, what, { as: 'nobody' })).status).toBe(401);
      expect((await ask(service, what, { as: 'joe' })).status).toBe(403);
    }
  });

  it.each(KINDS)('has run no %s yet', async (kind) => {
    const current = await ask(service, `GET /admin/${kind}/current`);
    expect(JSON.parse(current.text)).toEqual({ runId: '', runLink: '' });
    expect(await lastOf(kind)).toEqual({
      runId: '',
      runLink: '',
      runResult: 'Unknown',
      report: null,
      error: null
    });
    expect((await ask(service, `DELETE /admin/${kind}/current`)).status).toBe(404);
    expect((await ask(service, `GET /admin/${kind}`)).status).toBe(405);
  });

  it('tells monitoring of no comparison before there was one', async () => {
    expect((await ask(service, 'GET /metrics')).text).not.toMatch(/^winnow_comparison_/m);
  });

  it('tells growth and verification as far as they are known, to operators only', async () => {
    for (const what of ['GET /admin/forecast', 'GET /admin/coverage']) {
      expect((await ask(service, what, { as: 'nobody' })).status).toBe(401);
      expect((await ask(service, what, { as: 'joe' })).status).toBe(403);
    }
    const forecast = await ask(service, 'GET /admin/forecast?days=3&top=2');
    expect(JSON.parse(forecast.text)).toMatchObject({ unknown: 'notRead', fullAt: null, byCategory: [] });
    const coverage = JSON.parse((await ask(service, 'GET /admin/coverage')).text) as object;
    expect(coverage).toMatchObject({ isWhole: false, verifiedBytes: 0 });
    const environment = { WINNOW_HOME: path.join(directory, 'home') };
    const command = await runWinnow(['forecast', database, '--days', '3', '--top', '2', '--json'], {
      environment
    });
    const {
      fullAt: _at,
      full: _full,
      freeBytes: _free,
      curve,
      ...rest
    } = JSON.parse(command.stdout) as ForecastDocument;
    const now = JSON.parse((await ask(service, 'GET /admin/forecast?days=3&top=2')).text) as ForecastDocument;
    expect(now).toMatchObject({ unknown: rest.unknown, byCategory: rest.byCategory, growth: rest.growth });
    expect(now.curve).toHaveLength(curve.length);
  });

  it.each([
    'days=0',
    'days=366',
    'days=-1',
    'days=1e2',
    'days=',
    'top=0',
    'top=100001',
    'top=%00',
    `top=${'9'.repeat(5000)}`
  ])('refuses a forecast with %s, with the name of the parameter', async (query) => {
    const { status, text } = await ask(service, `GET /admin/forecast?${query}`);
    expect([status, text]).toEqual([
      400,
      expect.stringMatching(/^(days|top) must be a whole number from 1 to /)
    ]);
  });

  it('verifies, and says what its command says', async () => {
    const started = await ask(service, 'POST /admin/verify?quick=false&colour=red');
    expect([started.status, started.text]).toEqual([200, '']);
    expect(started.headers.get('warning')).toBe('299 - "ignored: colour"');
    const runId = started.headers.get('x-run-id')!;
    const last = await clientOf(service).verify.ended(runId);
    expect(last).toMatchObject({ id: runId, result: 'Success', error: null });
    expect(await lastOf('verify')).toMatchObject({ runLink: `/admin/verify/${runId}`, report: last.report });
    const { stdout } = await runWinnow(['verify', database, '--json']);
    const { checked } = JSON.parse(stdout) as { checked: unknown };
    expect(last.report).toMatchObject({ ok: true, checked });
  }, 60_000);

  it('answers what its commands answer to questions that take long', async () => {
    const environment = { WINNOW_HOME: path.join(directory, 'home') };
    const client = clientOf(service);
    const answers = async <K extends 'diff' | 'plan' | 'projections' | 'startup' | 'fleet'>(
      kind: K,
      query: Record<string, string | string[]>,
      words: string[]
    ): Promise<[http: unknown, command: unknown]> => {
      const last = await client[kind].ended(await client[kind].start(query));
      expect(last, JSON.stringify(last.error)).toMatchObject({ result: 'Success', error: null });
      expect(await lastOf(kind)).toMatchObject({ runLink: `/admin/${kind}/${last.id}` });
      return [last.report, JSON.parse((await runWinnow([...words, '--json'], { environment })).stdout)];
    };
    const copy = path.join(directory, 'copy');
    const [compared, diff] = await answers('diff', { node: ['copy'] }, ['diff', database, copy]);
    const { sides, others } = diff as Record<string, unknown>;
    expect(compared).toMatchObject({ ok: true });
    expect(Object.keys(compared as object)).toEqual(Object.keys({ ...(diff as object) }));
    expect([sides, others].some((part) => part !== undefined)).toBe(true);
    const asOf = '2026-06-01T00:00:00.0000000Z';
    const planned = { scavengePoint: 'detached', window: '02:00-04:00', now: asOf, breakdown: 'true' };
    const words = ['--scavenge-point', 'detached', '--window', '02:00-04:00', '--now', asOf, '--single-node'];
    const [plan, said] = (await answers('plan', planned, ['plan', database, ...words])) as ScavengeReport[];
    expect(plan).toMatchObject({
      chunks: said?.chunks,
      removed: said?.removed,
      window: { window: '02:00-04:00' }
    });
    const [price, priced] = await answers('projections', { top: '2', now: asOf }, [
      ...['projections', database, '--top', '2', '--now', asOf]
    ]);
    expect(price).toEqual(priced);
    const [startup, forecast] = (await answers('startup', {}, ['startup', database])) as StartupReport[];
    expect(startup?.parts.map(({ what }) => what)).toEqual(forecast?.parts.map(({ what }) => what));
    const [fleet, stands] = (await answers('fleet', {}, ['fleet', database])) as FleetReport[];
    expect(fleet?.nodes.map(({ name, logBytes }) => [name, logBytes])).toEqual(
      stands?.nodes.map(({ name, logBytes }) => [name, logBytes])
    );
    expect(fleet?.nodes).toHaveLength(2);
  }, 90_000);

  it('compares with a backup of its own target, and with nothing that a caller names by a path', async () => {
    const to = path.join(directory, 'to');
    expect((await ask(service, 'POST /admin/diff?backup=newest')).status).not.toBe(200);
    await runWinnow(['backup', 'create', database, '--to', to, '--yes']);
    const { diff } = clientOf(service);
    const last = await diff.ended(await diff.start({ backup: 'newest' }));
    expect(last).toMatchObject({ result: 'Success', report: { ok: true } });
    for (const query of ['', '?node=nobody', `?node=${encodeURIComponent(directory)}`, '?node=__proto__']) {
      const { status, text } = await ask(service, `POST /admin/diff${query}`);
      expect([status, text]).toEqual([
        400,
        expect.stringMatching(/nothing to compare with|no node of this name/)
      ]);
    }
  }, 90_000);

  it('tells monitoring what the last comparison found, and nothing while it is not known', async () => {
    const compared = async (): Promise<Record<string, number>> => {
      const { text } = await ask(service, 'GET /metrics');
      const lines = [...text.matchAll(/^winnow_comparison_(\w+) (\S+)$/gm)];
      return Object.fromEntries(lines.map(([, name, value]) => [name!, Number(value)] as const));
    };
    const { diff } = clientOf(service);
    const before = Math.floor(Date.now() / 1000);
    await diff.ended(await diff.start({ node: 'copy' }));
    const equal = await compared();
    expect(equal).toMatchObject({ differences: 0, sides: 2 });
    expect(equal['timestamp_seconds']).toBeGreaterThanOrEqual(before);
    // One byte of an event of the copy, under a hash that does not tell it: the difference is one place.
    const chunk = path.join(directory, 'copy', 'chunk-000001.000000');
    const whole = fs.readFileSync(chunk);
    const changed = Buffer.from(whole);
    const at = changed.lastIndexOf('"', 200_000) - 1;
    changed[at]! ^= 1;
    fs.writeFileSync(chunk, changed);
    await diff.ended(await diff.start({ node: 'copy', readAll: true }));
    fs.writeFileSync(chunk, whole);
    const found = await compared();
    expect(found['differences']).toBeGreaterThan(0);
    // One that was stopped says nothing new.
    const id = await diff.start({ node: 'copy', readAll: true, throttle: '64KiB' });
    await diff.stop(id);
    expect(await compared()).toEqual(found);
    // By another door, with the same home.
    const environment = { WINNOW_HOME: path.join(directory, 'home') };
    await runWinnow(['diff', database, path.join(directory, 'copy')], { environment });
    expect(await compared()).toMatchObject({ differences: 0, sides: 2 });
  }, 60_000);

  it.each(['diff', 'plan', 'projections', 'startup', 'fleet'] as const)(
    'answers at once while a %s goes on, and can stop it',
    async (kind) => {
      const runs = clientOf(service)[kind];
      const id = await runs.start(kind === 'diff' ? { node: 'copy', readAll: true, throttle: '64KiB' } : {});
      const wasStopped = await runs.stop(id);
      const last = await runs.last();
      expect(last.id).toBe(id);
      expect(wasStopped ? ['Stopped', 'Success'] : ['Success']).toContain(last.result);
      if (kind === 'diff') expect(last.result).toBe('Stopped');
    },
    60_000
  );

  it('says that growth and verification cannot be told now, while a scavenge runs and without the directory', async () => {
    const { scavenge } = clientOf(service);
    const id = await scavenge.start({ threshold: -1, throttle: '64KiB' });
    for (const what of ['GET /admin/forecast', 'GET /admin/coverage']) {
      const { status, text } = await ask(service, what);
      expect([status, text]).toEqual([503, 'A scavenge runs; ask again when it has ended.']);
    }
    await scavenge.stop(id);
    expect((await ask(service, 'GET /admin/forecast')).status).toBe(200);
    const outcomeOf = async (kind: 'plan' | 'projections' | 'startup'): Promise<unknown> => {
      const runs = clientOf(service)[kind];
      try {
        return (await runs.ended(await runs.start())).error?.code;
      } catch (error) {
        return /does not exist/.test((error as Error).message) ? 'DatabaseNotFound' : error;
      }
    };
    const aside = path.join(directory, 'aside');
    fs.renameSync(database, aside);
    for (const what of ['GET /admin/forecast', 'GET /admin/coverage']) {
      const { status, text } = await ask(service, what);
      expect([status, text.length > 20]).toEqual([503, true]);
    }
    for (const kind of ['plan', 'projections', 'startup'] as const)
      expect([kind, await outcomeOf(kind)]).toEqual([kind, 'DatabaseNotFound']);
    fs.renameSync(aside, database);
    expect((await ask(service, 'GET /admin/coverage')).status).toBe(200);
  }, 60_000);

  it('rebuilds the index and rescues', async () => {
    for (const [kind, report] of [
      ['rebuild', { actions: expect.any(Array) as unknown }],
      ['rescue', { result: 'success' }]
    ] as const) {
      const runs = clientOf(service)[kind];
      expect(await runs.ended(await runs.start())).toMatchObject({ result: 'Success', report });
    }
    const after = await runWinnow(['verify', database, '--json']);
    expect(after.exitCode).toBe(0);
  });

  it('stops one, and answers when it has ended', async () => {
    const { verify } = clientOf(service);
    const runId = await verify.start({ throttle: '64KiB' });
    expect(await verify.current()).toBe(runId);
    const second = await ask(service, 'POST /admin/verify');
    expect([second.status, second.text]).toEqual([400, 'It is already running.']);
    const stopped = await ask(service, `DELETE /admin/verify/${runId}`);
    expect([stopped.status, JSON.parse(stopped.text)]).toEqual([200, runId]);
    expect(await verify.last()).toMatchObject({ id: runId, result: 'Stopped', report: null });
    expect(await verify.current()).toBeUndefined();
    expect(await verify.stop(runId)).toBe(false);
    expect((await ask(service, `DELETE /admin/verify/${runId}`)).status).toBe(404);
  }, 60_000);

  it('refuses wrong values, and describes its own', async () => {
    const wrong = await ask(service, 'POST /admin/verify?threads=none');
    expect([wrong.status, wrong.text]).toEqual([400, 'threads must be 1 or above']);
    for (const strange of ['%00', '..%2f..', 'x'.repeat(190)])
      expect((await ask(service, `DELETE /admin/rescue/${strange}`)).status).toBe(404);
    const { paths } = JSON.parse((await ask(service, 'GET /openapi.json')).text) as {
      paths: Record<string, { post?: { parameters: { name: string }[] } }>;
    };
    expect(paths['/admin/rescue']?.post?.parameters.map(({ name }) => name)).toContain('reserve');
    expect(paths['/admin/rebuild']?.post).toBeDefined();
  });
});

/** The node service as a server's clients and a backup from elsewhere meet it. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runWinnow } from '../cli/run-winnow.ts';
import { PASSWORD, ask, startServer, type RunningServer } from './running-server.ts';

let directory: string;
let served: string;
let service: RunningServer;

beforeAll(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-service-'));
  served = path.join(directory, 'served');
  await runWinnow(['sample', served, '--size', '1MiB', '--chunk-size', '128KiB', '--yes']);
  service = await startServer({
    home: path.join(directory, 'home'),
    words: [served, '--scavenge-point', 'detached', '--cluster-size', '1', '--scavenge-history-max-age', '20']
  });
});
afterAll(async () => {
  await service.stop();
  fs.rmSync(directory, { recursive: true, force: true });
});

function jsonOf<T>({ text }: { text: string }): T {
  return JSON.parse(text) as T;
}

it('answers what clients ask of any node, in the shapes of a server', async () => {
  expect(jsonOf(await ask(service, 'GET /ping', { as: 'nobody' }))).toEqual({
    text: 'Ping request successfully handled'
  });
  const { members, serverPort } = jsonOf<{ members: object[]; serverPort: number }>(
    await ask(service, 'GET /gossip', { as: 'nobody' })
  );
  expect(members).toMatchObject([{ state: 'Unknown', isAlive: true, httpEndPointPort: serverPort }]);
  const stats = jsonOf<{ proc: { id: number }; es: { checksum: number } }>(await ask(service, 'GET /stats'));
  expect(stats).toMatchObject({
    proc: { id: service.child.pid },
    sys: { drive: expect.anything() as object }
  });
  expect(members).toMatchObject([{ writerCheckpoint: stats.es.checksum }]);
  const flat = jsonOf<Record<string, unknown>>(await ask(service, 'GET /stats?group=false'));
  expect(flat['es-checksum']).toBe(stats.es.checksum);
  expect(jsonOf(await ask(service, 'GET /stats/proc/id'))).toBe(stats.proc.id);
  expect((await ask(service, 'GET /stats/nothing')).status).toBe(404);
  expect((await ask(service, 'GET /stats/proc?group=false')).status).toBe(400);
  const options = jsonOf<{ name: string; value: string; configurationSource: string }[]>(
    await ask(service, 'GET /info/options', { as: 'ops' })
  );
  expect(options).toContainEqual(
    expect.objectContaining({
      name: 'ScavengeHistoryMaxAge',
      value: '20',
      configurationSource: 'Command Line',
      deprecationMessage: null
    })
  );
  expect(options.filter(({ name }) => name.includes(':'))).toEqual([]);
  expect((await ask(service, 'GET /info/options', { as: 'joe' })).status).toBe(403);
});

it.each(['/admin/node/resign', '/admin/mergeindexes'])('refuses POST %s with the reason', async (url) => {
  const answer = await ask(service, `POST ${url}`);
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('No server runs')]);
  expect((await ask(service, `POST ${url}`, { as: 'nobody' })).status).toBe(401);
});

it('lets a backup from elsewhere hold its scavenge, which resumes as it was, and leaves feeds to read', async () => {
  const started = await ask(service, 'POST /admin/scavenge?throttlePercent=3');
  const scavengeId = started.headers.get('x-scavenge-id')!;
  const target = path.join(directory, 'backups');
  // Another WINNOW_HOME: only the service can be asked.
  const backup = (...words: string[]) =>
    runWinnow(
      [
        'backup',
        'create',
        served,
        '--to',
        target,
        '--yes',
        '--node-url',
        service.url,
        '--user',
        'ops',
        ...words
      ],
      { environment: { WINNOW_NODE_PASSWORD: PASSWORD, WINNOW_HOME: path.join(directory, 'elsewhere') } }
    );
  const refused = await backup();
  expect([refused.exitCode, refused.stderr]).toEqual([11, expect.stringContaining(scavengeId)]);
  const taken = await backup('--stop-scavenge', '--json');
  expect([taken.exitCode, taken.stderr]).toEqual([0, expect.not.stringContaining('throttle')]);
  await expect
    .poll(async () => jsonOf(await ask(service, 'GET /admin/scavenge/last')), { timeout: 60_000 })
    .toMatchObject({ scavengeId, scavengeResult: 'Success' });
  expect(service.log()).toContain('The scavenge pauses for a backup.');

  const feed = await ask(service, 'GET /streams/%24scavenges?embed=body', { headers: { accept: '' } });
  const document = jsonOf<{
    eTag: string;
    links: { uri: string; relation: string }[];
    entries: { eventType: string; data: string; links: { uri: string; relation: string }[] }[];
  }>(feed);
  expect(feed.headers.get('etag')).toBe(`"${document.eTag}"`);
  expect(document.entries.map(({ eventType }) => eventType)).toEqual([
    '$scavengeCompleted',
    '$scavengeStarted'
  ]);
  expect(document.entries[0]).toMatchObject({ retryCount: null, content: null });
  const ended = jsonOf<{ maxChunkScavenged: number }>({ text: document.entries[0]!.data });
  expect(ended.maxChunkScavenged).toBeGreaterThan(0);
  for (const { uri } of [...document.links, ...document.entries[0]!.links]) {
    const { pathname } = new URL(uri);
    expect([uri, (await ask(service, `GET ${pathname}`)).status]).toEqual([uri, 200]);
  }
  const same = await ask(service, 'GET /streams/%24scavenges', {
    headers: { 'if-none-match': feed.headers.get('etag')! }
  });
  expect(same.status).toBe(304);
  const run = jsonOf<typeof document>(
    await ask(service, `GET /streams/%24scavenges/${scavengeId}/head/1000?embed=body`)
  );
  const types = run.entries.map(({ eventType }) => eventType);
  expect(types).toContain('$scavengeChunksCompleted');
  expect([types[0], types.at(-1)]).toEqual(['$scavengeCompleted', '$scavengeStarted']);
}, 180_000);

/** Who may look at folders and choose from them over HTTP, and that a path is checked whichever verb it comes with. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FolderListing } from '../../../../src-main/contract/verbs/folder-contract.ts';
import { VERB_NAMES } from '../../../../src-main/contract/verbs/channels.ts';
import type {
  NodeEntry,
  StartState,
  TitledActivity,
  UsersReport
} from '../../../../src-main/contract/verbs/workbench-contract.ts';
import { VERB_ACCESS, whyAbsent } from '../../../../src-main/http/ui/verb-access.ts';
import { PASSWORD } from '../running-server.ts';
import { Browser, eventsUntil, loggedIn, startPage, type PageRun } from './served-page-run.ts';

let run: PageRun;
let nodeId: string;
beforeAll(async () => {
  run = await startPage();
  nodeId = ((await (await (await loggedIn(run, 'ops')).verb('start')).json()) as StartState).openNodeId ?? '';
}, 60_000);
afterAll(() => run.close());

const whole = { path: null, showsHidden: false, extensions: [] };

async function statusOf(user: string, verb: string, request: unknown): Promise<number> {
  return (await (await loggedIn(run, user)).verb(verb, request)).status;
}

it('every verb has its access', () => {
  expect(VERB_NAMES.filter((verb) => !(verb in VERB_ACCESS))).toEqual([]);
});

it('folders are for operators', async () => {
  expect(await statusOf('joe', 'listFolder', whole)).toBe(403);
  expect((await new Browser(run).verb('listFolder', whole)).status).toBe(401);
  const answer = await (await loggedIn(run, 'ops')).verb('listFolder', whole);
  expect(answer.status).toBe(200);
  const { entries } = (await answer.json()) as FolderListing;
  expect(entries.map(({ path: at, kind }) => [at, kind])).toEqual([
    [run.allowed, 'empty'],
    [run.database, 'database']
  ]);
});

it('what is shown to open a database from is what may be opened', async () => {
  const ops = await loggedIn(run, 'ops');
  const opening = { ...whole, purpose: 'database' };
  const { entries } = (await (await ops.verb('listFolder', opening)).json()) as FolderListing;
  // The node of the service is known, and there already; nothing beside its files is opened.
  expect(entries.map(({ path: at }) => at)).toEqual([run.allowed]);
  expect((await ops.verb('listFolder', { ...opening, path: run.database })).status).toBe(400);
  expect((await ops.verb('openDirectory', { chosenPath: run.database })).status).toBe(400);
  expect(
    (await ops.verb('listFolder', { ...whole, purpose: 'backupTarget', path: run.database })).status
  ).toBe(200);
  expect((await ops.verb('listFolder', { ...whole, purpose: 'elsewhere' })).status).toBe(400);
});

it('a target is chosen in an allowed folder only, by an operator', async () => {
  const chosenPath = path.join(run.allowed, 'backups');
  expect(await statusOf('joe', 'chooseBackupTarget', { nodeId, chosenPath })).toBe(403);
  const ops = await loggedIn(run, 'ops');
  for (const outside of ['/etc', `${run.allowed}/../home`, '../x', `${run.allowed}\0`]) {
    const answer = await ops.verb('chooseBackupTarget', { nodeId, chosenPath: outside });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ details: { field: 'path' } });
  }
  expect((await ops.verb('chooseBackupTarget', { nodeId, chosenPath: 7 })).status).toBe(400);
  const chosen = await ops.verb('chooseBackupTarget', { nodeId, chosenPath });
  expect(((await chosen.json()) as NodeEntry).backupTarget).toBe(chosenPath);
  expect(fs.statSync(chosenPath).isDirectory()).toBe(true);
  const file = path.join(run.allowed, 'file');
  fs.writeFileSync(file, '');
  expect((await ops.verb('chooseBackupTarget', { nodeId, chosenPath: path.join(file, 'x') })).status).toBe(
    400
  );
  const none = await ops.verb('chooseBackupTarget', { nodeId });
  expect(await none.json()).toBeNull();
});

it('a key file comes from the machine of the browser, and only its owner can read it', async () => {
  const purpose = 'keyFile';
  const uploaded = { name: '../../my key.txt', text: 'AGE-SECRET-KEY-1' };
  expect(await statusOf('joe', 'choosePath', { purpose, uploaded })).toBe(403);
  const ops = await loggedIn(run, 'ops');
  const answer = await ops.verb('choosePath', { purpose, uploaded });
  const { path: file } = (await answer.json()) as { path: string };
  expect(path.dirname(path.dirname(file))).toBe(path.join(path.dirname(run.users.file), 'uploads'));
  expect(fs.readFileSync(file, 'utf8')).toBe(uploaded.text);
  expect(fs.statSync(file).mode & 0o077).toBe(0);
  for (const wrong of [7, null, {}, { ...uploaded, text: '' }, { ...uploaded, text: 'x'.repeat(70_000) }]) {
    const { status } = await ops.verb('choosePath', { purpose, uploaded: wrong });
    expect([JSON.stringify(wrong).slice(0, 40), status]).toEqual([JSON.stringify(wrong).slice(0, 40), 400]);
  }
  const other = await ops.verb('choosePath', { purpose, uploaded, chosenPath: '/etc/passwd' });
  expect(other.status).toBe(400);
  expect((await ops.verb('choosePath', { purpose, chosenPath: '/etc/passwd' })).status).toBe(400);
  expect((await ops.verb('chooseBackupTarget', { nodeId, uploaded })).status).toBe(400);
});

it('no other verb takes a path', async () => {
  const admin = await loggedIn(run, 'admin');
  const others = VERB_NAMES.filter(
    (verb) => !['chooseBackupTarget', 'openDirectory'].includes(verb) && whyAbsent(verb) === undefined
  );
  for (const verb of others) {
    const answer = await admin.verb(verb, { chosenPath: run.allowed });
    // An operation that is not named is nobody's.
    const status = verb === 'call' || verb === 'startWork' ? 403 : 400;
    expect([verb, answer.status]).toEqual([verb, status]);
  }
});

it('users and object stores are for administrators', async () => {
  const store = { nodeId, location: 's3://bucket/prefix' };
  for (const [verb, request] of [
    ['listUsers', {}],
    ['addUser', { name: 'eve', role: 'admin', password: PASSWORD }],
    ['changeUserPassword', { name: 'admin', password: 'another password' }],
    ['removeUser', { name: 'admin' }],
    ['nameBackupStore', store]
  ] as const) {
    for (const user of ['joe', 'ops'])
      expect([verb, await statusOf(user, verb, request)]).toEqual([verb, 403]);
  }
  const admin = await loggedIn(run, 'admin');
  await admin.verb('addUser', { name: 'ann', role: 'ops', password: PASSWORD });
  const { users } = (await (await admin.verb('listUsers')).json()) as UsersReport;
  expect(users).toContainEqual({ name: 'ann', roles: ['$ops'] });
  expect(JSON.stringify(users)).not.toContain('hash');
  expect(await statusOf('ann', 'listFolder', whole)).toBe(200);
  const own = await admin.verb('removeUser', { name: 'admin' });
  expect(own.status).toBe(400);
  expect((await admin.verb('removeUser', { name: 'ann' })).status).toBe(200);
  expect(await statusOf('admin', 'nameBackupStore', store)).toBe(200);
});

it('settings are those of the service, for operators, without secrets', async () => {
  expect(await statusOf('joe', 'listSettings', { nodeId })).toBe(403);
  const answer = await (await loggedIn(run, 'ops')).verb('listSettings', { nodeId });
  const { rows } = (await answer.json()) as { rows: { name: string; value: string; source: string }[] };
  expect(rows.find(({ name }) => name === 'Db')).toMatchObject({
    value: run.database,
    source: 'commandLine'
  });
});

it('what was done on the node is shown to any user, and nothing of other nodes', async () => {
  const joe = await loggedIn(run, 'joe');
  const entry = {
    id: 'x1',
    operation: 'verifyDatabase',
    door: 'commandLine',
    target: null,
    startedAt: '2026-01-01T00:00:00.0000000Z',
    endedAt: '2026-01-01T00:00:01.0000000Z',
    elapsedMs: 1000,
    outcome: 'done',
    options: {},
    figures: {},
    log: [],
    error: null,
    version: '1',
    hostName: 'h',
    pid: 1
  };
  const file = path.join(path.dirname(run.users.file), 'activity.jsonl');
  const lines = [
    { ...entry, id: 'ours', dataDirectory: run.database },
    { ...entry, id: 'other', dataDirectory: '/var/lib/other' }
  ];
  fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const shown = (await (await joe.verb('listActivity')).json()) as TitledActivity[];
  expect(shown.map(({ id }) => id)).toEqual(['ours']);
  const other = await joe.verb('describeActivity', { id: 'other', hasStreamNames: false });
  expect(other.status).toBe(400);
});

it('versions and licences are there, and a report comes as text for a download', async () => {
  const joe = await loggedIn(run, 'joe');
  const about = (await (await joe.verb('about')).json()) as { versions: { name: string }[] };
  expect(about.versions.map(({ name }) => name)).toContain('Winnow');
  const started = await joe.verb('startWork', {
    name: 'reportErasure',
    nodeId,
    request: { streams: ['nothing-of-that-name'], categories: [], eventIds: [] }
  });
  const { id } = (await started.json()) as { id: string };
  const followed = await joe.ask('GET /ui/events');
  await eventsUntil(followed, ({ name, data }) => {
    const works =
      name === 'state'
        ? (data as StartState).work
        : [(data as { snapshot?: StartState['work'][0] }).snapshot];
    return works.some((work) => work?.id === id && work.endedMs !== null);
  });
  const saved = (await (await joe.verb('saveErasure', { id, form: 'json' })).json()) as {
    file: string;
    text: string;
  };
  expect(saved.file).toMatch(/^erasure-report-[\d-]+\.json$/);
  expect(JSON.parse(saved.text)).toMatchObject({ streams: expect.any(Array) as unknown });
});

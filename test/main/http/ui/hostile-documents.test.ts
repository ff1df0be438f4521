/** Documents that are too deep, too large or hold what nobody asked for: refused at the gate, and nobody else notices. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORK_ACCESS } from '../../../../src-main/http/ui/verb-access.ts';
import type { StartState, WorkSnapshot } from '../../../../src-main/contract/verbs/workbench-contract.ts';
import { WORK_NAMES } from '../../../../src-main/contract/verbs/operation-names.ts';
import { eventsUntil, loggedIn, startPage, type Browser, type PageRun } from './served-page-run.ts';

let run: PageRun;
beforeAll(async () => {
  run = await startPage();
}, 60_000);
afterAll(() => run.close());

/** `{"now":{"now":…}}` as text: written by hand, because the writer would give up before the reader does. */
function nested(depth: number, open = '{"now":', close = '}'): string {
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

async function nodeOf(browser: Browser): Promise<string> {
  return ((await (await browser.verb('start')).json()) as StartState).openNodeId ?? '';
}

describe('a request that is nested thousands deep', () => {
  it.each(['planScavenge', 'verifyDatabase', 'surveyUsage', 'reportErasure'])(
    'starts no %s, and the pages go on being told',
    async (name) => {
      const joe = await loggedIn(run, 'joe');
      const nodeId = await nodeOf(joe);
      const followed = await joe.ask('GET /ui/events');
      for (const request of [nested(5000), nested(5000, '[', ']'), `{"x":${nested(5000)}}`]) {
        const body = `{"name":"${name}","nodeId":"${nodeId}","request":${request}}`;
        const answer = await joe.verb('startWork', body);
        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({ code: 'InvalidRequest' });
      }
      const started = await joe.verb('startWork', { name: 'verifyDatabase', nodeId, request: {} });
      const { id } = (await started.json()) as WorkSnapshot;
      const heard = await eventsUntil(followed, ({ data }) => {
        const { snapshot } = data as { snapshot?: WorkSnapshot };
        return snapshot?.id === id && snapshot.endedMs !== null;
      });
      expect(heard.at(-1)).toMatchObject({ data: { snapshot: { state: 'done' } } });
    }
  );

  it('is refused by every other door that takes a document', async () => {
    const ops = await loggedIn(run, 'ops');
    expect((await ops.verb('call', `{"name":"inspectDatabase","request":${nested(5000)}}`)).status).toBe(400);
    expect((await ops.verb('changeNode', nested(5000))).status).toBe(400);
    expect((await ops.ask('POST /ui/session', nested(5000))).status).toBe(400);
  });
});

describe('a request with more than it may have', () => {
  it('is kept and told without the members that the work does not have', async () => {
    const joe = await loggedIn(run, 'joe');
    const nodeId = await nodeOf(joe);
    const request = { quick: true, dataDirectory: '/etc', story: 'once upon a time', dryRun: true };
    const answer = await joe.verb('startWork', { name: 'verifyDatabase', nodeId, request });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      title: expect.not.stringContaining('Plan') as string,
      request: { quick: true }
    });
    const { work } = (await (await joe.verb('start')).json()) as StartState;
    expect(JSON.stringify(work)).not.toContain('once upon a time');
  });
});

describe('a user without a role', () => {
  it('starts nothing that writes, however the request names it', async () => {
    const joe = await loggedIn(run, 'joe');
    const nodeId = await nodeOf(joe);
    const writing = WORK_NAMES.filter((name) => WORK_ACCESS[name] === 'operator');
    expect(writing.length).toBeGreaterThan(7);
    for (const name of writing) {
      for (const body of [
        `{"name":"${name}","nodeId":"${nodeId}","request":{}}`,
        `{"name":"${name}","nodeId":"${nodeId}","request":{"dryRun":true}}`,
        `{"name":"planScavenge","name":"${name}","nodeId":"${nodeId}","request":{}}`,
        `{"__proto__":{"name":"planScavenge"},"name":"${name}","nodeId":"${nodeId}","request":{}}`
      ]) {
        expect([name, (await joe.verb('startWork', body)).status]).toEqual([name, 403]);
      }
    }
    const listed = JSON.stringify(['planScavenge', 'runScavenge']);
    for (const name of [listed, '{"toString":"planScavenge"}', '" runScavenge"', '"writeSample"']) {
      const body = `{"name":${name},"nodeId":"${nodeId}","request":{}}`;
      expect((await joe.verb('startWork', body)).status).toBe(403);
    }
    const { work } = (await (await joe.verb('start')).json()) as StartState;
    expect(work.filter(({ name }) => WORK_ACCESS[name] !== 'user')).toEqual([]);
  });
});

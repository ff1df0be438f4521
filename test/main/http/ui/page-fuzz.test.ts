/** Random requests of somebody who is logged in: whatever is asked, the answer is a refusal or a value, never a fault. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { VERB_NAMES } from '../../../../src-main/contract/verbs/channels.ts';
import type { StartState } from '../../../../src-main/contract/verbs/workbench-contract.ts';
import { CALL_NAMES, WORK_NAMES } from '../../../../src-main/contract/verbs/operation-names.ts';
import { Prng } from '../../../support/prng.ts';
import { loggedIn, startPage, type Browser, type PageRun } from './served-page-run.ts';

const SEED = 20;
const REQUESTS = 250;
/** It ends what others ask in the same moment. */
const VERBS = VERB_NAMES.filter((verb) => verb !== 'restartEngine');

let run: PageRun;
let browser: Browser;
let nodeId: string;
beforeAll(async () => {
  run = await startPage();
  browser = await loggedIn(run, 'ops');
  const state = (await (await browser.verb('start')).json()) as StartState;
  nodeId = state.openNodeId ?? '';
});
afterAll(() => run.close());

const NAMES = ['position', 'chunk', 'offset', 'limit', 'search', 'stream', 'from', 'filter', 'file', 'id'];
const MORE_NAMES = ['expression', 'threads', 'dryRun', 'retention', 'dataDirectory', 'target', '__proto__'];
const VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    1,
    -1,
    0.5,
    1e15,
    2 ** 53,
    -(2 ** 63),
    '',
    'x',
    '$all',
    '../../etc/passwd',
    '\0',
    '\ud800'
  ],
  ...['9'.repeat(400), 'é'.repeat(2000), '* * * * *', [], [1, 'x'], {}, { keep: -1 }, { $bytes: 'AA==' }]
];

function randomObject(prng: Prng): Record<string, unknown> {
  const count = prng.below(4);
  const member = (): [string, unknown] => [prng.pick([...NAMES, ...MORE_NAMES]), prng.pick(VALUES)];
  return Object.fromEntries(Array.from({ length: count }, member));
}

function randomPath(prng: Prng): unknown {
  if (prng.chance(0.1)) return prng.pick(VALUES);
  const names = ['..', '.', '', 'allowed', 'home', 'etc', 'x'.repeat(300), '\0', 'a\\b', 'é', '%2e%2e'];
  const from = prng.pick([run.allowed, run.database, '/', '', 'C:\\']);
  return [from, ...Array.from({ length: prng.below(5) }, () => prng.pick(names))].join('/');
}

function randomRequest(prng: Prng, verb: string): unknown {
  if (prng.chance(0.1)) return prng.pick(VALUES);
  const node = prng.chance(0.9) ? { nodeId } : { nodeId: prng.pick(VALUES) };
  switch (verb) {
    case 'call':
      return { name: prng.pick(CALL_NAMES), ...node, request: randomObject(prng) };
    case 'startWork':
      return { name: prng.pick(WORK_NAMES), ...node, request: randomObject(prng) };
    case 'listFolder':
      return {
        path: randomPath(prng),
        showsHidden: prng.chance(0.5),
        extensions: prng.chance(0.8) ? [] : ['key']
      };
    case 'chooseBackupTarget':
      return { nodeId, chosenPath: randomPath(prng) };
    default:
      return prng.chance(0.5) ? randomObject(prng) : { id: prng.pick([nodeId, ...VALUES]) };
  }
}

it('random requests are answered or refused, and the page still works', async () => {
  const prng = new Prng(SEED);
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  for (let index = 0; index < REQUESTS; index++) {
    const verb = prng.chance(0.7)
      ? prng.pick(['call', 'startWork', 'listFolder', 'chooseBackupTarget'])
      : prng.pick([...VERBS, 'x', '__proto__']);
    const request = randomRequest(prng, verb);
    const answer = await browser.verb(verb, request);
    const text = await answer.text();
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500)
      faults.push(`${verb} ${JSON.stringify(request).slice(0, 300)}: ${text.slice(0, 300)}`);
  }
  expect(faults, `seed ${SEED}`).toEqual([]);
  expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 20);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(REQUESTS / 20);
  expect((await browser.verb('start')).status).toBe(200);
}, 300_000);

/** Questions end with their caller, and those of one user leave turns for those of the others. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OperationStopped } from '../../../../src-core/index.ts';
import type { EngineHost } from '../../../../src-main/engine/engine-host.ts';
import {
  MOST_QUESTIONS_OF_USER,
  MOST_WAITING_OF_USER,
  QuestionTurns
} from '../../../../src-main/http/ui/question-turns.ts';
import type { StartState } from '../../../../src-main/contract/verbs/workbench-contract.ts';
import { loggedIn, startPage, type Browser, type PageRun } from './served-page-run.ts';

let run: PageRun;
/** Searches that were begun and have not been stopped. */
let open = 0;
let begun = 0;

/** A search that ends only when it is stopped. */
function withEndlessSearch(engine: EngineHost): EngineHost {
  return {
    ...methodsOf(engine),
    call: (name, request, options) => {
      if (name !== 'searchRecords') return engine.call(name, request, options);
      open += 1;
      begun += 1;
      return new Promise((_resolve, reject) =>
        options?.signal?.addEventListener('abort', () => {
          open -= 1;
          reject(new OperationStopped());
        })
      );
    }
  };
}

function methodsOf(engine: EngineHost): EngineHost {
  return {
    call: (name, request, options) => engine.call(name, request, options),
    stream: (name, request, options) => engine.stream(name, request, options),
    onDeath: (listener) => engine.onDeath(listener),
    restart: () => engine.restart(),
    close: () => engine.close()
  };
}

beforeAll(async () => {
  run = await startPage({ around: withEndlessSearch });
}, 60_000);
afterAll(() => run.close());

async function nodeOf(browser: Browser): Promise<string> {
  return ((await (await browser.verb('start')).json()) as StartState).openNodeId ?? '';
}

it('a search whose connection ends is stopped, and others are answered while it runs', async () => {
  const joe = await loggedIn(run, 'joe');
  const ops = await loggedIn(run, 'ops');
  const nodeId = await nodeOf(joe);
  const gone = new AbortController();
  const searches = Array.from({ length: 20 }, () =>
    joe
      .ask('POST /ui/verbs/call', { name: 'searchRecords', nodeId, request: {} }, {}, gone.signal)
      .catch(() => 'gone')
  );
  await expect.poll(() => open).toBe(MOST_QUESTIONS_OF_USER);
  const inspected = await ops.verb('call', { name: 'inspectDatabase', nodeId, request: {} });
  expect(inspected.status).toBe(200);
  expect(open).toBe(MOST_QUESTIONS_OF_USER);
  gone.abort();
  expect(await Promise.all(searches)).toEqual(searches.map(() => 'gone'));
  await expect.poll(() => open).toBe(0);
  const own = await joe.verb('call', { name: 'inspectDatabase', nodeId, request: {} });
  expect(own.status).toBe(200);
  expect(begun, 'what waited was never begun').toBeLessThan(20);
});

it('questions of one user that wait are bounded', async () => {
  const turns = new QuestionTurns();
  const ends: (() => void)[] = [];
  const ask = (user: string): Promise<void> =>
    turns.run(user, undefined, () => new Promise<void>((resolve) => ends.push(resolve)));
  const all = Array.from({ length: MOST_QUESTIONS_OF_USER + MOST_WAITING_OF_USER }, () => ask('joe'));
  await expect(ask('joe')).rejects.toThrow('You already have 64 questions waiting');
  const other = ask('ops');
  expect(ends.length).toBe(MOST_QUESTIONS_OF_USER + 1);
  const isDone = Promise.all([...all, other]);
  for (let ended = 0; ended < all.length + 1; ended++) {
    await expect.poll(() => ends.length).toBeGreaterThan(ended);
    ends[ended]?.();
  }
  await isDone;
});

/** A request is validated in one place, whichever gate it comes through: the refusals are the same, word for word. */
import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelOf } from '../../../../src-main/contract/verbs/channels.ts';
import type {
  ErrorReport,
  StartState,
  VerbName
} from '../../../../src-main/contract/verbs/workbench-contract.ts';
import type { VerbHandlers } from '../../../../src-main/contract/verbs/verb-handler.ts';
import { startWorkerEngine, type EngineHost } from '../../../../src-main/engine/engine-host.ts';
import { startIpcServer, type SenderEvent } from '../../../../src-main/ipc/ipc-server.ts';
import { answerVerb } from '../../../../src-main/verbs/answer-verb.ts';
import { verbHandlers, type HandlerParts } from '../../../../src-main/verbs/verb-handlers.ts';
import { WorkKeeper } from '../../../../src-main/verbs/work-keeper.ts';
import { loggedIn, startPage, type Browser, type PageRun } from './served-page-run.ts';

const OWN = 'app://winnow';
const gate = new Map<string, (event: SenderEvent, request: unknown) => Promise<unknown>>();
let run: PageRun;
let engine: EngineHost;
let browser: Browser;
let nodeId: string;

beforeAll(async () => {
  run = await startPage();
  browser = await loggedIn(run, 'ops');
  nodeId = ((await (await browser.verb('start')).json()) as StartState).openNodeId ?? '';
  engine = startWorkerEngine();
  const node = { id: nodeId, name: 'n', dataDirectory: run.database, isSingleNode: true };
  const handlers: VerbHandlers = verbHandlers({
    home: run.database,
    engine,
    registry: { find: (id: string) => (id === nodeId ? node : undefined), list: () => [node] },
    work: new WorkKeeper({ clock: () => 0, onChange: () => undefined, onForget: () => undefined }),
    send: () => undefined
  } as unknown as HandlerParts);
  startIpcServer({
    ipcMain: { handle: (channel, listener) => void gate.set(channel, listener) },
    ownOrigin: OWN,
    answer: (verb, request, options) => answerVerb(handlers, verb, request, options)
  });
}, 60_000);

afterAll(async () => {
  await engine.close();
  await run.close();
});

async function refusedByWindow(verb: VerbName, request: unknown): Promise<ErrorReport> {
  const own = { sender: new EventEmitter(), senderFrame: { url: `${OWN}/`, parent: null } };
  const reply = (await gate.get(channelOf(verb))!(own, request)) as { ok: boolean; error: ErrorReport };
  expect(reply.ok).toBe(false);
  return reply.error;
}

test.each([
  ['of a verb without its member', 'lookUpIndex', {}, 'nodeId'],
  ['of a verb with a member too many', 'changeNode', { id: 'a', dataDirectory: '/etc' }, 'changeNode'],
  ['with an id that is none', 'call', { name: 'readChunkPage', nodeId: '', callId: 7 }, 'callId'],
  ['that is no object', 'call', { name: 'readChunkPage', request: 'text' }, 'request'],
  ['of a question', 'call', { name: 'readChunkPage', nodeId: '', request: { chunk: -1 } }, 'chunk'],
  ['of work', 'startWork', { name: 'planScavenge', nodeId: '', request: { threshold: -2 } }, 'threshold'],
  ['beyond the bounds', 'copyText', { text: 'x'.repeat(17 * 1024 * 1024) }, 'request']
] as const)(
  'a request %s is refused with the same words at every gate',
  async (_name, verb, asked, field) => {
    const request = 'nodeId' in asked ? { ...asked, nodeId } : asked;
    const atWindow = await refusedByWindow(verb, request);
    expect(atWindow).toMatchObject({ code: 'InvalidRequest', details: { field } });
    if (field === 'request' && verb === 'copyText') return; // no body of that size is read at all
    const answer = await browser.verb(verb, request);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual(atWindow);
  }
);

test('what the engine refuses is refused with the same words to a caller without a gate', async () => {
  const request = { name: 'readChunkPage', nodeId, request: { chunk: -1 } };
  const called = engine.call('readChunkPage', { dataDirectory: run.database, chunk: -1 });
  const { code, message, remedy, details } = await refusedByWindow('call', request);
  await expect(called).rejects.toMatchObject({ code, message, remedy, details });
});

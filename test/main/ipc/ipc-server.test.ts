import { EventEmitter } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { EngineError, OperationStopped } from '../../../src-core/index.ts';
import { channelOf, STOP_CALL_CHANNEL, VERB_NAMES } from '../../../src-main/contract/verbs/channels.ts';
import { isOwnPage, startIpcServer, type SenderEvent } from '../../../src-main/ipc/ipc-server.ts';
import type { AskOptions, VerbHandlers } from '../../../src-main/contract/verbs/verb-handler.ts';
import { answerVerb } from '../../../src-main/verbs/answer-verb.ts';

type Listener = (event: SenderEvent, request: unknown) => Promise<unknown>;

const OWN = 'app://winnow';
const sender = (): EventEmitter => new EventEmitter();
const own: SenderEvent = { sender: sender(), senderFrame: { url: `${OWN}/`, parent: null } };

function gate(handlers: Partial<VerbHandlers>) {
  const listeners = new Map<string, Listener>();
  startIpcServer({
    ipcMain: { handle: (channel, listener) => void listeners.set(channel, listener) },
    ownOrigin: OWN,
    answer: (verb, request, options) => answerVerb(handlers as VerbHandlers, verb, request, options)
  });
  return {
    listeners,
    ask: (verb: (typeof VERB_NAMES)[number], request: unknown, event: SenderEvent = own) =>
      listeners.get(channelOf(verb))!(event, request),
    stop: (request: unknown, event: SenderEvent = own) => listeners.get(STOP_CALL_CHANNEL)!(event, request)
  };
}

describe('the gate', () => {
  test('opens one channel for each verb, one to stop a question, and no other', () => {
    const { listeners } = gate({});
    expect([...listeners.keys()].sort()).toEqual([...VERB_NAMES.map(channelOf), STOP_CALL_CHANNEL].sort());
  });

  test('lets our own page through', async () => {
    const copyText = vi.fn(() => null);
    expect(await gate({ copyText }).ask('copyText', { text: 'a' })).toEqual({ ok: true, value: null });
    expect(copyText).toHaveBeenCalledWith({ text: 'a' }, expect.anything());
  });

  test.each([
    ['another page', { ...own, senderFrame: { url: 'https://example.org/', parent: null } }],
    [
      'a page whose name begins like ours',
      { ...own, senderFrame: { url: 'app://winnow.example.org/', parent: null } }
    ],
    ['a frame inside our page', { ...own, senderFrame: { url: `${OWN}/`, parent: {} } }],
    ['a frame that is gone', { ...own, senderFrame: null }]
  ])('answers %s with a refusal and runs nothing', async (_name, event) => {
    const copyText = vi.fn(() => null);
    const reply = await gate({ copyText }).ask('copyText', { text: 'a' }, event);
    expect(reply).toMatchObject({ ok: false, error: { code: 'InvalidRequest' } });
    expect(copyText).not.toHaveBeenCalled();
  });

  test.each([undefined, null, 'text', { text: 1 }, { text: 'a', more: 1 }, { text: 'x'.repeat(5_000_000) }])(
    'refuses the request %# before the handler sees it',
    async (request) => {
      const copyText = vi.fn(() => null);
      const reply = await gate({ copyText }).ask('copyText', request);
      expect(reply).toMatchObject({ ok: false, error: { code: 'InvalidRequest' } });
      expect(copyText).not.toHaveBeenCalled();
    }
  );

  test('lets no verb see a request beyond the bounds', async () => {
    const answer = vi.fn();
    let nested: unknown = 1;
    for (let level = 0; level < 5000; level++) nested = level % 2 === 0 ? [nested] : { a: nested };
    const listeners = new Map<string, Listener>();
    const ipcMain = {
      handle: (channel: string, listener: Listener) => void listeners.set(channel, listener)
    };
    startIpcServer({ ipcMain, ownOrigin: OWN, answer });
    const request = { name: 'planScavenge', nodeId: 'a', request: nested };
    for (const channel of listeners.keys()) {
      const reply = await listeners.get(channel)!(own, request);
      expect(reply).toMatchObject({
        ok: false,
        error: { code: 'InvalidRequest', message: expect.stringContaining('deep') as string }
      });
    }
    expect(answer).not.toHaveBeenCalled();
  });

  test('replies with the parts of an error of the engine', async () => {
    const error = new EngineError({
      code: 'LogCorrupt',
      message: 'broken',
      remedy: 'verify',
      details: { file: 'chunk-000001.000000', offset: 7 }
    });
    const reply = await gate({ stopWork: () => Promise.reject(error) }).ask('stopWork', { id: 'a' });
    expect(reply).toEqual({
      ok: false,
      error: {
        code: 'LogCorrupt',
        message: 'broken',
        remedy: 'verify',
        details: { file: 'chunk-000001.000000', offset: 7 }
      }
    });
  });

  test('replies to a mistake of our own with AssertionFailed instead of throwing', async () => {
    const reply = await gate({
      stopWork: () => {
        throw new TypeError('oops');
      }
    }).ask('stopWork', { id: 'a' });
    expect(reply).toMatchObject({
      ok: false,
      error: { code: 'AssertionFailed', message: 'Internal error: oops.' }
    });
  });
});

describe('a question on its way', () => {
  const question = (callId?: string) => ({
    name: 'listChunks',
    nodeId: 'node-1',
    request: {},
    ...(callId === undefined ? {} : { callId })
  });

  /** A gate whose questions are answered by nothing but their end. */
  function openGate() {
    const signals: AbortSignal[] = [];
    const call = (_request: unknown, { signal }: AskOptions = {}): Promise<never> => {
      signals.push(signal!);
      return new Promise((_resolve, reject) =>
        signal!.addEventListener('abort', () => reject(new OperationStopped()))
      );
    };
    const page = { emitter: sender(), event: own };
    page.event = { ...own, sender: page.emitter };
    return { ...gate({ call }), page, areStopped: () => signals.map(({ aborted }) => aborted) };
  }

  test('is stopped by its own page, and no other question with it', async () => {
    const { ask, stop, page, areStopped } = openGate();
    const asked = ask('call', question('1'), page.event);
    void ask('call', question('2'), page.event);
    expect(await stop({ callId: '1' }, page.event)).toEqual({ ok: true, value: null });
    expect(areStopped()).toEqual([true, false]);
    expect(await asked).toMatchObject({ ok: false });
  });

  test('is not stopped by another page that knows its id', async () => {
    const { ask, stop, page, areStopped } = openGate();
    void ask('call', question('1'), page.event);
    await stop({ callId: '1' }, { ...own, sender: sender() });
    expect(areStopped()).toEqual([false]);
  });

  test.each([
    ['a stranger', { callId: '1' }, { senderFrame: { url: 'https://example.org/', parent: null } }],
    ['a frame inside the page', { callId: '1' }, { senderFrame: { url: `${OWN}/`, parent: {} } }],
    ['nothing', undefined, {}],
    ['an id that is none', { callId: 1 }, {}],
    ['more than an id', { callId: '1', more: 1 }, {}]
  ])('is not stopped by %s', async (_name, request, change) => {
    const { ask, stop, page, areStopped } = openGate();
    void ask('call', question('1'), page.event);
    const reply = await stop(request, { ...page.event, ...change });
    expect(reply).toMatchObject({ ok: false, error: { code: 'InvalidRequest' } });
    expect(areStopped()).toEqual([false]);
  });

  test.each(['did-navigate', 'render-process-gone', 'destroyed'])(
    'ends with its page (%s), and the next page asks again',
    async (end) => {
      const { ask, page, areStopped } = openGate();
      const asked = [question('1'), question()].map((request) => ask('call', request, page.event));
      page.emitter.emit(end);
      expect(areStopped()).toEqual([true, true]);
      await Promise.all(asked);
      void ask('call', question('1'), page.event);
      expect(areStopped()).toEqual([true, true, false]);
      expect(page.emitter.listenerCount(end)).toBe(1);
    }
  );

  test('that has been answered is stopped by nothing', async () => {
    const { ask, stop, page } = gateWithAnswer();
    expect(await ask('call', question('1'), page)).toEqual({ ok: true, value: 'answer' });
    expect(await stop({ callId: '1' }, page)).toEqual({ ok: true, value: null });
  });

  function gateWithAnswer() {
    return { ...gate({ call: () => Promise.resolve('answer') }), page: { ...own, sender: sender() } };
  }
});

test('our page is known by scheme and host, in development by its server', () => {
  const page = (url: string) => ({ url, parent: null });
  expect(isOwnPage(page('app://winnow/index.html'), OWN)).toBe(true);
  expect(isOwnPage(page('app://other/'), OWN)).toBe(false);
  expect(isOwnPage(page('http://localhost:5173/'), 'http://localhost:5173')).toBe(true);
  expect(isOwnPage(page('http://localhost:51731/'), 'http://localhost:5173')).toBe(false);
});

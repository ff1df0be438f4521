import { describe, expect, test, vi } from 'vitest';
import { EngineError } from '../../../src-core/index.ts';
import { channelOf, VERB_NAMES } from '../../../src-main/ipc/channels.ts';
import {
  isOwnPage,
  startIpcServer,
  type SenderEvent,
  type VerbHandlers
} from '../../../src-main/ipc/ipc-server.ts';

type Listener = (event: SenderEvent, request: unknown) => Promise<unknown>;

const OWN = 'app://winnow';
const own: SenderEvent = { senderFrame: { url: `${OWN}/`, parent: null } };

function gate(handlers: Partial<VerbHandlers>) {
  const listeners = new Map<string, Listener>();
  startIpcServer({
    ipcMain: { handle: (channel, listener) => void listeners.set(channel, listener) },
    ownOrigin: OWN,
    handlers: handlers as VerbHandlers
  });
  return {
    listeners,
    ask: (verb: (typeof VERB_NAMES)[number], request: unknown, event: SenderEvent = own) =>
      listeners.get(channelOf(verb))!(event, request)
  };
}

describe('the gate', () => {
  test('opens one channel for each verb and no other', () => {
    const { listeners } = gate({});
    expect([...listeners.keys()].sort()).toEqual(VERB_NAMES.map(channelOf).sort());
  });

  test('lets our own page through', async () => {
    const copyText = vi.fn(() => null);
    expect(await gate({ copyText }).ask('copyText', { text: 'a' })).toEqual({ ok: true, value: null });
    expect(copyText).toHaveBeenCalledWith({ text: 'a' });
  });

  test.each([
    ['another page', { senderFrame: { url: 'https://example.org/', parent: null } }],
    [
      'a page whose name begins like ours',
      { senderFrame: { url: 'app://winnow.example.org/', parent: null } }
    ],
    ['a frame inside our page', { senderFrame: { url: `${OWN}/`, parent: {} } }],
    ['a frame that is gone', { senderFrame: null }]
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

test('our page is known by scheme and host, in development by its server', () => {
  const page = (url: string) => ({ url, parent: null });
  expect(isOwnPage(page('app://winnow/index.html'), OWN)).toBe(true);
  expect(isOwnPage(page('app://other/'), OWN)).toBe(false);
  expect(isOwnPage(page('http://localhost:5173/'), 'http://localhost:5173')).toBe(true);
  expect(isOwnPage(page('http://localhost:51731/'), 'http://localhost:5173')).toBe(false);
});

/** The service of a page as fetch sees it: a session that can end, events that a test sends, a line that can be cut. */
import { vi } from 'vitest';
import { servedTo } from '../served-to.ts';
import type { StartState } from '../../../src-main/contract/verbs/workbench-contract.ts';

const encoder = new TextEncoder();

export class FakeNodeServer {
  isThere = true;
  hasSession = false;
  password = 'right';
  state: StartState = {
    version: '0.1.0',
    platform: 'linux',
    theme: 'system',
    preferences: {
      language: 'system',
      numbers: 'comma',
      reducedMotion: 'system',
      zoomPercent: 100,
      notices: false
    },
    nodes: [],
    work: [],
    openNodeId: 'node-1',
    engine: { isAlive: true, reason: null },
    capabilities: servedTo('ops'),
    pathQuestions: [{ verb: 'chooseBackupTarget', purpose: 'backupTarget', mayBeNew: true }]
  };
  /** Verbs that were answered, in order. */
  readonly answered: string[] = [];
  readonly requests: { path: string; init: RequestInit }[] = [];
  /** Operations whose questions are answered by the end of their connection only. */
  readonly slow = new Set<string>();
  #streams = new Set<ReadableStreamDefaultController<Uint8Array>>();

  install(): this {
    vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => this.#answer(path, init));
    return this;
  }

  send(event: unknown): void {
    this.#write(`event: event\ndata: ${JSON.stringify(event)}\n\n`);
  }

  /** In pieces, as a network may cut it. */
  sendInPieces(event: unknown): void {
    for (const character of `:\n\nevent: event\ndata: ${JSON.stringify(event)}\n\n`) this.#write(character);
  }

  endSession(): void {
    this.hasSession = false;
    this.#write('event: sessionEnded\ndata: null\n\n');
    this.#close();
  }

  stop(): void {
    this.isThere = false;
    this.#close();
  }

  #write(text: string): void {
    for (const stream of this.#streams) stream.enqueue(encoder.encode(text));
  }

  #close(): void {
    for (const stream of this.#streams) stream.close();
    this.#streams.clear();
  }

  async #answer(path: string, init: RequestInit): Promise<Response> {
    await Promise.resolve();
    this.requests.push({ path, init });
    if (!this.isThere) throw new TypeError('Failed to fetch');
    if (path === '/ui/session') return this.#logIn(JSON.parse(init.body as string) as { password: string });
    if (!this.hasSession) return new Response(null, { status: 401 });
    if (path === '/ui/events') return this.#follow(init.signal);
    const verb = path.slice('/ui/verbs/'.length);
    this.answered.push(verb);
    if (verb === 'call' && this.slow.has((JSON.parse(init.body as string) as { name: string }).name)) {
      return untilAborted(init.signal);
    }
    if (verb === 'restartEngine') return Response.json(FORBIDDEN, { status: 403 });
    if (verb === 'listClusters') return Response.json([]);
    const bytes = { $bytes: btoa('abc') };
    return Response.json(verb === 'start' ? this.state : verb === 'call' ? { bytes } : null);
  }

  #logIn({ password }: { password: string }): Response {
    if (password === 'guess') return new Response(null, { status: 429, headers: { 'retry-after': '42' } });
    if (password !== this.password) return new Response(null, { status: 401 });
    this.hasSession = true;
    return Response.json({ user: 'ops' });
  }

  #follow(signal: AbortSignal | null | undefined): Response {
    let opened: ReadableStreamDefaultController<Uint8Array>;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        opened = controller;
        this.#streams.add(controller);
        controller.enqueue(encoder.encode(`event: state\ndata: ${JSON.stringify(this.state)}\n\n`));
      }
    });
    signal?.addEventListener('abort', () => {
      if (this.#streams.delete(opened)) opened.error(new DOMException('aborted', 'AbortError'));
    });
    return new Response(stream, { status: 200 });
  }
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });
}

export const FORBIDDEN = { code: 'InvalidRequest', message: 'no role', remedy: 'other user', details: {} };

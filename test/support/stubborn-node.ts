/**
 * A node that answers as it is told: gossip of itself, and for anything else what a test has set for "METHOD /path".
 * What it is asked is kept, in order.
 */
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

/** `hang`: no answer at all; `close`: the connection is cut. */
export type SetAnswer = { status: number; body?: string; type?: string } | 'hang' | 'close';

export const IDLE = { status: 200, body: '{"scavengeId":"","scavengeLink":""}' };

export class StubbornNode {
  readonly asked: string[] = [];
  /** By "METHOD /path", else by "*"; else 404. */
  answers: Record<string, SetAnswer> = {};
  writerCheckpoint = 100;
  epochNumber = 1;
  isLeader = true;
  readonly #server: http.Server | https.Server;
  readonly #isTls: boolean;

  constructor(tls?: { cert: Buffer | string; key: Buffer | string }) {
    const receive: http.RequestListener = (request, response) => this.#answer(request, response);
    this.#isTls = tls !== undefined;
    this.#server = tls ? https.createServer(tls, receive) : http.createServer(receive);
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.#isTls ? 'https' : 'http'}://127.0.0.1:${this.port}`;
  }

  count(what: string): number {
    return this.asked.filter((asked) => asked === what).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    request.resume();
    const what = `${request.method} ${(request.url ?? '').split('?')[0]}`;
    this.asked.push(what);
    const set =
      this.answers[what] ??
      (what === 'GET /gossip' ? this.#gossip() : (this.answers['*'] ?? { status: 404 }));
    if (set === 'hang') return;
    if (set === 'close') {
      request.socket.destroy();
      return;
    }
    response.writeHead(set.status, { 'Content-Type': set.type ?? 'application/json' }).end(set.body ?? '');
  }

  #gossip(): SetAnswer {
    const member = {
      instanceId: '7c1f0f0e-5e0b-4d25-a9a5-4c9a8b1d2e01',
      state: this.isLeader ? 'Leader' : 'Follower',
      isAlive: true,
      httpEndPointIp: '127.0.0.1',
      httpEndPointPort: this.port,
      writerCheckpoint: this.writerCheckpoint,
      epochNumber: this.epochNumber,
      isReadOnlyReplica: false
    };
    return { status: 200, body: JSON.stringify({ members: [member] }) };
  }
}

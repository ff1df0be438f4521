/**
 * The few requests of a backup to a running server over HTTP: its role, its cluster, its scavenges. Bounded in
 * time and size; follows no redirects; credentials are sent only to the named node and appear in no message.
 */
import { clientFor } from '../access/node-http.ts';
import { EngineError, invalidRequest } from '../../src-core/index.ts';

export interface NodeAddress {
  url: string;
  user?: string | undefined;
  password?: string | undefined;
  /** PEM text of a private certificate authority. */
  ca?: string | undefined;
}

export interface NodeAnswer {
  status: number;
  body: string;
}

const TIMEOUT_MS = 15_000;
/** A stop of a scavenge answers when it has ended. */
const LONG_TIMEOUT_MS = 120_000;
const MAX_BODY_BYTES = 4 * 1024 * 1024;

export class NodeClient {
  /** Without credentials, path and query. */
  readonly address: string;
  readonly #url: URL;
  readonly #node: NodeAddress;

  constructor(node: NodeAddress) {
    this.#url = parseUrl(node.url);
    this.#node = node;
    this.address = this.#url.origin;
  }

  /** Sends a request; returns an answer of any status. Throws RemoteNodeFailed if there is none. */
  async ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { withUser = false, isLong = false }: { withUser?: boolean; isLong?: boolean } = {}
  ): Promise<NodeAnswer> {
    const { user, password, ca } = this.#node;
    const headers: Record<string, string> = { Accept: 'application/json', 'Content-Length': '0' };
    if (withUser && user !== undefined) {
      headers['Authorization'] = `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}`;
    }
    const options = { method, headers, ...(ca === undefined ? {} : { ca }) };
    const { request } = clientFor(this.#url.protocol);
    return new Promise((resolve, reject) => {
      const fail = (reason: string): void => reject(this.failed(`${method} ${path}: ${reason}`));
      const call = request(new URL(path, this.#url), options, (response) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes <= MAX_BODY_BYTES) parts.push(part);
          else call.destroy(new Error('the answer is too long'));
        });
        response.on('error', (error) => fail(error.message));
        response.on('end', () => {
          clearTimeout(timer);
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') });
        });
      });
      const limitMs = isLong ? LONG_TIMEOUT_MS : TIMEOUT_MS;
      const timer = setTimeout(
        () => call.destroy(new Error(`no answer within ${limitMs / 1000} s`)),
        limitMs
      );
      call.on('error', (error) => {
        clearTimeout(timer);
        fail(error.message);
      });
      call.end();
    });
  }

  /** The JSON of an answer with the status 200. */
  async askJson(path: string, options: { withUser?: boolean } = {}): Promise<unknown> {
    const { status, body } = await this.ask('GET', path, options);
    if (status === 401 || status === 403) throw this.refused(path);
    if (status !== 200) throw this.failed(`GET ${path} answered with status ${status}`);
    try {
      return JSON.parse(body);
    } catch {
      throw this.failed(`GET ${path} answered with something other than JSON`);
    }
  }

  refused(path: string): EngineError {
    return new EngineError({
      code: 'RemoteNodeFailed',
      message: `${this.address} refused ${path}: a user with the role $ops or $admins is needed.`,
      remedy: 'Give --user, and the password in WINNOW_NODE_PASSWORD or with --password-stdin.',
      details: { node: this.address }
    });
  }

  failed(reason: string): EngineError {
    return new EngineError({
      code: 'RemoteNodeFailed',
      message: `${this.address} did not answer like a server: ${reason}.`,
      remedy:
        'Check the address and the certificate (--node-ca for a private authority), and that the node runs.',
      details: { node: this.address }
    });
  }
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '') return url;
  throw invalidRequest(
    url?.username
      ? 'The address of the node contains a user.'
      : 'The address of the node is not an http or https address.',
    '--node-url',
    'Write it like https://node1.example:2113, and give the user with --user.'
  );
}

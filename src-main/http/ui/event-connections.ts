/**
 * The pages that follow events: server-sent events, first the whole state, then what changes. Progress of running work
 * is told a few times a second, the latest only; a page that does not keep up is let go and comes back to the present
 * state. A connection ends with its session.
 *
 * Invariant: at most MOST_CONNECTIONS pages follow at a time.
 */
import type { ServerResponse } from 'node:http';
import type { WindowEvent } from '../../ipc/contract.ts';
import { pageJson } from './page-json.ts';

/** Idle proxies close what stays silent; a session that ended is noticed within this time. */
const HEARTBEAT_MS = 10_000;
const MOST_BUFFERED_BYTES = 8 * 1024 * 1024;
const PROGRESS_INTERVAL_MS = 250;
export const MOST_CONNECTIONS = 40;

interface Connection {
  response: ServerResponse;
  token: string;
  /** Running work whose latest snapshot waits to be told. */
  waiting: Map<string, WindowEvent>;
  timer: NodeJS.Timeout | undefined;
  heartbeat: NodeJS.Timeout;
}

export interface ConnectionParts {
  isOpen: (token: string) => boolean;
  /** The first page came, or the last one went. */
  onFollowed: (isFollowed: boolean) => void;
}

export class EventConnections {
  readonly #parts: ConnectionParts;
  readonly #connections = new Set<Connection>();

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  get isFull(): boolean {
    return this.#connections.size >= MOST_CONNECTIONS;
  }

  /** Takes a response over: headers, the state, then events until either side ends it. */
  open(response: ServerResponse, token: string, headers: Record<string, string>, state: unknown): void {
    // Gone before it was answered: it will not say again that it closes.
    if (response.destroyed) return;
    response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream; charset=utf-8' });
    const connection: Connection = {
      response,
      token,
      waiting: new Map(),
      timer: undefined,
      heartbeat: setInterval(() => this.#beat(connection), HEARTBEAT_MS)
    };
    this.#connections.add(connection);
    response.on('close', () => this.#forget(connection));
    write(connection, `event: state\ndata: ${pageJson(state)}\n\n`);
    if (this.#connections.size === 1) this.#parts.onFollowed(true);
  }

  send(event: WindowEvent): void {
    for (const connection of this.#connections) this.#sendTo(connection, event);
  }

  /** Ends what a session that was logged out follows. */
  endOf(token: string): void {
    for (const connection of this.#connections) {
      if (connection.token === token) sayEnded(connection);
    }
  }

  closeAll(): void {
    for (const { response } of this.#connections) response.end();
  }

  #sendTo(connection: Connection, event: WindowEvent): void {
    if (event.kind !== 'work') {
      write(connection, line(event));
      return;
    }
    const { id, endedMs } = event.snapshot;
    if (endedMs !== null) {
      connection.waiting.delete(id);
      write(connection, line(event));
      return;
    }
    connection.waiting.set(id, event);
    connection.timer ??= setTimeout(() => {
      connection.timer = undefined;
      for (const waiting of connection.waiting.values()) write(connection, line(waiting));
      connection.waiting.clear();
    }, PROGRESS_INTERVAL_MS);
  }

  #beat(connection: Connection): void {
    if (connection.response.destroyed) this.#forget(connection);
    else if (this.#parts.isOpen(connection.token)) write(connection, ':\n\n');
    else sayEnded(connection);
  }

  #forget(connection: Connection): void {
    clearInterval(connection.heartbeat);
    clearTimeout(connection.timer);
    if (this.#connections.delete(connection) && this.#connections.size === 0) this.#parts.onFollowed(false);
  }
}

function line(event: WindowEvent): string {
  return `event: event\ndata: ${pageJson(event)}\n\n`;
}

function sayEnded({ response }: Connection): void {
  response.end('event: sessionEnded\ndata: null\n\n');
}

function write({ response }: Connection, text: string): void {
  if (response.writableLength > MOST_BUFFERED_BYTES) response.destroy();
  else if (!response.writableEnded) response.write(text);
}

/**
 * The pages that follow events: server-sent events, first the whole state, then the changes. Progress of running work
 * is sent a few times a second, the latest only; a page that does not keep up is disconnected and reconnects to the current
 * state. A connection ends with its session.
 */
import type { ServerResponse } from 'node:http';
import type { WindowEvent } from '../../contract/verbs/workbench-contract.ts';
import { EventStream } from '../event-stream.ts';
import { pageJson } from './page-json.ts';

/** Proxies close idle connections; the end of a session is noticed within this time. */
const HEARTBEAT_MS = 10_000;
const MOST_BUFFERED_BYTES = 8 * 1024 * 1024;
const PROGRESS_INTERVAL_MS = 250;

interface Connection {
  stream: EventStream;
  token: string;
  /** Running work whose latest snapshot is waiting to be sent. */
  waiting: Map<string, WindowEvent>;
  timer: NodeJS.Timeout | undefined;
}

export interface ConnectionParts {
  isOpen: (token: string) => boolean;
  /** The first page connected, or the last one left. */
  onFollowed: (isFollowed: boolean) => void;
}

export interface PageToFollow {
  token: string;
  headers: Readonly<Record<string, string>>;
  state: unknown;
  onLeftOut: (reason: string) => void;
  onClose: () => void;
}

export class EventConnections {
  readonly #parts: ConnectionParts;
  readonly #connections = new Set<Connection>();

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /** Takes over a response: headers, the state, then events until either side ends it. */
  open(response: ServerResponse, page: PageToFollow): void {
    const { token, headers, state, onLeftOut, onClose } = page;
    // The client left before the answer: there will be no other close event.
    if (response.destroyed) return onClose();
    const connection: Connection = {
      stream: new EventStream(response, {
        headers,
        mostBufferedBytes: MOST_BUFFERED_BYTES,
        heartbeatMs: HEARTBEAT_MS,
        isAllowed: () => this.#parts.isOpen(token),
        onLeftOut,
        onClose: () => {
          this.#forget(connection);
          onClose();
        }
      }),
      token,
      waiting: new Map(),
      timer: undefined
    };
    this.#connections.add(connection);
    connection.stream.send('state', state, pageJson);
    if (this.#connections.size === 1) this.#parts.onFollowed(true);
  }

  send(event: WindowEvent): void {
    for (const connection of this.#connections) this.#sendTo(connection, event);
  }

  /** Ends the event streams of a session that was logged out. */
  endOf(token: string): void {
    for (const connection of this.#connections) {
      if (connection.token === token) connection.stream.end('sessionEnded');
    }
  }

  closeAll(): void {
    for (const { stream } of this.#connections) stream.end();
  }

  #sendTo(connection: Connection, event: WindowEvent): void {
    const { stream, waiting } = connection;
    if (event.kind !== 'work') return stream.send('event', event, pageJson);
    const { id, endedMs } = event.snapshot;
    if (endedMs !== null) {
      waiting.delete(id);
      return stream.send('event', event, pageJson);
    }
    waiting.set(id, event);
    connection.timer ??= setTimeout(() => {
      connection.timer = undefined;
      for (const latest of waiting.values()) stream.send('event', latest, pageJson);
      waiting.clear();
    }, PROGRESS_INTERVAL_MS);
  }

  #forget(connection: Connection): void {
    clearTimeout(connection.timer);
    if (this.#connections.delete(connection) && this.#connections.size === 0) this.#parts.onFollowed(false);
  }
}

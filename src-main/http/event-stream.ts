/**
 * One reader of server-sent events. An event that cannot be written as JSON, or is too long, is left out and
 * logged: one bad document ends neither the stream nor the process. A reader that does not keep up is disconnected: it can
 * reconnect and gets the current state.
 */
import type { ServerResponse } from 'node:http';

export const MOST_EVENT_BYTES = 4 * 1024 * 1024;

export interface EventStreamParts {
  headers: Readonly<Record<string, string>>;
  mostBufferedBytes: number;
  heartbeatMs: number;
  /** Called at each heartbeat: false ends the stream. */
  isAllowed?: () => boolean;
  /** Called for each event that was left out. */
  onLeftOut: (reason: string) => void;
  onClose: () => void;
}

export class EventStream {
  readonly #response: ServerResponse;
  readonly #mostBufferedBytes: number;
  readonly #onLeftOut: (reason: string) => void;

  /** Takes over a response. */
  constructor(response: ServerResponse, parts: EventStreamParts) {
    this.#response = response;
    this.#mostBufferedBytes = parts.mostBufferedBytes;
    this.#onLeftOut = parts.onLeftOut;
    response.writeHead(200, { ...parts.headers, 'Content-Type': 'text/event-stream; charset=utf-8' });
    const heartbeat = setInterval(() => {
      if (response.destroyed || parts.isAllowed?.() !== false) this.#write(':\n\n');
      else this.end('sessionEnded');
    }, parts.heartbeatMs);
    response.on('close', () => {
      clearInterval(heartbeat);
      parts.onClose();
    });
    // The connection may break during a write; its close event reports that too.
    response.on('error', () => undefined);
  }

  /** `toJson`: the reader's own form of JSON. */
  send(name: string, data: unknown, toJson: (value: unknown) => string = JSON.stringify): void {
    let json: string;
    try {
      json = toJson(data);
    } catch (error) {
      this.#onLeftOut(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    if (json.length > MOST_EVENT_BYTES) this.#onLeftOut(`${name}: ${json.length} characters`);
    else this.#write(`event: ${name}\ndata: ${json}\n\n`);
  }

  /** Ends the stream, with or without a last event. */
  end(name?: string): void {
    if (name !== undefined) this.#write(`event: ${name}\ndata: null\n\n`);
    this.#response.end();
  }

  #write(text: string): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    if (response.writableLength > this.#mostBufferedBytes) response.destroy();
    else response.write(text);
  }
}

/**
 * The one gate for everything the window asks. For each verb: is the sender the main frame of our own page, is
 * the request valid, and only then the handler. Every outcome is a reply; nothing is thrown into Electron and
 * no sender is met with silence.
 */
import { channelOf, VERB_NAMES } from './channels.ts';
import type { Reply, VerbName, Verbs } from './contract.ts';
import { errorReportOf } from './error-report.ts';
import { checkedVerb, type CheckedVerb } from './validate.ts';

export interface AskOptions {
  /** Fires when whoever asked has gone: what only answers a question ends. */
  signal?: AbortSignal;
}

export type VerbHandlers = {
  [V in VerbName]: (
    request: CheckedVerb<V>,
    options?: AskOptions
  ) => Promise<Verbs[V]['reply']> | Verbs[V]['reply'];
};

/** The part of Electron's IpcMainInvokeEvent that the gate looks at. */
export interface SenderEvent {
  readonly senderFrame: SenderFrame | null;
}

export interface SenderFrame {
  readonly url: string;
  /** null: this is a main frame. */
  readonly parent: unknown;
}

/** The part of Electron's ipcMain that is used. */
export interface IpcMainLike {
  handle(channel: string, listener: (event: SenderEvent, request: unknown) => Promise<unknown>): void;
}

export interface IpcServerParts {
  ipcMain: IpcMainLike;
  /** Origin of our own page: `app://winnow` or the development server's. */
  ownOrigin: string;
  handlers: VerbHandlers;
}

export function startIpcServer(parts: IpcServerParts): void {
  for (const verb of VERB_NAMES) {
    parts.ipcMain.handle(channelOf(verb), (event, request) => answer(parts, verb, event, request));
  }
}

async function answer<V extends VerbName>(
  parts: IpcServerParts,
  verb: V,
  event: SenderEvent,
  request: unknown
): Promise<Reply<Verbs[V]['reply']>> {
  if (!isOwnPage(event.senderFrame, parts.ownOrigin)) {
    return {
      ok: false,
      error: {
        code: 'InvalidRequest',
        message: 'This page may not ask the workbench for anything.',
        remedy: "Use the workbench's own window.",
        details: { verb }
      }
    };
  }
  try {
    const checked = checkedVerb(verb, request);
    const handler = parts.handlers[verb] as (request: CheckedVerb<V>) => Promise<Verbs[V]['reply']>;
    return { ok: true, value: await handler(checked) };
  } catch (error) {
    return { ok: false, error: errorReportOf(error) };
  }
}

/** Whether a frame is the main frame of our own page: same scheme and host, no frame inside it. */
export function isOwnPage(frame: SenderFrame | null, ownOrigin: string): boolean {
  if (frame === null || frame.parent !== null) return false;
  return frame.url === ownOrigin || frame.url.startsWith(`${ownOrigin}/`);
}

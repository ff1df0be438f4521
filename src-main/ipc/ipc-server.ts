/**
 * The gate for everything the window requests. For each verb: is the sender the main frame of our own page, is
 * the request within bounds, and only then the verb, which validates it. Every outcome is a reply; nothing is thrown into Electron and
 * every sender gets an answer. Questions end here when their page stops them or no longer exists.
 */
import { EngineError } from '../../src-core/index.ts';
import { channelOf, STOP_CALL_CHANNEL, VERB_NAMES } from '../contract/verbs/channels.ts';
import type { Reply, VerbName } from '../contract/verbs/workbench-contract.ts';
import { errorReportOf } from '../contract/error-report.ts';
import { PageQuestions, type Asker } from './page-questions.ts';
import { refuseUnbounded } from '../contract/document-bounds.ts';
import { checkedStopCall } from '../contract/verbs/validate.ts';
import type { AskOptions } from '../contract/verbs/verb-handler.ts';

/** The part of Electron's IpcMainInvokeEvent that the gate checks. */
export interface SenderEvent {
  readonly sender: Asker;
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
  /** Validates the request and answers it. */
  answer: (verb: VerbName, request: unknown, options: AskOptions) => Promise<unknown>;
}

export function startIpcServer(parts: IpcServerParts): void {
  const questions = new PageQuestions();
  for (const verb of VERB_NAMES) {
    answerOn(parts, channelOf(verb), (request, { sender }) =>
      questions.run(sender, callIdIn(verb, request), (signal) => parts.answer(verb, request, { signal }))
    );
  }
  answerOn(parts, STOP_CALL_CHANNEL, (request, { sender }) => {
    questions.stop(sender, checkedStopCall(request).callId);
    return null;
  });
}

/** The id by which the page may stop its question: read, not judged. */
function callIdIn(verb: VerbName, request: unknown): string | undefined {
  if (verb !== 'call' || typeof request !== 'object' || request === null) return undefined;
  const { callId } = request as { callId?: unknown };
  return typeof callId === 'string' ? callId : undefined;
}

/** Answers our own page, and refuses all other senders. */
function answerOn(
  { ipcMain, ownOrigin }: IpcServerParts,
  channel: string,
  answer: (request: unknown, event: SenderEvent) => unknown
): void {
  ipcMain.handle(channel, async (event, request): Promise<Reply<unknown>> => {
    try {
      if (!isOwnPage(event.senderFrame, ownOrigin)) throw notOurs(channel);
      refuseUnbounded(request);
      return { ok: true, value: await answer(request, event) };
    } catch (error) {
      return { ok: false, error: errorReportOf(error) };
    }
  });
}

function notOurs(channel: string): EngineError {
  return new EngineError({
    code: 'InvalidRequest',
    message: 'This page may not send requests to the workbench.',
    remedy: "Use the workbench's own window.",
    details: { channel }
  });
}

/** Whether a frame is the main frame of our own page: same scheme and host, not inside another frame. */
export function isOwnPage(frame: SenderFrame | null, ownOrigin: string): boolean {
  if (frame === null || frame.parent !== null) return false;
  return frame.url === ownOrigin || frame.url.startsWith(`${ownOrigin}/`);
}

/**
 * The coordinator's way to a member that is a running server: its own HTTP API, asked to start, polled and asked to
 * stop. What cannot be understood counts as no answer; nothing here throws.
 */
import { memberKey, type NodeReply, type NodeRequest } from '../../src-core/index.ts';
import type { HttpAnswer, HttpCall } from './http-call.ts';

export interface RemoteMember {
  /** `https://node-2.example:2113`, without a slash at its end. */
  baseUrl: string;
  authorization: string | undefined;
  call: HttpCall;
  log: (level: 'info' | 'warning', message: string) => void;
}

/** The server gives up at ten seconds itself; a start or a stop that takes longer than this is asked about again. */
const TIMEOUT_MS = 1000;
/** Of servers that have no `last`. */
const NO_SUCH_METHOD = 405;
/** Events of a run's stream that are looked at for its end. */
const LOG_EVENTS = 20;

export type StartAnswer = { kind: 'started'; scavengeId: string } | { kind: 'accepted' } | { kind: 'failed' };

/** `threshold`: of a start; undefined: the server's own. */
export async function askRemoteMember(
  member: RemoteMember,
  request: NodeRequest,
  threshold?: number
): Promise<NodeReply> {
  const name = memberKey(request.member);
  switch (request.kind) {
    case 'start': {
      member.log('info', `Starting node scavenge on node ${name}.`);
      const answer = await startScavenge(member, threshold);
      const scavengeId = answer.kind === 'started' ? answer.scavengeId : await acceptedId(member, answer);
      if (scavengeId === undefined) {
        member.log('info', `Failed to start scavenge on node ${name}.`);
        return { kind: 'failed' };
      }
      member.log('info', `Started node scavenge on node ${name}: ${scavengeId}.`);
      return { kind: 'started', scavengeId };
    }
    case 'poll':
      return pollScavenge(member, request.scavengeId);
    case 'stop':
      return stopScavenge(member, request.scavengeId);
    case 'resign':
      await asked(member, 'POST', '/admin/node/resign');
      return { kind: 'resigning' };
  }
}

/** `accepted`: it began, and its id is to be asked for. */
export async function startScavenge(member: RemoteMember, threshold?: number): Promise<StartAnswer> {
  const query = threshold === undefined ? '' : `?threshold=${threshold}`;
  const answer = await asked(member, 'POST', `/admin/scavenge${query}`);
  if (!isSuccess(answer)) return { kind: 'failed' };
  const scavengeId = textMember(answer.body, 'scavengeId');
  return scavengeId === undefined ? { kind: 'accepted' } : { kind: 'started', scavengeId };
}

export async function pollScavenge(member: RemoteMember, scavengeId: string): Promise<NodeReply> {
  const answer = await asked(member, 'GET', '/admin/scavenge/last');
  if (answer?.status === NO_SUCH_METHOD) return pollOlderServer(member, scavengeId);
  if (!isSuccess(answer)) return { kind: 'unknown' };
  const found = textMember(answer.body, 'scavengeId');
  if (found !== undefined && found !== scavengeId) {
    member.log(
      'warning',
      `The scavenge ${found} does not match with the expected scavenge ID ${scavengeId}.`
    );
  }
  const result = textMember(answer.body, 'scavengeResult');
  if (result === undefined) return { kind: 'unknown' };
  if (result.toLowerCase() === 'inprogress') return { kind: 'inProgress' };
  const end = endOf(result);
  if (end) return end;
  // Nothing since the node's start: the log may know.
  return readEnd(member, scavengeId);
}

/** It cannot be asked for the last scavenge: while ours is not the present one, its end must be in the log. */
async function pollOlderServer(member: RemoteMember, scavengeId: string): Promise<NodeReply> {
  const current = await currentScavenge(member);
  if (current === undefined) return { kind: 'unknown' };
  if (current === scavengeId) return { kind: 'inProgress' };
  const answer = await askedForEnd(member, scavengeId);
  if (answer === undefined) return { kind: 'unknown' };
  if (isSuccess(answer)) return endIn(answer.body, scavengeId);
  // Without the stream nothing would ever tell; a scavenge that is started over and over is worse than not knowing.
  member.log('warning', `Nobody can tell how the scavenge ${scavengeId} ended: it counts as failed.`);
  return { kind: 'errored' };
}

export async function stopScavenge(member: RemoteMember, scavengeId: string | undefined): Promise<NodeReply> {
  const answer = await asked(
    member,
    'DELETE',
    `/admin/scavenge/${encodeURIComponent(scavengeId ?? 'current')}`
  );
  if (answer?.status === 404) return { kind: 'notFound' };
  return { kind: isSuccess(answer) ? 'stopped' : 'failed' };
}

/** Id of a scavenge that runs on the member now; null: none; undefined: it gave no usable answer. */
export async function currentScavenge(member: RemoteMember): Promise<string | null | undefined> {
  const answer = await asked(member, 'GET', '/admin/scavenge/current');
  if (!isSuccess(answer) || !isJsonObject(answer.body)) return undefined;
  return textMember(answer.body, 'scavengeId') ?? null;
}

/** What the newest scavenge since the node's start came to; null: none, or it cannot tell; undefined: no answer. */
export async function lastScavenge(
  member: RemoteMember
): Promise<{ scavengeId: string; result: string } | null | undefined> {
  const answer = await asked(member, 'GET', '/admin/scavenge/last');
  if (answer?.status === NO_SUCH_METHOD) return null;
  if (!isSuccess(answer)) return undefined;
  const scavengeId = textMember(answer.body, 'scavengeId');
  const result = textMember(answer.body, 'scavengeResult');
  if (scavengeId === undefined || result === undefined) return undefined;
  return result === 'Unknown' ? null : { scavengeId, result };
}

/** Of a start that was accepted without telling its id: it runs, or is over already. */
async function acceptedId(member: RemoteMember, answer: StartAnswer): Promise<string | undefined> {
  if (answer.kind !== 'accepted') return undefined;
  const current = await currentScavenge(member);
  if (current !== undefined && current !== null) return current;
  const last = await asked(member, 'GET', '/admin/scavenge/last');
  if (!isSuccess(last) || textMember(last.body, 'scavengeResult') === 'Unknown') return undefined;
  return textMember(last.body, 'scavengeId');
}

async function readEnd(member: RemoteMember, scavengeId: string): Promise<NodeReply> {
  const answer = await askedForEnd(member, scavengeId);
  if (answer === undefined) return { kind: 'unknown' };
  return isSuccess(answer) ? endIn(answer.body, scavengeId) : { kind: 'notRunning' };
}

function askedForEnd(member: RemoteMember, scavengeId: string): Promise<HttpAnswer | undefined> {
  const path = `/streams/%24scavenges/${encodeURIComponent(scavengeId)}/head/${LOG_EVENTS}?embed=body`;
  return asked(member, 'GET', path);
}

/** `notRunning`: nothing there tells of an end. */
function endIn(body: string, scavengeId: string): NodeReply {
  for (const entry of entriesOf(body)) {
    const id = textMember(entry.data, 'scavengeId');
    const isOurs = id?.toLowerCase() === scavengeId.toLowerCase();
    if (entry.type !== '$scavengeCompleted' || !isOurs) continue;
    return endOf(textMember(entry.data, 'result')) ?? { kind: 'notRunning' };
  }
  return { kind: 'notRunning' };
}

/** Of the server's word for how a run ended; undefined for any other word. */
function endOf(result: string | undefined): NodeReply | undefined {
  switch (result?.toLowerCase()) {
    case 'success':
      return { kind: 'success' };
    case 'stopped':
      return { kind: 'stopped' };
    case 'errored':
      return { kind: 'errored' };
    default:
      return undefined;
  }
}

/** undefined: no answer. */
async function asked(
  { baseUrl, authorization, call }: RemoteMember,
  method: 'GET' | 'POST' | 'DELETE',
  path: string
): Promise<HttpAnswer | undefined> {
  try {
    return await call({ method, url: `${baseUrl}${path}`, authorization, timeoutMs: TIMEOUT_MS });
  } catch {
    return undefined;
  }
}

function isSuccess(answer: HttpAnswer | undefined): answer is HttpAnswer {
  return answer !== undefined && answer.status >= 200 && answer.status < 300;
}

/** Newest first, as the feed has them. */
function entriesOf(body: string): { type: string; data: string }[] {
  const entries = (parsed(body) as { entries?: unknown } | undefined)?.entries;
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) => {
    const { eventType, data } = (entry ?? {}) as { eventType?: unknown; data?: unknown };
    return typeof eventType === 'string' && typeof data === 'string' ? [{ type: eventType, data }] : [];
  });
}

/** A member that is a text with something in it; undefined for anything else. */
function textMember(body: string, name: string): string | undefined {
  if (!isJsonObject(body)) return undefined;
  const value = (parsed(body) as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isJsonObject(body: string): boolean {
  const value = parsed(body);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

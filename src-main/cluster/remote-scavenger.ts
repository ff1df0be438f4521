/**
 * The coordinator's access to a member that is a running server, over its own HTTP API: start, poll and
 * stop. An answer that is not understood counts as none; nothing here throws.
 */
import { type NodeFault, type NodeReply, type NodeRequest } from '../../src-core/index.ts';
import type { HttpCall } from './http-call.ts';
import { NOT_A_SERVER, askNode, type Asked, type AskedFault } from './node-answer.ts';
import { NO_INSTANCE } from './parse-gossip.ts';

export interface RemoteMember {
  /** `https://node-2.example:2113`, without a slash at its end. */
  baseUrl: string;
  authorization: string | undefined;
  call: HttpCall;
  log: (level: 'info' | 'warning', message: string) => void;
}

/** The server itself gives up after ten seconds; a start or a stop that takes longer than this is checked again. */
const TIMEOUT_MS = 1000;
/** Answers of servers without `last`. */
const NO_SUCH_METHOD = 405;
/** Number of events of a run's stream that are searched for its end. */
const LOG_EVENTS = 20;
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export type StartAnswer =
  { kind: 'started'; scavengeId: string } | { kind: 'accepted' } | { kind: 'failed'; fault: AskedFault };

/** Why a start failed; `status` of its answer, if it had one. */
export type StartReply = { kind: 'started'; scavengeId: string } | { kind: 'failed'; fault: AskedFault };

/** All requests except a start, which needs more information. */
export async function askRemoteMember(
  member: RemoteMember,
  request: Exclude<NodeRequest, { kind: 'start' }>
): Promise<NodeReply> {
  switch (request.kind) {
    case 'poll':
      return pollScavenge(member, request.scavengeId);
    case 'stop':
      return stopScavenge(member, request.scavengeId);
    case 'resign': {
      const { fault } = await asked(member, 'POST', '/admin/node/resign');
      return fault ? { kind: 'failed', fault } : { kind: 'resigning' };
    }
  }
}

/** `threshold`: undefined: the server's own. */
export async function startOnRemoteMember(member: RemoteMember, threshold?: number): Promise<StartReply> {
  const answer = await startScavenge(member, threshold);
  return answer.kind === 'accepted' ? findAccepted(member) : answer;
}

/** `accepted`: it started, and its id must be requested. */
export async function startScavenge(member: RemoteMember, threshold?: number): Promise<StartAnswer> {
  const query = threshold === undefined ? '' : `?threshold=${threshold}`;
  const { answer, fault } = await asked(member, 'POST', `/admin/scavenge${query}`);
  if (fault) return { kind: 'failed', fault };
  if (answer.body.trim() === '') return { kind: 'accepted' };
  const scavengeId = idIn(answer.body);
  if (scavengeId === undefined) return { kind: 'failed', fault: NOT_A_SERVER };
  return scavengeId === null ? { kind: 'accepted' } : { kind: 'started', scavengeId };
}

export async function pollScavenge(member: RemoteMember, scavengeId: string): Promise<NodeReply> {
  const { answer, fault } = await asked(member, 'GET', '/admin/scavenge/last');
  if (fault?.status === NO_SUCH_METHOD) return pollOlderServer(member, scavengeId);
  if (fault) return { kind: 'unknown', fault };
  const found = textMember(answer.body, 'scavengeId');
  if (found !== undefined && found !== scavengeId) {
    member.log(
      'warning',
      `The scavenge ${found} does not match with the expected scavenge ID ${scavengeId}.`
    );
  }
  const result = textMember(answer.body, 'scavengeResult');
  if (result === undefined) return { kind: 'unknown', fault: NOT_A_SERVER };
  if (result.toLowerCase() === 'inprogress') return { kind: 'inProgress' };
  const end = endOf(result);
  if (end) return end;
  // Nothing since the node started: the log may have it.
  return readEnd(member, scavengeId);
}

/** It cannot report the last scavenge: if ours is not the current one, its end must be in the log. */
async function pollOlderServer(member: RemoteMember, scavengeId: string): Promise<NodeReply> {
  const { running, fault } = await askCurrent(member);
  if (fault) return { kind: 'unknown', fault };
  if (running === scavengeId) return { kind: 'inProgress' };
  const end = await askedForEnd(member, scavengeId);
  if (end.fault && end.answer === undefined) return { kind: 'unknown', fault: end.fault };
  if (!end.fault) return endIn(end.answer.body, scavengeId);
  // Without the stream its end would never be known; starting the scavenge again and again is worse than not knowing.
  member.log('warning', `It is not known how the scavenge ${scavengeId} ended: it counts as failed.`);
  return { kind: 'errored' };
}

export async function stopScavenge(member: RemoteMember, scavengeId: string | undefined): Promise<NodeReply> {
  const { fault } = await asked(
    member,
    'DELETE',
    `/admin/scavenge/${encodeURIComponent(scavengeId ?? 'current')}`
  );
  if (fault?.status === 404) return { kind: 'notFound' };
  return fault ? { kind: 'failed', fault } : { kind: 'stopped' };
}

/** Id of the scavenge that runs on the member now; null: none. */
export async function askCurrent(
  member: RemoteMember
): Promise<{ running: string | null; fault?: never } | { running?: never; fault: NodeFault }> {
  const { answer, fault } = await asked(member, 'GET', '/admin/scavenge/current');
  if (fault) return { fault };
  const running = idIn(answer.body);
  return running === undefined ? { fault: NOT_A_SERVER } : { running };
}

/** Result of the newest scavenge since the node started; null: none, or not known; undefined: no answer. */
export async function lastScavenge(
  member: RemoteMember
): Promise<{ scavengeId: string; result: string } | null | undefined> {
  const { answer, fault } = await asked(member, 'GET', '/admin/scavenge/last');
  if (fault?.status === NO_SUCH_METHOD) return null;
  if (fault) return undefined;
  const scavengeId = textMember(answer.body, 'scavengeId');
  const result = textMember(answer.body, 'scavengeResult');
  if (scavengeId === undefined || result === undefined) return undefined;
  return result === 'Unknown' ? null : { scavengeId, result };
}

/** For a start that was accepted without an id: it runs, or has already ended. */
async function findAccepted(member: RemoteMember): Promise<StartReply> {
  const { running, fault } = await askCurrent(member);
  if (fault?.kind === 'never') return { kind: 'failed', fault };
  if (typeof running === 'string') return { kind: 'started', scavengeId: running };
  const last = await asked(member, 'GET', '/admin/scavenge/last');
  if (last.fault) return { kind: 'failed', fault: last.fault };
  const scavengeId = idIn(last.answer.body);
  if (scavengeId === undefined) return { kind: 'failed', fault: NOT_A_SERVER };
  const isNone = scavengeId === null || textMember(last.answer.body, 'scavengeResult') === 'Unknown';
  return isNone ? { kind: 'failed', fault: STARTED_NOTHING } : { kind: 'started', scavengeId };
}

const STARTED_NOTHING: NodeFault = {
  kind: 'later',
  reason: 'accepted the request but runs nothing',
  remedy: 'Check the log of the node.'
};

async function readEnd(member: RemoteMember, scavengeId: string): Promise<NodeReply> {
  const { answer, fault } = await askedForEnd(member, scavengeId);
  if (fault) return answer === undefined ? { kind: 'unknown', fault } : { kind: 'notRunning' };
  return endIn(answer.body, scavengeId);
}

function askedForEnd(member: RemoteMember, scavengeId: string): Promise<Asked> {
  const path = `/streams/%24scavenges/${encodeURIComponent(scavengeId)}/head/${LOG_EVENTS}?embed=body`;
  return asked(member, 'GET', path);
}

/** `notRunning`: the answer contains no end. */
function endIn(body: string, scavengeId: string): NodeReply {
  for (const entry of entriesOf(body)) {
    const id = textMember(entry.data, 'scavengeId');
    const isOurs = id?.toLowerCase() === scavengeId.toLowerCase();
    if (entry.type !== '$scavengeCompleted' || !isOurs) continue;
    return endOf(textMember(entry.data, 'result')) ?? { kind: 'notRunning' };
  }
  return { kind: 'notRunning' };
}

/** From the server's word for a result; undefined for any other word. */
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

function asked(
  { baseUrl, authorization, call }: RemoteMember,
  method: 'GET' | 'POST' | 'DELETE',
  path: string
): Promise<Asked> {
  return askNode(call, { method, url: `${baseUrl}${path}`, authorization, timeoutMs: TIMEOUT_MS });
}

/** The id in an answer about a scavenge; null: it names none; undefined: not an answer of a server. */
function idIn(body: string): string | null | undefined {
  if (!isJsonObject(body)) return undefined;
  const { scavengeId } = parsed(body) as { scavengeId?: unknown };
  if (scavengeId === undefined || scavengeId === null || scavengeId === '') return null;
  if (typeof scavengeId !== 'string' || !GUID.test(scavengeId)) return undefined;
  return scavengeId === NO_INSTANCE ? null : scavengeId;
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

/** A member that is a non-empty text; undefined for anything else. */
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

/**
 * Forwards a call to the coordinating process and returns its status and body. The caller's rights were
 * checked here by the same rules; the call carries the key of this home, because a window has no users. If the key
 * cannot be read, it carries the caller's own credentials.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LeaseHolder } from '../cluster/coordinator-lease.ts';
import { homeAuthorization } from '../access/home-key.ts';
import { sendProblem } from './problem-document.ts';

export type ForwardCall = (
  holder: LeaseHolder,
  request: FastifyRequest,
  reply: FastifyReply
) => Promise<FastifyReply>;

/** Pausing may take a second, plus the time for the answer. */
const TIMEOUT_MS = 5000;

export const forwardCall: ForwardCall = async (holder, request, reply) => {
  const who = `process ${holder.pid}`;
  if (holder.url === null) {
    return sendProblem(reply, 503, `Auto-scavenge is coordinated by ${who}, which serves no HTTP.`);
  }
  const { 'content-type': contentType } = request.headers;
  const authorization = holder.key === null ? request.headers.authorization : homeAuthorization(holder.key);
  try {
    const answer = await fetch(target(holder.url, request), {
      method: request.method,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(contentType === undefined ? {} : { 'content-type': contentType })
      },
      ...(typeof request.body === 'string' && request.body !== '' ? { body: request.body } : {}),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS)
    });
    const type = answer.headers.get('content-type');
    if (type !== null) reply.type(type);
    return await reply.code(answer.status).send(await answer.text());
  } catch {
    return sendProblem(
      reply,
      503,
      `Auto-scavenge is coordinated by ${who} at ${holder.url}, which does not answer.`
    );
  }
};

/** The holder's address with the route's own path: only the query comes from the caller. */
function target(holderUrl: string, { routeOptions, url }: FastifyRequest): URL {
  const to = new URL(routeOptions.url ?? '/', holderUrl);
  const query = url.indexOf('?');
  if (query >= 0) to.search = url.slice(query);
  return to;
}

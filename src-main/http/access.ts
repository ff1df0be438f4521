/**
 * Who may call what: guards that run before a route's handler. Without credentials, or with wrong ones, the
 * answer is 401; for a user without the role it is 403. Both have empty bodies.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BasicAuthentication, Caller } from '../access/basic-authentication.ts';

/** `anyone`: credentials are not checked at all. */
export type Access = 'anyone' | 'user' | 'operator';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
  interface FastifyContextConfig {
    access?: Access;
  }
}

/** Replaces messages that name files. */
export const INTERNAL_ERROR = 'Internal error; see the log of the service.';

/** Failures name files and what is wrong with them: only for callers with a role. */
export function mayKnowPaths({ caller }: FastifyRequest): boolean {
  return caller !== undefined && caller.roles.length > 0;
}

const CHALLENGE = 'Basic realm="Winnow"';

/** The guard of all routes: each says in its configuration who may call it; if it does not, no one may. */
export function accessGuard(credentials: Pick<BasicAuthentication, 'identify'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    // A path that does not exist gives nothing away.
    if (request.is404) return undefined;
    const access = request.routeOptions.config.access ?? 'operator';
    if (access === 'anyone') return undefined;
    const found = await credentials.identify(request.headers.authorization, request.ip);
    switch (found.kind) {
      case 'throttled':
        return reply.header('Retry-After', String(found.retryAfterSeconds)).code(429).send();
      case 'anonymous':
      case 'wrong':
        // The page has its own log-in; a browser would put its dialog on top of it.
        if (request.headers['x-requested-with'] === undefined) reply.header('WWW-Authenticate', CHALLENGE);
        return reply.code(401).send();
      case 'user':
        request.caller = found.caller;
        if (access === 'user' || found.caller.roles.length > 0) return undefined;
        return reply.code(403).send();
    }
  };
}

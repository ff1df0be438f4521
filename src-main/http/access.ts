/**
 * Who may call what: guards that run before a route's own work. Without credentials, or with wrong ones, the
 * answer is 401; for a user without the role it is 403. Both have empty bodies.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BasicAuthentication, Caller } from './basic-authentication.ts';

/** `anyone`: credentials are not even looked at. */
export type Access = 'anyone' | 'user' | 'operator';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
  interface FastifyContextConfig {
    access?: Access;
  }
}

/** In the place of words that name files. */
export const INTERNAL_ERROR = 'Internal error; the log of the service says more.';

/** Failures name files and what is wrong with them: for those who have a role, and for nobody else. */
export function mayKnowPaths({ caller }: FastifyRequest): boolean {
  return caller !== undefined && caller.roles.length > 0;
}

const CHALLENGE = 'Basic realm="Winnow"';

/** The guard of all routes: each says in its configuration who may call it; one that does not, nobody. */
export function accessGuard(credentials: Pick<BasicAuthentication, 'identify'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    // Nobody learns anything from a path that is not there.
    if (request.is404) return undefined;
    const access = request.routeOptions.config.access ?? 'operator';
    if (access === 'anyone') return undefined;
    const found = await credentials.identify(request.headers.authorization, request.ip);
    switch (found.kind) {
      case 'throttled':
        return reply.header('Retry-After', String(found.retryAfterSeconds)).code(429).send();
      case 'anonymous':
      case 'wrong':
        // The page asks by itself; a browser would put its own window on top of it.
        if (request.headers['x-requested-with'] === undefined) reply.header('WWW-Authenticate', CHALLENGE);
        return reply.code(401).send();
      case 'user':
        request.caller = found.caller;
        if (access === 'user' || found.caller.roles.length > 0) return undefined;
        return reply.code(403).send();
    }
  };
}

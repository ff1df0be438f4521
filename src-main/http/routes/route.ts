/**
 * A route of the service: it declares who may call it, answers other methods with 405, and appears in the
 * OpenAPI description.
 */
import type {} from '@fastify/swagger'; // it adds `hide` to what a route's schema may hold
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

export interface Route {
  method: Method;
  url: string;
  access: Access;
  summary: string;
  /** Query parameters with their meaning; the route itself checks them, with the server's words. */
  query?: Readonly<Record<string, string>>;
  /** Instead of that of the service. */
  bodyLimitBytes?: number;
  handler: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;
}

/** Methods of each path, until all are known. */
const methodsOf = new WeakMap<FastifyInstance, Map<string, Set<Method>>>();

export function addRoute(app: FastifyInstance, route: Route): void {
  const paths = methodsOf.get(app) ?? new Map<string, Set<Method>>();
  methodsOf.set(app, paths);
  const methods = paths.get(route.url) ?? new Set();
  paths.set(route.url, methods.add(route.method));
  const querystring = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(route.query ?? {}).map(([name, description]) => [name, { type: 'string', description }])
    )
  };
  app.route({
    method: route.method,
    url: route.url,
    config: { access: route.access },
    ...(route.bodyLimitBytes === undefined ? {} : { bodyLimit: route.bodyLimitBytes }),
    schema: { summary: route.summary, ...(route.query ? { querystring } : {}) },
    handler: async (request, reply) => route.handler(request, reply)
  });
}

/** Call once all routes are registered: a known path answers other methods with 405. */
export function refuseOtherMethods(app: FastifyInstance): void {
  for (const [url, methods] of methodsOf.get(app) ?? []) {
    const others = METHODS.filter((method) => !methods.has(method));
    app.route({
      method: others,
      url,
      config: { access: 'anyone' },
      schema: { hide: true },
      handler: (_request, reply) =>
        reply
          .code(405)
          .header('Allow', [...methods].join(', '))
          .send()
    });
  }
}

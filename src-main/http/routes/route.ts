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
  /** In the OpenAPI description, and the name of its answers in described-operations.ts. */
  id: string;
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

/** Routes of each service, in the order in which they were added. */
const added = new WeakMap<FastifyInstance, Route[]>();

export function routesOf(app: FastifyInstance): readonly Route[] {
  return added.get(app) ?? [];
}

export function addRoute(app: FastifyInstance, route: Route): void {
  added.set(app, [...routesOf(app), route]);
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
  for (const [url, routes] of Map.groupBy(routesOf(app), (route) => route.url)) {
    const methods = routes.map(({ method }) => method);
    const others = METHODS.filter((method) => !methods.includes(method));
    app.route({
      method: others,
      url,
      config: { access: 'anyone' },
      schema: { hide: true },
      handler: (_request, reply) => reply.code(405).header('Allow', methods.join(', ')).send()
    });
  }
}

/** What the service reports about itself: health, version, metrics, its own description. */
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import packageFacts from '../../../package.json' with { type: 'json' };
import { describeService } from '../openapi-description.ts';
import { sendJson } from './admin-routes.ts';
import { addRoute } from './route.ts';

export function addInfoRoutes(app: FastifyInstance, metrics: Registry): void {
  addRoute(app, {
    id: 'readHealth',
    method: 'GET',
    url: '/health/live',
    access: 'anyone',
    summary: '204 while the service is up; ?liveCode= chooses another status',
    query: { liveCode: 'the status to answer with' },
    handler: (request, reply) => {
      const { liveCode } = request.query as { liveCode?: string };
      const isStatus = liveCode !== undefined && /^[2-5]\d\d$/.test(liveCode);
      return reply.code(isStatus ? Number(liveCode) : 204).send();
    }
  });
  addRoute(app, {
    id: 'readInfo',
    method: 'GET',
    url: '/info',
    access: 'anyone',
    summary: 'Name and version',
    handler: (_request, reply) =>
      sendJson(reply, {
        winnowVersion: packageFacts.version,
        // No server runs on the directory: its log does not change.
        state: 'maintenance',
        features: { projections: false, userManagement: false, atomPub: false },
        authentication: { type: 'internal', properties: [] }
      })
  });
  addRoute(app, {
    id: 'readMetrics',
    method: 'GET',
    url: '/metrics',
    access: 'user',
    summary: 'Metrics in the Prometheus format',
    handler: async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics())
  });
  addRoute(app, {
    id: 'readDescription',
    method: 'GET',
    url: '/openapi.json',
    access: 'anyone',
    summary: 'This description',
    handler: (_request, reply) => sendJson(reply, describeService(app))
  });
}

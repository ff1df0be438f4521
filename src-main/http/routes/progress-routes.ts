/**
 * The progress of the running scavenge as server-sent events: `started`, `progress` (at most ten a second), `ended`.
 * A late reader gets the current state first. The stream stays open between scavenges.
 */
import type { FastifyInstance } from 'fastify';
import type { EventSeats } from '../event-seats.ts';
import { EventStream } from '../event-stream.ts';
import type { NodeScavenges } from '../../cluster/node-scavenges.ts';
import { addRoute } from './route.ts';

/** Proxies close idle connections. */
const HEARTBEAT_MS = 15_000;
const MOST_BUFFERED_BYTES = 256 * 1024;
const HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

export function addProgressRoutes(app: FastifyInstance, scavenges: NodeScavenges, seats: EventSeats): void {
  const open = new Set<EventStream>();
  app.addHook('preClose', () => {
    for (const stream of open) stream.end();
  });
  addRoute(app, {
    id: 'followScavenge',
    method: 'GET',
    url: '/scavenges/current/events',
    access: 'operator',
    summary: 'Progress of the running scavenge as server-sent events',
    handler: (request, reply) => {
      const leave = seats.take(request.caller?.name ?? '');
      if (leave === undefined) return reply.code(503).header('Retry-After', '10').send();
      reply.hijack();
      // The client left before the answer: there will be no other close event.
      if (reply.raw.destroyed) {
        leave();
        return reply;
      }
      const onStarted = (scavengeId: string): void => stream.send('started', { scavengeId });
      const onProgress = (scavengeId: string, now: object): void =>
        stream.send('progress', { scavengeId, ...now });
      const onEnded = (scavengeId: string, result: string): void =>
        stream.send('ended', { scavengeId, result });
      const stream = new EventStream(reply.raw, {
        headers: HEADERS,
        mostBufferedBytes: MOST_BUFFERED_BYTES,
        heartbeatMs: HEARTBEAT_MS,
        onLeftOut: (reason) => request.log.error({ reason }, 'an event was left out'),
        onClose: () => {
          leave();
          open.delete(stream);
          scavenges.events.off('started', onStarted).off('progress', onProgress).off('ended', onEnded);
        }
      });
      open.add(stream);
      const { current, progress, last } = scavenges;
      if (current !== undefined) onStarted(current);
      if (current !== undefined && progress) onProgress(current, progress);
      if (current === undefined) stream.send('idle', { scavengeId: last.scavengeId, result: last.result });
      scavenges.events.on('started', onStarted).on('progress', onProgress).on('ended', onEnded);
      return reply;
    }
  });
}

/**
 * The progress of the running scavenge as server-sent events: `started`, `progress` (at most ten a second), `ended`.
 * Who comes late gets the present state first. The stream stays open between scavenges.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { NodeScavenges } from '../node-scavenges.ts';
import { addRoute } from './route.ts';

/** Idle proxies close what stays silent. */
const HEARTBEAT_MS = 15_000;
/** A reader that does not keep up is let go: it can come back and gets the present state. */
const MOST_BUFFERED_BYTES = 256 * 1024;

export function addProgressRoutes(app: FastifyInstance, scavenges: NodeScavenges): void {
  const open = new Set<ServerResponse>();
  app.addHook('preClose', () => {
    for (const response of open) response.end();
  });
  addRoute(app, {
    method: 'GET',
    url: '/scavenges/current/events',
    access: 'operator',
    summary: 'Progress of the running scavenge as server-sent events',
    handler: (_request, reply) => {
      reply.hijack();
      const response = reply.raw;
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff'
      });
      open.add(response);
      const write = (text: string): void => {
        if (response.writableLength > MOST_BUFFERED_BYTES) response.destroy();
        else response.write(text);
      };
      const send = (name: string, data: object): void =>
        write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      const { current, progress, last } = scavenges;
      if (current !== undefined) send('started', { scavengeId: current });
      if (current !== undefined && progress) send('progress', { scavengeId: current, ...progress });
      if (current === undefined) send('idle', { scavengeId: last.scavengeId, result: last.result });
      const onStarted = (scavengeId: string): void => send('started', { scavengeId });
      const onProgress = (scavengeId: string, now: object): void => send('progress', { scavengeId, ...now });
      const onEnded = (scavengeId: string, result: string): void => send('ended', { scavengeId, result });
      const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS);
      scavenges.events.on('started', onStarted).on('progress', onProgress).on('ended', onEnded);
      response.on('close', () => {
        clearInterval(heartbeat);
        open.delete(response);
        scavenges.events.off('started', onStarted).off('progress', onProgress).off('ended', onEnded);
      });
      return reply;
    }
  });
}

/** The routes of a node's own scavenges: statuses, bodies and words of the server; docs/operations/serve.md lists the differences. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { EngineError, requireFault } from '../../../src-core/index.ts';
import { preferredType } from '../accept.ts';
import type { NodeScavenges } from '../../cluster/node-scavenges.ts';
import { addRoute } from './route.ts';
import { RUN_OPTIONS } from '../run-options.ts';
import { readScavengeQuery } from '../scavenge-query.ts';

const QUERY = {
  threads: 'threads that rewrite chunks, from 1',
  threshold: 'minimum weight of a chunk to rewrite; 0: any weight, -1: every chunk',
  throttlePercent: 'share of the time to spend working, 1 to 100; 100 with several threads',
  syncOnly: 'true: only to an existing scavenge point that no scavenge has reached',
  startFromChunk: 'deprecated and ignored',
  ...Object.fromEntries(Object.entries(RUN_OPTIONS).map(([name, { help }]) => [name, help]))
};

export function addAdminRoutes(app: FastifyInstance, scavenges: NodeScavenges): void {
  addRoute(app, {
    id: 'startScavenge',
    method: 'POST',
    url: '/admin/scavenge',
    access: 'operator',
    summary: 'Starts a scavenge; its id is in the header X-Scavenge-Id',
    query: QUERY,
    handler: async (request, reply) => {
      const read = readScavengeQuery(new URL(request.url, 'http://any').searchParams, new Date());
      if ('fault' in read) return sendText(reply, 400, read.fault);
      try {
        reply.header('X-Scavenge-Id', await scavenges.start(read.query, request.caller?.name));
      } catch (error) {
        requireFault(error);
        return sendRefusal(reply, error);
      }
      sendIgnoredNames(reply, read.unknownNames);
      return reply.code(200).send();
    }
  });
  addRoute(app, {
    id: 'currentScavenge',
    method: 'GET',
    url: '/admin/scavenge/current',
    access: 'operator',
    summary: 'Id of the running scavenge; empty if there is none',
    handler: (request, reply) => {
      const scavengeId = scavenges.current ?? '';
      const scavengeLink = linkOf(scavengeId);
      if (preferredType(request.headers.accept) === 'text') {
        return sendText(reply, 200, `ScavengeId: ${scavengeId}, ScavengeLink: ${scavengeLink}`);
      }
      return sendJson(reply, { scavengeId, scavengeLink });
    }
  });
  addRoute(app, {
    id: 'lastScavenge',
    method: 'GET',
    url: '/admin/scavenge/last',
    access: 'operator',
    summary: 'Result of the last scavenge since the service started',
    handler: (request, reply) => {
      const { scavengeId, result } = scavenges.last;
      const scavengeLink = result === 'Unknown' ? '' : linkOf(scavengeId);
      if (preferredType(request.headers.accept) === 'text') {
        const text = `ScavengeId: ${scavengeId}, ScavengeLink: ${scavengeLink}, ScavengeResult: ${result}`;
        return sendText(reply, 200, text);
      }
      return sendJson(reply, { scavengeId, scavengeLink, scavengeResult: result });
    }
  });
  // "current" and "last" are not ids, but a DELETE of them has its literal meaning.
  const stops = [
    ['stopScavenge', ':scavengeId'],
    ['stopCurrentScavenge', 'current'],
    ['stopLastScavenge', 'last']
  ] as const;
  for (const [id, name] of stops) {
    addRoute(app, {
      id,
      method: 'DELETE',
      url: `/admin/scavenge/${name}`,
      access: 'operator',
      summary: 'Stops a scavenge, or with the id "current" the running one; answers when it has ended',
      handler: async (request, reply) => {
        const scavengeId = new URL(request.url, 'http://any').pathname.split('/').at(-1) ?? '';
        const stopped = await scavenges.stop(decodeURIComponent(scavengeId));
        if (stopped === undefined) return sendText(reply, 404, 'Scavenge Id does not exist');
        if (preferredType(request.headers.accept) === 'text') return sendText(reply, 200, stopped);
        return sendJson(reply, stopped);
      }
    });
  }
}

/** Says which parameters were not understood. */
export function sendIgnoredNames(reply: FastifyReply, unknownNames: readonly string[]): void {
  // The values come from outside and go into a header: only characters that a name may have.
  const names = unknownNames.map((name) => name.replaceAll(/[^\w-]/g, '?').slice(0, 50));
  if (names.length > 0) reply.header('Warning', `299 - "ignored: ${names.slice(0, 10).join(', ')}"`);
}

/** What a person can correct is the fault of the request, in the server's view too; the rest is the node's. */
export function sendRefusal(reply: FastifyReply, error: EngineError): FastifyReply {
  if (error.details['running'] !== undefined) return sendText(reply, 400, error.message);
  const isRequest = error.code === 'InvalidRequest' || error.code === 'DatabaseInUse';
  return sendText(reply, isRequest ? 400 : 500, `${error.message} ${error.remedy}`);
}

export function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send(text);
}

/** As the server writes it: two spaces. */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply
    .code(200)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(value, undefined, 2));
}

function linkOf(scavengeId: string): string {
  return scavengeId === '' ? '' : `/admin/scavenge/${scavengeId}`;
}

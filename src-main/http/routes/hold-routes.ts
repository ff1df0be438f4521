/**
 * A pause of the running scavenge for a backup that another process takes: it lasts a minute from the last
 * request, so that the scavenge resumes if the backup disappears. Winnow only; a server has no such thing.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { holdOwnScavenge, type HeldScavenge } from '../../backup/own-scavenge.ts';
import { sendJson, sendText } from './admin-routes.ts';
import { addRoute } from './route.ts';

const HOLD_MS = 60_000;
const MOST_HOLDS = 16;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Hold {
  scavenge: HeldScavenge;
  timer: NodeJS.Timeout;
}

export interface HoldPlace {
  dataDirectory: string;
  winnowHome: string;
}

export function addHoldRoutes(app: FastifyInstance, place: HoldPlace): void {
  const holds = new Map<string, Hold>();
  const release = (id: string): boolean => {
    const hold = holds.get(id);
    holds.delete(id);
    clearTimeout(hold?.timer);
    return hold?.scavenge.release() ?? false;
  };
  const keep = (id: string, scavenge: HeldScavenge): void => {
    clearTimeout(holds.get(id)?.timer);
    const timer = setTimeout(() => release(id), HOLD_MS);
    timer.unref();
    holds.set(id, { scavenge, timer });
  };
  app.addHook('preClose', () => {
    for (const id of holds.keys()) release(id);
  });
  const query = { id: 'a GUID chosen by the caller, to renew or end this pause' };
  const url = '/scavenges/current/hold';
  addRoute(app, {
    id: 'holdScavenge',
    method: 'POST',
    url,
    access: 'operator',
    summary: 'Pauses the running scavenge for a minute; answers when it has paused',
    query,
    handler: async (request, reply) => {
      const id = idOf(request.query);
      if (id === undefined) return sendWrongId(reply);
      if (!holds.has(id) && holds.size >= MOST_HOLDS) return sendText(reply, 429, 'Too many pauses at once.');
      const scavenge = holds.get(id)?.scavenge ?? (await holdOwnScavenge(place, undefined));
      if (!scavenge) return sendText(reply, 404, 'No scavenge is running');
      keep(id, scavenge);
      return sendJson(reply, { scavengeId: scavenge.scavengeId, expiresInSeconds: HOLD_MS / 1000 });
    }
  });
  addRoute(app, {
    id: 'releaseScavenge',
    method: 'DELETE',
    url,
    access: 'operator',
    summary: 'Ends a pause',
    query,
    handler: (request, reply) => {
      const id = idOf(request.query);
      if (id === undefined) return sendWrongId(reply);
      return release(id) ? reply.code(200).send() : sendText(reply, 404, 'No such pause');
    }
  });
}

function idOf(query: unknown): string | undefined {
  const { id } = query as { id?: unknown };
  return typeof id === 'string' && ID.test(id) ? id : undefined;
}

function sendWrongId(reply: FastifyReply): FastifyReply {
  return sendText(reply, 400, 'id must be a GUID');
}

/** The routes of auto-scavenge: statuses, bodies and words of the server; the differences stand in docs/operations/serve.md. */
import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decodeQuietHours, type CallAnswer, type QuietHours } from '../../../src-core/index.ts';
import { INTERNAL_ERROR, mayKnowPaths } from '../access.ts';
import type { AutoScavengeCall, AutoScavengeDoor } from '../auto-scavenge.ts';
import type { ForwardCall } from '../forward-call.ts';
import { addRoute } from './route.ts';

export interface AutoScavengeRoutes {
  autoScavenge: AutoScavengeDoor;
  /** To the process that coordinates, where that is another one. */
  forward: ForwardCall;
}

export function addAutoScavengeRoutes(app: FastifyInstance, parts: AutoScavengeRoutes): void {
  const { autoScavenge } = parts;
  addRoute(app, {
    method: 'GET',
    url: '/auto-scavenge/enabled',
    access: 'user',
    summary: 'Whether auto-scavenge is on',
    handler: (_request, reply) => reply.send({ enabled: autoScavenge.isEnabled })
  });
  if (autoScavenge.mode.kind === 'disabled') return;
  const routes = [
    { method: 'GET', name: 'status', access: 'user', summary: 'State, schedule, time until the next cycle' },
    {
      method: 'POST',
      name: 'pause',
      access: 'operator',
      summary: 'Pauses; 202 while a run is still being stopped'
    },
    { method: 'POST', name: 'resume', access: 'operator', summary: 'Goes on where it was paused' }
  ] as const;
  for (const { method, name, access, summary } of routes) {
    const url = `/auto-scavenge/${name}`;
    addRoute(app, {
      method,
      url,
      access,
      summary,
      handler: (request, reply) => answer(parts, request, reply, name)
    });
  }
  addRoute(app, {
    method: 'POST',
    url: '/auto-scavenge/configure',
    access: 'operator',
    summary: 'Sets the schedule, a CRON expression of five fields',
    handler: (request, reply) => {
      if (!isJson(request.headers['content-type'])) return reply.code(415).send();
      const read = readSchedule(request.body);
      if ('fault' in read) return sendAnswer(reply, { status: 400, body: read.fault });
      const { schedule, timeZone } = read;
      return answer(parts, request, reply, {
        configure: schedule,
        ...(timeZone !== undefined && { timeZone })
      });
    }
  });
  addRoute(app, {
    method: 'POST',
    url: '/auto-scavenge/quiet-hours',
    access: 'operator',
    summary:
      'Sets the hours in which nothing runs: {"from":"08:00","to":"20:00","days":[1,2,3,4,5]}, or null',
    handler: (request, reply) => {
      if (!isJson(request.headers['content-type'])) return reply.code(415).send();
      const quietHours = readQuietHours(request.body);
      if (quietHours === undefined) return sendAnswer(reply, { status: 400, body: 'Invalid quiet hours' });
      return answer(parts, request, reply, { quietHours });
    }
  });
}

async function answer(
  { autoScavenge, forward }: AutoScavengeRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
  call: AutoScavengeCall
): Promise<FastifyReply> {
  const { mode } = autoScavenge;
  if (mode.kind === 'elsewhere') return forward(mode.holder, request, reply);
  const answered = await autoScavenge.call(call);
  if (answered.status !== 500 || mayKnowPaths(request)) return sendAnswer(reply, answered);
  request.log.error({ reason: answered.detail });
  return sendProblem(reply, 500, INTERNAL_ERROR);
}

/** A JSON string or object, nothing, or a problem document. */
export function sendAnswer(reply: FastifyReply, answer: CallAnswer): FastifyReply {
  if (answer.detail !== undefined) return sendProblem(reply, answer.status, answer.detail);
  if (answer.body === null) return reply.code(answer.status).send();
  return reply.code(answer.status).type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
}

export function sendProblem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  const problem = {
    type: `https://www.rfc-editor.org/rfc/rfc9110#section-15.${Math.floor(status / 100) + 1}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail
  };
  return reply.code(status).type('application/problem+json').send(JSON.stringify(problem));
}

function isJson(contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^application\/(?:[^\s/]+\+)?json$/.test(type);
}

/** Names are case-sensitive, unknown ones are ignored; of a name that comes twice the last counts. */
function readSchedule(body: unknown): { schedule: string; timeZone?: string } | { fault: string } {
  const value = parsed(body);
  if (value === undefined) return { fault: 'The body is not valid JSON.' };
  if (value === null) return { fault: 'Invalid payload' };
  if (typeof value !== 'object' || Array.isArray(value)) return { fault: 'The body must be a JSON object.' };
  if (!Object.hasOwn(value, 'schedule')) return { fault: 'The member "schedule" is missing.' };
  const { schedule, timeZone } = value as { schedule: unknown; timeZone?: unknown };
  if (schedule === null) return { fault: 'Invalid CRON expression' };
  if (typeof schedule !== 'string') return { fault: 'CRON expression can only be a string' };
  if (timeZone === undefined || timeZone === null) return { schedule };
  return typeof timeZone === 'string' ? { schedule, timeZone } : { fault: 'Invalid time zone' };
}

/** undefined: neither quiet hours nor null. Without days: on all of them. */
function readQuietHours(body: unknown): QuietHours | null | undefined {
  const value = parsed(body);
  if (value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  return decodeQuietHours({ days: [0, 1, 2, 3, 4, 5, 6], ...value });
}

/** undefined: no JSON. */
function parsed(body: unknown): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : '') as unknown;
  } catch {
    return undefined;
  }
}

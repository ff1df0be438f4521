/** The routes of auto-scavenge: statuses, bodies and words of the server; the differences stand in docs/operations/serve.md. */
import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallAnswer } from '../../../src-core/index.ts';
import { INTERNAL_ERROR, mayKnowPaths } from '../access.ts';
import type { AutoScavenge, AutoScavengeCall } from '../auto-scavenge.ts';
import type { ForwardCall } from '../forward-call.ts';
import { addRoute } from './route.ts';

export interface AutoScavengeRoutes {
  autoScavenge: AutoScavenge;
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
      return answer(parts, request, reply, { configure: read.schedule });
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
function readSchedule(body: unknown): { schedule: string } | { fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(typeof body === 'string' ? body : '');
  } catch {
    return { fault: 'The body is not valid JSON.' };
  }
  if (value === null) return { fault: 'Invalid payload' };
  if (typeof value !== 'object' || Array.isArray(value)) return { fault: 'The body must be a JSON object.' };
  if (!Object.hasOwn(value, 'schedule')) return { fault: 'The member "schedule" is missing.' };
  const { schedule } = value as { schedule: unknown };
  if (schedule === null) return { fault: 'Invalid CRON expression' };
  if (typeof schedule !== 'string') return { fault: 'CRON expression can only be a string' };
  return { schedule };
}

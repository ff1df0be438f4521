/** The routes of auto-scavenge: statuses, bodies and words of the server; docs/operations/serve.md lists the differences. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  decodeCycleOptions,
  decodeQuietHours,
  quietOutside,
  type CallAnswer,
  type QuietHours,
  requireFault
} from '../../../src-core/index.ts';
import { INTERNAL_ERROR, mayKnowPaths } from '../access.ts';
import type { AutoScavengeCall, AutoScavengeDoor } from '../../cluster/auto-scavenge.ts';
import type { ForwardCall } from '../forward-call.ts';
import { isJson, parsedBody } from '../json-body.ts';
import { sendProblem } from '../problem-document.ts';
import { addRoute } from './route.ts';

export interface AutoScavengeRoutes {
  autoScavenge: AutoScavengeDoor;
  /** To the coordinating process, if that is another one. */
  forward: ForwardCall;
}

export function addAutoScavengeRoutes(app: FastifyInstance, parts: AutoScavengeRoutes): void {
  const { autoScavenge } = parts;
  addRoute(app, {
    id: 'readAutoScavengeEnabled',
    method: 'GET',
    url: '/auto-scavenge/enabled',
    access: 'user',
    summary: 'Whether auto-scavenge is on',
    handler: async (_request, reply) => reply.send({ enabled: await autoScavenge.isEnabled() })
  });
  if (autoScavenge.isOff) return;
  const routes = [
    {
      id: 'readAutoScavengeStatus',
      method: 'GET',
      name: 'status',
      access: 'user',
      summary: 'State, schedule, time until the next cycle'
    },
    {
      id: 'pauseAutoScavenge',
      method: 'POST',
      name: 'pause',
      access: 'operator',
      summary: 'Pauses the schedule; 202 while a run is still stopping'
    },
    {
      id: 'resumeAutoScavenge',
      method: 'POST',
      name: 'resume',
      access: 'operator',
      summary: 'Resumes where it was paused'
    },
    {
      id: 'skipNextCycle',
      method: 'POST',
      name: 'skip',
      access: 'operator',
      summary: 'Skips the next cycle of the schedule'
    }
  ] as const;
  for (const { id, method, name, access, summary } of routes) {
    const url = `/auto-scavenge/${name}`;
    addRoute(app, {
      id,
      method,
      url,
      access,
      summary,
      handler: (request, reply) => answer(parts, request, reply, name)
    });
  }
  addRoute(app, {
    id: 'configureAutoScavenge',
    method: 'POST',
    url: '/auto-scavenge/configure',
    access: 'operator',
    summary: 'Sets the schedule, a CRON expression of five fields',
    handler: (request, reply) => {
      if (!isJson(request.headers['content-type'])) return reply.code(415).send();
      const read = readSchedule(request.body);
      if ('fault' in read) return sendAnswer(reply, { status: 400, body: read.fault, note: read.note });
      const { schedule, timeZone } = read;
      return answer(parts, request, reply, {
        schedule,
        ...(timeZone !== undefined && { timeZone })
      });
    }
  });
  addRoute(app, {
    id: 'startCycle',
    method: 'POST',
    url: '/auto-scavenge/scavenge',
    access: 'operator',
    summary: 'Starts a cycle now: {}, or {"threshold":10,"scavengePoint":"detached"}',
    handler: (request, reply) => {
      const asked = request.body === undefined || request.body === '' ? {} : parsedBody(request.body);
      if (typeof asked !== 'object' || asked === null || Array.isArray(asked)) {
        return sendAnswer(reply, { status: 400, body: 'The body must be a JSON object.' });
      }
      const scavenge = decodeCycleOptions(asked as Record<string, unknown>);
      for (const name of ['threshold', 'scavengePoint'] as const) {
        const isWrong = Object.hasOwn(asked, name) && scavenge[name] === undefined;
        if (isWrong) return sendAnswer(reply, { status: 400, body: `Invalid ${name}` });
      }
      return answer(parts, request, reply, { scavenge });
    }
  });
  addRoute(app, {
    id: 'setQuietHours',
    method: 'POST',
    url: '/auto-scavenge/quiet-hours',
    access: 'operator',
    summary:
      'Sets the quiet hours, in which nothing runs: {"from":"08:00","to":"20:00","days":[1,2,3,4,5]}, {"window":"02:00-04:00"} to work only there, or null',
    handler: (request, reply) => {
      if (!isJson(request.headers['content-type'])) return reply.code(415).send();
      const quietHours = readQuietHours(request.body);
      if (quietHours === undefined) {
        return sendAnswer(reply, { status: 400, body: 'Invalid quiet hours', note: QUIET_HOURS_FORM });
      }
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
  const holder = await autoScavenge.holder();
  if (holder) return forward(holder, request, reply);
  const answered = await autoScavenge.call(call);
  if (answered.status !== 500 || mayKnowPaths(request)) return sendAnswer(reply, answered);
  request.log.error({ reason: answered.detail });
  return sendProblem(reply, 500, INTERNAL_ERROR);
}

/** A JSON string or object, nothing, or a problem document. */
export function sendAnswer(reply: FastifyReply, answer: CallAnswer): FastifyReply {
  const { note, status } = answer;
  if (note !== undefined) reply.header('Warning', `299 - "${inHeader(note)}"`);
  // The server's own answer to a wrong schedule does not say what is wrong.
  if (note !== undefined && status === 400 && wantsProblem(reply.request)) {
    return sendProblem(reply, status, note);
  }
  if (answer.detail !== undefined) return sendProblem(reply, answer.status, answer.detail);
  if (answer.body === null) return reply.code(answer.status).send();
  return reply.code(answer.status).type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
}

function wantsProblem({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('application/problem+json') === true;
}

const LONGEST_NOTE = 400;

/** A note quotes what the caller sent: keeps only characters that a quoted part of a header may hold. */
function inHeader(note: string): string {
  return note
    .replaceAll('"', "'")
    .replaceAll(/[^\x20-\x7e]|\\/g, '?')
    .slice(0, LONGEST_NOTE);
}

const QUIET_HOURS_FORM =
  'The body is {"from":"08:00","to":"20:00","days":[1,2,3,4,5]} (days from 0, Sunday, to 6), {"window":"02:00-04:00"}, or null for none.';

/** Names are case-sensitive, unknown ones are ignored; of a repeated name the last counts. */
function readSchedule(
  body: unknown
): { schedule: string; timeZone?: string } | { fault: string; note: string } {
  const value = parsedBody(body);
  const wrongBody = (fault: string) => ({ fault, note: `The body is {"schedule":"0 3 * * 0"}. ${fault}` });
  if (value === undefined) return wrongBody('The body is not valid JSON.');
  if (value === null) return wrongBody('Invalid payload');
  if (typeof value !== 'object' || Array.isArray(value)) return wrongBody('The body must be a JSON object.');
  if (!Object.hasOwn(value, 'schedule')) return wrongBody('The member "schedule" is missing.');
  const { schedule, timeZone } = value as { schedule: unknown; timeZone?: unknown };
  if (schedule === null) return { fault: 'Invalid CRON expression', note: 'schedule: it is null.' };
  if (typeof schedule !== 'string') {
    return { fault: 'CRON expression can only be a string', note: `schedule: it is ${kindOf(schedule)}.` };
  }
  if (timeZone === undefined || timeZone === null) return { schedule };
  if (typeof timeZone === 'string') return { schedule, timeZone };
  return { fault: 'Invalid time zone', note: `timeZone: it is ${kindOf(timeZone)}, not a text.` };
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** undefined: not a maintenance window. */
function quietOfWindow(window: unknown): QuietHours | undefined {
  if (typeof window !== 'string') return undefined;
  try {
    return quietOutside(window);
  } catch (error) {
    requireFault(error);
    return undefined;
  }
}

/** undefined: neither quiet hours nor null. Without days: every day. */
function readQuietHours(body: unknown): QuietHours | null | undefined {
  const value = parsedBody(body);
  if (value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  if (Object.hasOwn(value, 'window')) return quietOfWindow((value as { window: unknown }).window);
  return decodeQuietHours({ days: [0, 1, 2, 3, 4, 5, 6], ...value });
}

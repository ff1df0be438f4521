/**
 * The routes of the served page: its files for anyone, the log-in, and after it the verbs of the contract and their
 * events. A verb answers with its value as JSON, or with the report of a failure and the status of its family.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { VERB_NAMES } from '../../contract/verbs/channels.ts';
import type { ErrorReport, StartState, VerbName } from '../../contract/verbs/workbench-contract.ts';
import { parseDocument } from '../../contract/document-bounds.ts';
import { errorReportOf } from '../../contract/error-report.ts';
import type { UserStore } from '../../access/user-store.ts';
import { CONTENT_SECURITY_POLICY } from '../../contract/content-security-policy.ts';
import type { BasicAuthentication } from '../../access/basic-authentication.ts';
import type { EventSeats } from '../event-seats.ts';
import type { ServedNames } from '../request-origin.ts';
import { addRoute } from '../routes/route.ts';
import { statusOf } from './failure-status.ts';
import { isFromPage, takeSession } from './page-guard.ts';
import { pageJson } from './page-json.ts';
import { isAdministrator, type ServedPage } from './served-page.ts';
import { setCookie, tokenIn } from './session-cookie.ts';
import { accessOf, whyAbsent } from './verb-access.ts';

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store'
};

/**
 * Of a request with a session, which is looked at before its body is read. The longest has the files of an erasure report, with
 * their hashes: some ten thousand.
 */
const VERB_LIMIT_BYTES = 2 * 1024 * 1024;

export interface PageRouteParts {
  page: ServedPage;
  users: UserStore;
  credentials: Pick<BasicAuthentication, 'identify'>;
  /** The port is known once the service listens. */
  names: ServedNames;
  /** Shared with the other event streams. */
  seats: EventSeats;
}

const logIn = z.strictObject({ name: z.string().min(1).max(100), password: z.string().min(1).max(1000) });

export function addPageRoutes(
  app: FastifyInstance,
  { page, users, credentials, names, seats }: PageRouteParts
): void {
  const { sessions, connections } = page.admit(users);
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request);
    if (path !== '/' && !path.startsWith('/assets/') && !path.startsWith('/ui/')) return undefined;
    reply.headers(HEADERS);
    if (request.is404 || !path.startsWith('/ui/')) return undefined;
    if (!isFromPage(request)) {
      return reply.code(403).type('text/plain; charset=utf-8').send('Only the page itself may call this.');
    }
    if (path === '/ui/session' || takeSession(request, sessions, names)) return undefined;
    // No challenge: the page has its own log-in, and a browser would put its dialog on top of it.
    return reply.code(401).send();
  });
  app.addHook('preClose', () => connections.closeAll());

  for (const url of ['/', '/assets/*']) {
    app.get(url, { config: { access: 'anyone' }, schema: { hide: true } }, (request, reply) => {
      const file = page.files.get(pathOf(request));
      return file === undefined ? reply.code(404).send() : reply.type(file.type).send(file.content);
    });
  }

  addRoute(app, {
    id: 'logIn',
    method: 'POST',
    url: '/ui/session',
    access: 'anyone',
    summary: 'Logs in from the page: a session in a cookie',
    handler: async (request, reply) => {
      const given = logInIn(request);
      if (given === undefined) return reply.code(400).send();
      const { name, password } = given;
      const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
      // A colon would end the name too early, and another user's password might begin with the rest.
      const found = name.includes(':')
        ? ({ kind: 'wrong' } as const)
        : await credentials.identify(authorization, request.ip);
      if (found.kind === 'throttled') {
        return reply.header('Retry-After', String(found.retryAfterSeconds)).code(429).send();
      }
      const token = found.kind === 'user' ? sessions.begin(found.caller.name) : undefined;
      if (found.kind !== 'user' || token === undefined) return reply.code(401).send();
      const earlier = tokenIn(request.headers.cookie, names);
      sessions.end(earlier);
      if (earlier !== undefined) connections.endOf(earlier);
      request.caller = found.caller;
      return sendValue(reply.header('Set-Cookie', setCookie(names, token)), { user: found.caller.name });
    }
  });
  addRoute(app, {
    id: 'logOut',
    method: 'DELETE',
    url: '/ui/session',
    access: 'anyone',
    summary: 'Logs out from the page',
    handler: (request, reply) => {
      const token = tokenIn(request.headers.cookie, names);
      sessions.end(token);
      if (token !== undefined) connections.endOf(token);
      return reply.header('Set-Cookie', setCookie(names, undefined)).code(204).send();
    }
  });
  addRoute(app, {
    id: 'followPage',
    method: 'GET',
    url: '/ui/events',
    access: 'anyone',
    summary: 'Events for the page, as server-sent events',
    handler: async (request, reply) => {
      const token = tokenIn(request.headers.cookie, names);
      if (token === undefined || request.caller === undefined) return reply.code(401).send();
      const { name } = request.caller;
      const leave = seats.take(name);
      if (leave === undefined) return reply.code(503).header('Retry-After', '10').send();
      let state: StartState;
      try {
        state = await page.stateFor(request.caller);
      } catch (error) {
        leave();
        throw error;
      }
      reply.hijack();
      const onLeftOut = (reason: string): void => request.log.error({ reason }, 'an event was left out');
      connections.open(reply.raw, { token, headers: HEADERS, state, onLeftOut, onClose: leave });
      return reply;
    }
  });
  addRoute(app, {
    id: 'callVerb',
    method: 'POST',
    url: '/ui/verbs/:verb',
    access: 'anyone',
    summary: "One verb of the window's contract",
    bodyLimitBytes: VERB_LIMIT_BYTES,
    handler: (request, reply) => answerVerb(page, request, reply)
  });
}

async function answerVerb(
  page: ServedPage,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { caller } = request;
  const { verb } = request.params as { verb: string };
  if (caller === undefined) return reply.code(401).send();
  if (!isVerb(verb)) return reply.code(404).send();
  let value: unknown;
  try {
    const asked = jsonIn(request);
    switch (accessOf(verb, asked, (id) => page.work.find(id)?.name)) {
      case 'absent':
        return sendFailure(reply, 403, absent(whyAbsent(verb)));
      case 'operator':
        if (caller.roles.length === 0) return sendFailure(reply, 403, roleMissing(caller.name));
        break;
      case 'administrator':
        if (!isAdministrator(caller)) return sendFailure(reply, 403, onlyAdministrators(caller.name));
        break;
      case 'user':
        break;
    }
    value = await page.answer(caller, verb, asked, { signal: whenGone(reply) });
  } catch (error) {
    const report = errorReportOf(error);
    return sendFailure(reply, statusOf(report), report);
  }
  return sendValue(reply, value);
}

/** Fires when the connection ends before the answer: a question is abandoned if its page is gone. */
function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

function absent(why: string | undefined): ErrorReport {
  return {
    code: 'InvalidRequest',
    message: `This is not available in a browser.${why === undefined ? '' : ` ${why}`}`,
    remedy: 'Use the window or the command line on the machine that holds the database.',
    details: {}
  };
}

function roleMissing(name: string): ErrorReport {
  return {
    code: 'InvalidRequest',
    message: `The user ${name} may read and verify, but not change anything.`,
    remedy: 'Log in as a user with the role $ops or $admins. Nothing was done.',
    details: { role: '$ops' }
  };
}

function onlyAdministrators(name: string): ErrorReport {
  return {
    code: 'InvalidRequest',
    message: `The user ${name} may not manage users or object stores.`,
    remedy: 'Log in as a user with the role $admins. Nothing was done.',
    details: { role: '$admins' }
  };
}

function isVerb(verb: string): verb is VerbName {
  return VERB_NAMES.some((known) => known === verb);
}

/** undefined: the body is not declared as JSON. Throws InvalidRequest for invalid JSON, or JSON beyond the bounds. */
function jsonIn(request: FastifyRequest): unknown {
  const [type] = (request.headers['content-type'] ?? '').split(';');
  if (type !== 'application/json' || typeof request.body !== 'string') return undefined;
  return parseDocument(request.body);
}

function logInIn(request: FastifyRequest): z.output<typeof logIn> | undefined {
  try {
    return logIn.parse(jsonIn(request));
  } catch {
    return undefined;
  }
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? '';
}

function sendValue(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.code(200).type('application/json; charset=utf-8').send(pageJson(value));
}

function sendFailure(reply: FastifyReply, status: number, report: ErrorReport): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(pageJson(report));
}

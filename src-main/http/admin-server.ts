/**
 * The node service: one node's directories behind the admin API of a server, for scavenging it while the server
 * is stopped. Registers the routes, guards them, listens, and closes in order: no new calls, no new node
 * scavenge, the running one stopped where it can be resumed, then the engine.
 */
import type { AddressInfo } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import swagger from '@fastify/swagger';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { EngineError } from '../../src-core/index.ts';
import { INTERNAL_ERROR, accessGuard, mayKnowPaths } from './access.ts';
import { addAdminRoutes, sendText } from './routes/admin-routes.ts';
import { sendProblem } from './problem-document.ts';
import { addAutoScavengeRoutes } from './routes/auto-scavenge-routes.ts';
import type { AutoScavengeDoor } from '../cluster/auto-scavenge.ts';
import type { BasicAuthentication } from '../access/basic-authentication.ts';
import { OPENAPI_FACTS } from './openapi-description.ts';
import { EventSeats } from './event-seats.ts';
import { forwardCall } from './forward-call.ts';
import { addBackupScheduleRoutes, type ScheduledNode } from './routes/backup-schedule-routes.ts';
import { addHistoryRoutes } from './routes/history-routes.ts';
import { ScavengeStreams, type HistoryParts } from './scavenge-streams.ts';
import { addInsightRoutes } from './routes/insight-routes.ts';
import { addInfoRoutes } from './routes/info-routes.ts';
import { createMetrics, type Measured, type MeasuredNode } from './metrics.ts';
import { addHoldRoutes, type HoldPlace } from './routes/hold-routes.ts';
import type { RunsByKind } from './node-runs.ts';
import { addRunRoutes } from './routes/run-routes.ts';
import { addProgressRoutes } from './routes/progress-routes.ts';
import { hasOneHost, isOurHost, isOurOrigin, isPath, type ServedNames } from './request-origin.ts';
import { refuseOtherMethods } from './routes/route.ts';
import { addPing, addServerRoutes, type ServerRouteParts } from './routes/server-routes.ts';
import { readTlsFiles, type TlsFiles } from '../settings/certificate-file.ts';
import { addPageRoutes, type PageRouteParts } from './ui/page-routes.ts';

export const BODY_LIMIT_BYTES = 64 * 1024;
const MOST_CONNECTIONS = 100;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often slow clients are looked for: Node's default of half a minute would give them that much longer. */
const CHECKING_INTERVAL_MS = 1000;
const TIME_LIMITS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  connectionsCheckingInterval: CHECKING_INTERVAL_MS
};
const KEEP_ALIVE_MS = 10_000;
const LONGEST_PARAMETER = 200;

export interface AdminServerParts {
  host: string;
  /** 0: any free port. */
  port: number;
  publicNames: readonly string[];
  tls: TlsFiles | undefined;
  credentials: Pick<BasicAuthentication, 'identify'>;
  /** The node whose directories are hosted; undefined: only a cluster is coordinated. */
  node:
    | (MeasuredNode & {
        history: HistoryParts;
        server: ServerRouteParts;
        place: HoldPlace;
        backupSchedule: ScheduledNode;
        runs: RunsByKind;
      })
    | undefined;
  /** How the registered clusters stand; undefined: not told here. */
  clusters?: Measured['clusters'];
  autoScavenge: AutoScavengeDoor;
  /** The node's scavenges are shared with others, and continue after the service ends. */
  leavesScavenges?: boolean;
  /** The window in a browser; undefined: not served. */
  page?: Omit<PageRouteParts, 'credentials' | 'names' | 'seats'> | undefined;
  logger: FastifyBaseLogger;
  clock: () => number;
}

export interface RunningServer {
  url: string;
  /**
   * Reads certificate and key again; connections that are open keep theirs. False: it serves without TLS. Throws
   * InvalidRequest for files that cannot be used: the service then keeps what it has.
   */
  renewCertificate(): boolean;
  /** Resolves once nothing runs any more. */
  close(): Promise<void>;
}

export async function startAdminServer(parts: AdminServerParts): Promise<RunningServer> {
  const app = createApp(parts);
  const names: ServedNames = {
    host: parts.host,
    port: parts.port,
    isTls: parts.tls !== undefined,
    publicNames: parts.publicNames
  };
  app.addHook('onRequest', async (request, reply) => {
    if (!isPath(request.url)) return sendText(reply, 400, 'The request line must name a path.');
    if (!hasOneHost(request.raw.rawHeaders))
      return sendText(reply, 400, 'The request has more than one Host header.');
    const { host, origin } = request.headers;
    if (isOurHost(host, names) && isOurOrigin(origin, host, names)) return undefined;
    return sendText(reply, 403, 'This service does not have that host name.');
  });
  app.decorateRequest('caller', undefined);
  app.addHook('onRequest', accessGuard(parts.credentials));
  await app.register(swagger, { openapi: OPENAPI_FACTS });
  addInfoRoutes(app, createMetrics(parts, parts.clock));
  const seats = new EventSeats();
  addPing(app);
  if (parts.node) {
    addServerRoutes(app, parts.node.server);
    addHoldRoutes(app, parts.node.place);
    addAdminRoutes(app, parts.node.scavenges);
    addRunRoutes(app, parts.node.runs);
    addInsightRoutes(app, parts.node);
    addProgressRoutes(app, parts.node.scavenges, seats);
    addHistoryRoutes(app, new ScavengeStreams(parts.node.history));
    addBackupScheduleRoutes(app, parts.node.backupSchedule);
  }
  addAutoScavengeRoutes(app, { autoScavenge: parts.autoScavenge, forward: forwardCall });
  if (parts.page) addPageRoutes(app, { ...parts.page, credentials: parts.credentials, names, seats });
  refuseOtherMethods(app);
  await listen(app, parts);
  names.port = (app.server.address() as AddressInfo).port;
  await parts.autoScavenge.start();
  const shownHost = parts.host.includes(':') ? `[${parts.host}]` : parts.host;
  return {
    url: `${names.isTls ? 'https' : 'http'}://${shownHost}:${names.port}`,
    renewCertificate: () => {
      if (!parts.tls || !(app.server instanceof TlsServer)) return false;
      app.server.setSecureContext(readTlsFiles(parts.tls));
      return true;
    },
    close: async () => {
      await parts.autoScavenge.close();
      if (parts.leavesScavenges !== true) await parts.node?.scavenges.stop('current');
      await Promise.all(Object.values(parts.node?.runs ?? {}).map((runs) => runs.stop('current')));
      await parts.page?.page.close();
      await app.close();
    }
  };
}

/** The application with its limits, and the forms of its errors. */
function createApp({ tls, logger }: AdminServerParts): FastifyInstance {
  const app: FastifyInstance = fastify({
    loggerInstance: logger,
    // The library's own log lines would contain whole requests.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    // With a deadline: a client that never reads its answer must not keep the service from ending.
    forceCloseConnections: true,
    http: TIME_LIMITS,
    ...(tls ? { https: { ...readTlsFiles(tls), ...TIME_LIMITS } } : {})
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  app.server.headersTimeout = HEADERS_TIMEOUT_MS;
  // The routes read the bodies themselves: most of them ignore theirs, whatever its type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onSend', async (_request, reply) => {
    reply.header('X-Content-Type-Options', 'nosniff').header('Cache-Control', 'no-store');
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    const [path] = request.url.split('?');
    const who = request.caller?.name;
    request.log.info({ method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime), who });
  });
  app.setNotFoundHandler({}, (_request, reply) => reply.code(404).send());
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    const isEngine = error instanceof EngineError;
    if (status >= 500) request.log.error({ reason: error.message });
    const words = status < 500 || (isEngine && mayKnowPaths(request)) ? error.message : INTERNAL_ERROR;
    if (/^\/(?:auto-scavenge|backups)/.test(request.url)) return sendProblem(reply, status, words);
    return reply.code(status).type('text/plain; charset=utf-8').send(words);
  });
  return app;
}

async function listen(app: FastifyInstance, { host, port }: AdminServerParts): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const osCode = (cause as NodeJS.ErrnoException).code;
    const isTaken = osCode === 'EADDRINUSE';
    if (osCode === undefined || !['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND'].includes(osCode))
      throw cause;
    throw new EngineError({
      code: 'InvalidRequest',
      message: `The service cannot listen on ${host}, port ${port}: ${isTaken ? 'the port is in use' : osCode}.`,
      remedy: isTaken
        ? 'Choose another port with --port (0: any free port).'
        : 'Choose another address or port.',
      details: { field: '--port', osCode },
      cause
    });
  }
}

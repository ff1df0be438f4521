/** The streams of scavenges over HTTP, runs of the log and of our own history as one. No other stream is served. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EngineError } from '../../../src-core/index.ts';
import type { EventRow, HistoryRun } from '../../operations/reports.ts';
import { sendJson, sendText } from './admin-routes.ts';
import { addRoute } from './route.ts';
import {
  eventsOfRun,
  feedDocument,
  feedEventOfRow,
  runFeed,
  scavengesFeed,
  streamOfRun,
  type Feed,
  type FeedEvent
} from '../scavenge-feed.ts';

export interface HistoryParts {
  /** Newest first. */
  listRuns: () => Promise<HistoryRun[]>;
  /** Events of a stream, backwards from a number or from its end; fails with StreamNotFound. */
  readEvents: (wanted: WantedEvents) => Promise<EventRow[]>;
  clock: () => number;
}

export interface WantedEvents {
  stream: string;
  from: 'head' | number;
  count: number;
}

const PAGE = 20;
const MOST_EVENTS = 1000;
/** Reading the history costs a walk over the runs; a page that is asked for again at once need not be new. */
const KEPT_MS = 1000;
const RUN_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const BODIES = ['body', 'pretty', 'tryharder', 'rich', 'content'];

export function addHistoryRoutes(app: FastifyInstance, parts: HistoryParts): void {
  const history = new History(parts);
  const query = { embed: 'body: with the events themselves' };
  addRoute(app, {
    method: 'GET',
    url: '/streams/:name',
    access: 'operator',
    summary: 'The newest events of $scavenges, or of the stream of one scavenge',
    query,
    handler: async (request, reply) => {
      const { name } = request.params as { name: string };
      const run = /^\$scavenges-(.+)$/.exec(name)?.[1];
      if (name === '$scavenges') return sendFeed(request, reply, await history.scavenges());
      return sendFeed(request, reply, run === undefined ? undefined : await history.run(run, 'head', PAGE));
    }
  });
  addRoute(app, {
    method: 'GET',
    url: '/streams/:name/:scavengeId/:event/:count',
    access: 'operator',
    summary: 'Events of one scavenge, backwards from a number or from "head"',
    query,
    handler: async (request, reply) => {
      const { name, scavengeId, event, count } = request.params as Record<string, string>;
      if (name !== '$scavenges') return reply.code(404).send();
      const from = event === 'head' ? 'head' : wholeNumber(event);
      if (from === undefined) return sendText(reply, 400, `'${event}' is not valid event number`);
      const most = wholeNumber(count);
      if (most === undefined || most === 0) {
        return sendText(reply, 400, `'${count}' is not valid count. Should be positive integer`);
      }
      return sendFeed(request, reply, await history.run(scavengeId ?? '', from, Math.min(most, MOST_EVENTS)));
    }
  });
}

class History {
  readonly #parts: HistoryParts;
  #kept: { runs: Promise<HistoryRun[]>; untilMs: number } | undefined;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  async scavenges(): Promise<Feed | undefined> {
    const runs = await this.#runs();
    return runs.length === 0 ? undefined : scavengesFeed(runs);
  }

  /** undefined: nothing is known of such a run. */
  async run(scavengeId: string, from: 'head' | number, count: number): Promise<Feed | undefined> {
    if (!RUN_ID.test(scavengeId)) return undefined;
    const stream = streamOfRun(scavengeId);
    const logged = await this.#logged(stream, from, count);
    if (logged !== undefined) return runFeed(stream, logged, from === 'head');
    const run = (await this.#runs()).find((candidate) => candidate.scavengeIds.includes(scavengeId));
    if (run === undefined) return undefined;
    const events = eventsOfRun({ ...run, scavengeId }).reverse();
    const wanted = from === 'head' ? events : events.filter(({ eventNumber }) => eventNumber <= from);
    return runFeed(stream, wanted.slice(0, count), from === 'head');
  }

  /** Events of the log, newest first; undefined when it has no such stream. */
  async #logged(stream: string, from: 'head' | number, count: number): Promise<FeedEvent[] | undefined> {
    try {
      return (await this.#parts.readEvents({ stream, from, count })).map(feedEventOfRow);
    } catch (error) {
      if (error instanceof EngineError && error.code === 'StreamNotFound') return undefined;
      throw error;
    }
  }

  #runs(): Promise<HistoryRun[]> {
    const { listRuns, clock } = this.#parts;
    if (this.#kept && this.#kept.untilMs > clock()) return this.#kept.runs;
    const runs = listRuns();
    this.#kept = { runs, untilMs: clock() + KEPT_MS };
    return runs;
  }
}

function sendFeed(request: FastifyRequest, reply: FastifyReply, feed: Feed | undefined): FastifyReply {
  if (!isJsonNamed(request.headers.accept)) {
    return reply
      .code(406)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ title: 'Name a form in the header Accept', supported: ['application/json'] }));
  }
  if (feed === undefined) return reply.code(404).send();
  const { embed } = request.query as { embed?: string };
  const baseUrl = `${request.protocol}://${request.host}`;
  return sendJson(reply, feedDocument(feed, baseUrl, BODIES.includes(embed?.toLowerCase() ?? '')));
}

/** The form must be named: the server answers anything else with a description of its forms. */
function isJsonNamed(accept: string | undefined): boolean {
  return (accept ?? '')
    .split(',')
    .some((entry) => /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(entry));
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

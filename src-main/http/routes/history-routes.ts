/** The streams of scavenges over HTTP: runs in the log and in our own history as one. No other stream is served. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FeedSource } from '../scavenge-feed.ts';
import { embedOf, entryDocument, eTagOf, feedDocument, readFeed } from '../scavenge-feed.ts';
import type { ScavengeStreams } from '../scavenge-streams.ts';
import { sendJson, sendText } from './admin-routes.ts';
import { addRoute } from './route.ts';

const PAGE = 20;
const MOST_EVENTS = 1000;
const QUERY = { embed: 'body: with the events themselves; also content, rich' };

type Parameters = Record<string, string | undefined>;

export function addHistoryRoutes(app: FastifyInstance, streams: ScavengeStreams): void {
  const add = (
    id: string,
    url: string,
    summary: string,
    handler: (request: FastifyRequest, reply: FastifyReply, source: FeedSource) => Promise<FastifyReply>
  ): void =>
    addRoute(app, {
      id,
      method: 'GET',
      url,
      access: 'operator',
      summary,
      query: QUERY,
      handler: async (request, reply) => {
        if (!takesJson(request)) return sendUnacceptable(reply);
        const { name } = request.params as Parameters;
        const source = streams.named(name ?? '');
        return source ? handler(request, reply, source) : reply.code(404).send();
      }
    });
  add(
    'readStream',
    '/streams/:name',
    'The newest events of $scavenges, or of the stream of one scavenge',
    (request, reply, source) =>
      sendPage(request, reply, source, { from: 'head', count: PAGE, direction: 'backward' })
  );
  add(
    'readStreamMetadata',
    '/streams/:name/metadata',
    'Who may read the stream, and how long events are kept',
    async (_request, reply, source) =>
      (await source.last()) === undefined ? reply.code(404).send() : sendJson(reply, streams.metadata())
  );
  add('readEvent', '/streams/:name/:event', 'One event', async (request, reply, source) => {
    const { event } = request.params as Parameters;
    const last = await source.last();
    const number = event === 'head' ? last : wholeNumber(event);
    if (number === undefined && last !== undefined) return sendWrongNumber(reply, event);
    const [entry] = number === undefined ? [] : await source.read(number, 1, 'backward');
    if (entry?.positionEventNumber !== number || !entry) return reply.code(404).send();
    const isAtom = /atom\+json/i.test(request.headers.accept ?? '');
    if (isAtom) return sendJson(reply, entryDocument(entry, baseUrlOf(request), 'content'));
    reply.header('ES-EventType', entry.event.eventType.replaceAll(/[^\w$-]/g, '?'));
    return reply.code(200).type('application/json; charset=utf-8').send(entry.event.data);
  });
  for (const direction of ['backward', 'forward'] as const) {
    add(
      direction === 'backward' ? 'readEventsBackward' : 'readEventsForward',
      `/streams/:name/:event/${direction}/:count`,
      `Events of such a stream, ${direction} from a number or from "head"`,
      async (request, reply, source) => {
        const page = pageOf(request.params as Parameters);
        return 'fault' in page
          ? sendText(reply, 400, page.fault)
          : sendPage(request, reply, source, { ...page, direction });
      }
    );
  }
  add(
    'readEventsOfScavenge',
    '/streams/:name/:scavengeId/:event/:count',
    'Events of one scavenge, backwards from a number or from "head"',
    async (request, reply, { streamId }) => {
      const parameters = request.params as Parameters;
      const page = pageOf(parameters);
      if (streamId !== '$scavenges') return reply.code(404).send();
      if ('fault' in page) return sendText(reply, 400, page.fault);
      const source = streams.ofRun(parameters['scavengeId'] ?? '');
      if (!source) return reply.code(404).send();
      return sendPage(request, reply, source, { ...page, direction: 'backward' });
    }
  );
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  source: FeedSource,
  page: { from: 'head' | number; count: number; direction: 'backward' | 'forward' }
): Promise<FastifyReply> {
  const feed = await readFeed(source, page);
  if (!feed) return reply.code(404).send();
  if (feed.isHead) {
    const eTag = `"${eTagOf(feed)}"`;
    reply.header('ETag', eTag);
    if (request.headers['if-none-match'] === eTag) return reply.code(304).send();
  }
  const { embed } = request.query as { embed?: string };
  return sendJson(reply, feedDocument(feed, baseUrlOf(request), embedOf(embed)));
}

/** In the server's words. */
function pageOf({ event, count }: Parameters): { from: 'head' | number; count: number } | { fault: string } {
  const from = event === 'head' ? 'head' : wholeNumber(event);
  if (from === undefined) return { fault: `'${event}' is not valid event number` };
  const most = wholeNumber(count);
  if (most === undefined || most === 0) {
    return { fault: `'${count}' is not valid count. Should be positive integer` };
  }
  return { from, count: Math.min(most, MOST_EVENTS) };
}

function sendWrongNumber(reply: FastifyReply, event: string | undefined): FastifyReply {
  return sendText(reply, 400, `'${event}' is not valid event number`);
}

function baseUrlOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}

/** No Accept header, here as elsewhere, means that any form will do. */
function takesJson({ headers, query }: FastifyRequest): boolean {
  const { format } = query as { format?: string };
  if (format !== undefined) return /^(?:json|atomjson)$/i.test(format);
  const { accept } = headers;
  return (
    accept === undefined ||
    accept.trim() === '' ||
    accept
      .split(',')
      .some((entry) => /^\s*(?:\*\/\*|application\/(?:\*|(?:[\w.-]+\+)?json))\s*(?:;|$)/i.test(entry))
  );
}

function sendUnacceptable(reply: FastifyReply): FastifyReply {
  return reply
    .code(406)
    .type('application/json; charset=utf-8')
    .send(
      JSON.stringify({ title: 'No type in the header Accept is supported', supported: ['application/json'] })
    );
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

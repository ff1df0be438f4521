/** What is known of the node without reading its log, for dashboards that want more than numbers: growth and verification. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireFault } from '../../../src-core/index.ts';
import { forecastDocument } from '../../contract/answers/forecast-document.ts';
import { MOST_CURVE_DAYS, MOST_LISTED } from '../../contract/operations/usage-requests.ts';
import type { MeasuredNode } from '../metrics.ts';
import { sendJson, sendRefusal, sendText } from './admin-routes.ts';
import { addRoute } from './route.ts';

const SHOWN_CATEGORIES = 1000;
const CURVE_DAYS = 90;

export function addInsightRoutes(
  app: FastifyInstance,
  { growth, coverage, scavenges }: Pick<MeasuredNode, 'growth' | 'coverage' | 'scavenges'>
): void {
  const add = (
    { id, url, summary, query }: { id: string; url: string; summary: string; query?: Record<string, string> },
    answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  ): void =>
    addRoute(app, {
      ...{ id, method: 'GET', url, access: 'operator', summary },
      ...(query === undefined ? {} : { query }),
      handler: async (request, reply) => {
        // Both would wait for the same engine, and a request would hang for hours.
        if (scavenges.current !== undefined)
          return sendText(reply, 503, 'A scavenge runs; ask again when it has ended.');
        try {
          return await answer(request, reply);
        } catch (error) {
          requireFault(error);
          // Of what is wrong with the request nothing is left here: the node cannot be read now.
          if (error.code !== 'InvalidRequest')
            return sendText(reply, 503, `${error.message} ${error.remedy}`);
          return sendRefusal(reply, error);
        }
      }
    });
  const query = {
    days: `days of the curve, from 1 to ${MOST_CURVE_DAYS}`,
    top: `categories at most, from 1 to ${MOST_LISTED}`
  };
  const forecast = { id: 'readForecast', url: '/admin/forecast', query };
  add(
    { ...forecast, summary: 'How fast the log grows, and when the disk is full, as far as it is known' },
    async (request, reply) => {
      const asked = new URL(request.url, 'http://any').searchParams;
      const days = countOf(asked.get('days'), CURVE_DAYS, MOST_CURVE_DAYS);
      const top = countOf(asked.get('top'), SHOWN_CATEGORIES, MOST_LISTED);
      if (days === undefined)
        return sendText(reply, 400, `days must be a whole number from 1 to ${MOST_CURVE_DAYS}.`);
      if (top === undefined)
        return sendText(reply, 400, `top must be a whole number from 1 to ${MOST_LISTED}.`);
      return sendJson(reply, forecastDocument(await growth({ days, top })));
    }
  );
  const covered = { id: 'readCoverage', url: '/admin/coverage' };
  add({ ...covered, summary: 'How much of the log was verified within 30 days' }, async (_request, reply) =>
    sendJson(reply, (await coverage()) ?? null)
  );
}

/** undefined: not a number within the bounds. */
function countOf(text: string | null, otherwise: number, most: number): number | undefined {
  if (text === null) return otherwise;
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= most ? value : undefined;
}

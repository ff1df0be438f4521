/**
 * The routes of rescues, verifications, rebuilds and long questions, in the manner of those of scavenges: a start with its
 * options as a query, the current and the last run, a stop that answers when the run has ended.
 */
import type { FastifyInstance } from 'fastify';
import { requireFault } from '../../../src-core/index.ts';
import { mayKnowPaths } from '../access.ts';
import { RUN_KINDS, type NodeRuns, type RunKind, type RunsByKind } from '../node-runs.ts';
import { OTHER_RUN_OPTIONS, readOtherRunQuery } from '../other-run-options.ts';
import { sendIgnoredNames, sendJson, sendRefusal, sendText } from './admin-routes.ts';
import { addRoute } from './route.ts';

const NOUNS: Readonly<Record<RunKind, string>> = {
  rescue: 'rescue',
  verify: 'verification',
  rebuild: 'rebuild of the index',
  diff: 'comparison with other nodes or with a backup',
  plan: 'plan of a scavenge',
  projections: 'price of projections',
  startup: 'forecast of the next start',
  fleet: 'look at all nodes and clusters'
};

export function addRunRoutes(app: FastifyInstance, runs: RunsByKind): void {
  for (const kind of RUN_KINDS) addRoutesOf(app, kind, runs[kind]);
}

function addRoutesOf(app: FastifyInstance, kind: RunKind, runs: NodeRuns): void {
  const noun = NOUNS[kind];
  const name = kind.charAt(0).toUpperCase() + kind.slice(1);
  const linkOf = (runId: string): string => (runId === '' ? '' : `/admin/${kind}/${runId}`);
  addRoute(app, {
    id: `start${name}`,
    method: 'POST',
    url: `/admin/${kind}`,
    access: 'operator',
    summary: `Starts a ${noun}; its id is in the header X-Run-Id`,
    query: Object.fromEntries(
      Object.entries(OTHER_RUN_OPTIONS[kind]).map(([name, { help }]) => [name, help])
    ),
    handler: async (request, reply) => {
      const read = readOtherRunQuery(kind, new URL(request.url, 'http://any').searchParams, new Date());
      if ('fault' in read) return sendText(reply, 400, read.fault);
      try {
        reply.header('X-Run-Id', await runs.start(read.options, request.caller?.name));
      } catch (error) {
        requireFault(error);
        return sendRefusal(reply, error);
      }
      sendIgnoredNames(reply, read.unknownNames);
      return reply.code(200).send();
    }
  });
  addRoute(app, {
    id: `current${name}`,
    method: 'GET',
    url: `/admin/${kind}/current`,
    access: 'operator',
    summary: `Id of the running ${noun}; empty if there is none`,
    handler: (_request, reply) => {
      const runId = runs.current ?? '';
      return sendJson(reply, { runId, runLink: linkOf(runId) });
    }
  });
  addRoute(app, {
    id: `last${name}`,
    method: 'GET',
    url: `/admin/${kind}/last`,
    access: 'operator',
    summary: `Result and report of the last ${noun} since the service started`,
    handler: (request, reply) => {
      const { runId, result, report = null, error = null } = runs.last;
      const shown = error === null || mayKnowPaths(request) ? error : { code: error.code };
      return sendJson(reply, { runId, runLink: linkOf(runId), runResult: result, report, error: shown });
    }
  });
  // "current" and "last" are not ids, but a DELETE of them has its literal meaning.
  const stops = [
    ['stop', ':runId'],
    ['stopCurrent', 'current'],
    ['stopLast', 'last']
  ] as const;
  for (const [verb, which] of stops) {
    addRoute(app, {
      id: `${verb}${name}`,
      method: 'DELETE',
      url: `/admin/${kind}/${which}`,
      access: 'operator',
      summary: `Stops a ${noun}, or with the id "current" the running one; answers when it has ended`,
      handler: async (request, reply) => {
        const runId = new URL(request.url, 'http://any').pathname.split('/').at(-1) ?? '';
        const stopped = await runs.stop(runId);
        return stopped === undefined
          ? sendText(reply, 404, 'Run Id does not exist')
          : sendJson(reply, stopped);
      }
    });
  }
}

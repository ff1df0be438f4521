/**
 * What a server's clients request from any node, for a directory that no server has open: in the server's shapes, with what
 * is known. Requests that need a running server are refused with the reason.
 */
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { InspectReport } from '../../contract/operations/reports.ts';
import type { EffectiveSetting } from '../../settings/settings.ts';
import { sendJson, sendText } from './admin-routes.ts';
import { addRoute } from './route.ts';

export interface ServerRouteParts {
  inspect: () => Promise<Pick<InspectReport, 'checkpoints' | 'epochs'>>;
  /** Of the disk that holds the data directory; undefined if the system does not report it. */
  disk: () => { mount: string; freeBytes: number; totalBytes: number } | undefined;
  settings: readonly EffectiveSetting[];
  clock: () => number;
}

const SOURCES = {
  default: '<DEFAULT>',
  file: 'Yaml',
  environment: 'Environment Variables',
  commandLine: 'Command Line'
} as const;
const TYPES = { flag: 'boolean', number: 'integer', text: 'string', choice: 'string' } as const;
const HIDDEN = '********';

export function addPing(app: FastifyInstance): void {
  addRoute(app, {
    id: 'ping',
    method: 'GET',
    url: '/ping',
    access: 'anyone',
    summary: 'Whether the service answers',
    handler: (_request, reply) => sendJson(reply, { text: 'Ping request successfully handled' })
  });
}

export function addServerRoutes(app: FastifyInstance, parts: ServerRouteParts): void {
  // New at each start of the service, like a server's.
  const instanceId = randomUUID();
  const startTime = new Date(parts.clock() - process.uptime() * 1000).toISOString();
  addRoute(app, {
    id: 'readGossip',
    method: 'GET',
    url: '/gossip',
    access: 'anyone',
    summary: 'The hosted directory as the only known member',
    handler: async (request, reply) => sendJson(reply, await gossip(request, instanceId, parts))
  });
  const query = { group: 'false: one flat object with full names' };
  for (const [id, url] of [
    ['readStatistics', '/stats'],
    ['readPartOfStatistics', '/stats/*']
  ] as const) {
    addRoute(app, {
      id,
      method: 'GET',
      url,
      access: 'user',
      summary: 'Statistics of process, machine and log',
      query,
      handler: async (request, reply) => {
        const { group } = request.query as { group?: string };
        const path = (request.params as { '*'?: string })['*'] ?? '';
        return sendStats(reply, await statsOf(parts, startTime), {
          isGrouped: group?.toLowerCase() !== 'false',
          path: path.split('/').filter((name) => name !== '')
        });
      }
    });
  }
  addRoute(app, {
    id: 'readSettings',
    method: 'GET',
    url: '/info/options',
    access: 'operator',
    summary: 'Settings with their sources; no secrets',
    handler: (_request, reply) => sendJson(reply, parts.settings.filter(isListed).map(optionOf))
  });
  refuse(
    app,
    'resignNode',
    '/admin/node/resign',
    'No server runs on this directory: there is no leadership to resign from.'
  );
  refuse(
    app,
    'mergeIndexes',
    '/admin/mergeindexes',
    'No server runs on this directory, and Winnow does not merge index tables: the server does at its next writes.'
  );
}

function refuse(app: FastifyInstance, id: string, url: string, reason: string): void {
  addRoute(app, {
    id,
    method: 'POST',
    url,
    access: 'operator',
    summary: 'Refused: it needs a running server',
    handler: (_request, reply) => sendText(reply, 400, reason)
  });
}

async function gossip(
  request: FastifyRequest,
  instanceId: string,
  { inspect, clock }: ServerRouteParts
): Promise<object> {
  const { checkpoints, epochs } = await inspect();
  const { localAddress: ip = '', localPort: port = 0 } = request.socket;
  const newest = epochs.reduce<(typeof epochs)[number] | undefined>(
    (last, epoch) => (last && last.number > epoch.number ? last : epoch),
    undefined
  );
  const member = {
    instanceId,
    timeStamp: new Date(clock()).toISOString(),
    // No role: nothing replicates or accepts writes here.
    state: 'Unknown',
    isAlive: true,
    internalHttpEndPointIp: ip,
    internalHttpEndPointPort: port,
    httpEndPointIp: ip,
    httpEndPointPort: port,
    lastCommitPosition: -1,
    writerCheckpoint: checkpoints.writer ?? -1,
    chaserCheckpoint: checkpoints.chaser ?? -1,
    epochPosition: newest?.position ?? -1,
    epochNumber: newest?.number ?? -1,
    epochId: newest?.id ?? '00000000-0000-0000-0000-000000000000',
    nodePriority: 0,
    isReadOnlyReplica: false
  };
  return { members: [member], serverIp: ip, serverPort: port };
}

type Stats = Map<string, string | number>;

/** By the server's names, in which hyphens separate the levels. */
async function statsOf({ inspect, disk }: ServerRouteParts, startTime: string): Promise<Stats> {
  const { checkpoints } = await inspect();
  const stats: Stats = new Map<string, string | number>([
    ['proc-startTime', startTime],
    ['proc-id', process.pid],
    ['proc-mem', process.memoryUsage().rss],
    ['sys-freeMem', os.freemem()],
    ['sys-totalMem', os.totalmem()]
  ]);
  const drive = disk();
  if (drive) {
    // A hyphen in the name would split it, as in the server.
    const name = `sys-drive-${drive.mount.replaceAll(/[\\:]/g, '')}`;
    const usedBytes = drive.totalBytes - drive.freeBytes;
    const share = drive.totalBytes === 0 ? 0 : Math.round((100 * usedBytes) / drive.totalBytes);
    stats.set(`${name}-availableBytes`, drive.freeBytes);
    stats.set(`${name}-totalBytes`, drive.totalBytes);
    stats.set(`${name}-usage`, `${share}%`);
    stats.set(`${name}-usedBytes`, usedBytes);
  }
  if (checkpoints.writer !== null) {
    stats.set('es-checksum', checkpoints.writer);
    stats.set('es-checksumNonFlushed', checkpoints.writer);
  }
  return stats;
}

function sendStats(
  reply: FastifyReply,
  stats: Stats,
  { isGrouped, path }: { isGrouped: boolean; path: string[] }
): FastifyReply {
  if (!isGrouped) {
    return path.length > 0
      ? sendText(reply, 400, 'Dynamic stats selection works only with grouping enabled')
      : sendJson(reply, Object.fromEntries(stats));
  }
  let found: unknown = grouped(stats);
  for (const name of path) {
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, name);
    if (!isThere) return reply.code(404).send();
    found = (found as Record<string, unknown>)[name];
  }
  return sendJson(reply, found);
}

function grouped(stats: Stats): object {
  const root: Record<string, unknown> = {};
  for (const [name, value] of stats) {
    const levels = name.split('-');
    const last = levels.pop()!;
    let at = root;
    for (const level of levels) at = (at[level] ??= {}) as Record<string, unknown>;
    at[last] = value;
  }
  return root;
}

/** The server does not list members of sections either. */
function isListed({ setting }: EffectiveSetting): boolean {
  return !setting.name.includes(':');
}

function optionOf({ setting, value, source }: EffectiveSetting): object {
  const { name, help, kind, deprecated, isSecret, unit } = setting;
  const text = typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value ?? '');
  return {
    name,
    description: help,
    value: isSecret === true && text !== '' ? HIDDEN : text,
    configurationSource: SOURCES[source],
    deprecationMessage: deprecated ?? null,
    schema: { type: TYPES[kind], ...(unit === undefined ? {} : { 'x-unit': unit }) }
  };
}

/**
 * The runs that a service starts over HTTP on its node besides scavenges: what is asked, put together with the hosted
 * directories, the settings and the list of nodes. Callers name nodes and backups; directories come from the list alone.
 */
import { invalidRequest } from '../../src-core/index.ts';
import type { Log, LogLine } from '../contract/log-line.ts';
import type { DatabaseLocation, RequestOf } from '../contract/operations/operation-contract.ts';
import type { CallOptions, EngineHost } from '../engine/engine-host.ts';
import { NodeRegistry, type RegisteredNode } from '../settings/node-registry.ts';
import type { HostedWork, RunHosted } from '../verbs/hosted-work.ts';
import { NodeRuns, type RunsByKind } from './node-runs.ts';
import { serviceFleet } from './fleet-question.ts';
import type { ServeOptions } from './serve-options.ts';

export interface HostedRunParts {
  runWork: RunHosted;
  engine: EngineHost;
  location: DatabaseLocation;
  /** What the settings say of scavenges: a plan is one of theirs. */
  base: RequestOf<'runScavenge'>;
  options: Pick<ServeOptions, 'winnowHome' | 'environment'>;
  log: Log;
  clock: () => number;
  /** The hosted node in the list of nodes. */
  hosted: () => RegisteredNode | undefined;
}

export function hostedRuns(parts: HostedRunParts): RunsByKind {
  const { runWork, engine, location, base, log, options } = parts;
  const { winnowHome } = options;
  const logged = (given: CallOptions): CallOptions => ({
    ...given,
    onLog: ({ level, message, operationId }: LogLine) => log(level, message, { operationId })
  });
  const runsBy = <N extends HostedWork>(name: N, own: (asked: object) => object): NodeRuns =>
    new NodeRuns(async (asked, given, user) => {
      const request = { ...asked, ...own(asked), ...location } as RequestOf<N>;
      return runWork(name, request, logged(given), user);
    });
  return {
    rescue: runsBy('runRescue', () => ({ winnowHome })),
    verify: runsBy('verifyDatabase', () => ({ winnowHome })),
    rebuild: runsBy('rebuildIndex', () => ({})),
    diff: runsBy('compareDatabases', (asked) => ({ winnowHome, ...comparedWith(asked, parts) })),
    plan: runsBy('planScavenge', (asked) => ({ ...base, ...asked, ...paceOf(asked) })),
    startup: runsBy('forecastStartup', () => ({ unasked: false })),
    projections: new NodeRuns((asked, given) =>
      engine.call('priceProjections', { ...asked, ...location, winnowHome }, logged(given))
    ),
    // With the hosted node, whether or not it is in the list.
    fleet: new NodeRuns((_asked, { signal }) =>
      serviceFleet(parts, { directories: [location.dataDirectory] }, signal)
    )
  };
}

/** Threads and throttle that were given stay, even if they are the defaults. */
function paceOf({ window, threads, throttlePercent }: Partial<RequestOf<'planScavenge'>>): object {
  const isAsked = threads !== undefined || throttlePercent !== undefined;
  return window !== undefined && isAsked ? { pace: 'asked' } : {};
}

interface AskedSides {
  nodes?: readonly string[];
  backup?: string;
}

/** Throws InvalidRequest for a name that stands for no node, or for more than one. */
function comparedWith(
  { nodes = [], backup }: AskedSides,
  { hosted, options, location, clock }: HostedRunParts
): object {
  const own = hosted();
  const others = nodes.map((name) => sideNamed(name, new NodeRegistry(options.winnowHome, clock).list()));
  const more = { name: own?.name ?? location.dataDirectory, nodes: undefined, backup: undefined };
  if (backup === undefined) {
    if (others.length > 0) return { ...more, others };
    throw invalidRequest('There is nothing to compare with.', 'node', 'Name a node, or a backup.');
  }
  const target = own?.backupTarget;
  if (target === undefined) {
    throw invalidRequest(
      'The node has no place for its backups yet.',
      'backup',
      'Set it with "winnow backup schedule set --to" or in the window.'
    );
  }
  return {
    ...more,
    others: [...others, { dataDirectory: backup === 'newest' ? target : `${target}@${backup}` }],
    ...(own?.backupEndpoint === undefined ? {} : { s3Endpoint: own.backupEndpoint }),
    ...(own?.backupKey?.kind === 'file' ? { keyFile: own.backupKey.file } : {})
  };
}

function sideNamed(name: string, nodes: readonly RegisteredNode[]): object {
  const [found, second] = nodes.filter((node) => node.id === name || node.name === name);
  if (!found) {
    throw invalidRequest(
      'There is no node of this name in the list of nodes.',
      'node',
      'Open it in the window first, or see "winnow fleet".'
    );
  }
  if (second) {
    throw invalidRequest('More than one node has this name.', 'node', 'Name it by its id, or rename one.');
  }
  const { dataDirectory, indexDirectory } = found;
  return { dataDirectory, ...(indexDirectory === undefined ? {} : { indexDirectory }), name: found.name };
}

/**
 * Work that a service or a schedule starts on a node of this process: pages and the window show it, follow it and stop it
 * like their own, and it excludes theirs.
 */
import type { CallOptions, EngineHost } from '../engine/engine-host.ts';
import { operationTitle } from '../contract/operations/operation-titles.ts';
import type { Replies, RequestOf } from '../contract/operations/operation-contract.ts';
import type { WorkKeeper } from './work-keeper.ts';

/** What a service itself runs on its node. */
export type HostedWork =
  | 'runScavenge'
  | 'runRescue'
  | 'verifyDatabase'
  | 'rebuildIndex'
  | 'compareDatabases'
  | 'planScavenge'
  | 'forecastStartup';

/** `user`: who started it over HTTP; undefined: a schedule. */
export type RunHosted = <N extends HostedWork>(
  name: N,
  request: RequestOf<N>,
  options: CallOptions,
  user: string | undefined
) => Promise<Replies[N]>;

export interface HostedWorkParts {
  work: WorkKeeper;
  /** As the record of operations is to have it. */
  engineFor: (user: string | undefined) => Pick<EngineHost, 'call'>;
  /** The node in the list; undefined: it is in none, and its work is not shown. */
  nodeAt: (dataDirectory: string) => { id: string; name: string } | undefined;
}

export function hostedAsWork({ work, engineFor, nodeAt }: HostedWorkParts): RunHosted {
  return (name, request, options, user) => {
    const engine = engineFor(user);
    const node = nodeAt(request.dataDirectory);
    if (!node) return engine.call(name, request, options);
    return new Promise((resolve, reject) => {
      work.start({
        name,
        nodeId: node.id,
        title: operationTitle(name, { node: node.name, isPlan: false }),
        request: {},
        startedBy: user === undefined ? { door: 'schedule', user: null } : { door: 'http', user },
        run: async (own) => {
          const outcome = engine.call(name, request, bothOf(own, options));
          outcome.then(resolve, reject);
          return outcome;
        }
      });
    });
  };
}

/** Stopped by either, and followed by both. */
function bothOf(one: CallOptions, other: CallOptions): CallOptions {
  const signals = [one.signal, other.signal].filter((signal) => signal !== undefined);
  return {
    signal: AbortSignal.any(signals),
    onProgress: (progress) => {
      one.onProgress?.(progress);
      other.onProgress?.(progress);
    },
    onLog: (line) => {
      one.onLog?.(line);
      other.onLog?.(line);
    }
  };
}

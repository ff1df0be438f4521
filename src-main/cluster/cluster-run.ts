/**
 * One pass over the members of a cluster, now and in the foreground. The cycle is opened by the event that a
 * schedule would write, so that a pass that is cut goes on with the next one or with the service.
 */
import { randomUUID } from 'node:crypto';
import { Coordinator, encodeCoordinatorEvent, EngineError, memberKey } from '../../src-core/index.ts';
import type { CoordinatorParts } from '../http/auto-scavenge.ts';

export interface ClusterRunEnd {
  /** Members with what their scavenge came to, in the order they were done. */
  done: { node: string; result: string }[];
  isStopped: boolean;
}

export interface ClusterRunOptions {
  /** Between two looks at the cluster, in ms. */
  tickMs: number;
  signal: AbortSignal;
}

/** Being stopped pauses the cycle: the node scavenge that runs is stopped, and the next call goes on. */
export async function runClusterNow(
  parts: CoordinatorParts,
  options: ClusterRunOptions
): Promise<ClusterRunEnd> {
  const gossip = await parts.gossip();
  if (!gossip || gossip.length === 0) {
    throw new EngineError({
      code: 'RemoteNodeFailed',
      message: 'No member of the cluster answers.',
      remedy: 'Look at "winnow cluster status".',
      details: {}
    });
  }
  const { store } = parts;
  const history = (await store.load()).history;
  const isOpen = history.some(({ type }) => type === '$cluster-scavenge-started');
  if (!isOpen) {
    const members = gossip.map(({ id }) => id);
    const at = parts.now();
    await store.append(
      encodeCoordinatorEvent({
        type: '$cluster-scavenge-started',
        at,
        clusterScavengeId: randomUUID(),
        members
      })
    );
  }
  const done: ClusterRunEnd['done'] = [];
  // Somebody wants it now: quiet hours are for what starts by itself.
  const coordinator = new Coordinator(
    { ...parts.options, ignoresQuietHours: true },
    {
      ...parts,
      store: {
        load: () => store.load(),
        probe: () => store.probe(),
        append: async (event) => {
          const outcome = await store.append(event);
          const { nodeId, result } = event.data as {
            nodeId?: { address: string; port: number };
            result?: string;
          };
          if (nodeId && result !== undefined) done.push({ node: memberKey(nodeId), result });
          return outcome;
        }
      }
    }
  );
  await coordinator.receiveGossip(gossip);
  if (isOpen) await coordinator.resume();
  while (coordinator.state?.isCycleOpen === true && !options.signal.aborted) {
    await sleep(options.tickMs, options.signal);
    await coordinator.receiveGossip((await parts.gossip()) ?? []);
  }
  if (coordinator.state?.isCycleOpen !== true) return { done, isStopped: false };
  await coordinator.pause();
  // A node that takes its time is asked again until its scavenge has stopped.
  while (coordinator.status === 'Pausing') {
    await sleep(options.tickMs, undefined);
    await coordinator.receiveGossip((await parts.gossip()) ?? []);
  }
  return { done, isStopped: true };
}

/** Ends early when the signal fires. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

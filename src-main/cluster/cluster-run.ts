/**
 * One pass over the members of a cluster, now and in the foreground. The cycle is opened as for anybody who asks the
 * coordinator for one, so that a pass that is cut is resumed by the next one or by the service.
 */
import {
  Coordinator,
  EngineError,
  memberKey,
  type GossipMember,
  type NodeFault,
  type NodeReply,
  type NodeRequest
} from '../../src-core/index.ts';
import type { CoordinatorParts } from '../http/auto-scavenge.ts';

export interface ClusterRunEnd {
  /** Members with what their scavenge came to, in the order they were done. */
  done: { node: string; result: string }[];
  isStopped: boolean;
  /** A member that was asked to stop and has not said that it did, in words; undefined: none. */
  stillStopping?: string;
}

export interface ClusterRunOptions {
  /** Between two looks at the cluster, in ms. */
  tickMs: number;
  signal: AbortSignal;
  /** The nodes are directories that this process works on: it must not end before they are left in order. */
  endsWithNodes: boolean;
}

/**
 * Being stopped pauses the cycle: the node scavenge that runs is asked once to stop, and the next call resumes. Throws
 * RemoteNodeFailed with the reason when a node refuses for good; the cycle stays open then too.
 */
export async function runClusterNow(
  parts: CoordinatorParts,
  options: ClusterRunOptions
): Promise<ClusterRunEnd> {
  const { signal, tickMs } = options;
  const { store } = parts;
  let refusal: { node: string; fault: NodeFault } | undefined;
  let lastFault: NodeFault | undefined;
  const gossipOrReason = async (): Promise<GossipMember[] | undefined> => {
    const gossip = await parts.gossip();
    const fault = gossip ? undefined : parts.gossipFault?.();
    if (fault?.kind === 'never') refusal ??= { node: 'The cluster', fault };
    return gossip;
  };
  const gossip = await gossipOrReason();
  if (signal.aborted) return { done: [], isStopped: true };
  if (!gossip || gossip.length === 0) throw nobodyAnswers(parts.gossipFault?.());
  let storeFault: unknown;
  const noted = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      storeFault = error;
      throw error;
    });
  const done: ClusterRunEnd['done'] = [];
  // Somebody wants it now: quiet hours are for what starts by itself.
  const coordinator = new Coordinator(
    { ...parts.options, ignoresQuietHours: true },
    {
      ...parts,
      scavenger: async (request: NodeRequest): Promise<NodeReply> => {
        const reply = await parts.scavenger(request);
        lastFault = 'fault' in reply ? reply.fault : undefined;
        if (lastFault?.kind === 'never') refusal ??= { node: memberKey(request.member), fault: lastFault };
        return reply;
      },
      store: {
        load: () => noted(store.load()),
        probe: () => noted(store.probe()),
        append: async (event) => {
          const outcome = await noted(store.append(event));
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
  let isBegun = false;
  do {
    // Still being stopped by the call before: that ends first.
    if (!isBegun && coordinator.status !== 'Pausing') {
      isBegun = true;
      await begin(coordinator, () => storeFault);
    }
    if (refusal) throw refusedForGood(refusal, coordinator);
    await sleep(tickMs, signal);
    if (!signal.aborted) await coordinator.receiveGossip((await gossipOrReason()) ?? []);
  } while (coordinator.state?.isCycleOpen === true && !signal.aborted);
  if (coordinator.state?.isCycleOpen !== true) return { done, isStopped: false };
  const { designated, nodeScavengeId } = coordinator.state;
  await coordinator.pause();
  // What this process does itself takes the time that it takes to be left in order.
  while (options.endsWithNodes && coordinator.status === 'Pausing') {
    await sleep(tickMs, undefined);
    await coordinator.tick();
  }
  if (coordinator.status !== 'Pausing' || designated === undefined) return { done, isStopped: true };
  const run = nodeScavengeId === undefined ? 'its scavenge' : `its scavenge ${nodeScavengeId}`;
  const why = lastFault === undefined ? '' : `: it ${lastFault.reason}`;
  const stillStopping = `${memberKey(designated)} was asked to stop ${run} and has not said that it did${why}.`;
  return { done, isStopped: true, stillStopping };
}

/** A cycle that is open is resumed. Throws what kept the store from taking it. */
async function begin(coordinator: Coordinator, storeFault: () => unknown): Promise<void> {
  const { status, detail, body } = await coordinator.startCycle({});
  if (status === 200) return;
  const fault = storeFault();
  if (fault instanceof Error) throw fault;
  throw new EngineError({
    code: 'RemoteNodeFailed',
    message: `The pass over the cluster could not begin: ${detail ?? String(body)}.`,
    remedy: 'Look at "winnow cluster status", and try again.',
    details: {}
  });
}

function nobodyAnswers(fault: NodeFault | undefined): EngineError {
  return new EngineError({
    code: 'RemoteNodeFailed',
    message: fault === undefined ? 'No member of the cluster answers.' : `The cluster ${fault.reason}.`,
    remedy: fault?.remedy ?? 'Look at "winnow cluster status".',
    details: {}
  });
}

function refusedForGood(
  { node, fault }: { node: string; fault: NodeFault },
  { state }: Coordinator
): EngineError {
  const { nodeScavengeId, designated } = state ?? {};
  const running =
    nodeScavengeId === undefined || designated === undefined
      ? ''
      : ` The scavenge ${nodeScavengeId} that was started on ${memberKey(designated)} is not stopped by this.`;
  return new EngineError({
    code: 'RemoteNodeFailed',
    message: `${node} ${fault.reason}.${running}`,
    remedy: `${fault.remedy} The next "winnow cluster scavenge" resumes where this one ended.`,
    details: { node, ...(nodeScavengeId !== undefined && { scavengeId: nodeScavengeId }) }
  });
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

/**
 * One scavenge of all members of a cluster, now and in the foreground. The cycle is opened as for any caller of the
 * coordinator, so that an interrupted run is resumed by the next one or by the service.
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
import type { CoordinatorParts } from './auto-scavenge.ts';

export interface ClusterRunEnd {
  /** Members with the result of their scavenge, in the order they finished. */
  done: { node: string; result: string }[];
  isStopped: boolean;
  /** A member that was asked to stop and has not confirmed it, as text; undefined: none. */
  stillStopping?: string;
}

export interface ClusterRunOptions {
  /** Between two checks of the cluster, in ms. */
  tickMs: number;
  signal: AbortSignal;
  /** The nodes are directories that this process works on: it must not exit before they are in order. */
  endsWithNodes: boolean;
}

/**
 * Stopping pauses the cycle: the running node scavenge is asked once to stop, and the next call resumes. Throws
 * RemoteNodeFailed with the reason if a node refuses permanently; the cycle stays open then too.
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
  // A person wants it now: quiet hours are for scheduled runs.
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
    // Still stopping from the previous call: that must end first.
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
  // Wait as long as this process needs to leave its own work in order.
  while (options.endsWithNodes && coordinator.status === 'Pausing') {
    await sleep(tickMs, undefined);
    await coordinator.tick();
  }
  if (coordinator.status !== 'Pausing' || designated === undefined) return { done, isStopped: true };
  const run = nodeScavengeId === undefined ? 'its scavenge' : `its scavenge ${nodeScavengeId}`;
  const why = lastFault === undefined ? '' : `: it ${lastFault.reason}`;
  const stillStopping = `${memberKey(designated)} was asked to stop ${run} and has not confirmed it${why}.`;
  return { done, isStopped: true, stillStopping };
}

/** Resumes an open cycle. Throws the error of the store if it could not be stored. */
async function begin(coordinator: Coordinator, storeFault: () => unknown): Promise<void> {
  const { status, detail, body } = await coordinator.startCycle({});
  if (status === 200) return;
  const fault = storeFault();
  if (fault instanceof Error) throw fault;
  throw new EngineError({
    code: 'RemoteNodeFailed',
    message: `The scavenge of the cluster could not start: ${detail ?? String(body)}.`,
    remedy: 'Check "winnow cluster status", then try again.',
    details: {}
  });
}

function nobodyAnswers(fault: NodeFault | undefined): EngineError {
  return new EngineError({
    code: 'RemoteNodeFailed',
    message: fault === undefined ? 'No member of the cluster answers.' : `The cluster ${fault.reason}.`,
    remedy: fault?.remedy ?? 'Check "winnow cluster status".',
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
      : ` The scavenge ${nodeScavengeId} that was started on ${memberKey(designated)} keeps running.`;
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

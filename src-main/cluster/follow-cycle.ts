/**
 * A cycle that another process of the same WINNOW_HOME drives, followed until it ends: its progress is in the
 * events, its current state comes from that process.
 */
import {
  EngineError,
  memberKey,
  SCAVENGE_RESULTS,
  SERVER_RESULTS,
  type CallAnswer
} from '../../src-core/index.ts';
import type { ClusterRunEnd } from './cluster-run.ts';
import { coordinatorFile } from './cluster-parts.ts';
import { lastCycle, type Cycle } from './cycle-steps.ts';

export interface FollowedCycle {
  /** Of the cluster in WINNOW_HOME. */
  directory: string;
  clusterScavengeId: string;
  /** Calls the coordinating process. */
  ask: (call: 'status' | 'pause') => Promise<CallAnswer>;
  tickMs: number;
  /** Pauses the cycle, as for one that is driven here. */
  signal: AbortSignal;
}

/** Throws RemoteNodeFailed if the process that drives it disappears before the end. */
export async function followCycle(followed: FollowedCycle): Promise<ClusterRunEnd> {
  const { directory, clusterScavengeId, ask, tickMs, signal } = followed;
  const store = coordinatorFile(directory);
  let cycle: Cycle | undefined;
  for (;;) {
    const answer = await ask(signal.aborted ? 'pause' : 'status');
    // Read the events after the answer, so that they contain what it reports.
    cycle = lastCycle(store.read()) ?? cycle;
    const done = doneOf(cycle);
    if (cycle?.openId !== clusterScavengeId) return { done, isStopped: false };
    if (signal.aborted) return { done, isStopped: true };
    if (answer.status === 503) throw holderGone(answer);
    const { state } = (answer.body ?? {}) as { state?: unknown };
    if (state === 'Paused') return { done, isStopped: true };
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, tickMs);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
}

function doneOf(cycle: Cycle | undefined): ClusterRunEnd['done'] {
  return [...(cycle?.steps.values() ?? [])].flatMap(({ member, step }) => {
    const result = SCAVENGE_RESULTS.find((one) => one === step);
    return result ? [{ node: memberKey(member), result: SERVER_RESULTS[result] }] : [];
  });
}

function holderGone({ detail }: CallAnswer): EngineError {
  return new EngineError({
    code: 'RemoteNodeFailed',
    message: `${detail ?? 'The process that drove the cycle does not answer'}.`,
    remedy: 'The cycle stays open: "winnow cluster scavenge" resumes it.',
    details: {}
  });
}

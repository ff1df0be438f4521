/** The verbs about clusters where there is no window: each is refused, and the way to go is named. */
import { EngineError } from '../../src-core/index.ts';
import { CLUSTER_VERBS } from '../contract/verbs/cluster-channels.ts';
import type { ClusterVerbName } from '../contract/verbs/cluster-contract.ts';
import type { VerbHandlers } from '../contract/verbs/verb-handler.ts';

export type ClusterVerbHandlers = Pick<VerbHandlers, ClusterVerbName>;

/** Used without a window: the service of one node has its schedule under /auto-scavenge. */
export function absentClusterVerbs(): ClusterVerbHandlers {
  const refuse = (): never => {
    throw new EngineError({
      code: 'InvalidRequest',
      message: 'Clusters are managed in the window of Winnow, not here.',
      remedy: 'Use the window, or "winnow cluster".',
      details: {}
    });
  };
  return Object.fromEntries(
    Object.keys(CLUSTER_VERBS).map((name) => [name, refuse])
  ) as unknown as ClusterVerbHandlers;
}

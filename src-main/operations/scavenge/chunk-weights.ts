/** Weights of chunks: from the state of a scavenge, or computed without one. */
import { reachesThreshold, type Database, type WeightOf } from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import { requests, type CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { runPlan } from './plan-scavenge.ts';
import { glanceAtScavengeState } from './scavenge-state-glance.ts';

/** Above every weight: the plan then computes the weights and rewrites nothing. */
const THRESHOLD_ABOVE_ALL = 2147483647;

/** By logical chunk number; undefined if nothing is known. */
export function storedWeights(database: Database): ReadonlyMap<number, number> | undefined {
  const state = glanceAtScavengeState(database);
  return state && state.stage !== 'unreadable' && state.stage !== 'none' ? state.weights : undefined;
}

/** The weights that the last scavenge left, with its threshold; undefined unless it finished. */
export function weightsOfLastScavenge(database: Database): WeightOf | undefined {
  const state = glanceAtScavengeState(database);
  if (state?.stage !== 'done' || state.threshold === null) return undefined;
  const { threshold, weights } = state;
  return (first, last) => {
    let weight = 0;
    for (let number = first; number <= last; number++) weight += weights.get(number) ?? 0;
    return { weight, threshold, isReached: reachesThreshold(weight, threshold) };
  };
}

/** The weight of each chunk in a scavenge of all completed chunks, whatever was scavenged before. */
export async function computedWeights(
  request: CheckedRequestOf<'listChunks'>,
  context: OperationContext
): Promise<ReadonlyMap<number, number>> {
  const { dataDirectory, indexDirectory, now, winnowHome } = request;
  const options = requests.planScavenge.parse({
    dataDirectory,
    ...(indexDirectory === undefined ? {} : { indexDirectory }),
    ...(now === undefined ? {} : { now }),
    ...(winnowHome === undefined ? {} : { winnowHome }),
    scavengePoint: 'detached',
    threshold: THRESHOLD_ABOVE_ALL,
    merge: false,
    startAfresh: true,
    stopAfter: 'chunkExecution'
  });
  const { chunks } = await runPlan(options, context);
  // The weight of a merged file is stored at its first number; listChunks adds up the weights within a file.
  return new Map(chunks.map((chunk) => [chunk.chunkStart, chunk.weight]));
}

/** Weights of chunks, as a scavenge left them in its state. */
import type { Database } from '../../src-core/index.ts';
import { glanceAtScavengeState } from './scavenge-state-glance.ts';

/** By logical chunk number; undefined when nothing is known. */
export function storedWeights(database: Database): ReadonlyMap<number, number> | undefined {
  const state = glanceAtScavengeState(database);
  return state && state.stage !== 'unreadable' && state.stage !== 'none' ? state.weights : undefined;
}

/** The threshold that was chosen for a node last: kept by the page, for each node. */
import { DEFAULT_FORM } from './scavenge-options.ts';

const keyOf = (nodeId: string): string => `winnow.threshold.${nodeId}`;

export function rememberedThreshold(nodeId: string | null): number {
  const kept = nodeId === null ? null : localStorage.getItem(keyOf(nodeId));
  return kept !== null && /^\d{1,10}$/.test(kept) ? Number(kept) : DEFAULT_FORM.threshold;
}

export function rememberThreshold(nodeId: string | null, threshold: number): void {
  if (nodeId === null) return;
  if (threshold === DEFAULT_FORM.threshold) localStorage.removeItem(keyOf(nodeId));
  else localStorage.setItem(keyOf(nodeId), String(threshold));
}

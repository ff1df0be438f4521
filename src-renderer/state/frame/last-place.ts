/** Where the person was when the window was last closed: node (or cluster) and view, without selection. */
import { addressOf, placeOf, type Place } from '../places.svelte.ts';

const KEY = 'winnow.lastPlace';

/** undefined: nothing is remembered, or nothing that this version knows. */
export function lastPlace(): Place | undefined {
  const address = localStorage.getItem(KEY);
  return address === null ? undefined : placeOf(address);
}

export function rememberPlace({ nodeId, cluster, view }: Place): void {
  const place = { nodeId, cluster, view, application: null, item: null, hasRecords: false, record: null };
  localStorage.setItem(KEY, addressOf({ ...place, options: {} }));
}

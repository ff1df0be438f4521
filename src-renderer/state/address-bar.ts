/** In a browser the place stands in the address bar, so that a reload, a bookmark and a new log-in lead back to it. */
import { addressOf, placeOf, type Place } from './places.svelte.ts';

const SCHEME = 'winnow://';

export function showInAddressBar(place: Place): void {
  const hash = `#${addressOf(place).slice(SCHEME.length)}`;
  if (location.hash !== hash) history.replaceState(null, '', hash);
}

/** undefined: no place stands there. */
export function placeInAddressBar(): Place | undefined {
  const text = location.hash.slice(1);
  return text === '' ? undefined : placeOf(SCHEME + text);
}

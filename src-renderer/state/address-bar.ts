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

/** Hears of a place that a person wrote there, or came to by a bookmark, until the returned function is called. */
export function followAddressBar(listener: (place: Place) => void): () => void {
  const hear = (): void => {
    const place = placeInAddressBar();
    if (place !== undefined) listener(place);
  };
  window.addEventListener('hashchange', hear);
  return () => window.removeEventListener('hashchange', hear);
}

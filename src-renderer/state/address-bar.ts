/**
 * The place stands in the page's address, so that a reload leads back to it; where there is an address bar, a bookmark
 * and a new log-in do as well.
 */
import { addressOf, placeOf, type Place } from './places.svelte.ts';

const SCHEME = 'winnow://';

export function showInAddressBar(place: Place): void {
  const text = addressOf(place).slice(SCHEME.length);
  // A lone "#" is no hash to the browser.
  const hash = text === '' ? '' : `#${text}`;
  if (location.hash !== hash) history.replaceState(null, '', hash === '' ? location.pathname : hash);
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

/** The views with a key of their own: the first nine, in the order in which they stand in the side bar. */
import { VIEWS, type View } from '../places.svelte.ts';

const NUMBERED = VIEWS.slice(0, 9);

/** As it is written: `Ctrl 1`; undefined: none. */
export function keysOfView(view: View): string | undefined {
  const number = NUMBERED.indexOf(view) + 1;
  return number === 0 ? undefined : `Ctrl ${number}`;
}

/** @param digit 1 to 9 */
export function viewOfKey(digit: number): View | undefined {
  return NUMBERED[digit - 1];
}

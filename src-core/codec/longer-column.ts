/** Columns of numbers: longer ones with the same values first, and ones of some of the values. */
import { giveBack } from './give-back.ts';

export type Column =
  Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array | Float64Array;

export function longerColumn<T extends Column>(old: T, length: number): T {
  const longer = new (old.constructor as new (length: number) => T)(length);
  longer.set(old);
  return longer;
}

/** The same, in place of the old one, which has no elements then: its memory is not waited for. */
export function lengthened<T extends Column>(old: T, length: number): T {
  const longer = longerColumn(old, length);
  giveBack(old);
  return longer;
}

/** More of a column than one part in so many is not kept where nobody uses it. */
const UNUSED_PART = 8;

/**
 * The first values of a column that was made longer than needed, which has no elements then. Where much of it is unused they lie in
 * memory of their own.
 */
export function shortened<T extends Column>(old: T, length: number): T {
  if ((old.length - length) * UNUSED_PART <= old.length) return old.subarray(0, length) as T;
  const shorter = old.slice(0, length) as T;
  giveBack(old);
  return shorter;
}

/** The values at these places, in their order. */
export function taken<T extends Column>(from: T, places: Uint32Array): T {
  const values = new (from.constructor as new (length: number) => T)(places.length);
  for (let i = 0; i < places.length; i++) values[i] = from[places[i]!]!;
  return values;
}

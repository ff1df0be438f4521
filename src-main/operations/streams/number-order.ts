/**
 * Many places in the order of a number of each: by sixteen bits at a time from the lowest up, each pass leaving equal ones as
 * they were. Yields to others in between.
 */
import type { OperationControl } from '../../../src-core/index.ts';

const DIGIT = 2 ** 16;
/** Places between two looks at the clock. */
const PLACES_BETWEEN_LOOKS = 65_536;

export interface NumberOrder {
  /** Whole, from 0 to 2^53 - 1. */
  numberOf: (place: number) => number;
  descending: boolean;
}

/** The places, sorted; equal ones stay in the order in which they are given. Throws OperationStopped. */
export async function orderedByNumber(
  places: Uint32Array,
  { numberOf, descending }: NumberOrder,
  control: OperationControl
): Promise<Uint32Array> {
  let most = 0;
  for (const [i, place] of places.entries()) {
    most = Math.max(most, numberOf(place));
    if (i % PLACES_BETWEEN_LOOKS === 0 && control.isDue) await control.breathe();
  }
  let [source, target]: [Uint32Array, Uint32Array] = [places, new Uint32Array(places.length)];
  const next = new Uint32Array(DIGIT + 1);
  for (let scale = 1; scale <= most; scale *= DIGIT) {
    const digitOf = (place: number): number => {
      const digit = Math.floor(numberOf(place) / scale) % DIGIT;
      return descending ? DIGIT - 1 - digit : digit;
    };
    next.fill(0);
    for (let i = 0; i < source.length; i++) {
      next[digitOf(source[i]!) + 1]!++;
      if (i % PLACES_BETWEEN_LOOKS === 0 && control.isDue) await control.breathe();
    }
    for (let digit = 0; digit < DIGIT; digit++) next[digit + 1]! += next[digit]!;
    for (let i = 0; i < source.length; i++) {
      const place = source[i]!;
      target[next[digitOf(place)]!++] = place;
      if (i % PLACES_BETWEEN_LOOKS === 0 && control.isDue) await control.breathe();
    }
    [source, target] = [target, source];
  }
  return source;
}

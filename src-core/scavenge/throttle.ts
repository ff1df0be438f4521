/**
 * How long a throttled run rests: so much that active time is the wanted part of all time since the run began,
 * time spent waiting for the scavenge point included. Rests below a second are saved up.
 */
import { assert } from '../assert.ts';

const SHORTEST_REST_MS = 1000;

export class Throttle {
  readonly #restFraction: number;
  readonly #clockMs: () => number;
  readonly #startMs: number;
  #restedMs = 0;

  /** `percent` 1..100; 100 never rests. */
  constructor({ percent, clockMs }: { percent: number; clockMs: () => number }) {
    assert(percent >= 1, 'a throttled run works at least one percent of the time');
    assert(percent <= 100, 'no run works more than all of the time');
    this.#restFraction = 1 - percent / 100;
    this.#clockMs = clockMs;
    this.#startMs = clockMs();
  }

  /** Milliseconds to rest now, counted as rested; 0 when it is not worth it. */
  takeRest(): number {
    const fraction = this.#restFraction;
    if (fraction === 0) return 0;
    const elapsedMs = this.#clockMs() - this.#startMs;
    const restMs = (fraction * elapsedMs - this.#restedMs) / (1 - fraction);
    if (restMs < SHORTEST_REST_MS) return 0;
    this.#restedMs += restMs;
    return restMs;
  }
}

/** The short tour of the sample database: four steps, shown once, left at any time. */
import type { View } from '../places.svelte.ts';

export const TOUR_STEPS = ['overview', 'chunks', 'scavenge', 'verify'] as const satisfies readonly View[];

const KEY = 'winnow.tour';

export class Tour {
  #step = $state(0);
  #isOver = $state(localStorage.getItem(KEY) === 'over');

  get isOver(): boolean {
    return this.#isOver;
  }
  /** Counted from 0. */
  get step(): number {
    return this.#step;
  }
  get view(): (typeof TOUR_STEPS)[number] {
    return TOUR_STEPS[this.#step] ?? TOUR_STEPS[0];
  }
  get isLast(): boolean {
    return this.#step === TOUR_STEPS.length - 1;
  }

  /** The view of the next step; undefined: that was the last one. */
  next(): View | undefined {
    if (this.isLast) {
      this.leave();
      return undefined;
    }
    this.#step++;
    return this.view;
  }

  /** Somebody who goes to a view of the tour by another way is told of that one. */
  follow(view: View): void {
    const at = TOUR_STEPS.findIndex((step) => step === view);
    if (at >= 0) this.#step = at;
  }

  leave(): void {
    this.#isOver = true;
    localStorage.setItem(KEY, 'over');
  }

  /** From its first step. */
  again(): void {
    this.#step = 0;
    this.#isOver = false;
  }
}

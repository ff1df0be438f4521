/**
 * Runs that were stopped to be resumed soon. A pause is an orderly stop: the engine knows no other, and nothing holds the
 * database meanwhile. That it was meant as a pause is known to this page only; the directory says that it can be resumed.
 */
import { SvelteSet } from 'svelte/reactivity';

const ids = new SvelteSet<string>();

export const pausedRuns = {
  add(workId: string): void {
    ids.add(workId);
  },
  remove(workId: string): void {
    ids.delete(workId);
  },
  has(workId: string | undefined): boolean {
    return workId !== undefined && ids.has(workId);
  }
};

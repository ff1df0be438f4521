/**
 * What a page shows follows what was done in it by some frames. Every look at the page that does not wait by itself
 * goes through this: it asks again until the answer is as expected, for half a minute at most.
 */
import { expect } from 'vitest';

export const soon = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: 30_000, interval: 100 });

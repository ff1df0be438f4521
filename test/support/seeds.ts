/** Seeds of random tests. How many a property test takes: a few in each run, many by `npm run properties -- --times 12`. */

const TIMES = Number(process.env['WINNOW_SEED_TIMES'] ?? 1);

export function seedCount(inEachRun: number): number {
  return inEachRun * TIMES;
}

/** From 1 on. */
export function seedList(inEachRun: number): number[] {
  return seedsFrom(1, inEachRun);
}

/** From `first` on. */
export function seedsFrom(first: number, inEachRun: number): number[] {
  return Array.from({ length: seedCount(inEachRun) }, (_, i) => first + i);
}

/** Another one in each run, to be printed: `WINNOW_SEED` repeats it, and a second attempt of the same run has the same. */
export function seedOfRun(): number {
  return Number(process.env['WINNOW_SEED'] ?? process.env['WINNOW_RUN_SEED'] ?? Date.now() % 2 ** 31);
}

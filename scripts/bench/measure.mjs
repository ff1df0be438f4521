// The measuring of all benchmarks. Numbers of one machine say little on another, so every figure is printed as a
// ratio to something simple measured in the same run, next to the time itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROUNDS = 5;

/** The middle one of some numbers. */
export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** A number as `100000`, `100K` or `10M`. */
export function countOf(text) {
  const match = /^(\d+(?:\.\d+)?)([KM]?)$/.exec(text);
  if (!match) throw new Error(`"${text}" is not a number such as 100000 or 10M.`);
  return Number(match[1]) * { '': 1, K: 1000, M: 1_000_000 }[match[2]];
}

/** Median of several rounds in ms, after one to warm up. */
export async function medianMs(work, rounds = ROUNDS) {
  await work();
  const times = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** Medians of two pieces of work whose rounds alternate, so that a busy moment of the machine hits both. */
export async function medianPairMs(work, baseline, rounds = ROUNDS) {
  const times = { work: [], baseline: [] };
  for (let i = -1; i < rounds; i++) {
    for (const [name, run] of Object.entries({ work, baseline })) {
      const start = performance.now();
      await run();
      if (i >= 0) times[name].push(performance.now() - start);
    }
  }
  const median = (list) => list.sort((a, b) => a - b)[Math.floor(rounds / 2)];
  return { workMs: median(times.work), baselineMs: median(times.baseline) };
}

export async function printRatio(title, { work, baseline, against, amount }) {
  const { workMs, baselineMs } = await medianPairMs(work, baseline);
  const ratio = (workMs / baselineMs).toFixed(1).padStart(6);
  console.log(
    `${title.padEnd(34)} ${workMs.toFixed(0).padStart(6)} ms ${ratio} x ${against}${amount ? `; ${amount(workMs)}` : ''}`
  );
}

/** `work` with a directory of its own that is removed afterwards. */
export async function withScratchDirectory(work) {
  const directory = mkdtempSync(path.join(tmpdir(), 'winnow-bench-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

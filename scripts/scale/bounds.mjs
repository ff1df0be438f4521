// The bound that is kept: a base, which a command of an ordinary database needs too, and so much for each thing.

/** Of any command on any database: Node, the engine, its threads and their buffers. */
const BASE_BYTES = 450 * 2 ** 20;
const BASE_MS = 8000;

/** `faults`: which bounds are not kept, in words. `bounds`: `{ bytes, ms }`. */
export function judged({ bytesEach, msEach }, count, { peakBytes, processorMs }, { isTimeJudged }) {
  const bounds = { bytes: BASE_BYTES + count * bytesEach, ms: BASE_MS + count * msEach };
  const faults = [];
  if (peakBytes > bounds.bytes) faults.push(`at most ${Math.round(bounds.bytes / 2 ** 20)} MiB`);
  if (isTimeJudged && processorMs > bounds.ms) faults.push(`at most ${(bounds.ms / 1000).toFixed(0)} s`);
  return { bounds, faults };
}

/** Sizes as people write them: `65536`, `64KiB`, `1.5 GiB`; `k`, `kb` and `KiB` all mean 1024 bytes. Pure. */
const SIZE = /^(\d+(?:\.\d+)?)\s*(b|k|m|g|t|kb|mb|gb|tb|kib|mib|gib|tib)?$/i;
const POWERS = new Map([
  ['b', 0],
  ['k', 1],
  ['m', 2],
  ['g', 3],
  ['t', 4]
]);

/** In bytes; undefined: no size. Beyond what a number holds exactly: Infinity. */
export function byteCount(text: string): number | undefined {
  const match = SIZE.exec(text.trim());
  const power = POWERS.get((match?.[2] ?? 'b').charAt(0).toLowerCase());
  if (!match || power === undefined) return undefined;
  const bytes = Math.round(Number(match[1]) * 1024 ** power);
  return Number.isSafeInteger(bytes) ? bytes : Infinity;
}

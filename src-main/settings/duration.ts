/** Lengths of time as people write them: `10min`, `2h`, `30d`; with a unit always, since nobody knows what a bare 10 means. */

const MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  min: 60_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000
};
const TEXT = /^(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]+)$/i;
/** A hundred years. */
const MOST_MS = 36_525 * 86_400_000;

/** Whole milliseconds; undefined for any other text, and for more than a hundred years. */
export function durationMs(text: string): number | undefined {
  const match = TEXT.exec(text.trim());
  const unit = MS[match?.[2]!.toLowerCase() ?? ''];
  if (!match || unit === undefined) return undefined;
  const ms = Math.round(Number(match[1]) * unit);
  return ms > MOST_MS ? undefined : ms;
}

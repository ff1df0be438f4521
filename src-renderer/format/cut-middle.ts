/** A name that is too long for its place, cut in the middle: beginnings tell categories apart, ends tell streams apart. */

const ELLIPSIS = '…';

/** At most `most` characters; nothing where not even a beginning and an end would fit. */
export function cutMiddle(name: string, most: number): string {
  const letters = [...name];
  if (letters.length <= most) return name;
  if (most < 4) return '';
  const kept = most - 1;
  const first = Math.ceil(kept / 2);
  return `${letters.slice(0, first).join('')}${ELLIPSIS}${letters.slice(letters.length - (kept - first)).join('')}`;
}

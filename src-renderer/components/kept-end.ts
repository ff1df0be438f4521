/** How much of the end of a name has to stay so that it is not cut like another one of its list. */

/** Characters that stay of any name. */
export const LEAST_KEPT = 8;
/** More would leave nothing of the beginning in a side bar. */
const MOST_KEPT = 24;
/** A word is not cut for a few characters. */
const WORD_MORE = 6;

/** `among`: the names of the list; the name itself may be one of them. */
export function keptEnd(name: string, among: readonly string[]): number {
  const characters = [...name];
  let kept = LEAST_KEPT;
  for (const other of among) {
    if (other === name) continue;
    const same = commonEnd(characters, [...other]);
    // Those that begin alike would be cut alike; where one is cut is known only when it is drawn.
    if (same >= LEAST_KEPT && other[0] === name[0]) kept = Math.max(kept, same + 1);
  }
  if (kept === LEAST_KEPT) return kept;
  for (let more = 0; more < WORD_MORE; more++) {
    const before = characters.at(-kept - more - 1);
    if (before === undefined || !/[\p{L}\p{N}]/u.test(before)) return Math.min(MOST_KEPT, kept + more);
  }
  return Math.min(MOST_KEPT, kept);
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let same = 0;
  while (same < most && one.at(-same - 1) === other.at(-same - 1)) same++;
  return same;
}

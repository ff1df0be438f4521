/** How a name is cut in its middle for the room there is. Pure: what measures is handed in. */

const DOTS = '…';

export interface RoomForName {
  /** Characters at the end that stay as long as there is room for any of the beginning. */
  kept: number;
  /** Pixels. */
  width: number;
  /** The width of the characters from one to another; the one after the last of the name are the dots. */
  measure: (from: number, to: number) => number;
}

/** The whole name where it fits; else its beginning, the dots and its end; where not even that fits, the dots and an end. */
export function middleCut(characters: readonly string[], { kept, width, measure }: RoomForName): string {
  const count = characters.length;
  if (measure(0, count) <= width) return characters.join('');
  // Of what is hardly longer than its end half stays: its beginning says where it is.
  const end = count <= kept + 4 ? Math.ceil(count / 2) : kept;
  const room = width - measure(count, count + 1);
  const beginning = most(count - end, (length) => measure(0, length) <= room - measure(count - end, count));
  if (beginning > 0) {
    const [first, last] = [joined(characters, 0, beginning), joined(characters, count - end, count)];
    // Dots of the name beside ours would read as one row of dots.
    return `${first.replace(/\.+$/, '')}${DOTS}${last.replace(/^\.+/, '')}`;
  }
  const left = most(end, (length) => measure(count - length, count) <= room);
  return `${DOTS}${joined(characters, count - left, count)}`;
}

/** The greatest number up to a limit that fits, as long as each smaller one does. */
function most(limit: number, fits: (number: number) => boolean): number {
  let [low, high] = [0, limit];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function joined(characters: readonly string[], from: number, to: number): string {
  return characters.slice(from, to).join('');
}

/**
 * Matches names with patterns in which `*` matches anything. Each piece between two stars is searched for after the
 * previous one, by a search that never goes back: time grows with the length of the name and of the pattern, never
 * with their product, whatever the pattern and the name. A regular expression made from the same
 * pattern tries all ways to distribute the name over its stars, and with sixty of them never ends.
 */
export interface WildcardOptions {
  /** Treats upper and lower case as equal. */
  ignoresCase?: boolean;
}

/** Whether a whole name matches the pattern. */
export function wildcardMatcher(
  pattern: string,
  { ignoresCase = false }: WildcardOptions = {}
): (name: string) => boolean {
  const fold = ignoresCase ? folded : same;
  const [first = '', ...others] = fold(pattern).split('*');
  const last = others.pop();
  if (last === undefined) return (name) => fold(name) === first;
  const between = others.filter((piece) => piece !== '').map(finderOf);
  return (name) => {
    const text = fold(name);
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let from = first.length;
    for (const find of between) {
      from = find(text, from, end);
      if (from < 0) return false;
    }
    return true;
  };
}

/** Whether a name contains the text, ignoring case. */
export function containsMatcher(wanted: string): (name: string) => boolean {
  if (wanted === '') return () => true;
  const find = finderOf(folded(wanted));
  return (name) => {
    const text = folded(name);
    return find(text, 0, text.length) >= 0;
  };
}

/** Finds the piece in a range of a text; returns the place after it, or -1. */
type Find = (text: string, from: number, to: number) => number;

/** Uses the lengths of the prefixes of the piece that end at each of its characters (Knuth, Morris, Pratt). */
function finderOf(piece: string): Find {
  const borders = new Uint32Array(piece.length);
  for (let at = 1, length = 0; at < piece.length; at++) {
    while (length > 0 && piece.charCodeAt(at) !== piece.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (piece.charCodeAt(at) === piece.charCodeAt(length)) length += 1;
    borders[at] = length;
  }
  return (text, from, to) => {
    for (let at = from, length = 0; at < to; at++) {
      while (length > 0 && text.charCodeAt(at) !== piece.charCodeAt(length))
        length = borders[length - 1] ?? 0;
      if (text.charCodeAt(at) === piece.charCodeAt(length)) length += 1;
      if (length === piece.length) return at + 1;
    }
    return -1;
  };
}

function same(text: string): string {
  return text;
}

/** Folds both ways: some letters are equal only in lower case (K and the Kelvin sign) or only in upper case (ſ and s). */
function folded(text: string): string {
  return text.toLowerCase().toUpperCase();
}

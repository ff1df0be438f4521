/** A path that is being typed: the folder it is in, and the beginning of the next name. Pure. */
export interface TypedPath {
  /** With its separator at the end; null: nothing that has one yet. */
  folder: string | null;
  begun: string;
}

/** `separator`: that of the service's machine; on Windows people type the other one too. */
export function splitTyped(text: string, separator: string): TypedPath {
  const at = Math.max(text.lastIndexOf(separator), separator === '\\' ? text.lastIndexOf('/') : -1);
  return at < 0
    ? { folder: null, begun: text }
    : { folder: text.slice(0, at + 1), begun: text.slice(at + 1) };
}

/** Without a separator at its end, unless nothing else would stay. */
export function withoutEnd(path: string, separator: string): string {
  const end =
    path.endsWith(separator) && path.length > separator.length ? path.length - separator.length : path.length;
  // `C:\` is a folder, `C:` is none.
  const cut = path.slice(0, end);
  return /^[A-Za-z]:$/.test(cut) ? path : cut;
}

export function withEnd(path: string, separator: string): string {
  return path.endsWith(separator) ? path : path + separator;
}

/** What all names have in common at their beginning; at least as long as what is typed, if they all begin with it. */
export function commonBeginning(names: readonly string[]): string {
  const [first = '', ...others] = names;
  let length = first.length;
  for (const name of others) {
    while (!name.startsWith(first.slice(0, length))) length--;
  }
  return first.slice(0, length);
}

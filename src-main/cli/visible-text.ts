/**
 * Names as people see them on a terminal. Stream names, event types and messages come out of databases and may
 * hold anything: escape sequences that move the cursor, characters that turn the reading direction. They are
 * shown, never obeyed. JSON output does not pass here: its own escaping is enough.
 */

/** Control characters, soft hyphen, zero-width and direction characters, line separators, BOM, lone surrogates. */
const UNSAFE_RANGES: [first: number, last: number][] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xd800, 0xdfff]
];
const UNSAFE = new RegExp(
  `[${UNSAFE_RANGES.map(([first, last]) => `\\u{${hex(first, 1)}}-\\u{${hex(last, 1)}}`).join('')}]`,
  'gu'
);

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** `text` with everything a terminal would obey written out, as `\x1b` for example. */
export function visibleText(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return SHORT[character] ?? (code <= 0xff ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`);
  });
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

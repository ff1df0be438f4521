/**
 * Text out of databases as people see it, on a terminal, in the window, in a spreadsheet. Names of streams, event types
 * and messages may hold anything: escape sequences that move a cursor, characters that turn the reading direction,
 * characters that nothing draws (the tags U+E0000 to U+E007F among them) so that one stream looks like another. They
 * are shown, never acted on.
 */

/** Control and format characters, separators of lines, lone surrogates, and the block of tags as a whole. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u2065\u{e0000}-\u{e007f}]/gu;
const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** `text` with everything that is not seen written out, as `\x1b` or `\u{e0041}` for example. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0)!;
    const digits = code.toString(16);
    if (code > 0xffff) return `\\u{${digits}}`;
    return (
      SHORT[character] ?? (code <= 0xff ? `\\x${digits.padStart(2, '0')}` : `\\u${digits.padStart(4, '0')}`)
    );
  });
}

/** JSON that says the same with everything hidden in it escaped: a terminal acts on characters that JSON allows. */
export function visibleJson(json: string): string {
  return json.replace(HIDDEN, (character) => {
    if (character === '\n') return character; // between values; within text JSON escapes it
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

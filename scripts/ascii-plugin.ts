/**
 * Writes code in ASCII. One character beyond Latin-1 makes the text of a whole file two bytes a character for Node, which
 * then decodes, hashes and scans twice as much at each start.
 */
import type { Plugin } from 'vite';

export function asciiCode(): Plugin {
  return {
    name: 'winnow-ascii-code',
    // After the minifier, which writes characters where the source has escapes.
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk') output.code = inAscii(output.code);
      }
    }
  };
}

/**
 * Characters beyond ASCII as escapes. They stand for the same in string and template literals, regular expressions (with
 * the flag u a pair of escapes is one character) and names; not in `String.raw`, which is refused.
 */
export function inAscii(code: string): string {
  const raw = /String\.raw`[^`]*[^\0-\x7f`][^`]*`/.exec(code);
  if (raw) throw new Error(`Cannot be written in ASCII: ${raw[0]}`);
  // Units, not characters: a character beyond the first plane is two escapes.
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

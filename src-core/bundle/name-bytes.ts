/**
 * A name in the bytes of a record, put in its place as many bytes again. Names that are no valid UTF-8 are read as the
 * server reads them (U+FFFD for each maximal invalid part), and what is written reads so again: other invalid bytes, as many.
 */
import { assert } from '../assert.ts';

const REPLACEMENT = 0xfffd;
/** Invalid parts of one, two and three bytes: no byte of UTF-8, a start of three bytes cut off, one of four. */
const INVALID = [Buffer.from([0xff]), Buffer.from([0xe2, 0x82]), Buffer.from([0xf0, 0x90, 0x80])];

export function withTextOf(bytes: Buffer, start: number, end: number, map: (text: string) => string): void {
  const text = bytes.toString('utf8', start, end);
  const replaced = map(text);
  if (!text.includes('\ufffd')) {
    assert(bytes.write(replaced, start, 'utf8') === end - start, 'a name keeps its number of bytes');
    return;
  }
  const lengths = lengthsOf(bytes, start, end);
  let at = start;
  let i = 0;
  for (const character of replaced) {
    const length = lengths[i++] ?? 0;
    if (length > 0) at += bytes.write(character, at, 'utf8');
    else at += INVALID[-length - 1]!.copy(bytes, at);
  }
  assert(at === end, 'an invalid name keeps its number of bytes');
}

/** Bytes of each character; negative for what is read as U+FFFD because it is invalid. */
function lengthsOf(bytes: Buffer, start: number, end: number): number[] {
  const lengths: number[] = [];
  for (let at = start; at < end;) {
    const length = validLength(bytes, at, end);
    if (length > 0) {
      lengths.push(length);
      at += length;
      continue;
    }
    lengths.push(length);
    at -= length;
  }
  return lengths;
}

/** Bytes of the character at `at`, or of the invalid part there as a negative number. */
function validLength(bytes: Buffer, at: number, end: number): number {
  for (let length = 1; length <= Math.min(4, end - at); length++) {
    const text = bytes.toString('utf8', at, at + length);
    const point = text.codePointAt(0)!;
    if (point !== REPLACEMENT) return length;
    if (length === 3 && isReplacementItself(bytes, at)) return length;
    // A second character: the invalid part ended before it.
    if (text.length > 1) return -(length - 1);
  }
  return -Math.min(3, end - at);
}

function isReplacementItself(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
}

/**
 * Is an occurrence of a stream's name in other data that name, or part of a longer one ("order-1" in "order-12")?
 * In doubt it is the name: a report must not call erased what is still there. Pure.
 */
import type { Pattern, Subject } from './erasure-question.ts';

export interface Surroundings {
  bytes: Buffer;
  /** The field or file part that the occurrence lies in. */
  start: number;
  end: number;
  /** Where a hyphen only joins parts, as in the names of system streams. */
  hyphenEnds?: boolean;
}

/** Only text in which words have ends can hold a longer name; anything else counts as it is. */
export function isWholeName(
  subject: Subject,
  pattern: Pattern,
  at: number,
  { bytes, start, end, hyphenEnds = false }: Surroundings
): boolean {
  if (pattern.form === 'id' || pattern.form === 'idText' || pattern.form === 'utf16') return true;
  if (at > start && isNamePart(bytes[at - 1]!, hyphenEnds) && !isEscape(bytes, start, at)) return false;
  if (subject.asked === 'category') return true;
  const behind = at + pattern.bytes.length;
  return behind >= end || !isNamePart(bytes[behind]!, hyphenEnds);
}

/** A field that reads as text: JSON, or nothing but printable characters. */
export function isText(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return false;
  }
  return true;
}

function isNamePart(byte: number, hyphenEnds: boolean): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x5f ||
    byte >= 0x80 ||
    (byte === 0x2d && !hyphenEnds)
  );
}

/** The letter before the name belongs to an escape of JSON, as the n of a line's end or the digits of \u000a. */
function isEscape(bytes: Buffer, start: number, at: number): boolean {
  return /\\([bfnrt]|u[0-9a-fA-F]{4})$/.test(bytes.toString('latin1', Math.max(start, at - 6), at));
}

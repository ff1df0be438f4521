/**
 * GUIDs in the order .NET stores them: the first three fields little-endian, the last eight bytes as written.
 * Format: docs/format/records.md, "Encodings".
 */
import { assert } from '../assert.ts';

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
const ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
const HYPHEN = 0x2d;
export const EMPTY_GUID = '00000000-0000-0000-0000-000000000000';

/** Lower-case text with hyphens of the 16 bytes at `offset`. */
export function decodeGuid(bytes: Uint8Array, offset: number): string {
  let text = '';
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-';
    text += HEX[bytes[offset + ORDER[i]!]!]!;
  }
  return text;
}

/** Writes the 16 bytes of `text` (lower or upper case, hyphens) at `offset`. */
export function encodeGuid(text: string, bytes: Uint8Array, offset: number): void {
  assert(text.length === 36, 'a GUID has 36 characters');
  let at = 0;
  for (let i = 0; i < 16; i++) {
    if (text.charCodeAt(at) === HYPHEN) at++;
    const value = (nibble(text.charCodeAt(at)) << 4) | nibble(text.charCodeAt(at + 1));
    assert(value >= 0, 'a GUID is made of hexadecimal digits');
    bytes[offset + ORDER[i]!] = value;
    at += 2;
  }
}

/** Value of a hexadecimal digit; a large negative number for anything else. */
function nibble(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 0x20;
  return lower >= 97 && lower <= 102 ? lower - 87 : -4096;
}

export function isEmptyGuid(bytes: Uint8Array, offset: number): boolean {
  for (let i = 0; i < 16; i++) if (bytes[offset + i] !== 0) return false;
  return true;
}

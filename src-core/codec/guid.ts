/**
 * GUIDs in the order .NET stores them: the first three fields little-endian, the last eight bytes as written.
 * Format: docs/format/records.md, "Encodings".
 */
import { assert } from '../assert.ts';

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
const ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
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
  const digits = text.replaceAll('-', '');
  assert(/^[0-9a-fA-F]{32}$/.test(digits), `"${text}" is a GUID`);
  for (let i = 0; i < 16; i++) bytes[offset + ORDER[i]!] = Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16);
}

export function isEmptyGuid(bytes: Uint8Array, offset: number): boolean {
  for (let i = 0; i < 16; i++) if (bytes[offset + i] !== 0) return false;
  return true;
}

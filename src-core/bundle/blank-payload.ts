/**
 * Bytes that stand for a payload that is not in a bundle: as many, readable as what the record says they are, and nothing
 * of what was there.
 */
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;
const ZERO_DIGIT = 0x30;
/** Field 15 of a message, which no message of the server has: a number, and bytes of some length. */
const NUMBER_FIELD = 0x78;
const BYTES_FIELD = 0x7a;
/** A length of bytes is written with so many bytes, whatever it is. */
const LENGTH_BYTES = 5;

export function blankBytes(bytes: Uint8Array): void {
  bytes.fill(0);
}

/** An empty object and blanks; one byte is a number. */
export function blankJson(bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  bytes.fill(SPACE);
  if (bytes.length === 1) bytes[0] = ZERO_DIGIT;
  else {
    bytes[0] = OPEN_BRACE;
    bytes[1] = CLOSE_BRACE;
  }
}

/** A protobuf message with one unknown field. A message of one byte does not exist: it stays one that nobody can read. */
export function blankMessage(bytes: Uint8Array): void {
  bytes.fill(0);
  const head = 1 + LENGTH_BYTES;
  if (bytes.length < head) {
    let at = 0;
    if (bytes.length % 2 === 1) {
      if (bytes.length > 1) bytes.set([NUMBER_FIELD, 0x80, 0x00]);
      at = 3;
    }
    for (; at + 1 < bytes.length; at += 2) bytes[at] = NUMBER_FIELD;
    return;
  }
  bytes[0] = BYTES_FIELD;
  let rest = bytes.length - head;
  for (let i = 1; i <= LENGTH_BYTES; i++) {
    bytes[i] = (rest & 0x7f) | (i < LENGTH_BYTES ? 0x80 : 0);
    rest = Math.floor(rest / 128);
  }
}

/**
 * JSON text, and blanks up to the length that must be kept. False, and nothing written, when it does not fit.
 */
export function putJson(bytes: Uint8Array, text: string): boolean {
  const encoded = Buffer.from(text, 'utf8');
  if (encoded.length > bytes.length) return false;
  bytes.fill(SPACE);
  bytes.set(encoded);
  return true;
}

/** Makes checksums fit again after a change, so that what the bytes say is what is tested, and not their hash. */
import { createHash } from 'node:crypto';
import { xxHashDraft } from '../../../src-core/index/hash-functions.ts';

const MD5_LENGTH = 16;
const FILTER_LINE = 64;
const FILTER_LINE_BITS = 60;
const FILTER_SEED = 0xc58f1a7b;

/** Of a completed chunk or an index table: the MD5 of all before it is its last 16 bytes. */
export function sealed(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  const end = copy.length - MD5_LENGTH;
  if (end > 0) copy.set(createHash('md5').update(copy.subarray(0, end)).digest(), end);
  return copy;
}

/** An index map of these lines: the first holds the MD5 of everything from byte 32 on. */
export function sealedMap(lines: readonly string[]): Uint8Array {
  const content = Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8');
  const hash = createHash('md5').update(content.subarray(32)).digest('hex').toUpperCase();
  content.write(hash, 0, 'latin1');
  return new Uint8Array(content);
}

/** The line of a filter in which `at` lies. */
export function sealFilterLine(bytes: Uint8Array, at: number): void {
  const start = Math.floor(at / FILTER_LINE) * FILTER_LINE;
  if (start === 0 || start + FILTER_LINE > bytes.length) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setUint32(
    start + FILTER_LINE_BITS,
    xxHashDraft(bytes, start, FILTER_LINE_BITS, FILTER_SEED) >>> 0,
    true
  );
}

/**
 * The seal of a manifest: its last member is the SHA-256 of all bytes before it, so a byte that a disk changed is found before
 * anything is restored by it. A person can change a manifest and seal it again; against that there are signatures
 * (manifest-signature.ts).
 *
 * Two members say that there is a seal, `sealed` at the start and `seal` at the end: if one of them cannot be read any more, the
 * other one tells. A manifest with neither is of an older version. Format: docs/format/backup.md.
 */
import { createHash } from 'node:crypto';

/** `older`: written by a version that sealed none. */
export type SealState = 'sealed' | 'older' | 'broken';

const PLACEHOLDER = '0'.repeat(64);
/** What follows the bytes that are hashed. Always of one length. */
const tailOf = (digest: string): string => ` "seal": "${digest}"\n}\n`;
const TAIL_BYTES = tailOf(PLACEHOLDER).length;

/** The document as text with its seal. It must say `sealed: true`. */
export function sealDocument(document: { sealed: true }): Uint8Array {
  const text = JSON.stringify({ ...document, seal: PLACEHOLDER }, null, 1);
  const bytes = Buffer.from(`${text}\n`);
  const start = bytes.length - TAIL_BYTES;
  bytes.write(tailOf(digestOf(bytes.subarray(0, start))), start);
  return bytes;
}

/** `document`: the bytes, parsed. */
export function sealState(bytes: Uint8Array, document: unknown): SealState {
  if (typeof document !== 'object' || document === null) return 'older';
  const { sealed, seal } = document as { sealed?: unknown; seal?: unknown };
  if (sealed === undefined && seal === undefined) return 'older';
  const start = Math.max(0, bytes.length - TAIL_BYTES);
  const expected = Buffer.from(tailOf(digestOf(bytes.subarray(0, start))));
  return sealed === true && expected.equals(bytes.subarray(start)) ? 'sealed' : 'broken';
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

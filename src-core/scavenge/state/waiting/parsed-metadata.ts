/**
 * Metadata by the bytes they are written in: most streams of a database have one of a few, and reading JSON again and
 * again takes longer than all else that accumulation does with such a record.
 */
import { parseStreamMetadata, type StreamMetadata } from '../../../records/stream-metadata.ts';

/** A power of two. */
const SLOTS = 1024;
/** Longer ones are read each time. */
const LONGEST_BYTES = 256;

interface Known {
  bytes: Uint8Array;
  recordVersion: number;
  metadata: StreamMetadata;
}

export class ParsedMetadata {
  /** Metadata that share a slot push each other out. */
  readonly #known: (Known | undefined)[] = new Array<Known | undefined>(SLOTS).fill(undefined);

  /** Not to be changed: others get the same. */
  of(data: Uint8Array, recordVersion: number): StreamMetadata {
    if (data.length > LONGEST_BYTES) return parseStreamMetadata(data, { recordVersion });
    const slot = slotOf(data);
    const known = this.#known[slot];
    if (known?.recordVersion === recordVersion && isSame(known.bytes, data)) return known.metadata;
    const metadata = parseStreamMetadata(data, { recordVersion });
    this.#known[slot] = { bytes: data.slice(), recordVersion, metadata };
    return metadata;
  }
}

function slotOf(data: Uint8Array): number {
  let hash = data.length;
  for (let i = 0; i < data.length; i++) hash = Math.imul(hash ^ data[i]!, 0x9e3779b1);
  return (hash >>> 16) & (SLOTS - 1);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

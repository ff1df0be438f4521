/** Names that are looked for in records, compared as bytes: nothing is decoded for a record that is not wanted. */

/** FNV-1a, 32 bits. */
const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
const REPLACEMENT = '\ufffd';

export class NameSet {
  /** By their hash. */
  readonly #names = new Map<number, Buffer[]>();
  /** Several sequences of bytes decode to U+FFFD: such names can only be compared as text. */
  readonly #texts = new Set<string>();

  constructor(names: Iterable<string>) {
    for (const name of names) {
      if (name.includes(REPLACEMENT)) this.#texts.add(name);
      const bytes = Buffer.from(name, 'utf8');
      const hash = hashOf(bytes, 0, bytes.length);
      this.#names.set(hash, [...(this.#names.get(hash) ?? []), bytes]);
    }
  }

  /** Whether the name in `bytes[start, end)` is one of them. */
  has(bytes: Buffer, start: number, end: number): boolean {
    const candidates = this.#names.get(hashOf(bytes, start, end));
    if (candidates) {
      for (const name of candidates) {
        if (name.length === end - start && bytes.compare(name, 0, name.length, start, end) === 0) return true;
      }
    }
    return this.#texts.size > 0 && this.#texts.has(bytes.toString('utf8', start, end));
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = OFFSET_BASIS;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, PRIME);
  return hash;
}

/**
 * Names with ordinals in the order of their first appearance: open addressing by a quick hash of their bytes, which are
 * compared besides. A look-up makes nothing.
 */
import { giveBack } from '../codec/give-back.ts';
import { lengthened } from '../codec/longer-column.ts';

const FIRST_SLOTS = 512;

export class NameOrdinals {
  count = 0;
  /** Where each name ends in `bytes`. */
  ends = new Uint32Array(FIRST_SLOTS / 2);
  bytes: Buffer = Buffer.allocUnsafe(FIRST_SLOTS * 8);
  #tags = new Uint32Array(FIRST_SLOTS / 2);
  /** Ordinal plus one. */
  #slots = new Uint32Array(FIRST_SLOTS);

  /** The ordinal of the name; a new one is the count from before. */
  of(bytes: Uint8Array, start: number, end: number): number {
    const tag = tagOf(bytes, start, end);
    const mask = this.#slots.length - 1;
    let slot = tag & mask;
    for (let found = this.#slots[slot]!; found !== 0; found = this.#slots[slot]!) {
      if (this.#tags[found - 1] === tag && this.#isAt(found - 1, bytes, start, end)) return found - 1;
      slot = (slot + 1) & mask;
    }
    return this.#add(slot, tag, bytes, start, end);
  }

  /** The ordinal of the name, -1 when it was never met. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const tag = tagOf(bytes, start, end);
    const mask = this.#slots.length - 1;
    for (let slot = tag & mask; ; slot = (slot + 1) & mask) {
      const found = this.#slots[slot]!;
      if (found === 0) return -1;
      if (this.#tags[found - 1] === tag && this.#isAt(found - 1, bytes, start, end)) return found - 1;
    }
  }

  /** Names are not looked for any more, only asked for by their ordinals. */
  endLookUps(): void {
    for (const column of [this.#tags, this.#slots]) giveBack(column);
  }

  startOf(ordinal: number): number {
    return ordinal === 0 ? 0 : this.ends[ordinal - 1]!;
  }

  get byteLength(): number {
    return this.startOf(this.count);
  }

  #isAt(ordinal: number, bytes: Uint8Array, start: number, end: number): boolean {
    let from = this.startOf(ordinal);
    if (this.ends[ordinal]! - from !== end - start) return false;
    for (let at = start; at < end; at++, from++) if (this.bytes[from] !== bytes[at]) return false;
    return true;
  }

  #add(slot: number, tag: number, bytes: Uint8Array, start: number, end: number): number {
    const ordinal = this.count++;
    if (ordinal === this.ends.length) this.#grow();
    const from = this.startOf(ordinal);
    const to = from + end - start;
    if (to > this.bytes.length) this.#growBytes(from, to);
    for (let at = start, into = from; at < end; at++, into++) this.bytes[into] = bytes[at]!;
    this.ends[ordinal] = to;
    this.#tags[ordinal] = tag;
    if (this.count * 2 > this.#slots.length) this.#rehash();
    else this.#slots[slot] = ordinal + 1;
    return ordinal;
  }

  #grow(): void {
    this.ends = lengthened(this.ends, this.ends.length * 2);
    this.#tags = lengthened(this.#tags, this.#tags.length * 2);
  }

  #growBytes(used: number, needed: number): void {
    const copy = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, needed));
    this.bytes.copy(copy, 0, 0, used);
    this.bytes = copy;
  }

  #rehash(): void {
    const length = this.#slots.length * 2;
    giveBack(this.#slots);
    this.#slots = new Uint32Array(length);
    const mask = this.#slots.length - 1;
    for (let ordinal = 0; ordinal < this.count; ordinal++) {
      let slot = this.#tags[ordinal]! & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = ordinal + 1;
    }
  }
}

/** FNV-1a, mixed once more: its lower bits choose the slot. */
function tagOf(bytes: Uint8Array, start: number, end: number): number {
  let tag = 0x811c9dc5;
  for (let at = start; at < end; at++) tag = Math.imul(tag ^ bytes[at]!, 0x01000193);
  tag ^= tag >>> 15;
  return Math.imul(tag, 0x2c1b3c6d) >>> 0;
}

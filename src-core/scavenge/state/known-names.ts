/**
 * Names of streams that need no second look, as bytes in memory: the first thing that accumulation asks of every
 * record, so a question makes no object and computes no index hash. Forgetting is allowed and remembering is
 * exact: a name counts as known only if all its bytes are equal.
 *
 * Two generations bound the memory. Names go to the young one; when it is full the old one is dropped and the young
 * one takes its place. A name that is met in the old one moves to the young one, so what is in use stays.
 */

/** Where a name's UTF-8 bytes lie; a record of the log fits. */
export interface NameBytes {
  readonly bytes: Buffer;
  /** Over the same bytes. */
  readonly view: DataView;
  readonly streamStart: number;
  readonly streamEnd: number;
}

/** A generation holds at least this many bytes of names before it is full, however few it was asked to hold. */
const LEAST_FULL_BYTES = 16 * 1024 * 1024;
/** Longer names are not remembered. */
const LONGEST_NAME_BYTES = 65_536;
const FIRST_SLOTS = 4096;
const FIRST_BYTES = 65_536;
const LENGTH_BYTES = 4;

/** Quick hash of a name; the index has others, but those take several times as long. */
function tagOf({ view, streamStart, streamEnd }: NameBytes): number {
  let tag = streamEnd - streamStart;
  let at = streamStart;
  for (; at + 4 <= streamEnd; at += 4) {
    tag = Math.imul(tag ^ view.getUint32(at, true), 0x9e3779b1);
    tag ^= tag >>> 15;
  }
  for (; at < streamEnd; at++) tag = Math.imul(tag ^ view.getUint8(at), 0x85ebca6b);
  tag ^= tag >>> 13;
  tag = Math.imul(tag, 0xc2b2ae35);
  return (tag ^ (tag >>> 16)) >>> 0;
}

class Generation {
  count = 0;
  /** Bytes of names, each behind its length and padded to four. */
  usedBytes = 0;
  #arena = new DataView(new ArrayBuffer(FIRST_BYTES));
  /** By slot the tag, and beside it the offset of the name in the arena plus one; 0: nothing there. */
  #slots = new Uint32Array(FIRST_SLOTS * 2);

  has(tag: number, name: NameBytes): boolean {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (tag << 1) & mask; ; slot = (slot + 2) & mask) {
      const place = slots[slot + 1]!;
      if (place === 0) return false;
      if (slots[slot] === tag && this.#isAt(place - 1, name)) return true;
    }
  }

  /** A name that is not in it. */
  add(tag: number, { view, streamStart, streamEnd }: NameBytes): void {
    const length = streamEnd - streamStart;
    const needed = LENGTH_BYTES + Math.ceil(length / 4) * 4;
    if (this.usedBytes + needed > this.#arena.byteLength) this.#growArena(this.usedBytes + needed);
    if ((this.count + 1) * 4 > this.#slots.length) this.#growSlots();
    const arena = this.#arena;
    let to = this.usedBytes;
    arena.setUint32(to, length, true);
    to += LENGTH_BYTES;
    for (let at = streamStart; at < streamEnd; at++) arena.setUint8(to++, view.getUint8(at));
    this.#put(tag, this.usedBytes + 1);
    this.usedBytes += needed;
    this.count++;
  }

  #isAt(offset: number, { view, streamStart, streamEnd }: NameBytes): boolean {
    const arena = this.#arena;
    if (arena.getUint32(offset, true) !== streamEnd - streamStart) return false;
    let from = offset + LENGTH_BYTES;
    let at = streamStart;
    for (; at + 4 <= streamEnd; at += 4, from += 4) {
      if (arena.getUint32(from, true) !== view.getUint32(at, true)) return false;
    }
    for (; at < streamEnd; at++, from++) if (arena.getUint8(from) !== view.getUint8(at)) return false;
    return true;
  }

  #put(tag: number, place: number): void {
    const mask = this.#slots.length - 1;
    let slot = (tag << 1) & mask;
    while (this.#slots[slot + 1] !== 0) slot = (slot + 2) & mask;
    this.#slots[slot] = tag;
    this.#slots[slot + 1] = place;
  }

  #growArena(needed: number): void {
    const larger = new Uint8Array(Math.max(this.#arena.byteLength * 2, needed));
    larger.set(new Uint8Array(this.#arena.buffer, 0, this.usedBytes));
    this.#arena = new DataView(larger.buffer);
  }

  #growSlots(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (let slot = 0; slot < old.length; slot += 2) {
      if (old[slot + 1] !== 0) this.#put(old[slot]!, old[slot + 1]!);
    }
  }
}

export class KnownNames {
  readonly #capacity: number;
  #young = new Generation();
  #old: Generation | undefined;

  /** At least `capacity` names are remembered, more where they are short. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(name: NameBytes): boolean {
    const tag = tagOf(name);
    if (this.#young.has(tag, name)) return true;
    if (this.#old?.has(tag, name) !== true) return false;
    this.#add(tag, name);
    return true;
  }

  /** A name that `has` did not know. */
  remember(name: NameBytes): void {
    if (name.streamEnd - name.streamStart <= LONGEST_NAME_BYTES) this.#add(tagOf(name), name);
  }

  forget(): void {
    this.#young = new Generation();
    this.#old = undefined;
  }

  #add(tag: number, name: NameBytes): void {
    const { count, usedBytes } = this.#young;
    if (count >= this.#capacity && usedBytes >= LEAST_FULL_BYTES) {
      this.#old = this.#young;
      this.#young = new Generation();
    }
    this.#young.add(tag, name);
  }
}

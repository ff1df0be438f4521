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
  #tags = new Uint32Array(FIRST_SLOTS);
  /** Offset of the name in the arena plus one; 0: nothing there. */
  #places = new Uint32Array(FIRST_SLOTS);

  has(tag: number, name: NameBytes): boolean {
    const mask = this.#places.length - 1;
    for (let slot = tag & mask; ; slot = (slot + 1) & mask) {
      const place = this.#places[slot]!;
      if (place === 0) return false;
      if (this.#tags[slot] === tag && this.#isAt(place - 1, name)) return true;
    }
  }

  /** A name that is not in it. */
  add(tag: number, { view, streamStart, streamEnd }: NameBytes): void {
    const length = streamEnd - streamStart;
    const needed = LENGTH_BYTES + Math.ceil(length / 4) * 4;
    if (this.usedBytes + needed > this.#arena.byteLength) this.#growArena(this.usedBytes + needed);
    if ((this.count + 1) * 2 > this.#places.length) this.#growSlots();
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
    const mask = this.#places.length - 1;
    let slot = tag & mask;
    while (this.#places[slot] !== 0) slot = (slot + 1) & mask;
    this.#tags[slot] = tag;
    this.#places[slot] = place;
  }

  #growArena(needed: number): void {
    const larger = new Uint8Array(Math.max(this.#arena.byteLength * 2, needed));
    larger.set(new Uint8Array(this.#arena.buffer, 0, this.usedBytes));
    this.#arena = new DataView(larger.buffer);
  }

  #growSlots(): void {
    const [tags, places] = [this.#tags, this.#places];
    this.#tags = new Uint32Array(tags.length * 2);
    this.#places = new Uint32Array(places.length * 2);
    for (let slot = 0; slot < places.length; slot++) {
      if (places[slot] !== 0) this.#put(tags[slot]!, places[slot]!);
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

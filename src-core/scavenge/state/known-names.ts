/**
 * Names of streams that need no second look, as bytes in memory: the first thing that accumulation asks of every
 * record, so a question makes no object and computes no index hash. Forgetting is allowed and remembering is
 * exact: a name counts as known only if all its bytes are equal.
 *
 * Two generations bound the memory. Names go to the young one; when it is full the old one is dropped and the young
 * one takes its place. A name that is met in the old one moves to the young one, so what is in use stays.
 */

import { giveBack } from '../../codec/give-back.ts';

/** Where a name's UTF-8 bytes lie; a record of the log fits. */
export interface NameBytes {
  readonly bytes: Buffer;
  /** Over the same bytes. */
  readonly view: DataView;
  readonly streamStart: number;
  readonly streamEnd: number;
}

/**
 * A generation takes at least this much memory before it is full, however few names it was asked to hold: just what its
 * slots hold half filled.
 */
const LEAST_FULL_BYTES = 32 * 1024 * 1024;
/** Longer names are not remembered. */
const LONGEST_NAME_BYTES = 65_536;
const FIRST_SLOTS = 4096;
/** Below this many, room is made for four times as many: to place the names again costs more than the memory. */
const MANY_SLOTS = 256 * 1024;
const FIRST_LONG_BYTES = 65_536;

/**
 * A slot is 32 bytes, half a line of the processor's cache, so that most questions wait for memory once:
 *
 *   word 0      tag, 0: nothing there
 *   word 1      length in bytes
 *   words 2-7   the name, padded with zeros; of a longer one where it begins among the long names
 */
const SLOT_WORDS = 8;
const NAME_AT = 2;
const NAME_WORDS = 6;
const LONGEST_IN_SLOT = NAME_WORDS * 4;
/** At most half of the slots are filled. */
const BYTES_PER_NAME = SLOT_WORDS * 4 * 2;

/** The name being asked about: tag, length, and its first words. Means nothing between calls. */
const asked = { tag: 0, length: 0, words: new Uint32Array(NAME_WORDS) };

/** The tag is a quick hash; the index has others, but those take several times as long. */
function ask({ view, streamStart, streamEnd }: NameBytes): void {
  const { words } = asked;
  const length = streamEnd - streamStart;
  let tag = length;
  let count = 0;
  let at = streamStart;
  for (; at + 4 <= streamEnd; at += 4) {
    const word = view.getUint32(at, true);
    if (count < NAME_WORDS) words[count++] = word;
    tag = Math.imul(tag ^ word, 0x9e3779b1);
    tag ^= tag >>> 15;
  }
  if (at < streamEnd) {
    let word = 0;
    for (let shift = 0; at < streamEnd; at++, shift += 8) word |= view.getUint8(at) << shift;
    if (count < NAME_WORDS) words[count++] = word;
    tag = Math.imul(tag ^ word, 0x85ebca6b);
  }
  while (count < NAME_WORDS) words[count++] = 0;
  tag ^= tag >>> 13;
  tag = Math.imul(tag, 0xc2b2ae35);
  asked.tag = (tag ^ (tag >>> 16)) >>> 0 || 1;
  asked.length = length;
}

class Generation {
  count = 0;
  #slots: Uint32Array;
  /** Names that are too long for a slot, one behind the other. */
  #long = new Uint8Array(FIRST_LONG_BYTES);
  #longEnd = 0;

  constructor(slotWords = FIRST_SLOTS * SLOT_WORDS) {
    this.#slots = new Uint32Array(slotWords);
  }

  clear(): void {
    this.#slots.fill(0);
    this.#longEnd = 0;
    this.count = 0;
  }

  release(): void {
    giveBack(this.#slots);
    giveBack(this.#long);
  }

  get slotWords(): number {
    return this.#slots.length;
  }

  get bytes(): number {
    return this.count * BYTES_PER_NAME + this.#longEnd;
  }

  /** The name that was asked about last. */
  has(name: NameBytes): boolean {
    const { tag, length, words } = asked;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let at = (tag * SLOT_WORDS) & mask; ; at = (at + SLOT_WORDS) & mask) {
      const found = slots[at]!;
      if (found === 0) return false;
      if (found !== tag || slots[at + 1] !== length) continue;
      if (length > LONGEST_IN_SLOT) {
        if (this.#isLongAt(slots[at + NAME_AT]!, name)) return true;
      } else if (
        slots[at + 2] === words[0] &&
        slots[at + 3] === words[1] &&
        slots[at + 4] === words[2] &&
        slots[at + 5] === words[3] &&
        slots[at + 6] === words[4] &&
        slots[at + 7] === words[5]
      ) {
        return true;
      }
    }
  }

  /** The name that was asked about last, which is not in it. */
  add({ bytes, streamStart, streamEnd }: NameBytes): void {
    const { tag, length, words } = asked;
    if ((this.count + 1) * 2 * SLOT_WORDS > this.#slots.length) this.#grow();
    const at = this.#emptySlot(tag);
    const slots = this.#slots;
    slots[at] = tag;
    slots[at + 1] = length;
    if (length <= LONGEST_IN_SLOT) {
      slots.set(words, at + NAME_AT);
    } else {
      if (this.#longEnd + length > this.#long.length) this.#growLong(this.#longEnd + length);
      slots[at + NAME_AT] = this.#longEnd;
      this.#long.set(bytes.subarray(streamStart, streamEnd), this.#longEnd);
      this.#longEnd += length;
    }
    this.count++;
  }

  #isLongAt(from: number, { bytes, streamStart, streamEnd }: NameBytes): boolean {
    const long = this.#long;
    for (let at = streamStart; at < streamEnd; at++, from++) if (long[from] !== bytes[at]) return false;
    return true;
  }

  #emptySlot(tag: number): number {
    const mask = this.#slots.length - 1;
    let at = (tag * SLOT_WORDS) & mask;
    while (this.#slots[at] !== 0) at = (at + SLOT_WORDS) & mask;
    return at;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * (old.length < MANY_SLOTS * SLOT_WORDS ? 4 : 2));
    for (let from = 0; from < old.length; from += SLOT_WORDS) {
      if (old[from] === 0) continue;
      const to = this.#emptySlot(old[from]!);
      for (let i = 0; i < SLOT_WORDS; i++) this.#slots[to + i] = old[from + i]!;
    }
    giveBack(old);
  }

  #growLong(needed: number): void {
    const larger = new Uint8Array(Math.max(this.#long.length * 2, needed));
    larger.set(this.#long.subarray(0, this.#longEnd));
    this.#long = larger;
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
    ask(name);
    if (this.#young.has(name)) return true;
    if (this.#old?.has(name) !== true) return false;
    this.#add(name);
    return true;
  }

  /** A name that `has` did not know. */
  remember(name: NameBytes): void {
    if (name.streamEnd - name.streamStart > LONGEST_NAME_BYTES) return;
    ask(name);
    this.#add(name);
  }

  forget(): void {
    this.#young.release();
    this.#old?.release();
    this.#young = new Generation();
    this.#old = undefined;
  }

  #add(name: NameBytes): void {
    const { count, bytes } = this.#young;
    if (count >= this.#capacity && bytes + BYTES_PER_NAME > LEAST_FULL_BYTES) {
      // As many will come again, and to grow by and by costs more than all questions.
      const next = this.#old ?? new Generation(this.#young.slotWords);
      next.clear();
      this.#old = this.#young;
      this.#young = next;
    }
    this.#young.add(name);
  }
}

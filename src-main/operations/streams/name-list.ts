/**
 * Names one behind the other, each without what it has in common with the one before: streams in order differ in few
 * characters. Every sixteenth stands whole, so that any of them is found without the others.
 *
 *     shared  varint   bytes taken over from the name before; 0 where one stands whole
 *     rest    varint   bytes that follow
 *     bytes
 *
 * In memory and in files that are ours alone, which are checked before they are used.
 */
import { compareNames, type NameBytes } from './name-order.ts';

const NAMES_FROM_WHOLE = 16;
const FIRST_BYTES = 4096;
/** Two varints of numbers below 2^35. */
const MOST_HEAD_BYTES = 10;

export interface NameListImage {
  count: number;
  /** Where each whole name begins in `bytes`. */
  wholes: Float64Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
}

export class NameList {
  readonly count: number;
  readonly #wholes: Float64Array<ArrayBuffer>;
  readonly #bytes: Buffer<ArrayBuffer>;
  /** The name that was read last. */
  #name = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;
  #at = -1;
  /** Behind it. */
  #next = 0;
  /** The place that was found last. */
  #found = 0;

  constructor({ count, wholes, bytes }: NameListImage) {
    this.count = count;
    this.#wholes = wholes;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** The names with these numbers, in this order. */
  static of(names: NameBytes, order: Uint32Array): NameList {
    const wholes = new Float64Array(Math.ceil(order.length / NAMES_FROM_WHOLE));
    let bytes = Buffer.allocUnsafe(FIRST_BYTES);
    let end = 0;
    let before = 0;
    for (const [i, at] of order.entries()) {
      const isWhole = i % NAMES_FROM_WHOLE === 0;
      const [from, to] = [names.nameStart(at), names.nameEnd(at)];
      const shared = isWhole ? 0 : sharedBytes(names, before, at);
      if (isWhole) wholes[i / NAMES_FROM_WHOLE] = end;
      const most = end + MOST_HEAD_BYTES + to - from;
      if (most > bytes.length) bytes = longer(bytes, Math.max(most, bytes.length * 2));
      end = putNumber(bytes, end, shared);
      end = putNumber(bytes, end, to - from - shared);
      for (let place = from + shared; place < to; place++) bytes[end++] = names.nameBytes[place]!;
      before = at;
    }
    return new NameList({ count: order.length, wholes, bytes: Uint8Array.from(bytes.subarray(0, end)) });
  }

  get image(): NameListImage {
    return { count: this.count, wholes: this.#wholes, bytes: this.#bytes };
  }

  name(at: number): string {
    this.#read(at);
    return this.#name.toString('utf8', 0, this.#length);
  }

  /** Valid until the next name is read. */
  bytesOf(at: number): Buffer {
    this.#read(at);
    return this.#name.subarray(0, this.#length);
  }

  /**
   * The first name that is not below this one; `count` where all are. Of names in order. Those that are asked for in order are
   * found behind the one before.
   */
  firstFrom(name: Buffer): number {
    const before = this.#found;
    const isBehind = before < this.count && compareNames(this.bytesOf(before), name) < 0;
    if (isBehind && before + 1 < this.count && compareNames(this.bytesOf(before + 1), name) >= 0) {
      return (this.#found = before + 1);
    }
    return (this.#found = this.#search(name));
  }

  #search(name: Buffer): number {
    let low = 0;
    let high = this.#wholes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareNames(this.bytesOf(middle * NAMES_FROM_WHOLE), name) < 0) low = middle + 1;
      else high = middle;
    }
    // What stands before the first whole name that is not below it begins with a whole one that is.
    let at = Math.max(0, low - 1) * NAMES_FROM_WHOLE;
    while (at < this.count && compareNames(this.bytesOf(at), name) < 0) at++;
    return at;
  }

  #read(at: number): void {
    if (at === this.#at) return;
    const whole = Math.floor(at / NAMES_FROM_WHOLE);
    let from = whole * NAMES_FROM_WHOLE;
    if (this.#at >= from && this.#at < at) from = this.#at + 1;
    else this.#next = this.#wholes[whole]!;
    for (let read = from; read <= at; read++) this.#readNext();
    this.#at = at;
  }

  #readNext(): void {
    const shared = this.#number();
    const rest = this.#number();
    this.#length = shared + rest;
    if (this.#length > this.#name.length) this.#name = longer(this.#name, this.#length * 2);
    for (let i = shared; i < this.#length; i++) this.#name[i] = this.#bytes[this.#next++]!;
  }

  #number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#next++] ?? 0;
      if (byte < 128) return value + byte * scale;
      value += (byte - 128) * scale;
    }
  }
}

function sharedBytes(names: NameBytes, a: number, b: number): number {
  const [first, second] = [names.nameStart(a), names.nameStart(b)];
  const most = Math.min(names.nameEnd(a) - first, names.nameEnd(b) - second);
  let shared = 0;
  while (shared < most && names.nameBytes[first + shared] === names.nameBytes[second + shared]) shared++;
  return shared;
}

function putNumber(bytes: Uint8Array, at: number, number: number): number {
  let rest = number;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) + 128;
  bytes[at++] = rest;
  return at;
}

function longer(bytes: Buffer<ArrayBuffer>, length: number): Buffer<ArrayBuffer> {
  const copy = Buffer.allocUnsafe(length);
  bytes.copy(copy);
  return copy;
}

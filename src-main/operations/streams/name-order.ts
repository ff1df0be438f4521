/**
 * Many names in the order of their UTF-16 units, the same on every machine: a quicksort that compares one byte at a time, so
 * that what names have in common is passed once for all of them. Yields to others in between.
 */
import type { OperationControl } from '../../../src-core/index.ts';

/** Where the UTF-8 bytes of names lie. */
export interface NameBytes {
  readonly nameBytes: Uint8Array;
  nameStart(at: number): number;
  nameEnd(at: number): number;
}

/** Shorter segments are sorted by insertion. */
const SHORT = 12;
/** Names between two looks at the clock. */
const NAMES_BETWEEN_LOOKS = 4096;

/** Sorts the indexes in place. */
export async function sortByName(
  order: Uint32Array,
  names: NameBytes,
  control: OperationControl
): Promise<void> {
  // From, to (exclusive), bytes in common; three numbers a segment.
  const stack = [0, order.length, 0];
  let sinceLook = 0;
  while (stack.length > 0) {
    const depth = stack.pop()!;
    const to = stack.pop()!;
    const from = stack.pop()!;
    sinceLook += to - from;
    if (sinceLook >= NAMES_BETWEEN_LOOKS) {
      sinceLook = 0;
      if (control.isDue) await control.breathe();
    }
    if (to - from <= SHORT) {
      insert(order, names, from, to, depth);
      continue;
    }
    const pivot = middleOf(order, names, from, to, depth);
    let below = from;
    let above = to;
    for (let at = from; at < above;) {
      const byte = rankAt(names, order[at]!, depth);
      if (byte < pivot) swap(order, below++, at++);
      else if (byte > pivot) swap(order, at, --above);
      else at++;
    }
    if (below - from > 1) stack.push(from, below, depth);
    if (to - above > 1) stack.push(above, to, depth);
    // Names that have ended are equal.
    if (pivot >= 0 && above - below > 1) stack.push(below, above, depth + 1);
  }
}

/** The rank of a byte of the name, -1 behind its end. */
function rankAt(names: NameBytes, at: number, depth: number): number {
  const place = names.nameStart(at) + depth;
  return place < names.nameEnd(at) ? rankOf(names.nameBytes[place]!) : -1;
}

/** Characters beyond 16 bits come before those from U+E000 on in UTF-16, behind them in UTF-8. */
function rankOf(byte: number): number {
  return byte === 0xee || byte === 0xef ? byte + 0x10 : byte;
}

function middleOf(order: Uint32Array, names: NameBytes, from: number, to: number, depth: number): number {
  const a = rankAt(names, order[from]!, depth);
  const b = rankAt(names, order[(from + to) >>> 1]!, depth);
  const c = rankAt(names, order[to - 1]!, depth);
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function insert(order: Uint32Array, names: NameBytes, from: number, to: number, depth: number): void {
  for (let at = from + 1; at < to; at++) {
    const one = order[at]!;
    let place = at;
    for (; place > from && isBelow(names, one, order[place - 1]!, depth); place--)
      order[place] = order[place - 1]!;
    order[place] = one;
  }
}

function isBelow(names: NameBytes, a: number, b: number, depth: number): boolean {
  for (let at = depth; ; at++) {
    const left = rankAt(names, a, at);
    const right = rankAt(names, b, at);
    if (left !== right) return left < right;
    if (left < 0) return false;
  }
}

function swap(order: Uint32Array, a: number, b: number): void {
  const one = order[a]!;
  order[a] = order[b]!;
  order[b] = one;
}

/** As strings compare by `<`: below zero where the first comes first. */
export function compareNames(a: Uint8Array, b: Uint8Array): number {
  const common = Math.min(a.length, b.length);
  for (let at = 0; at < common; at++) {
    if (a[at] !== b[at]) return rankOf(a[at]!) - rankOf(b[at]!);
  }
  return a.length - b.length;
}

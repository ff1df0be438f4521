/** Rows of two kinds in the rising order of their signed hashes, as one; of equal hashes those of the first kind come first. */
import { takeTouched } from '../../../codec/touched.ts';
import { giveBack } from '../../../codec/give-back.ts';
import { compareSigned, wordsBySignedHash, type HashedWords } from '../../../index/hash-order.ts';

export interface HashedRows extends HashedWords {
  /** Numbers of the rows that are meant; used up. */
  rows: Uint32Array;
}

/** Rows that are brought near at once. */
const BLOCK = 512;

export class HashesInTurn {
  /** The row that was reached last, and whether it is one of the second kind. */
  row = -1;
  isOfSecond = false;
  /** Its hash is another one than that of the row of the same kind before it. */
  isNew = false;
  high = 0;
  low = 0;
  readonly #first: OrderedRows;
  readonly #second: OrderedRows;

  constructor(first: HashedRows, second?: HashedRows) {
    this.#first = new OrderedRows(first);
    this.#second = new OrderedRows(second ?? { ...first, rows: new Uint32Array(0) });
  }

  /** How far it has come, from 0 to 1. */
  get part(): number {
    return (this.#first.at + this.#second.at) / (this.#first.count + this.#second.count);
  }

  next(): boolean {
    const first = this.#first;
    const second = this.#second;
    if (!first.isLeft && !second.isLeft) return false;
    const isSecond = !first.isLeft || (second.isLeft && second.isBefore(first));
    const taken = isSecond ? second : first;
    this.isOfSecond = isSecond;
    this.row = taken.row;
    this.high = taken.high;
    this.low = taken.low;
    this.isNew = taken.isNew;
    taken.advance();
    return true;
  }

  /** Gives the memory back: nothing is asked any more. */
  release(): void {
    this.#first.release();
    this.#second.release();
  }
}

class OrderedRows {
  readonly count: number;
  at = 0;
  /** Of the row that is next. */
  row = -1;
  high = 0;
  low = 0;
  isNew = true;
  readonly #from: HashedRows;
  readonly #order: Uint32Array;

  constructor(from: HashedRows) {
    this.#from = from;
    this.count = from.rows.length;
    this.#order = wordsBySignedHash(from, from.rows);
    this.#stand();
  }

  get isLeft(): boolean {
    return this.at < this.count;
  }

  isBefore({ high, low }: OrderedRows): boolean {
    return compareSigned(this.high, this.low, high, low) < 0;
  }

  release(): void {
    giveBack(this.#order);
  }

  advance(): void {
    this.at++;
    this.#stand();
  }

  #stand(): void {
    const { at } = this;
    if (at === this.count) return;
    if (at % BLOCK === 0) this.#bringNear(at);
    const { words, hashAt } = this.#from;
    const row = this.#order[at]!;
    const high = words.get(row, hashAt);
    const low = words.get(row, hashAt + 1);
    this.isNew = at === 0 || high !== this.high || low !== this.low;
    this.row = row;
    this.high = high;
    this.low = low;
  }

  /** Rows lie as they came. */
  #bringNear(from: number): void {
    const { words } = this.#from;
    let touched = 0;
    for (const row of this.#order.subarray(from, from + BLOCK)) touched ^= words.get(row, 0);
    takeTouched(touched);
  }
}

/** The numbers of so many rows. */
export function allOf(count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  return rows;
}

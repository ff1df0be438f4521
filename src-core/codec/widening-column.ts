/**
 * A column of numbers that come one by one and take no more bytes than the widest of them needs: most limits of most streams are not
 * set, and most event numbers are small.
 */
import { giveBack } from './give-back.ts';
import { lengthened } from './longer-column.ts';
import { bytesOfSigned, signedArray, type SignedColumn } from './narrow-columns.ts';

export class WideningColumn {
  #values: SignedColumn;

  /** Zeros, or these values, which are not copied. */
  constructor(from: number | SignedColumn) {
    this.#values = typeof from === 'number' ? new Int8Array(from) : from;
  }

  /** As narrow as they are now; another array once a wider value came. */
  get values(): SignedColumn {
    return this.#values;
  }

  at(row: number): number {
    return this.#values[row]!;
  }

  put(row: number, value: number): void {
    const values = this.#values;
    values[row] = value;
    // What does not fit comes out as another value.
    if (values[row] !== value) this.#widen(row, value);
  }

  lengthen(length: number): void {
    this.#values = lengthened(this.#values, length);
  }

  #widen(row: number, value: number): void {
    const old = this.#values;
    const bytes = bytesOfSigned(value);
    const wider = new (signedArray(bytes))(new ArrayBuffer(old.length * bytes), 0, old.length);
    wider.set(old);
    wider[row] = value;
    giveBack(old);
    this.#values = wider;
  }
}

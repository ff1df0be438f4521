/**
 * Whether log and index give the same entries, without looking one up in the other: for each stretch of the log a sum
 * of 64 bits over (position, check) of all entries, added for the log and subtracted for the index. Zero says that
 * both have the same; anything else, that this stretch must be compared entry by entry. Sums do not ask for an order,
 * so the index is read as it lies and the memory of the log's entries is not touched.
 *
 * The mixing is not linear: entries that change places or numbers among each other do not cancel out.
 */

/** 64 MiB of log: few enough sums, and little to compare again where one differs. */
const STRETCH_BYTES = 67108864;
const TWO_32 = 4294967296;

export class EntrySums {
  #first = new Int32Array(16);
  #second = new Int32Array(16);
  /** Stretches that the log has entries in lie before this one. */
  #end = 0;
  #isBehindEnd = false;

  /** An entry that the log gives. All of them come before the first of the index. */
  addOfLog(position: number, check: number): void {
    const stretch = Math.floor(position / STRETCH_BYTES);
    if (stretch >= this.#end) this.#reach(stretch + 1);
    const mixed = mix(position, check);
    this.#first[stretch]! += mixed;
    this.#second[stretch]! += mixAgain(mixed, check);
  }

  addOfIndex(position: number, check: number): void {
    const stretch = Math.floor(position / STRETCH_BYTES);
    if (stretch >= this.#end) {
      this.#isBehindEnd = true;
      return;
    }
    const mixed = mix(position, check);
    this.#first[stretch]! -= mixed;
    this.#second[stretch]! -= mixAgain(mixed, check);
  }

  /** Log and index agree everywhere. */
  get isBalanced(): boolean {
    if (this.#isBehindEnd) return false;
    for (let i = 0; i < this.#end; i++) if (this.#first[i] !== 0 || this.#second[i] !== 0) return false;
    return true;
  }

  /** They agree around this position. */
  isBalancedAt(position: number): boolean {
    const stretch = Math.floor(position / STRETCH_BYTES);
    return stretch < this.#end && this.#first[stretch] === 0 && this.#second[stretch] === 0;
  }

  #reach(end: number): void {
    this.#end = end;
    if (end <= this.#first.length) return;
    const first = new Int32Array(end * 2);
    const second = new Int32Array(end * 2);
    first.set(this.#first);
    second.set(this.#second);
    this.#first = first;
    this.#second = second;
  }
}

function mix(position: number, check: number): number {
  const upper = Math.floor(position / TWO_32);
  let mixed =
    Math.imul((position - upper * TWO_32) ^ (check >>> 16), 0x9e3779b1) ^ Math.imul(upper, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ check, 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

function mixAgain(mixed: number, check: number): number {
  const again = Math.imul((mixed + check) ^ (check >>> 11), 0x27d4eb2f);
  return Math.imul(again ^ (again >>> 15), 0xcc9e2d51);
}

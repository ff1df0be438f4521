/**
 * Rows of a table by stream hash for look-ups in the order of an index table, from the greatest hash downward:
 * they are fetched in runs, as many at once as turn out to be of use. Any other order gives the same answers, only
 * slower. Rows do not change meanwhile.
 *
 * The table orders its keys as signed numbers, so the greatest hashes are its negative keys; a run never crosses
 * from one half to the other.
 */

export interface KeyRange {
  /** Both included, signed. */
  most: bigint;
  least: bigint;
  limit: number;
}

/** Up to `limit` rows of the range by falling key; `high` and `low` of each are the key. */
export type FetchRows<T> = (range: KeyRange) => HashRow<T>[];

export interface HashRow<T> {
  high: number;
  low: number;
  value: T;
}

const SHORTEST_RUN = 8;
const LONGEST_RUN = 2048;
/** A run is worth its rows if at least this share of them is asked about. */
const USEFUL_SHARE = 0.25;
const LEAST_KEY = -(2n ** 63n);

export class RowsByHash<T> {
  readonly #fetch: FetchRows<T>;
  #rows: HashRow<T>[] = [];
  /** Rows between these two hashes, both included, are those of the run. */
  #mostHigh = -1;
  #mostLow = -1;
  #leastHigh = 0;
  #leastLow = 0;
  #at = 0;
  #limit = SHORTEST_RUN;
  #questions = 0;

  constructor(fetch: FetchRows<T>) {
    this.#fetch = fetch;
  }

  find(high: number, low: number): T | undefined {
    const isInRun =
      !isAbove(high, low, this.#mostHigh, this.#mostLow) &&
      !isAbove(this.#leastHigh, this.#leastLow, high, low);
    if (!isInRun) this.#startRun(high, low);
    this.#questions++;
    const rows = this.#rows;
    let at = this.#at;
    while (at > 0 && !isAbove(rows[at - 1]!.high, rows[at - 1]!.low, high, low)) at--;
    while (at < rows.length && isAbove(rows[at]!.high, rows[at]!.low, high, low)) at++;
    this.#at = at;
    const row = rows[at];
    return row !== undefined && row.high === high && row.low === low ? row.value : undefined;
  }

  #startRun(high: number, low: number): void {
    const isUseful = this.#questions >= this.#rows.length * USEFUL_SHARE;
    this.#limit = isUseful
      ? Math.min(this.#limit * 2, LONGEST_RUN)
      : Math.max(Math.floor(this.#limit / 2), SHORTEST_RUN);
    const most = BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
    const rows = this.#fetch({ most, least: most < 0n ? LEAST_KEY : 0n, limit: this.#limit });
    const last = rows.at(-1);
    const isWholeHalf = last === undefined || rows.length < this.#limit;
    this.#rows = rows;
    this.#at = 0;
    this.#questions = 0;
    this.#mostHigh = high;
    this.#mostLow = low;
    this.#leastHigh = isWholeHalf ? (most < 0n ? 0x80000000 : 0) : last.high;
    this.#leastLow = isWholeHalf ? 0 : last.low;
  }
}

function isAbove(high: number, low: number, otherHigh: number, otherLow: number): boolean {
  return high !== otherHigh ? high > otherHigh : low > otherLow;
}

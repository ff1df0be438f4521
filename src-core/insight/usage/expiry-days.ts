/**
 * How much expires on which day by the maximum age of its stream: a row of days in UTC from one on, records and
 * bytes each. What has expired already, or expires after the period, is not in it.
 */
const MS_PER_DAY = 86_400_000;
/** A counted chunk is good for this long before it has to be counted again for its later days. */
export const EXPIRY_DAYS = 400;

/** Days since the year 1 of a time in milliseconds since the year 1. */
export function dayOf(ms: number): number {
  return Math.floor(ms / MS_PER_DAY);
}

export class ExpiryDays {
  /** The first day of the row. */
  readonly firstDay: number;
  /** Records and bytes of each day in turn. */
  readonly values: Float64Array<ArrayBuffer>;

  constructor(firstDay: number, values = new Float64Array(EXPIRY_DAYS * 2)) {
    this.firstDay = firstDay;
    this.values = values;
  }

  /** `sign` -1 takes back what was added. */
  add(expiresMs: number, bytes: number, sign: 1 | -1 = 1): void {
    const at = dayOf(expiresMs) - this.firstDay;
    if (at < 0 || at >= EXPIRY_DAYS) return;
    this.values[at * 2]! += sign;
    this.values[at * 2 + 1]! += sign * bytes;
  }

  /** Adds those days of another row that are in this one. */
  addAll(other: ExpiryDays): void {
    const shift = other.firstDay - this.firstDay;
    for (let day = 0; day < EXPIRY_DAYS; day++) {
      const at = day + shift;
      if (at < 0 || at >= EXPIRY_DAYS) continue;
      this.values[at * 2]! += other.values[day * 2]!;
      this.values[at * 2 + 1]! += other.values[day * 2 + 1]!;
    }
  }
}

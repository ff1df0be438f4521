/**
 * How much expires on which day by the maximum age of its stream: a row of days in UTC from one on, records and
 * bytes each. What has expired already, or expires after the period, is not in it.
 */
const MS_PER_DAY = 86_400_000;
/** Days that a calendar may ask for. */
export const MOST_CALENDAR_DAYS = 90;

/** Days since the year 1 of a time in milliseconds since the year 1. */
export function dayOf(ms: number): number {
  return Math.floor(ms / MS_PER_DAY);
}

export class ExpiryDays {
  /** The first day of the row. */
  readonly firstDay: number;
  /** Records and bytes of each day in turn. */
  readonly values = new Float64Array(MOST_CALENDAR_DAYS * 2);

  constructor(firstDay: number) {
    this.firstDay = firstDay;
  }

  copy(): ExpiryDays {
    const copy = new ExpiryDays(this.firstDay);
    copy.values.set(this.values);
    return copy;
  }

  /** `sign` -1 takes back what was added. */
  add(expiresMs: number, bytes: number, sign: 1 | -1 = 1): void {
    const at = dayOf(expiresMs) - this.firstDay;
    if (at < 0 || at >= MOST_CALENDAR_DAYS) return;
    this.values[at * 2]! += sign;
    this.values[at * 2 + 1]! += sign * bytes;
  }
}

/**
 * Wall-clock time of a time zone, to the minute, and the way from and to instants (milliseconds since 1970).
 * The rules of zones are Intl's. Never asks what time it is now.
 */
import { invalidRequest } from '../errors.ts';

export interface LocalTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;

  /** Throws InvalidRequest for an unknown zone. */
  constructor(name: string) {
    this.name = name;
    try {
      this.#format = new Intl.DateTimeFormat('en-US', {
        timeZone: name,
        calendar: 'gregory',
        numberingSystem: 'latn',
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric'
      });
    } catch {
      // Intl says no more than that it does not know the name.
      throw invalidRequest(
        `Unknown time zone "${name}".`,
        'timeZone',
        'Give an IANA name, for example "Europe/Berlin" or "UTC".'
      );
    }
  }

  localTimeAt(instantMs: number): LocalTime {
    const local = new Date(Math.floor(instantMs / 1000) * 1000 + this.#offsetMsAt(instantMs));
    return {
      year: local.getUTCFullYear(),
      month: local.getUTCMonth() + 1,
      day: local.getUTCDate(),
      hour: local.getUTCHours(),
      minute: local.getUTCMinutes()
    };
  }

  /** Minutes east of UTC, rounded to the minute as offsets are written. */
  offsetMinutesAt(instantMs: number): number {
    return Math.round(this.#offsetMsAt(instantMs) / 60_000);
  }

  /**
   * The instant at which the clocks show `time`: the first one where they show it twice, and where they skip it
   * the instant at which they skip.
   */
  instantOf(time: LocalTime): number {
    const asUtc = utcMs(time);
    // No zone is a whole day away from UTC, so a change that matters lies between these two.
    const before = asUtc - DAY_MS;
    const after = asUtc + DAY_MS;
    const offsetBefore = this.#offsetMsAt(before);
    const first = asUtc - offsetBefore;
    if (this.#offsetMsAt(first) === offsetBefore) return first;
    const offsetAfter = this.#offsetMsAt(after);
    const second = asUtc - offsetAfter;
    if (this.#offsetMsAt(second) === offsetAfter) return second;
    return this.#changeBetween(before, after);
  }

  /** First instant with another offset than at `low`, up to `high`, which has one. */
  #changeBetween(low: number, high: number): number {
    const offset = this.#offsetMsAt(low);
    let still = low;
    let changed = high;
    while (changed - still > 1) {
      const middle = Math.floor((still + changed) / 2);
      if (this.#offsetMsAt(middle) === offset) still = middle;
      else changed = middle;
    }
    return changed;
  }

  /** Local time minus UTC. */
  #offsetMsAt(instantMs: number): number {
    const wholeSeconds = Math.floor(instantMs / 1000) * 1000;
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of this.#format.formatToParts(wholeSeconds)) parts[type] = Number(value);
    const { year = 1, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return utcMs({ year, month, day, hour, minute }) + second * 1000 - wholeSeconds;
  }
}

/** The instant at which a clock in UTC shows `time`. Date.UTC would read the years 0 to 99 as 1900 to 1999. */
function utcMs({ year, month, day, hour, minute }: LocalTime): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, 0, 0);
}

/**
 * What the maximum ages of streams will release on which day, if nothing more is written and a scavenge runs on that
 * day. What is due already is what a scavenge would free today, and not in it; the newest event of a stream stays.
 */
import type { ExpiryDays } from './expiry-days.ts';
import type { RuledStream } from './ruled-streams.ts';

const TICKS_PER_DAY = 864_000_000_000n;

export interface CalendarDay {
  /** Ticks of its first moment, UTC. */
  day: bigint;
  records: number;
  bytes: number;
  /** From the first day on, this one included. */
  sumBytes: number;
}

export class ExpiryCalendar {
  readonly #days: ExpiryDays;

  /** `expiry`: of all events of streams with a maximum age, the newest included. */
  constructor({ expiry }: { expiry: ExpiryDays }) {
    this.#days = expiry.copy();
  }

  /** All of its days as plain values. */
  get image(): number[] {
    return [...this.#days.values];
  }
  set image(values: readonly number[]) {
    this.#days.values.set(values);
  }

  /** The newest event of a stream was counted with the others, and does not go. */
  keepLast({ lastNumber, lastMs, lastBytes, maxAgeSeconds, cutoffMs }: Readonly<RuledStream>): void {
    if (lastNumber < 0 || maxAgeSeconds < 0 || lastMs < cutoffMs) return;
    this.#days.add(lastMs + maxAgeSeconds * 1000, lastBytes, -1);
  }

  /** The next days, today first. */
  days(count: number): CalendarDay[] {
    const { firstDay, values } = this.#days;
    let sumBytes = 0;
    return Array.from({ length: count }, (_, i) => {
      const records = Math.max(0, values[i * 2]!);
      const bytes = Math.max(0, values[i * 2 + 1]!);
      sumBytes += bytes;
      return { day: BigInt(firstDay + i) * TICKS_PER_DAY, records, bytes, sumBytes };
    });
  }
}

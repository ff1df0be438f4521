/** What follows from the newest events of the streams that have rules: those that only stay since they are the newest, and the calendar. */
import { ExpiryCalendar } from './calendar.ts';
import type { ExpiryDays } from './expiry-days.ts';
import type { GroupTable } from './group-table.ts';
import { visitRuled } from './ruled-streams.ts';
import { LastEvents } from './last-events.ts';

/** As plain values. */
export interface NewestEventsImage {
  records: number;
  bytes: number;
  days: number[];
}

export class NewestEvents {
  readonly last = new LastEvents();
  readonly calendar: ExpiryCalendar;
  readonly #effectiveNow: bigint;

  /** `expiry`: of all events. */
  constructor(expiry: ExpiryDays, effectiveNow: bigint) {
    this.calendar = new ExpiryCalendar({ expiry });
    this.#effectiveNow = effectiveNow;
  }

  /** Once for each table of streams. */
  add(table: GroupTable, breathe: () => Promise<void>): Promise<void> {
    return visitRuled(table, {
      effectiveNow: this.#effectiveNow,
      visit: (ruled) => {
        this.last.add(ruled);
        this.calendar.keepLast(ruled);
      },
      breathe
    });
  }

  get image(): NewestEventsImage {
    const { records, bytes } = this.last;
    return { records, bytes, days: this.calendar.image };
  }

  /** Instead of adding tables. */
  take({ records, bytes, days }: NewestEventsImage): void {
    Object.assign(this.last, { records, bytes });
    this.calendar.image = days;
  }
}

/** A count, as far as it tells the newest events. */
export interface CountedStreams {
  tables: { newest: NewestEventsImage | undefined; streams: () => AsyncIterable<GroupTable> };
  counts: { expiry: ExpiryDays };
  effectiveNow: bigint;
}

/** From what is kept, or from all tables. */
export async function newestEvents(
  { tables, counts, effectiveNow }: CountedStreams,
  breathe: () => Promise<void>
): Promise<NewestEvents> {
  const newest = new NewestEvents(counts.expiry, effectiveNow);
  const known = tables.newest;
  if (known) newest.take(known);
  else for await (const table of tables.streams()) await newest.add(table, breathe);
  return newest;
}

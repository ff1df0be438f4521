/** The time at which a run stops, as people name it: `05:00` (the next one, in local time), or ISO 8601. */
import { ticksFromIso, ticksToIso } from '../../src-core/index.ts';

const CLOCK_TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/** ISO 8601; undefined: no time. */
export function untilTime(text: string, now: Date): string | undefined {
  const clock = CLOCK_TIME.exec(text);
  if (!clock) {
    const ticks = ticksFromIso(text);
    return ticks === undefined ? undefined : ticksToIso(ticks);
  }
  const next = new Date(now);
  next.setHours(Number(clock[1]), Number(clock[2]), 0, 0);
  if (next <= now) next.setDate(next.getDate() + 1);
  return next.toISOString();
}

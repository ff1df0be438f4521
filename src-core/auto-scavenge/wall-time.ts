/**
 * A moment as the clocks of a time zone show it, to 100 ns: what the coordinator reckons with. Schedules, anchors
 * and the time left are plain wall-clock arithmetic without any rule for clock changes, as in the server; the
 * offset is only carried along so that events can be written with it. Document: docs/operations/auto-scavenge.md.
 */
import {
  MAX_TICKS,
  TICKS_PER_SECOND,
  UNIX_EPOCH_TICKS,
  ticksFromIso,
  ticksToIso,
  ticksToMs
} from '../units/ticks.ts';
import { nextOccurrence, type CronSchedule } from './cron-schedule.ts';
import { TimeZone, type LocalTime } from './local-time.ts';

export interface WallTime {
  /** Ticks of 100 ns since 0001-01-01T00:00 on the clock's face. */
  ticks: bigint;
  /** Minutes east of UTC; null when the zone does not matter. */
  offsetMinutes: number | null;
}

/** What stands for "never": the last time that can be written. */
export const NEVER: bigint = MAX_TICKS;

const TICKS_PER_MINUTE = TICKS_PER_SECOND * 60n;
/** The largest that .NET, which writes these times, can hold. */
const FURTHEST_OFFSET_MINUTES = 14 * 60;
const TEXT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?)(Z|[+-]\d\d:\d\d)?$/;

/** `2026-08-01T10:17:25.5+02:00` with or without the offset; undefined for any other text. */
export function parseWallTime(text: string): WallTime | undefined {
  const match = TEXT.exec(text);
  if (!match) return undefined;
  const ticks = ticksFromIso(match[1]!);
  const offsetMinutes = match[2] === undefined ? null : offsetFromText(match[2]);
  if (ticks === undefined || offsetMinutes === undefined) return undefined;
  return { ticks, offsetMinutes };
}

/** Up to seven fraction digits, none that is a trailing zero; the offset when there is one. */
export function formatWallTime(time: WallTime): string {
  const whole = ticksToIso(time.ticks)
    .slice(0, -1)
    .replace(/\.?0+$/, '');
  return time.offsetMinutes === null ? whole : `${whole}${offsetToText(time.offsetMinutes)}`;
}

/** What the clocks of `zone` show at an instant (milliseconds since 1970). */
export function wallTimeAt(zone: TimeZone, instantMs: number): WallTime {
  const offsetMinutes = zone.offsetMinutesAt(instantMs);
  const ticks = UNIX_EPOCH_TICKS + BigInt(Math.trunc(instantMs)) * 10_000n;
  return { ticks: ticks + BigInt(offsetMinutes) * TICKS_PER_MINUTE, offsetMinutes };
}

/** The instant (milliseconds since 1970) of a moment; one without an offset counts as UTC. */
export function instantOfWallTime({ ticks, offsetMinutes }: WallTime): number {
  return ticksToMs(ticks - BigInt(offsetMinutes ?? 0) * TICKS_PER_MINUTE);
}

/** Ticks on the clock's face of the first occurrence after the minute of `base`; NEVER when there is none. */
export function nextTicks(schedule: CronSchedule, base: bigint): bigint {
  const next = nextOccurrence(schedule, localTimeOf(base));
  return next ? ticksOf(next) : NEVER;
}

function localTimeOf(ticks: bigint): LocalTime {
  const text = ticksToIso(ticks);
  return {
    year: Number(text.slice(0, 4)),
    month: Number(text.slice(5, 7)),
    day: Number(text.slice(8, 10)),
    hour: Number(text.slice(11, 13)),
    minute: Number(text.slice(14, 16))
  };
}

function ticksOf({ year, month, day, hour, minute }: LocalTime): bigint {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return UNIX_EPOCH_TICKS + BigInt(date.setUTCHours(hour, minute, 0, 0)) * 10_000n;
}

/** undefined where no clock is as far from UTC. */
function offsetFromText(text: string): number | undefined {
  if (text === 'Z') return 0;
  const beyondHour = Number(text.slice(4, 6));
  const minutes = Number(text.slice(1, 3)) * 60 + beyondHour;
  if (beyondHour > 59 || minutes > FURTHEST_OFFSET_MINUTES) return undefined;
  return text.startsWith('-') ? -minutes : minutes;
}

function offsetToText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

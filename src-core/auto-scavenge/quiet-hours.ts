/**
 * Hours in which a cluster is left alone: they begin at a time of the clock on certain weekdays and end at another
 * one. Pure: the zone and the time are handed in. As with schedules, a time that the clocks skip stands for the
 * first minute after it, and one that they show twice for the first of the two.
 */
import { EngineError, invalidRequest, requireFault } from '../errors.ts';
import { WEEKDAYS } from './cron-schedule.ts';
import type { LocalTime, TimeZone } from './local-time.ts';

export interface QuietHours {
  /** `08:00` */
  from: string;
  /** At or before `from`: on the next day. */
  to: string;
  /** Days on which they begin, ascending, Sunday is 0. */
  days: number[];
}

/** The hours that are going on; milliseconds since 1970, the end exclusive. */
export interface QuietWindow {
  startMs: number;
  endMs: number;
}

const CLOCK = /^([01]?\d|2[0-4]):([0-5]\d)$/;
const DAYS_OF_WEEK = 7;
const SHORTEST_DAY_NAME = 2;

/** undefined: no quiet hours are going on at `instantMs`. */
export function quietWindowAt(
  quietHours: QuietHours,
  zone: TimeZone,
  instantMs: number
): QuietWindow | undefined {
  // Yesterday's may reach into today; tomorrow's have begun where the clock was put back over midnight.
  return windowsAround(quietHours, zone, instantMs).find(
    ({ startMs, endMs }) => startMs <= instantMs && instantMs < endMs
  );
}

/** When the last ones ended, at `instantMs` or before; undefined: not since yesterday. */
export function quietEndBefore(
  quietHours: QuietHours,
  zone: TimeZone,
  instantMs: number
): number | undefined {
  return windowsAround(quietHours, zone, instantMs).findLast(({ endMs }) => endMs <= instantMs)?.endMs;
}

/** Those that begin on the day before, on that day, and on the next one. */
function windowsAround(quietHours: QuietHours, zone: TimeZone, instantMs: number): QuietWindow[] {
  const today = zone.localTimeAt(instantMs);
  return [-1, 0, 1].flatMap((later) => {
    const start = atClock(today, later, quietHours.from);
    if (!quietHours.days.includes(weekdayOf(start))) return [];
    const end = atClock(today, later + (isNextDay(quietHours) ? 1 : 0), quietHours.to);
    return [{ startMs: zone.instantOf(start), endMs: zone.instantOf(end) }];
  });
}

/** `08:00-20:00` or `22:00-06:00 mon-fri,sun`; throws InvalidRequest for anything else. */
export function parseQuietHours(text: string): QuietHours {
  const [hours = '', ...days] = text.trim().split(/\s+/);
  const [from, to, ...rest] = hours.split('-');
  if (from === undefined || to === undefined || rest.length > 0) {
    throw fault(`"${text}" is not a range of hours.`);
  }
  return quietHoursOf({ from, to, ...(days.length > 0 && { days: days.join('') }) });
}

/** Of the parts as a person writes them; every day when no days are given. Throws InvalidRequest. */
export function quietHoursOf(parts: { from: string; to: string; days?: string }): QuietHours {
  const days = parts.days === undefined ? everyDay() : parseDays(parts.days);
  return { from: clockTime(parts.from), to: clockTime(parts.to), days };
}

/**
 * The hours in which nothing runs so that scavenges only work inside a maintenance window, `02:00-04:00`: from its end to
 * its next beginning, every day. Throws InvalidRequest.
 */
export function quietOutside(window: string): QuietHours {
  const [from, to, ...rest] = window.trim().split(/\s*[-\u2013]\s*/);
  if (from === undefined || to === undefined || rest.length > 0 || clockTime(from) === clockTime(to)) {
    throw invalidRequest(
      `"${window}" is not a maintenance window.`,
      'window',
      'Write it as 02:00-04:00, in the time zone of the schedule.'
    );
  }
  return quietHoursOf({ from: to, to: from });
}

/** The maintenance window that quiet hours leave each day, `02:00-04:00`; undefined: not the same one every day. */
export function windowBetween({ from, to, days }: QuietHours): string | undefined {
  return days.length === DAYS_OF_WEEK && from !== to ? `${to}-${from}` : undefined;
}

/** `08:00-20:00 mon-fri`; without the days when they are all. */
export function formatQuietHours({ from, to, days }: QuietHours): string {
  return days.length === DAYS_OF_WEEK ? `${from}-${to}` : `${from}-${to} ${formatDays(days)}`;
}

/** undefined when it does not have the form, as it comes from a file or over HTTP. */
export function decodeQuietHours(value: unknown): QuietHours | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { from, to, days } = value as Record<string, unknown>;
  if (typeof from !== 'string' || typeof to !== 'string' || !Array.isArray(days)) return undefined;
  if (!CLOCK.test(from) || !CLOCK.test(to)) return undefined;
  if (days.length === 0 || !days.every(isDay)) return undefined;
  try {
    return { from: clockTime(from), to: clockTime(to), days: ascending(days) };
  } catch (error) {
    requireFault(error);
    return undefined; // 24:30
  }
}

function isNextDay({ from, to }: QuietHours): boolean {
  return to <= from;
}

function atClock(day: LocalTime, later: number, clock: string): LocalTime {
  const date = new Date(0);
  date.setUTCFullYear(day.year, day.month - 1, day.day + later);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: Number(clock.slice(0, 2)),
    minute: Number(clock.slice(3, 5))
  };
}

function weekdayOf({ year, month, day }: LocalTime): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCDay();
}

/** Always with two digits, so that times compare as texts; the end of a day is its beginning. */
function clockTime(text: string): string {
  const match = CLOCK.exec(text.trim());
  if (!match || (match[1] === '24' && match[2] !== '00')) {
    throw fault(`"${text}" is not a time of day.`);
  }
  return `${(match[1] === '24' ? '0' : match[1]!).padStart(2, '0')}:${match[2]}`;
}

function parseDays(text: string): number[] {
  const days = text.split(',').flatMap((item) => {
    const [first, last, ...rest] = item.split('-');
    if (first === undefined || rest.length > 0) throw fault(`"${item}" is not a list of days.`);
    const start = dayOf(first);
    const count = last === undefined ? 0 : (dayOf(last) - start + DAYS_OF_WEEK) % DAYS_OF_WEEK;
    return Array.from({ length: count + 1 }, (_, index) => (start + index) % DAYS_OF_WEEK);
  });
  return ascending(days);
}

function dayOf(text: string): number {
  const prefix = text.trim().toLowerCase();
  const index = WEEKDAYS.findIndex((name) => name.toLowerCase().startsWith(prefix));
  if (index < 0 || prefix.length < SHORTEST_DAY_NAME) throw fault(`"${text}" is not a day of the week.`);
  return index;
}

function formatDays(days: readonly number[]): string {
  const runs: string[] = [];
  for (let i = 0; i < days.length; i++) {
    const start = days[i]!;
    while (days[i + 1] === days[i]! + 1) i++;
    runs.push(days[i] === start ? shortName(start) : `${shortName(start)}-${shortName(days[i]!)}`);
  }
  return runs.join(',');
}

function shortName(day: number): string {
  return WEEKDAYS[day]!.slice(0, 3).toLowerCase();
}

function everyDay(): number[] {
  return Array.from({ length: DAYS_OF_WEEK }, (_, day) => day);
}

function isDay(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < DAYS_OF_WEEK;
}

function ascending(days: readonly number[]): number[] {
  return [...new Set(days)].sort((a, b) => a - b);
}

function fault(message: string): EngineError {
  return new EngineError({
    code: 'InvalidRequest',
    message,
    remedy: 'Give quiet hours as 08:00-20:00, or with days as "08:00-20:00 mon-fri".',
    details: { field: 'quietHours' }
  });
}

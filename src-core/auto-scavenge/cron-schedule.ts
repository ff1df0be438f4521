/**
 * Schedules in the server's dialect of CRON: five fields, minute, hour, day of month, month, day of week. It
 * differs from the classic one: a range is swapped and never wraps, `a/s` continues to the end of the field,
 * names may be cut to any prefix, day of month and day of week must both match, 7 is not Sunday. Everything
 * works on wall-clock time; only nextTimes knows time zones. Nothing here asks what time it is. Document:
 * docs/operations/schedule.md.
 */
import { assert } from '../assert.ts';
import { EngineError } from '../errors.ts';
import { TimeZone, type LocalTime } from './local-time.ts';

/** Each set ascending and never empty. */
export interface CronSchedule {
  minutes: readonly number[];
  hours: readonly number[];
  daysOfMonth: readonly number[];
  months: readonly number[];
  /** Sunday is 0. */
  daysOfWeek: readonly number[];
  /** The schedule as the server stores it: `*`, or numbers and runs of numbers. Equal schedules have equal texts. */
  normalised: string;
  /** A sentence for each part that is valid and probably means something else than it seems to. */
  warnings: readonly string[];
}

/** `numberFormat`: begins like a number, or is a step, but is not a whole number. `overflow`: beyond 32 bits. */
export type CronFault =
  'fieldCount' | 'empty' | 'notNumeric' | 'unknownName' | 'numberFormat' | 'tooLow' | 'tooHigh' | 'overflow';

interface Field {
  name: string;
  min: number;
  max: number;
  names?: readonly string[];
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'],
  ...['September', 'October', 'November', 'December']
];
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of week', min: 0, max: 6, names: WEEKDAYS }
];
const INT32_MAX = 2147483647;
const LAST_YEAR = 9999;

/** Throws InvalidRequest with the first fault from the left; `details.reason` is a CronFault. */
export function parseCron(text: string): CronSchedule {
  const parts = text.split(' ').filter((part) => part !== '');
  if (parts.length !== FIELDS.length) {
    throw fault(
      'fieldCount',
      `A schedule has five fields separated by spaces: minute, hour, day of month, month, day of week. "${text}" has ${parts.length}.`
    );
  }
  const warnings: string[] = [];
  const sets = FIELDS.map((field, i) => parseField(parts[i]!, field, warnings));
  const [minutes, hours, daysOfMonth, months, daysOfWeek] = sets;
  assert(daysOfWeek !== undefined, 'there is a set for each field');
  return {
    minutes: minutes!,
    hours: hours!,
    daysOfMonth: daysOfMonth!,
    months: months!,
    daysOfWeek,
    normalised: FIELDS.map((field, i) => normaliseSet(sets[i]!, field)).join(' '),
    warnings
  };
}

/**
 * The earliest minute after the minute `base` that is in the schedule; undefined when there is none up to the
 * year 9999, as for the 30th of February.
 */
export function nextOccurrence(schedule: CronSchedule, base: LocalTime): LocalTime | undefined {
  const laterToday = firstTimeAfter(schedule, base);
  for (let year = base.year; year <= LAST_YEAR; year++) {
    for (const month of schedule.months) {
      const isPast = year === base.year && month < base.month;
      if (isPast) continue;
      for (const day of schedule.daysOfMonth) {
        if (day > daysIn(year, month)) break;
        if (!schedule.daysOfWeek.includes(weekdayOf(year, month, day))) continue;
        const isBaseMonth = year === base.year && month === base.month;
        if (isBaseMonth && day < base.day) continue;
        const time =
          isBaseMonth && day === base.day
            ? laterToday
            : { hour: schedule.hours[0]!, minute: schedule.minutes[0]! };
        if (time) return { year, month, day, ...time };
      }
    }
  }
  return undefined;
}

/**
 * Up to `count` instants (milliseconds since 1970) after `fromMs`, ascending, fewer when no more are to come.
 * A time the clocks of the zone skip happens when they skip it; a time they show twice happens the first time.
 */
export function nextTimes(
  schedule: CronSchedule,
  options: { fromMs: number; timeZone: string; count: number }
): number[] {
  const zone = new TimeZone(options.timeZone);
  const times: number[] = [];
  let last = options.fromMs;
  let local: LocalTime | undefined = zone.localTimeAt(options.fromMs);
  while (times.length < options.count) {
    local = nextOccurrence(schedule, local);
    if (!local) break;
    const instant = zone.instantOf(local);
    // Not later: inside a skipped hour several times become one, and in the second pass of a doubled hour
    // the time was due in the first.
    if (instant <= last) continue;
    times.push(instant);
    last = instant;
  }
  return times;
}

function firstTimeAfter(
  schedule: CronSchedule,
  base: LocalTime
): { hour: number; minute: number } | undefined {
  for (const hour of schedule.hours) {
    if (hour < base.hour) continue;
    const minute = schedule.minutes.find((candidate) => hour > base.hour || candidate > base.minute);
    if (minute !== undefined) return { hour, minute };
  }
  return undefined;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Sunday is 0. Counts days from 1 March of the year 0, so that leap days come last in their year. */
function weekdayOf(year: number, month: number, day: number): number {
  const marchYear = month < 3 ? year - 1 : year;
  const monthFromMarch = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  const days = marchYear * 365 + leapDays + Math.floor((monthFromMarch * 153 + 2) / 5) + day - 1;
  return (days + 3) % 7;
}

function parseField(text: string, field: Field, warnings: string[]): number[] {
  const values = new Set<number>();
  // A comma in front makes no list: the server reads ",1" as one value, which is then no number.
  const items = text.indexOf(',') > 0 ? text.split(',') : [text];
  for (const item of items) addItem(values, item, field, warnings);
  return [...values].sort((a, b) => a - b);
}

function addItem(values: Set<number>, item: string, field: Field, warnings: string[]): void {
  if (item === '') throw emptyValue(field);
  const slash = item.indexOf('/');
  const hasStep = slash > 0;
  const step = hasStep ? Math.max(1, parseInt32(item.slice(slash + 1), field)) : 1;
  const base = hasStep ? item.slice(0, slash) : item;
  const { low, high, isReversed } = parseBase(base, field, hasStep);
  if (low < field.min) throw outOfRange('tooLow', low, field);
  if (high > field.max) throw outOfRange('tooHigh', high, field);
  // The server counts from the start of the field in 32 bits and refuses what overflows.
  if (low - field.min + step > INT32_MAX) {
    throw fault('overflow', `The step ${step} of the ${field.name} is too large.`);
  }
  if (isReversed) warnings.push(reversedRange(base, { low, high, field }));
  for (let value = low; value <= high; value += step) values.add(value);
}

function parseBase(
  base: string,
  field: Field,
  hasStep: boolean
): { low: number; high: number; isReversed: boolean } {
  if (base === '*') return { low: field.min, high: field.max, isReversed: false };
  const dash = base.indexOf('-');
  const first = parseValue(dash > 0 ? base.slice(0, dash) : base, field);
  // A single value with a step continues to the end of the field.
  const last = dash > 0 ? parseValue(base.slice(dash + 1), field) : hasStep ? field.max : first;
  return { low: Math.min(first, last), high: Math.max(first, last), isReversed: first > last };
}

/** The server swaps the ends; the author probably meant a range over the end of the field. */
function reversedRange(
  text: string,
  { low, high, field }: { low: number; high: number; field: Field }
): string {
  const say = (value: number): string => field.names?.[value - field.min] ?? String(value);
  const run = (from: number, to: number): string => (from === to ? `${from}` : `${from}-${to}`);
  const wrapped = `${run(high, field.max)},${run(field.min, low)}`;
  return (
    `"${text}" in the ${field.name} means ${say(low)} to ${say(high)}: a range does not wrap, its ends are swapped. ` +
    `For ${say(high)} to ${say(low)} write ${wrapped}.`
  );
}

function parseValue(text: string, field: Field): number {
  if (text === '') throw emptyValue(field);
  if (/^[0-9]/.test(text)) return parseInt32(text, field);
  if (!field.names) {
    throw fault(
      'notNumeric',
      `"${text}" is not a ${field.name}: give a number from ${field.min} to ${field.max}.`
    );
  }
  const prefix = text.toLowerCase();
  const index = field.names.findIndex((name) => name.toLowerCase().startsWith(prefix));
  if (index < 0) {
    throw fault(
      'unknownName',
      `"${text}" is not a ${field.name}: give a number from ${field.min} to ${field.max}, or the start of one of ${field.names.join(', ')}.`
    );
  }
  return index + field.min;
}

/** White space other than the separating space may surround the digits, as the server's reader allows. */
function parseInt32(text: string, field: Field): number {
  if (!/^[\t-\r ]*[+-]?[0-9]+[\t-\r ]*\0*$/.test(text)) {
    throw fault('numberFormat', `"${text}" in the ${field.name} is not a whole number.`);
  }
  const value = Number.parseInt(text.trim(), 10);
  if (value > INT32_MAX || value < -INT32_MAX - 1) {
    throw fault('overflow', `${text} in the ${field.name} is beyond 32 bits.`);
  }
  return value;
}

function normaliseSet(values: readonly number[], field: Field): string {
  if (values.length === field.max - field.min + 1) return '*';
  const runs: string[] = [];
  for (let i = 0; i < values.length; i++) {
    const start = values[i]!;
    while (values[i + 1] === values[i]! + 1) i++;
    runs.push(values[i] === start ? `${start}` : `${start}-${values[i]}`);
  }
  return runs.join(',');
}

function emptyValue(field: Field): EngineError {
  return fault('empty', `A value of the ${field.name} is missing.`);
}

function outOfRange(reason: 'tooLow' | 'tooHigh', value: number, field: Field): EngineError {
  const hint = field.names === WEEKDAYS ? '; Sunday is 0' : '';
  const word = reason === 'tooLow' ? 'low' : 'high';
  return fault(reason, `${value} is too ${word} for the ${field.name}: ${field.min} to ${field.max}${hint}.`);
}

function fault(reason: CronFault, message: string): EngineError {
  return new EngineError({
    code: 'InvalidRequest',
    message,
    remedy: 'Correct the schedule: "0 3 * * 0" for example is every Sunday at three in the morning.',
    details: { field: 'expression', reason }
  });
}

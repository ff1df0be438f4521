/**
 * A schedule in words, and its next times. The words come from cronstrue, one part at a time: for a whole
 * expression it would treat day of month and day of week as alternatives, but in this dialect both must match.
 */
import cronstrue from 'cronstrue';
import {
  invalidRequest,
  nextTimes,
  parseCron,
  ticksFromIso,
  ticksFromMs,
  ticksToIso,
  ticksToMs,
  type CronSchedule
} from '../../../src-core/index.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { ScheduleReport } from '../../contract/operations/reports.ts';

/** Throws InvalidRequest for an invalid schedule, zone or time. `clock`: milliseconds since 1970. */
export function describeSchedule(
  request: CheckedRequestOf<'describeSchedule'>,
  clock: () => number
): ScheduleReport {
  const schedule = parseCron(request.expression);
  const timeZone = request.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const fromMs = request.from === undefined ? clock() : fromTime(request.from);
  const next = nextTimes(schedule, { fromMs, timeZone, count: request.count });
  const never = next.length === 0 ? ': a date that never comes' : '';
  return {
    expression: schedule.normalised,
    words: scheduleInWords(schedule) + never,
    next: next.map((ms) => ticksToIso(ticksFromMs(ms))),
    timeZone,
    warnings: [...schedule.warnings]
  };
}

function fromTime(text: string): number {
  const ticks = ticksFromIso(text);
  if (ticks === undefined) {
    throw invalidRequest(`"${text}" is not a time.`, 'from', 'Write it like 2026-08-01T10:17:25Z.');
  }
  return ticksToMs(ticks);
}

/** `At 00:00, on day 13 of the month and only on Friday`. */
export function scheduleInWords(schedule: CronSchedule): string {
  const [, , daysOfMonth, months, daysOfWeek] = schedule.normalised.split(' ');
  const minute = minuteField(schedule);
  const hour = hourField(schedule);
  const time = inWords(`${minute} ${hour} * * *`);
  // The time is the same in all of these, so the rest describes the other field.
  const behindTime = (field: string): string => inWords(`${minute} ${hour} ${field}`).slice(time.length);
  const dayOfMonth = behindTime(`${daysOfMonth} * *`);
  const dayOfWeek = behindTime(`* * ${daysOfWeek}`);
  const month = behindTime(`* ${months} *`);
  const weekday = dayOfMonth === '' ? dayOfWeek : dayOfWeek.replace(/^, (?:only on )?(?=.)/, ' and only on ');
  return time + dayOfMonth + weekday + month;
}

function inWords(expression: string): string {
  return cronstrue.toString(expression, { use24HourTimeFormat: true, locale: 'en' });
}

/** `every 5 minutes` instead of a list of twelve, but only if the steps continue evenly into the next hour. */
function minuteField({ minutes, normalised }: CronSchedule): string {
  const step = evenStep(minutes, 60);
  return step === undefined ? normalised.split(' ')[0]! : `${minutes[0] === 0 ? '*' : minutes[0]!}/${step}`;
}

/** With several minutes "every 15 minutes, every 2 hours" would be ambiguous: then the hours are listed. */
function hourField({ hours, minutes, normalised }: CronSchedule): string {
  const step = minutes.length === 1 && hours.length > 2 ? evenStep(hours, 24) : undefined;
  return step === undefined ? normalised.split(' ')[1]! : `${hours[0] === 0 ? '*' : hours[0]!}/${step}`;
}

/** The distance between the values if it is the same everywhere around a clock of `total`, and more than 1. */
function evenStep(values: readonly number[], total: number): number | undefined {
  const step = total / values.length;
  const isEven = values.every((value, i) => value === values[0]! + i * step);
  return isEven && step > 1 && step < total ? step : undefined;
}

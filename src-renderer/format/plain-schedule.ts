/**
 * A schedule as people say it, and the CRON expression that means the same. What cannot be said with the four forms has
 * none: it is written as CRON.
 */
export type PlainSchedule =
  | { every: 'hours'; hours: number; minute: number }
  | { every: 'day'; at: string }
  /** Days with Sunday as 0. */
  | { every: 'week'; days: readonly number[]; at: string }
  | { every: 'month'; day: number; at: string };

/** Hours that divide a day, so that the steps continue over midnight. */
export const HOUR_STEPS = [1, 2, 3, 4, 6, 8, 12] as const;

const DAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** undefined: it cannot be said so. */
export function plainSchedule(expression: string): PlainSchedule | undefined {
  const parts = expression.trim().toUpperCase().split(/\s+/);
  const [minuteText, hourText, dayText, monthText, weekdayText] = parts;
  if (parts.length !== 5 || monthText !== '*') return undefined;
  const minute = numberWithin(minuteText, 0, 59);
  if (minute === undefined) return undefined;
  const hours = hourStep(hourText);
  if (hours !== undefined) {
    return dayText === '*' && weekdayText === '*' ? { every: 'hours', hours, minute } : undefined;
  }
  const hour = numberWithin(hourText, 0, 23);
  if (hour === undefined) return undefined;
  const at = `${twoDigits(hour)}:${twoDigits(minute)}`;
  if (weekdayText === '*') {
    if (dayText === '*') return { every: 'day', at };
    const day = numberWithin(dayText, 1, 31);
    return day === undefined ? undefined : { every: 'month', day, at };
  }
  const days = dayText === '*' ? weekdays(weekdayText) : undefined;
  return days && { every: 'week', days, at };
}

export function cronOf(schedule: PlainSchedule): string {
  if (schedule.every === 'hours') {
    return `${schedule.minute} ${schedule.hours === 1 ? '*' : `*/${schedule.hours}`} * * *`;
  }
  const [hour, minute] = schedule.at.split(':').map(Number);
  const time = `${minute ?? 0} ${hour ?? 0}`;
  switch (schedule.every) {
    case 'day':
      return `${time} * * *`;
    case 'week':
      return `${time} * * ${weekdayList(schedule.days)}`;
    case 'month':
      return `${time} ${schedule.day} * *`;
  }
}

/** Whether two expressions say the same, however each is written. */
export function isSameSchedule(a: string, b: string): boolean {
  if (a.trim() === b.trim()) return true;
  const [one, other] = [plainSchedule(a), plainSchedule(b)];
  return one !== undefined && other !== undefined && cronOf(one) === cronOf(other);
}

function numberWithin(text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined || !/^\d{1,2}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= least && number <= most ? number : undefined;
}

function hourStep(text: string | undefined): number | undefined {
  if (text === '*') return 1;
  const step = /^\*\/(\d{1,2})$/.exec(text ?? '')?.[1];
  // The coordinator writes the hours one by one.
  return HOUR_STEPS.find((hours) => hours === Number(step) || text === hoursApart(hours));
}

/** `0,6,12,18` */
function hoursApart(hours: number): string {
  return Array.from({ length: 24 / hours }, (_, index) => index * hours).join(',');
}

/** Sorted, each once; Sunday is 0 however it is written. */
function weekdays(text: string | undefined): number[] | undefined {
  const days = new Set<number>();
  for (const piece of (text ?? '').split(',')) {
    const [first, last, ...more] = piece.split('-').map(weekday);
    if (first === undefined || more.length > 0) return undefined;
    if (!piece.includes('-')) {
      days.add(first % 7);
      continue;
    }
    if (last === undefined || last < first) return undefined;
    for (let day = first; day <= last; day++) days.add(day % 7);
  }
  return [...days].sort((a, b) => a - b);
}

function weekday(text: string): number | undefined {
  const named = DAY_NAMES.indexOf(text);
  return named === -1 ? numberWithin(text, 0, 7) : named;
}

function weekdayList(days: readonly number[]): string {
  const sorted = [...new Set(days)].sort((a, b) => a - b);
  if (sorted.length === 7) return '*';
  const [first, last] = [sorted[0], sorted.at(-1)];
  const isSpan = first !== undefined && last !== undefined && last - first === sorted.length - 1;
  if (isSpan && sorted.length > 2) return `${DAY_NAMES[first]}-${DAY_NAMES[last]}`;
  return sorted.map((day) => DAY_NAMES[day]).join(',');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

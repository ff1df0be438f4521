/**
 * Times for people: in the user's zone with the zone named, or relative with the exact one to hover. What comes
 * from the log is ISO 8601 with seven fraction digits; the exact text is never rounded, only shortened on sight.
 */
import { texts } from '../texts.ts';

const DAY_PARTS = { month: 'short', day: 'numeric' } as const;
const MINUTE_PARTS = { hour: '2-digit', minute: '2-digit' } as const;

/** Always numbers: the same in every language. */
const exact = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  ...MINUTE_PARTS,
  second: '2-digit',
  timeZoneName: 'short'
});
const minute = new Intl.DateTimeFormat('en-GB', MINUTE_PARTS);
const day = new Intl.DateTimeFormat(texts.language.locale, { year: 'numeric', ...DAY_PARTS });
const dayAndMinute = new Intl.DateTimeFormat(texts.language.locale, { ...DAY_PARTS, ...MINUTE_PARTS });
const dayAndSecond = new Intl.DateTimeFormat(texts.language.locale, {
  ...DAY_PARTS,
  ...MINUTE_PARTS,
  second: '2-digit'
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Date.parse reads three fraction digits; the rest is cut off first. */
export function msOfTime(iso: string): number {
  return Date.parse(iso.replace(/\.(\d{3})\d*Z$/, '.$1Z'));
}

/** "2026-03-14 06:00:00 CET". */
export function formatTime(time: string | number): string {
  const ms = typeof time === 'number' ? time : msOfTime(time);
  if (Number.isNaN(ms)) return String(time);
  const part = Object.fromEntries(exact.formatToParts(ms).map(({ type, value }) => [type, value]));
  return `${part['year']}-${part['month']}-${part['day']} ${part['hour']}:${part['minute']}:${part['second']} ${part['timeZoneName']}`;
}

/** "2026-03-14 06:00:00", for columns whose title names the zone. */
export function formatTimeShort(time: string): string {
  return formatTime(time).slice(0, 19);
}

/** The user's zone by its short name. */
export function zoneName(): string {
  return exact.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
}

/** "06:10" of today, "14 Mar, 06:10" of another day, with its year when that is another one. */
export function formatAsOf(time: string | number, nowMs: number): string {
  const ms = typeof time === 'number' ? time : msOfTime(time);
  if (Number.isNaN(ms)) return String(time);
  const today = day.format(nowMs);
  if (day.format(ms) === today) return minute.format(ms);
  return today.slice(-4) === day.format(ms).slice(-4) ? dayAndMinute.format(ms) : day.format(ms);
}

/** "14 Mar 2026". */
export function formatDay(time: string | number): string {
  const ms = typeof time === 'number' ? time : msOfTime(time);
  return Number.isNaN(ms) ? String(time) : day.format(ms);
}

/**
 * Labels for the marks of an axis, in their order: as short as they can be and still tell each mark from the one
 * before it, days for months and seconds for a log of one minute. null: no label tells this one from the one before.
 */
export function formatTicks(times: readonly number[]): (string | null)[] {
  const candidates = [day, dayAndMinute, dayAndSecond].map((form) => times.map((ms) => form.format(ms)));
  const isDistinct = (labels: string[]): boolean => labels.every((label, at) => label !== labels[at - 1]);
  const labels = candidates.find(isDistinct) ?? candidates.at(-1)!;
  return labels.map((label, at) => (label === labels[at - 1] ? null : label));
}

/** "41 days ago", "in 3 hours", "just now". */
export function formatAge(time: string | number, nowMs: number): string {
  const ms = typeof time === 'number' ? time : msOfTime(time);
  const distance = Math.abs(nowMs - ms);
  const { ages, justNow, ago, from } = texts.times;
  if (distance < MINUTE) return justNow;
  const words =
    distance < HOUR
      ? ages.minute(Math.floor(distance / MINUTE))
      : distance < DAY
        ? ages.hour(Math.floor(distance / HOUR))
        : distance < 365 * DAY
          ? ages.day(Math.floor(distance / DAY))
          : ages.year(Math.floor(distance / (365.25 * DAY)));
  return ms <= nowMs ? ago(words) : from(words);
}

/**
 * Durations as the server's events write them: `[d.]hh:mm:ss[.fffffff]`, days only from one on, the fraction only
 * if there is one and then with all seven digits. In memory they are ticks of 100 ns as a number: exact up to 28
 * years, and no scavenge takes that long.
 */
const TICKS_PER_MS = 10_000;
const TICKS_PER_SECOND = 10_000_000;
const SECONDS_PER_DAY = 86_400;

export function timeTakenFromMs(ms: number): number {
  return Math.max(0, Math.round(ms * TICKS_PER_MS));
}

export function encodeTimeTaken(ticks: number): string {
  const seconds = Math.floor(ticks / TICKS_PER_SECOND);
  const fraction = ticks % TICKS_PER_SECOND;
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const after = fraction === 0 ? '' : `.${String(fraction).padStart(7, '0')}`;
  return `${days === 0 ? '' : `${days}.`}${clock}${after}`;
}

const TIME_TAKEN = /^(?:(\d{1,5})\.)?(\d\d):(\d\d):(\d\d)(?:\.(\d{1,7}))?$/;

/** undefined for any other text. */
export function decodeTimeTaken(text: string): number | undefined {
  const match = TIME_TAKEN.exec(text);
  if (!match) return undefined;
  const [, days, hours, minutes, seconds, fraction] = match;
  const whole =
    Number(days ?? 0) * SECONDS_PER_DAY + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return whole * TICKS_PER_SECOND + Number((fraction ?? '').padEnd(7, '0'));
}

/** The nights of a maintenance window in local time: `02:00-04:00`, or over midnight, `22:30-05:00`. */
import { invalidRequest } from '../../../src-core/index.ts';

/** Minutes of the day. */
export interface WindowTimes {
  from: number;
  to: number;
}

const TIMES = /^([01]?\d|2[0-3]):([0-5]\d)\s*(?:-|–|to)\s*([01]?\d|2[0-3]):([0-5]\d)$/;

/** Throws InvalidRequest naming `field`. */
export function parseWindow(text: string, field: string): WindowTimes {
  const found = TIMES.exec(text.trim());
  const [fromHour, fromMinute, toHour, toMinute] = (found ?? []).slice(1).map(Number);
  const from = fromHour! * 60 + fromMinute!;
  const to = toHour! * 60 + toMinute!;
  if (found === null || from === to) {
    throw invalidRequest(
      `"${text}" is not a maintenance window.`,
      field,
      'Write it as 02:00-04:00, in local time.'
    );
  }
  return { from, to };
}

/**
 * The window that is open, from now on, or the next one; then those that follow, a day after the other. Local time: a
 * night may be an hour shorter or longer, and one that the change of the clocks leaves nothing of is skipped.
 */
export function* nightsOf(window: WindowTimes, nowMs: number): Generator<{ fromMs: number; toMs: number }> {
  const day = new Date(nowMs);
  // A window over midnight may have begun yesterday.
  day.setDate(day.getDate() - 1);
  for (;;) {
    const fromMs = timeOn(day, window.from);
    const last = new Date(day);
    if (window.to <= window.from) last.setDate(last.getDate() + 1);
    const toMs = timeOn(last, window.to);
    if (toMs > nowMs && toMs > fromMs) yield { fromMs: Math.max(fromMs, nowMs), toMs };
    day.setDate(day.getDate() + 1);
  }
}

/** The window that is open now; undefined outside. */
export function openNight(window: WindowTimes, nowMs: number): { fromMs: number; toMs: number } | undefined {
  const [next] = nightsOf(window, nowMs);
  return next && next.fromMs <= nowMs ? next : undefined;
}

/** When the open window ends, ISO 8601. Throws InvalidRequest outside: nothing is begun there. */
export function endOfOpenNight(text: string, nowMs: number): string {
  const window = parseWindow(text, 'window');
  const night = openNight(window, nowMs);
  if (night) return new Date(night.toMs).toISOString();
  const [next] = nightsOf(window, nowMs);
  throw invalidRequest(
    `The maintenance window ${text} is not open now: the next one begins at ${new Date(next!.fromMs).toISOString()}. Nothing was written.`,
    'window',
    'Start it by a timer at the beginning of the window; each night resumes what the last one left.'
  );
}

function timeOn(day: Date, minutes: number): number {
  return new Date(
    day.getFullYear(),
    day.getMonth(),
    day.getDate(),
    Math.floor(minutes / 60),
    minutes % 60
  ).getTime();
}

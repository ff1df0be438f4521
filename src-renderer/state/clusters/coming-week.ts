/** The week that begins now, on the clock of a zone: where its days begin and where its quiet hours lie. */
import type { QuietHours } from '../../../src-main/contract/verbs/workbench-contract.ts';

export interface ComingWeek {
  fromMs: number;
  toMs: number;
  /** Midnights, as shares of the week, with the weekday that begins there. */
  days: { at: number; weekday: number }[];
  /** Shares of the week. */
  quiet: { from: number; to: number }[];
}

const STEP_MS = 15 * 60_000;
const STEPS = 7 * 24 * 4;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export function comingWeek(nowMs: number, timeZone: string, quietHours: QuietHours | null): ComingWeek {
  const fromMs = Math.floor(nowMs / STEP_MS) * STEP_MS;
  const wallTime = wallClock(timeZone);
  const week: ComingWeek = { fromMs, toMs: fromMs + STEPS * STEP_MS, days: [], quiet: [] };
  let before = wallTime(fromMs - STEP_MS);
  for (let step = 0; step < STEPS; step++) {
    const time = wallTime(fromMs + step * STEP_MS);
    const at = step / STEPS;
    if (time.weekday !== before.weekday) week.days.push({ at, weekday: time.weekday });
    before = time;
    if (quietHours === null || !isQuiet(quietHours, time)) continue;
    const last = week.quiet.at(-1);
    const to = (step + 1) / STEPS;
    if (last && Math.abs(last.to - at) < 1e-9) last.to = to;
    else week.quiet.push({ from: at, to });
  }
  return week;
}

interface WallClockTime {
  weekday: number;
  /** Since midnight. */
  minute: number;
}

function wallClock(timeZone: string): (ms: number) => WallClockTime {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23'
  });
  return (ms) => {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return {
      weekday: WEEKDAYS.indexOf(part['weekday'] ?? ''),
      minute: Number(part['hour']) * 60 + Number(part['minute'])
    };
  };
}

/** Hours that end at or before they begin end on the next day; the day is that on which they begin. */
function isQuiet({ from, to, days }: QuietHours, { weekday, minute }: WallClockTime): boolean {
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  if (end > begin) return days.includes(weekday) && minute >= begin && minute < end;
  const yesterday = (weekday + 6) % 7;
  return (days.includes(weekday) && minute >= begin) || (days.includes(yesterday) && minute < end);
}

function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

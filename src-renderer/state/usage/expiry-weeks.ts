/** The days of an expiry calendar in weeks from Monday on, as a picture of twelve of them shows them. Pure. */
import type { UsageSurvey } from '../../../src-main/contract/verbs/workbench-contract.ts';

export type ExpiryDay = UsageSurvey['calendar'][number];

export const WEEKS = 12;
const DAYS = 7;
const DAY_MS = 86_400_000;

export interface ExpiryWeek {
  /** Monday of the week, ISO. */
  monday: string;
  /** Monday first; null: before today, or after the weeks that are shown. */
  days: (ExpiryDay | null)[];
  bytes: number;
}

/** Twelve weeks, the first of which holds today: days before it are empty. */
export function weeksOf(calendar: readonly ExpiryDay[]): ExpiryWeek[] {
  const first = calendar[0];
  if (!first) return [];
  const firstMs = Date.parse(`${first.day}T00:00:00Z`);
  const before = (new Date(firstMs).getUTCDay() + 6) % DAYS;
  return Array.from({ length: WEEKS }, (_, week) => {
    const days = Array.from({ length: DAYS }, (_, day) => calendar[week * DAYS + day - before] ?? null);
    const monday = new Date(firstMs + (week * DAYS - before) * DAY_MS).toISOString().slice(0, 10);
    return { monday, days, bytes: days.reduce((sum, day) => sum + (day?.bytes ?? 0), 0) };
  });
}

/** A day as people type it, year first: `2026-1-31`, `20260131`, `2026/01/31`; always written `YYYY-MM-DD`. */
export function parseDay(typed: string): string | undefined {
  const text = typed.trim();
  const [, year = '', month = '', day = ''] =
    /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})$/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = new Date(`${written}T00:00:00Z`);
  // The 30th of February is read as a day of March: what comes back must be what went in.
  return Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) !== written ? undefined : written;
}

/** Whether nothing more is expected: `2026-01-31`, but not the `2026-1-3` that may become the 31st. */
export function isWholeDay(typed: string): boolean {
  return /^\d{4}(?:\D\d\d?\D\d\d|\d{4})$/.test(typed.trim()) && parseDay(typed) !== undefined;
}

/** So many days later, or earlier; within the years that have four digits. */
export function stepDay(day: string, days: number): string {
  const time = new Date(`${day}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() + days);
  const stepped = time.toISOString().slice(0, 10);
  return parseDay(stepped) ?? day;
}

/** A time of day as people type it: `6`, `6:30`, `0630`, `06.30`; always written with 24 hours. */
export function parseClockTime(typed: string): string | undefined {
  const [, hours = '', minutes = '00'] = /^(\d{1,2})(?:[:. h]?(\d\d))?$/.exec(typed.trim()) ?? [];
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return `${hours.padStart(2, '0')}:${minutes}`;
}

/** Whether nothing more is expected: `6:30` or `0630`, but not the `06` that begins a time. */
export function isWholeClockTime(typed: string): boolean {
  return /^(?:\d{1,2}[:. h]\d\d|\d{4})$/.test(typed.trim()) && parseClockTime(typed) !== undefined;
}

/** So many hours and minutes later, or earlier, each going round by itself. */
export function stepClockTime(time: string, { hours = 0, minutes = 0 }): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const round = (value: number, size: number): string => String((value + size) % size).padStart(2, '0');
  return `${round(hour + hours, 24)}:${round(minute + minutes, 60)}`;
}

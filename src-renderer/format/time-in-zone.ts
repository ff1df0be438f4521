/** A time on the wall clock of a named zone, with its weekday: "Sat 2026-03-14 06:00 CET". */
import { msOfTime } from './time.ts';

export function formatTimeInZone(iso: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short'
  });
  const part = Object.fromEntries(
    format.formatToParts(msOfTime(iso)).map(({ type, value }) => [type, value])
  );
  return `${part['weekday']} ${part['year']}-${part['month']}-${part['day']} ${part['hour']}:${part['minute']} ${part['timeZoneName']}`;
}

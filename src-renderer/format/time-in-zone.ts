/** A time on the wall clock of a named zone, with its weekday: "Sat 2026-03-14 06:00 CET". */
import { texts } from '../texts.ts';
import { msOfTime } from './time.ts';

export function formatTimeInZone(iso: string, timeZone: string): string {
  const weekday = new Intl.DateTimeFormat(texts.language.locale, { timeZone, weekday: 'short' });
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short'
  });
  const ms = msOfTime(iso);
  const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  return `${weekday.format(ms)} ${part['year']}-${part['month']}-${part['day']} ${part['hour']}:${part['minute']} ${part['timeZoneName']}`;
}

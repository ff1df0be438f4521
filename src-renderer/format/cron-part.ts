/** One part of a CRON expression in a few words. What cannot be understood is not explained: the whole says why. */
import { texts } from '../texts.ts';

/** By their names in an expression. */
const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const DAYS = 'SUN MON TUE WED THU FRI SAT'.split(' ');

/** `index`: 0 minute, 1 hour, 2 day of month, 3 month, 4 day of week. Without a part: which values it may have. */
export function cronPartInWords(part: string | undefined, index: number): string {
  const unit = texts.cron.units[index];
  if (unit === undefined) return '';
  if (part === undefined || part === '') return unit.values;
  if (part === '*') return unit.every;
  return part
    .split(',')
    .map((piece) => pieceInWords(piece, index))
    .join(', ');
}

function pieceInWords(piece: string, index: number): string {
  const [range = '', step] = piece.split('/');
  const steps = step === undefined ? '' : (texts.cron.units[index]?.steps(Number(step)) ?? '');
  if (range === '*') return steps;
  const [from = '', to] = range.split('-').map((value) => valueInWords(value, index));
  const span = to === undefined ? from : texts.cron.span(from, to);
  return steps === '' ? span : to === undefined ? texts.cron.stepsFrom(steps, span) : `${steps}, ${span}`;
}

function valueInWords(value: string, index: number): string {
  const number = /^\d+$/.test(value) ? Number(value) : undefined;
  if (index === 3)
    return texts.cron.months[number === undefined ? named(MONTHS, value) : number - 1] ?? value;
  // Sunday is 0 and 7.
  if (index === 4) return texts.cron.days[number === undefined ? named(DAYS, value) : number % 7] ?? value;
  if (number === undefined) return value;
  if (index === 0) return `:${String(number).padStart(2, '0')}`;
  if (index === 1) return texts.cron.hour(String(number).padStart(2, '0'));
  return texts.cron.day(number);
}

function named(names: readonly string[], value: string): number {
  return names.indexOf(value.toUpperCase());
}

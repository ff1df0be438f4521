/** One part of a CRON expression in a few words. What cannot be understood is not explained: the whole says why. */
const UNITS = [
  { one: 'minute', many: 'minutes', values: '0–59' },
  { one: 'hour', many: 'hours', values: '0–23' },
  { one: 'day', many: 'days', values: '1–31' },
  { one: 'month', many: 'months', values: '1–12 or JAN–DEC' },
  { one: 'day', many: 'days', values: '0–6 or SUN–SAT' }
] as const;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const DAYS = 'Sun Mon Tue Wed Thu Fri Sat Sun'.split(' ');

/** `index`: 0 minute, 1 hour, 2 day of month, 3 month, 4 day of week. Without a part: which values it may have. */
export function cronPartInWords(part: string | undefined, index: number): string {
  const unit = UNITS[index];
  if (unit === undefined) return '';
  if (part === undefined || part === '') return unit.values;
  if (part === '*') return index === 4 ? 'any day' : `every ${unit.one}`;
  return part
    .split(',')
    .map((piece) => pieceInWords(piece, index))
    .join(', ');
}

function pieceInWords(piece: string, index: number): string {
  const [range = '', step] = piece.split('/');
  const steps = step === undefined ? '' : `every ${step} ${UNITS[index]?.many ?? ''}`;
  if (range === '*') return steps;
  const [from = '', to] = range.split('-').map((value) => valueInWords(value, index));
  const span = to === undefined ? from : `${from} to ${to}`;
  return steps === '' ? span : to === undefined ? `${steps} from ${span}` : `${steps}, ${span}`;
}

function valueInWords(value: string, index: number): string {
  const number = /^\d+$/.test(value) ? Number(value) : undefined;
  if (index === 3) return (number === undefined ? named(value) : MONTHS[number - 1]) ?? value;
  if (index === 4) return (number === undefined ? named(value) : DAYS[number]) ?? value;
  if (number === undefined) return value;
  if (index === 0) return `:${String(number).padStart(2, '0')}`;
  if (index === 1) return `${String(number).padStart(2, '0')} h`;
  return `day ${number}`;
}

function named(value: string): string {
  return value.charAt(0).toUpperCase() + value.slice(1).toLowerCase();
}

/**
 * A schedule in German, by cronstrue, one part at a time: for a whole expression it would treat day of month and day of week
 * as alternatives, but in this dialect both must match. The engine does the same in English.
 */
import cronstrue from 'cronstrue';
import 'cronstrue/locales/de';

/** `words`: of the engine, for an expression that cronstrue does not know. */
export function scheduleInGerman(expression: string, words: string): string {
  const [minutes = '', hours = '', daysOfMonth, months, daysOfWeek, ...more] = expression.split(' ');
  if (daysOfWeek === undefined || more.length > 0) return words;
  const minute = stepped(minutes, 60, 2);
  // With several minutes "every two hours" would be ambiguous.
  const hour = /^\d+$/.test(minutes) ? stepped(hours, 24, 3) : hours;
  try {
    const time = inWords(`${minute} ${hour} * * *`);
    const behindTime = (field: string): string => inWords(`${minute} ${hour} ${field}`).slice(time.length);
    const dayOfMonth = behindTime(`${daysOfMonth} * *`);
    const dayOfWeek = behindTime(`* * ${daysOfWeek}`);
    const weekday = dayOfMonth === '' ? dayOfWeek : dayOfWeek.replace(/^, (?:nur )?(?=.)/, ' und nur ');
    return time + dayOfMonth + weekday + behindTime(`* ${months} *`);
  } catch {
    return words;
  }
}

function inWords(expression: string): string {
  return cronstrue.toString(expression, { use24HourTimeFormat: true, locale: 'de' });
}

/** A list with equal distances around the clock as a step: every six for `0,6,12,18`. */
function stepped(list: string, total: number, least: number): string {
  const values = list.split(',').map(Number);
  const step = total / values.length;
  const [first = 0] = values;
  const isEven =
    values.length >= least && step > 1 && values.every((value, at) => value === first + at * step);
  return isEven ? `${first === 0 ? '*' : first}/${step}` : list;
}

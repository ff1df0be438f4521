/** What a schedule is read as where that is probably not what its writer meant. */
import { describe, expect, it } from 'vitest';
import { parseCron } from '../../../src-core/auto-scavenge/cron-schedule.ts';

describe('a range whose ends are reversed', () => {
  it.each([
    ['30 2 * * Fri-Mon', '"Fri-Mon" in the day of week means Monday to Friday', 'write 5-6,0-1.'],
    ['0 22-2 * * *', '"22-2" in the hour means 2 to 22', 'write 22-23,0-2.'],
    ['0 0 * Dec-Jan *', '"Dec-Jan" in the month means January to December', 'write 12,1.'],
    ['50-10/5 * * * *', '"50-10" in the minute means 10 to 50', 'write 50-59,0-10.']
  ])('%s is taken as the server takes it, with a warning that says what it means', (text, means, instead) => {
    const { warnings } = parseCron(text);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(means);
    expect(warnings[0]).toContain(instead);
    // What is proposed is no such range itself.
    const proposed = /write (.*)\.$/.exec(warnings[0]!)![1]!;
    const field = text.split(' ').findIndex((part) => /\w-\w/.test(part));
    const corrected = text.split(' ').map((part, i) => (i === field ? proposed : part));
    expect(parseCron(corrected.join(' ')).warnings).toEqual([]);
  });

  it.each(['0 3 * * 0', '0 0 1-7 * MON', '5/15 * * * *', '0 3 * * Mon-Mon'])('%s has none', (text) => {
    expect(parseCron(text).warnings).toEqual([]);
  });
});

/** The parts of a CRON expression in a few words, and a whole one. */
import { byCount } from '../format/count.ts';

export const cronTexts = {
  cron: {
    /** `words`: of the engine, in English. */
    whole: (_expression: string, words: string) => words,
    units: [
      {
        every: 'every minute',
        steps: (step: number) => byCount(step, 'every minute', `every ${step} minutes`),
        values: '0–59'
      },
      {
        every: 'every hour',
        steps: (step: number) => byCount(step, 'every hour', `every ${step} hours`),
        values: '0–23'
      },
      {
        every: 'every day',
        steps: (step: number) => byCount(step, 'every day', `every ${step} days`),
        values: '1–31'
      },
      {
        every: 'every month',
        steps: (step: number) => byCount(step, 'every month', `every ${step} months`),
        values: '1–12 or JAN–DEC'
      },
      {
        every: 'any day',
        steps: (step: number) => byCount(step, 'any day', `every ${step} days`),
        values: '0–6 or SUN–SAT'
      }
    ],
    months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
    days: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    span: (from: string, to: string) => `${from} to ${to}`,
    stepsFrom: (steps: string, from: string) => `${steps} from ${from}`,
    hour: (hour: string) => `${hour} h`,
    day: (day: number) => `day ${day}`
  }
} as const;

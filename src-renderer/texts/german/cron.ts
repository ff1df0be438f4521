/** The German texts of `../cron.ts`, which says what each is for. */
import { byCount } from '../../format/count.ts';
import type { cronTexts as english } from '../cron.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

import { scheduleInGerman } from './schedule-words.ts';

export const cronTexts = {
  cron: {
    whole: scheduleInGerman,
    units: [
      {
        every: 'jede Minute',
        steps: (step: number) => byCount(step, 'jede Minute', `alle ${step} Minuten`),
        values: '0–59'
      },
      {
        every: 'jede Stunde',
        steps: (step: number) => byCount(step, 'jede Stunde', `alle ${step} Stunden`),
        values: '0–23'
      },
      {
        every: 'jeden Tag',
        steps: (step: number) => byCount(step, 'jeden Tag', `alle ${step} Tage`),
        values: '1–31'
      },
      {
        every: 'jeden Monat',
        steps: (step: number) => byCount(step, 'jeden Monat', `alle ${step} Monate`),
        values: '1–12 oder JAN–DEC'
      },
      {
        every: 'jeder Wochentag',
        steps: (step: number) => byCount(step, 'jeder Wochentag', `alle ${step} Tage`),
        values: '0–6 oder SUN–SAT'
      }
    ],
    months: ['Jan.', 'Feb.', 'März', 'Apr.', 'Mai', 'Juni', 'Juli', 'Aug.', 'Sept.', 'Okt.', 'Nov.', 'Dez.'],
    days: ['So', 'Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa'],
    span: (from: string, to: string) => `${from} bis ${to}`,
    stepsFrom: (steps: string, from: string) => `${steps} ab ${from}`,
    hour: (hour: string) => `${hour} Uhr`,
    day: (day: number) => `am ${day}.`
  }
} satisfies Translation<typeof english>;

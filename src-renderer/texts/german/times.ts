/** The German texts of `../times.ts`, which says what each is for. */
import { counted } from '../../format/count.ts';
import type { timesTexts as english } from '../times.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const timesTexts = {
  times: {
    justNow: 'gerade eben',
    ago: (words: string) => `vor ${words}`,
    from: (words: string) => `in ${words}`,
    // In the dative: vor 3 Tagen.
    ages: {
      minute: (count: number) => counted(count, 'Minute', 'Minuten'),
      hour: (count: number) => counted(count, 'Stunde', 'Stunden'),
      day: (count: number) => counted(count, 'Tag', 'Tagen'),
      year: (count: number) => counted(count, 'Jahr', 'Jahren')
    },
    spans: {
      second: (count: number) => counted(count, 'Sekunde', 'Sekunden'),
      minute: (count: number) => counted(count, 'Minute', 'Minuten'),
      hour: (count: number) => counted(count, 'Stunde', 'Stunden'),
      day: (count: number) => counted(count, 'Tag', 'Tage')
    },
    units: { hour: 'h', day: 'd' },
    left: (time: string) => `noch etwa ${time}`
  }
} satisfies Translation<typeof english>;

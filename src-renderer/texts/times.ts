/** Ages and durations in words. */
import { counted } from '../format/count.ts';

export const timesTexts = {
  times: {
    justNow: 'just now',
    ago: (words: string) => `${words} ago`,
    from: (words: string) => `in ${words}`,
    /** In an age: "3 days" ago. */
    ages: {
      minute: (count: number) => counted(count, 'minute'),
      hour: (count: number) => counted(count, 'hour'),
      day: (count: number) => counted(count, 'day'),
      year: (count: number) => counted(count, 'year')
    },
    /** By itself. */
    spans: {
      second: (count: number) => counted(count, 'second'),
      minute: (count: number) => counted(count, 'minute'),
      hour: (count: number) => counted(count, 'hour'),
      day: (count: number) => counted(count, 'day')
    },
    /** Short, after a number. */
    units: { hour: 'h', day: 'd' },
    left: (time: string) => `about ${time} left`
  }
} as const;

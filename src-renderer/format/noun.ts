/** A number of something, with the noun in the form that goes with it: "1 chunk", "55 chunks". */
import { texts, type Catalogue } from '../texts.ts';
import { byCount, formatCount } from './count.ts';

/** What the window counts, by its name in the catalogue. */
export type Noun = keyof Catalogue['nouns'];

export function formatNoun(count: number, noun: Noun): string {
  const [one, more] = texts.nouns[noun];
  return `${formatCount(count)} ${byCount(count, one, more)}`;
}

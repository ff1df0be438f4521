/** Texts of the documentation's frame; its pages are those of the project. */
import { counted } from '../format/count.ts';

export const documentationTexts = {
  documentation: {
    title: 'Documentation',
    search: 'Search the documentation',
    contents: 'Pages',
    parts: {
      start: 'Start',
      look: 'Look',
      act: 'Do',
      clusters: 'Clusters and servers',
      winnow: 'Winnow itself'
    },
    found: (count: number, typed: string) => `${counted(count, 'place')} for “${typed}”`,
    foundNothing: (typed: string) => `Nothing is written about “${typed}”. Try one word, or a part of it.`,
    clear: 'Show all pages',
    about: 'Documentation of this view',
    noPage: (name: string) => `There is no page “${name}”.`,
    firstPage: 'Open the first page',
    outside: (address: string) => `Outside the documentation: ${address}`
  }
} as const;

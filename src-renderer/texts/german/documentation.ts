/** The German texts of `../documentation.ts`, which says what each is for. */
import { counted } from '../../format/count.ts';
import type { documentationTexts as english } from '../documentation.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const documentationTexts = {
  documentation: {
    title: 'Dokumentation',
    search: 'Dokumentation durchsuchen',
    contents: 'Seiten',
    parts: {
      start: 'Einstieg',
      look: 'Ansehen',
      act: 'Handeln',
      clusters: 'Cluster und Server',
      winnow: 'Winnow selbst'
    },
    found: (count: number, typed: string) => `${counted(count, 'Stelle', 'Stellen')} zu „${typed}“`,
    foundNothing: (typed: string) =>
      `Über „${typed}“ steht nichts geschrieben. Ein einzelnes Wort oder einen Teil davon versuchen.`,
    clear: 'Alle Seiten zeigen',
    about: 'Dokumentation dieser Ansicht',
    noPage: (name: string) => `Es gibt keine Seite „${name}“.`,
    firstPage: 'Erste Seite öffnen',
    outside: (address: string) => `Außerhalb der Dokumentation: ${address}`
  }
} satisfies Translation<typeof english>;

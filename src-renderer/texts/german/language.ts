/** The language itself, and how it writes numbers and dates. */
import type { languageTexts as english } from '../language.ts';
import type { Translation } from '../../../src-main/contract/verbs/workbench-contract.ts';

export const languageTexts = {
  language: {
    code: 'de',
    locale: 'de-DE',
    hasDecimalComma: true,
    within: (name: string) => name,
    quoted: (label: string) => `„${label}“`
  }
} satisfies Translation<typeof english>;

/**
 * The texts of the window in the language that is shown. English is always there; another catalogue is loaded and chosen
 * before the first view is (main.ts), so what reads a text once, when its module is loaded, has it in the right language.
 * Another choice reloads the page.
 */
import { setPluralLanguage } from './format/plural-rules.ts';
import { english } from './texts/english.ts';
import type { Translation } from '../src-main/contract/verbs/workbench-contract.ts';

export type Catalogue = Translation<typeof english>;

export let texts: Catalogue = english;

/** Only before anything is shown. */
export function chooseTexts(catalogue: Catalogue): void {
  texts = catalogue;
  setPluralLanguage(catalogue.language.code);
}

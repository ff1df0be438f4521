/** The texts of menu, dialogs and notifications in the language of the window. */
import type { Language, LanguageChoice } from '../../contract/verbs/application-contract.ts';
import { english, type WindowTexts } from './english.ts';
import { german } from './german.ts';

let current: WindowTexts = english;

/** Asked at each use: the language may have changed. */
export function windowTexts(): WindowTexts {
  return current;
}

export function speakInWindow(language: Language): void {
  current = language === 'de' ? german : english;
}

/** `preferred`: languages of the system, the first first: `['fr-FR', 'de-AT', 'en']` is German. */
export function windowLanguage(choice: LanguageChoice, preferred: readonly string[]): Language {
  if (choice !== 'system') return choice;
  const codes = preferred.map((tag) => tag.slice(0, 2).toLowerCase());
  return codes.find((code) => code === 'de' || code === 'en') === 'de' ? 'de' : 'en';
}

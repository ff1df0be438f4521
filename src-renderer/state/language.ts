/** Which language the page is shown in: chosen once, before anything is shown. */
import type { Language } from '../../src-main/contract/verbs/workbench-contract.ts';
import { keptPreferences } from '../api/kept-appearance.ts';
import { chooseTexts } from '../texts.ts';

/** Loads the catalogue, unless it is the English one, which is always there. */
export async function speak(language: Language = pageLanguage()): Promise<void> {
  document.documentElement.lang = language;
  if (language === 'de') chooseTexts((await import('../texts/german/german.ts')).german);
}

/** In the window, as the main process wrote it into the page; in a browser, as it was chosen there or as the browser asks. */
function pageLanguage(): Language {
  if ('workbench' in window) return document.documentElement.lang === 'de' ? 'de' : 'en';
  const { language } = keptPreferences();
  return language === 'system' ? languageOf(navigator.languages) : language;
}

/** The first of these that the page has: `['fr-FR', 'de-AT', 'en']` is German. */
export function languageOf(wanted: readonly string[]): Language {
  const known = wanted
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((code) => code === 'de' || code === 'en');
  return known === 'de' ? 'de' : 'en';
}
